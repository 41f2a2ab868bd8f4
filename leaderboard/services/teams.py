"""Teams and who is in them. No change of a team gives anybody a quota that was not there before."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from benchmark_data.errors import AptBoardError
from leaderboard.models.teams import Membership, PastMembership, Team, TeamInvitation, TeamRole
from leaderboard.services.accounts import email_require_verified

LONGEST_NAME: Final = 80
MOST_MEMBERS: Final = 50
MOST_CHANGES: Final = 3
CHANGES_SPAN: Final = timedelta(days=30)
"""A user joins or makes so many teams in this time: teams are for people who work together, not for an afternoon."""


class TeamConflictError(AptBoardError):
    """A change that a team cannot have; the sentence is for who asked for it."""


@transaction.atomic
def team_change(
    name: str, *, add: Sequence[User] = (), remove: Sequence[User] = (), owners: Sequence[User] = ()
) -> list[str]:
    """Register a team if it is new, and change who is in it, as organisers may; returns the names of its members.

    Args:
        name: of the team.
        add: users who join it, and owners among them.
        remove: users who leave it.
        owners: members who may change the team by themselves from now on.

    Raises:
        TeamConflictError: nothing was changed.
    """
    name_require(name)
    users_lock([*add, *remove, *owners])
    team, _ = Team.objects.get_or_create(name=name)
    team_lock(team.pk)
    for membership in Membership.objects.filter(team=team, user__in=remove):
        membership_end(membership)
    for user in [*add, *owners]:
        membership, _ = Membership.objects.get_or_create(user=user, defaults={"team": team})
        if membership.team_id != team.pk:
            raise TeamConflictError(f"{user.username} is in the team {membership.team} already.")
    Membership.objects.filter(team=team, user__in=owners).update(role=TeamRole.OWNER)
    return list(team.memberships.order_by("user__username").values_list("user__username", flat=True))


@transaction.atomic
def team_create(founder: User, *, name: str) -> Team:
    """Make a team, whose owner the founder is.

    What the founder sent before counts for the team: a new team is no new quota.

    Raises:
        EmailNotVerifiedError: the founder's e-mail address is not verified.
        TeamConflictError: the founder is in a team, or the name is taken or cannot be one.
    """
    email_require_verified(founder)
    name = name.strip()
    name_require(name)
    users_lock([founder])
    joining_require(founder)
    if Team.objects.filter(name__iexact=name).exists():
        raise TeamConflictError("There is a team of this name already.")
    team = Team.objects.create(name=name)
    Membership.objects.create(team=team, user=founder, role=TeamRole.OWNER)
    return team


@transaction.atomic
def team_leave(user: User) -> Team:
    """Leave one's team.

    Raises:
        TeamConflictError: the user is in none, or is the last owner of others.
    """
    users_lock([user])
    membership = Membership.objects.select_related("team").filter(user=user).first()
    if membership is None:
        raise TeamConflictError("You are in no team.")
    team_lock(membership.team_id)
    if membership.role == TeamRole.OWNER and _others_without_owner(membership):
        raise TeamConflictError("You are the team's only owner: make another member an owner first.")
    membership_end(membership)
    return membership.team


@transaction.atomic
def member_remove(owner: User, member_id: int) -> str:
    """Remove a member from the owner's team; returns the member's name.

    Raises:
        TeamConflictError: who asks is no owner of the member's team, or is that member.
    """
    membership = _membership_owned(owner, member_id)
    if membership.user_id == owner.pk:
        raise TeamConflictError("To go yourself, leave the team.")
    membership_end(membership)
    return membership.user.username


@transaction.atomic
def member_role_set(owner: User, member_id: int, role: TeamRole) -> str:
    """Let a member be an owner, or no more; returns the member's name.

    Raises:
        TeamConflictError: who asks is no owner of the member's team, or the team would have none.
    """
    membership = _membership_owned(owner, member_id)
    if role != TeamRole.OWNER and _others_without_owner(membership):
        raise TeamConflictError("A team has at least one owner.")
    membership.role = role
    membership.save(update_fields=["role"])
    return membership.user.username


def name_require(name: str) -> None:
    """Refuse what cannot be a team's name.

    Raises:
        TeamConflictError: it is empty, too long, or has characters that cannot be seen.
    """
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise TeamConflictError(f"A team's name has 1 to {LONGEST_NAME} visible characters.")


def joining_require(user: User) -> None:
    """Refuse to let a user into a team who is in one, or was in several lately; the user's row is locked.

    Raises:
        TeamConflictError: the user cannot join now.
    """
    if Membership.objects.filter(user=user).exists():
        raise TeamConflictError("You are in a team already: leave it first.")
    since = timezone.now() - CHANGES_SPAN
    if PastMembership.objects.filter(user=user, since__gt=since).count() >= MOST_CHANGES:
        raise TeamConflictError(
            f"You have joined {MOST_CHANGES} teams within {CHANGES_SPAN.days} days: wait, or ask the organisers."
        )


def users_lock(users: Sequence[User]) -> None:
    """Lock the rows of users until the transaction ends: a user submits, joins and leaves one after the other.

    Users are locked before teams, teams before ledgers, everywhere: so nobody waits in a circle.
    """
    ids = sorted(user.pk for user in users)
    list(User.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk"))


def team_lock(team_id: int) -> None:
    """Lock a team's row until the transaction ends: its members, and what it may send, do not change meanwhile."""
    Team.objects.select_for_update(no_key=True).get(pk=team_id)


def membership_end(membership: Membership) -> None:
    """End a membership and remember it; its team is locked. Invitations that its user sent end with it."""
    PastMembership.objects.create(
        team_id=membership.team_id, user_id=membership.user_id, since=membership.since, until=timezone.now()
    )
    TeamInvitation.objects.filter(
        team_id=membership.team_id, invited_by_id=membership.user_id, accepted_at=None, declined_at=None
    ).update(declined_at=timezone.now())
    membership.delete()


def _membership_owned(owner: User, member_id: int) -> Membership:
    users_lock([*User.objects.filter(pk__in=(owner.pk, member_id))])
    own = Membership.objects.filter(user=owner, role=TeamRole.OWNER).first()
    if own is None:
        raise TeamConflictError("Only an owner of the team may do this.")
    team_lock(own.team_id)
    membership = Membership.objects.select_related("user").filter(user_id=member_id, team_id=own.team_id).first()
    if membership is None:
        raise TeamConflictError("There is no such member in your team.")
    return membership


def _others_without_owner(membership: Membership) -> bool:
    others = Membership.objects.filter(team_id=membership.team_id).exclude(pk=membership.pk)
    return others.exists() and not others.filter(role=TeamRole.OWNER).exists()
