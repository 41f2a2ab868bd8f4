"""Accounts that people make themselves: noting a sign-up, and asking for a verified address."""

from django.contrib.auth.models import User
from django.utils import timezone

from benchmark_data.errors import SubmissionError
from leaderboard.models.accounts import SignUp
from leaderboard.selectors.accounts import is_vouched_for, longest_window, mailbox_digest


class EmailNotVerifiedError(SubmissionError):
    """The account signed up by itself, and has no verified e-mail address."""

    def __init__(self) -> None:
        super().__init__(
            "Verify your e-mail address first: open the link in the e-mail that we sent you, or log in on the site to "
            "get a new one."
        )


def email_require_verified(user: User) -> None:
    """Refuse where an account could be a throw-away one, made for its quota.

    Raises:
        EmailNotVerifiedError: the account signed up by itself, and has no verified e-mail address.
    """
    if not is_vouched_for(user):
        raise EmailNotVerifiedError


def sign_up_record(user: User, *, email: str) -> None:
    """Note that a user made the account and has a mailbox; in the transaction that makes the user.

    Raises:
        IntegrityError: another account has the mailbox, or had it within the longest window of a quota.
    """
    mailboxes_forget()
    SignUp.objects.create(user=user, mailbox=mailbox_digest(email))


def mailboxes_forget() -> int:
    """Forget the mailboxes of deleted accounts whose submissions no longer count anywhere."""
    over = SignUp.objects.filter(closed_at__lt=timezone.now() - longest_window(), mailbox__isnull=False)
    return over.update(mailbox=None)
