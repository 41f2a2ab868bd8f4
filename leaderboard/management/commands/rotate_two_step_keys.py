"""`manage.py rotate_two_step_keys`: encrypts the secrets of two-step logins anew after a change of SECRET_KEY."""

from typing import Any

from cryptography.fernet import InvalidToken
from django.core.management.base import BaseCommand, CommandError

from leaderboard.services.account_secrets import secrets_rotate


class Command(BaseCommand):
    """Until it has run, the old key must stay in SECRET_KEY_FALLBACKS."""

    help = "Encrypt the secrets of two-step logins anew under the present SECRET_KEY."

    def handle(self, **_: Any) -> None:
        """Take them over."""
        try:
            count = secrets_rotate()
        except InvalidToken as error:
            raise CommandError("A secret fits no key: add the old SECRET_KEY to SECRET_KEY_FALLBACKS.") from error
        self.stdout.write(f"{count} secrets of two-step logins are encrypted under the present SECRET_KEY.")
