"""Reading of teams: who acts for whom, and who may join."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.utils import timezone

from leaderboard.models.teams import Membership, Team, TeamInvitation, TeamRole


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberView:
    """One member of a team, as the other members see it."""

    user_id: int
    name: str
    role: TeamRole
    since: datetime
    oneself: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class InvitationView:
    """An invitation that can be answered; `for_whom` is a user name or an e-mail address."""

    id: uuid.UUID
    team: str
    invited_by: str
    for_whom: str
    expires_at: datetime


class InvitationState(StrEnum):
    """What can be done with an invitation."""

    OPEN = "open"
    USED = "used"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


def team_of(user: User) -> Team | None:
    """The user's team; None for a user who is a team of one."""
    return Team.objects.filter(memberships__user=user).first()


def membership_of(user: User) -> Membership | None:
    """The user's membership with its team, in one query."""
    return Membership.objects.select_related("team").filter(user=user).first()


def members_of(team: Team, *, reader: User) -> tuple[MemberView, ...]:
    """The members of a team, owners first, in one query."""
    rows = team.memberships.select_related("user").order_by("-role", "user__username")
    return tuple(
        MemberView(
            user_id=row.user_id,
            name=row.user.username,
            role=TeamRole(row.role),
            since=row.since,
            oneself=row.user_id == reader.pk,
        )
        for row in rows
    )


def invitations_open() -> QuerySet[TeamInvitation]:
    """Invitations that nobody has answered and whose time is not over."""
    return TeamInvitation.objects.filter(accepted_at=None, declined_at=None, expires_at__gt=timezone.now())


def invitations_of_team(team: Team) -> tuple[InvitationView, ...]:
    """Whom a team waits for, the newest first, in one query."""
    return _views(invitations_open().filter(team=team))


def invitations_for(user: User) -> tuple[InvitationView, ...]:
    """The open invitations of a user, by name or to one of the user's verified addresses, in one query."""
    return _views(invitations_open().filter(Q(user=user) | Q(email__in=verified_addresses(user))))


def _views(rows: QuerySet[TeamInvitation]) -> tuple[InvitationView, ...]:
    return tuple(invitation_view(row) for row in rows.select_related("team", "invited_by", "user"))


def invitation_view(invitation: TeamInvitation) -> InvitationView:
    """The record of one row."""
    return InvitationView(
        id=invitation.pk,
        team=invitation.team.name,
        invited_by=invitation.invited_by.username,
        for_whom=invitation.user.username if invitation.user else invitation.email,
        expires_at=invitation.expires_at,
    )


def invitation_state(invitation: TeamInvitation) -> InvitationState:
    """What can be done with an invitation now."""
    if invitation.accepted_at is not None:
        return InvitationState.USED
    if invitation.declined_at is not None:
        return InvitationState.WITHDRAWN
    return InvitationState.OPEN if invitation.expires_at > timezone.now() else InvitationState.EXPIRED


def is_invited(user: User, invitation: TeamInvitation) -> bool:
    """Whether an invitation is for this user: by name, or to an address that the user has verified."""
    if invitation.user_id is not None:
        return invitation.user_id == user.pk
    return invitation.email in verified_addresses(user)


def verified_addresses(user: User) -> set[str]:
    """The e-mail addresses that a user has shown to read, in lower case."""
    rows = EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True)
    return {email.lower() for email in rows}
