"""Accounts that people made themselves, as opposed to those that organisers made."""

from django.conf import settings
from django.db import models


class SignUp(models.Model):
    """A sign-up. Accounts without one were made by the organisers, who vouch for them.

    The mailbox is kept as a keyed digest and outlives the account for one window of the quota: whoever could delete an
    account and sign up again at once would have a new quota each time.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_up")
    mailbox = models.BinaryField(
        max_length=32, unique=True, null=True, help_text="Keyed digest of the mailbox, without what follows a plus."
    )
    at = models.DateTimeField(auto_now_add=True)
    closed_at = models.DateTimeField(null=True, help_text="When the account was deleted by its owner.")

    def __str__(self) -> str:
        return f"{self.user_id} at {self.at:%Y-%m-%d}"
