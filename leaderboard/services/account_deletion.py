"""Deleting an account: personal data goes, entries stay on the board under their own names."""

from typing import Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from benchmark_data.errors import AptBoardError
from leaderboard.models.accounts import SignUp
from leaderboard.models.endpoints import ModelEndpoint
from leaderboard.models.notices import Notice, NoticePreference
from leaderboard.models.submissions import Submission
from leaderboard.models.teams import Membership, TeamInvitation, TeamRole
from leaderboard.models.tokens import ApiToken
from leaderboard.models.webhooks import Webhook
from leaderboard.selectors.accounts import mailbox_digest, sign_up_of_mailbox
from leaderboard.services.runs import submission_cancel
from leaderboard.services.teams import membership_end, team_lock, users_lock

DELETED: Final = "deleted-"
"""What the name of a deleted account begins with; nobody may sign up by such a name."""


class AccountKeptError(AptBoardError):
    """The account cannot be deleted by its owner."""


@transaction.atomic
def account_delete(user: User) -> None:
    """Delete an account, as far as it is a person's.

    The row stays without a name, an address or a password, for published entries need an owner: a correction of gold
    scores them again. Runs that have not ended are cancelled. The ledger stays, and with it, for one window of the
    quota, the digest of the mailbox: deleting an account and signing up again gives no new quota.

    Raises:
        AccountKeptError: the account is an organiser's.
    """
    if user.is_staff:
        raise AccountKeptError("You are an organiser: another organiser has to take these rights away first.")
    users_lock([user])
    for submission in Submission.objects.filter(owner=user):
        submission_cancel(submission)
    ModelEndpoint.objects.filter(submission__owner=user).update(key=None)
    Submission.objects.filter(owner=user).update(file_name="", idempotency_key="")
    _leave_team(user)
    _close_mailbox(user)
    _delete_belongings(user)
    user.username, user.email, user.first_name, user.last_name = f"{DELETED}{user.pk}", "", "", ""
    user.is_active, user.last_login = False, None
    user.set_unusable_password()
    user.save()


def _close_mailbox(user: User) -> None:
    """Keep the mailbox closed for a while, of an account that organisers made as well."""
    if user.email and sign_up_of_mailbox(user.email) is None:
        SignUp.objects.get_or_create(user=user, defaults={"mailbox": mailbox_digest(user.email)})
    SignUp.objects.filter(user=user).update(closed_at=timezone.now())


def _delete_belongings(user: User) -> None:
    addresses = EmailAddress.objects.filter(user=user)
    TeamInvitation.objects.filter(email__in=[*addresses.values_list("email", flat=True)]).delete()
    TeamInvitation.objects.filter(user=user).delete()
    ApiToken.objects.filter(owner=user).delete()
    Webhook.objects.filter(owner=user).delete()
    Notice.objects.filter(user=user).delete()
    NoticePreference.objects.filter(user=user).delete()
    addresses.delete()
    Authenticator.objects.filter(user=user).delete()


def _leave_team(user: User) -> None:
    """Leave the team; where it would be left without an owner, who has been in it longest becomes one."""
    membership = Membership.objects.filter(user=user).first()
    if membership is None:
        return
    team_lock(membership.team_id)
    others = Membership.objects.filter(team_id=membership.team_id).exclude(user=user)
    if not others.filter(role=TeamRole.OWNER).exists() and (heir := others.order_by("since", "pk").first()):
        heir.role = TeamRole.OWNER
        heir.save(update_fields=["role"])
    membership_end(membership)
