"""`manage.py team NAME`: registers a team, and says who is in it."""

import argparse
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from leaderboard.services.teams import TeamConflictError, team_change


class Command(BaseCommand):
    """A team shares one quota and one place in the queue; a user is in one team at most."""

    help = "Register a team, add or remove members and owners, and list them."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command line."""
        parser.add_argument("name", help="the team's name, at most 80 characters")
        parser.add_argument("--add", nargs="+", default=[], metavar="USER", help="users who join it")
        parser.add_argument("--owner", nargs="+", default=[], metavar="USER", help="users who join it as owners")
        parser.add_argument("--remove", nargs="+", default=[], metavar="USER", help="users who leave it")

    def handle(self, *, name: str, add: list[str], owner: list[str], remove: list[str], **_: Any) -> None:
        """Change and list."""
        users = {user.username: user for user in User.objects.filter(username__in=[*add, *owner, *remove])}
        if missing := sorted({*add, *owner, *remove} - users.keys()):
            raise CommandError(f"There is no user {', '.join(missing)}.", returncode=2)
        try:
            who, gone, owners = ([users[each] for each in names] for names in (add, remove, owner))
            members = team_change(name, add=who, remove=gone, owners=owners)
        except TeamConflictError as error:
            raise CommandError(str(error), returncode=1) from error
        self.stdout.write(f"{name}: {', '.join(members) or 'nobody'}")
