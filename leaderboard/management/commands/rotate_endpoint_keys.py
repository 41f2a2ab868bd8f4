"""`manage.py rotate_endpoint_keys`: puts stored API keys under the newest encryption key."""

import argparse
from typing import Any

from cryptography.fernet import Fernet
from django.core.management.base import BaseCommand, CommandError

from leaderboard.services.endpoints import keys_rotate
from leaderboard.services.secrets import UndecryptableError


class Command(BaseCommand):
    """Add a new key in front of ENDPOINT_KEYS, restart, rotate, then drop the old key."""

    help = "Encrypt stored API keys anew under the first key of ENDPOINT_KEYS; --new prints a fresh key."

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command line."""
        parser.add_argument("--new", action="store_true", help="print a fresh key, and change nothing")

    def handle(self, *, new: bool, **_: Any) -> None:
        """Rotate, or print a key."""
        if new:
            self.stdout.write(Fernet.generate_key().decode())
            return
        try:
            count = keys_rotate()
        except UndecryptableError as error:
            raise CommandError(str(error), returncode=1) from error
        self.stdout.write(self.style.SUCCESS(f"{count} stored API keys are under the newest key."))
