"""Reading of accounts: who may submit, which mailboxes have one, and what the account page shows."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Max
from django.utils import timezone
from django.utils.crypto import salted_hmac

from leaderboard.models.accounts import SignUp
from leaderboard.models.quota import QuotaRule
from leaderboard.models.tokens import ApiToken
from leaderboard.models.webhooks import Webhook


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountView:
    """An account as its owner sees it at a glance."""

    email: str
    email_verified: bool
    has_password: bool
    second_step: bool
    tokens: int
    webhooks: int
    joined_at: datetime


def account_view(user: User) -> AccountView:
    """The account page's figures, in four queries."""
    address = EmailAddress.objects.filter(user=user, primary=True).first()
    now = timezone.now()
    return AccountView(
        email=address.email if address else user.email,
        email_verified=bool(address and address.verified),
        has_password=user.has_usable_password(),
        second_step=Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists(),
        tokens=ApiToken.objects.filter(owner=user, revoked_at=None, expires_at__gt=now).count(),
        webhooks=Webhook.objects.filter(owner=user).count(),
        joined_at=user.date_joined,
    )


def is_vouched_for(user: User) -> bool:
    """Whether a user may submit: one with a verified e-mail address, or one whose account the organisers made."""
    unproved = SignUp.objects.filter(user=user).exclude(
        user__in=EmailAddress.objects.filter(user=user, verified=True).values("user")
    )
    return not unproved.exists()


def may_be_mailed(user: User) -> bool:
    """Whether the address of an account is known to be its user's: verified, or given by the organisers."""
    proved = EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True)
    return proved.exists() or not SignUp.objects.filter(user=user).exists()


def mailbox_digest(email: str) -> bytes:
    """The keyed digest of the mailbox that an address belongs to: `Ann+board@x.org` and `ann@x.org` are one.

    Without this, one mailbox would be any number of verified accounts, each with a quota of its own.
    """
    local, _, domain = email.strip().lower().rpartition("@")
    mailbox = f"{local.partition('+')[0] or local}@{domain}"
    return salted_hmac("aptboard.mailbox", mailbox, algorithm="sha256").digest()


def sign_up_of_mailbox(email: str) -> SignUp | None:
    """The account that has a mailbox, or had it until lately."""
    return SignUp.objects.filter(mailbox=mailbox_digest(email)).first()


def longest_window() -> timedelta:
    """The longest time for which a submission counts in any quota."""
    longest = QuotaRule.objects.aggregate(longest=Max("seconds"))["longest"] or 0
    return timedelta(seconds=max(settings.QUOTA_SECONDS, longest))
