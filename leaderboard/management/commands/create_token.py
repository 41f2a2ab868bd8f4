"""`manage.py create_token USER`: makes an API token for a user and prints it once."""

import argparse
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from leaderboard.models.tokens import TokenScope
from leaderboard.services.tokens import token_create


class Command(BaseCommand):
    """The secret is the only line on standard output, so that a script can keep it."""

    help = "Make an API token for a user and print it; it cannot be shown again."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command line."""
        parser.add_argument("user", help="user name")
        parser.add_argument("--name", default="command line", help="what the token is for")
        parser.add_argument(
            "--scope",
            action="append",
            choices=[scope.value for scope in TokenScope],
            help="what it may do, repeatable (default: everything)",
        )
        parser.add_argument("--days", type=int, default=90, help="days until it expires (default 90)")
        parser.add_argument("--create-user", action="store_true", help="make the user, without a password, if missing")

    def handle(self, *, user: str, name: str, days: int, scope: list[str] | None, create_user: bool, **_: Any) -> None:
        """Make the token."""
        owner = User.objects.filter(username=user).first()
        if owner is None and not create_user:
            raise CommandError(f"There is no user {user!r}. Make one with createsuperuser, or add --create-user.")
        scopes = tuple(map(TokenScope, scope)) if scope else tuple(TokenScope)
        owner = owner or User.objects.create_user(user)
        token, secret = token_create(owner, name=name, days=days, scopes=scopes)
        self.stderr.write(f"Token {token.prefix}… of {user} expires on {token.expires_at:%Y-%m-%d}.")
        self.stdout.write(secret)
