"""Accounts that people make themselves: noting a sign-up, and asking for a verified address."""

from datetime import timedelta
from typing import Final

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.utils import timezone

from benchmark_data.errors import SubmissionError
from leaderboard.models.accounts import SignUp
from leaderboard.selectors.accounts import is_vouched_for, longest_window, mailbox_digest

UNVERIFIED_SPAN: Final = timedelta(days=14)
"""How long a new account may take to verify an address; a link lasts three days, and a login sends another one."""


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
    sign_ups_forget()
    SignUp.objects.create(user=user, mailbox=mailbox_digest(email))


def sign_ups_forget() -> None:
    """Forget accounts whose address nobody verified, and mailboxes of deleted ones whose submissions count no more.

    Done before each sign-up, which is when names and mailboxes are wanted again.
    """
    now = timezone.now()
    SignUp.objects.filter(closed_at__lt=now - longest_window(), mailbox__isnull=False).update(mailbox=None)
    verified = EmailAddress.objects.filter(verified=True).values("user")
    never_used = User.objects.filter(sign_up__at__lt=now - UNVERIFIED_SPAN, sign_up__closed_at=None, last_login=None)
    never_used.filter(submissions=None).exclude(pk__in=verified).delete()
