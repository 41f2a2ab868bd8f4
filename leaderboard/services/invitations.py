"""Invitations to teams: for one user or one e-mail address, for a week, to be answered once."""

import logging
import smtplib
import uuid
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from leaderboard.models.notices import NoticeKind
from leaderboard.models.teams import Membership, Team, TeamInvitation, TeamRole
from leaderboard.selectors.accounts import is_vouched_for
from leaderboard.selectors.teams import InvitationState, invitation_state, invitations_open, is_invited
from leaderboard.services.accounts import email_require_verified
from leaderboard.services.notices import notice_create
from leaderboard.services.teams import MOST_MEMBERS, TeamConflictError, joining_require, team_lock, users_lock

logger = logging.getLogger(__name__)

LASTS: Final = timedelta(days=7)
MOST_A_DAY: Final = 10
"""Invitations that one user sends in 24 hours: each may be an e-mail to somebody who never asked for one."""

REFUSALS: Final = {
    InvitationState.USED: "This invitation was accepted before: it works once.",
    InvitationState.WITHDRAWN: "This invitation was declined or withdrawn.",
    InvitationState.EXPIRED: f"This invitation has expired: they last {LASTS.days} days. Ask for a new one.",
}


class InvitationOverError(TeamConflictError):
    """The invitation cannot be answered any more."""


class NotInvitedError(TeamConflictError):
    """The invitation is for somebody else."""


@transaction.atomic
def invitation_create(owner: User, *, username: str = "", email: str = "") -> TeamInvitation:
    """Invite a user by name, who gets a notice, or whoever reads an e-mail address, which gets an e-mail.

    Whether an address has an account makes no difference, so nobody learns it.

    Raises:
        TeamConflictError: who asks is no owner of a team, there is no such user, or there were too many invitations.
    """
    users_lock([owner])
    team = _team_owned(owner)
    team_lock(team.pk)
    _room_require(team, owner)
    now = timezone.now()
    invitation = TeamInvitation(team=team, invited_by=owner, created_at=now, expires_at=now + LASTS)
    if email:
        invitation.email = email.lower()
    else:
        invitation.user = _user_named(username, team)
    # The newest one counts: a link that was lost opens nothing.
    earlier = invitations_open().filter(team=team, user=invitation.user, email=invitation.email)
    earlier.update(declined_at=now)
    invitation.save()
    if invitation.user is not None:
        _tell_user(invitation, invitation.user)
    return invitation


@transaction.atomic
def invitation_accept(user: User, invitation_id: uuid.UUID) -> Team:
    """Join the team of an invitation. What the user sent before counts for the team from now on.

    Raises:
        InvitationOverError: it was used, withdrawn or has expired.
        NotInvitedError: it is for somebody else.
        EmailNotVerifiedError: the user's e-mail address is not verified.
        TeamConflictError: the user is in a team, or the team is full.
    """
    users_lock([user])
    invitation = _answerable(user, invitation_id)
    email_require_verified(user)
    joining_require(user)
    if invitation.team.memberships.count() >= MOST_MEMBERS:
        raise TeamConflictError(f"The team has {MOST_MEMBERS} members, and more it cannot have.")
    invitation.accepted_at = timezone.now()
    invitation.save(update_fields=["accepted_at"])
    Membership.objects.create(team=invitation.team, user=user)
    return invitation.team


@transaction.atomic
def invitation_decline(user: User, invitation_id: uuid.UUID) -> Team:
    """Decline an invitation.

    Raises:
        InvitationOverError: it was used, withdrawn or has expired.
        NotInvitedError: it is for somebody else.
    """
    invitation = _answerable(user, invitation_id)
    invitation.declined_at = timezone.now()
    invitation.save(update_fields=["declined_at"])
    return invitation.team


@transaction.atomic
def invitation_withdraw(owner: User, invitation_id: uuid.UUID) -> Team:
    """Take an invitation of one's own team back.

    Raises:
        InvitationOverError: it was used, withdrawn or has expired.
        TeamConflictError: who asks is no owner of the team.
    """
    team = _team_owned(owner)
    invitation = TeamInvitation.objects.select_for_update(of=("self",)).filter(pk=invitation_id, team=team).first()
    if invitation is None:
        raise NotInvitedError("Your team has no such invitation.")
    _open_require(invitation)
    invitation.declined_at = timezone.now()
    invitation.save(update_fields=["declined_at"])
    return team


def invitation_require(user: User, invitation: TeamInvitation) -> None:
    """Refuse where a user cannot answer an invitation; who it is for is told to nobody else.

    Raises:
        NotInvitedError: it is for somebody else.
        InvitationOverError: it was used, withdrawn or has expired.
    """
    if not is_invited(user, invitation):
        raise NotInvitedError(
            "This invitation is for another account. If it came by e-mail, add that address to your account and "
            "verify it, then open the link again."
        )
    _open_require(invitation)


def invitation_mail(invitation: TeamInvitation) -> bool:
    """Send the e-mail of an invitation to an address; False where the mail server did not take it."""
    link = settings.SITE_URL + reverse("team_invitation", args=[invitation.pk])
    message = EmailMessage(
        subject="[AptBoard] An invitation to a team",
        body=f"{invitation.invited_by.username} invites you to the team “{invitation.team.name}” on AptBoard, the "
        f"public board of AptMQL-Bench.\n\nTo see the invitation, and to accept or decline it, open\n\n{link}\n\n"
        f"and log in, or sign up with this e-mail address. The link works once, until "
        f"{invitation.expires_at:%Y-%m-%d %H:%M} UTC.\n\nIf you do not know who this is, do nothing.\n\n"
        f"-- \nAptBoard: {settings.SITE_URL}\n",
        to=[invitation.email],
        headers={"Auto-Submitted": "auto-generated"},
    )
    try:
        message.send()
    except (smtplib.SMTPException, OSError) as error:
        logger.warning("invitation %s could not be mailed: %s", invitation.pk, type(error).__name__)
        return False
    return True


def _answerable(user: User, invitation_id: uuid.UUID) -> TeamInvitation:
    team_id = TeamInvitation.objects.filter(pk=invitation_id).values_list("team_id", flat=True).first()
    if team_id is None:
        raise NotInvitedError("There is no such invitation.")
    team_lock(team_id)
    # Read under the lock: two answers at once are one answer and one refusal.
    invitation = TeamInvitation.objects.select_related("team").select_for_update(of=("self",)).get(pk=invitation_id)
    invitation_require(user, invitation)
    return invitation


def _open_require(invitation: TeamInvitation) -> None:
    state = invitation_state(invitation)
    if state is not InvitationState.OPEN:
        raise InvitationOverError(REFUSALS[state])


def _team_owned(owner: User) -> Team:
    membership = Membership.objects.select_related("team").filter(user=owner, role=TeamRole.OWNER).first()
    if membership is None:
        raise TeamConflictError("Only an owner of a team may do this.")
    return membership.team


def _room_require(team: Team, owner: User) -> None:
    sent = TeamInvitation.objects.filter(invited_by=owner, created_at__gt=timezone.now() - timedelta(days=1)).count()
    if sent >= MOST_A_DAY:
        raise TeamConflictError(f"You have sent {MOST_A_DAY} invitations within 24 hours: wait with the next one.")
    if team.memberships.count() >= MOST_MEMBERS:
        raise TeamConflictError(f"The team has {MOST_MEMBERS} members, and more it cannot have.")


def _user_named(username: str, team: Team) -> User:
    user = User.objects.filter(username=username, is_active=True).first()
    # Who has not verified an address could not join, and the notice would be an e-mail to whom it may not belong.
    if user is None or not is_vouched_for(user):
        raise TeamConflictError(f"There is no user {username}.")
    if Membership.objects.filter(user=user, team=team).exists():
        raise TeamConflictError(f"{username} is in the team already.")
    return user


def _tell_user(invitation: TeamInvitation, user: User) -> None:
    link = settings.SITE_URL + reverse("team_invitation", args=[invitation.pk])
    notice_create(
        user,
        kind=NoticeKind.INVITED,
        title=f"{invitation.invited_by.username} invites you to the team “{invitation.team.name}”",
        text=f"Accept or decline until {invitation.expires_at:%Y-%m-%d %H:%M} UTC: {link}",
    )
