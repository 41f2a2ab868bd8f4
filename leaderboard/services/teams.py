"""Teams and who is in them; organisers register them, for whoever could make teams could make quota."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction

from benchmark_data.errors import AptBoardError
from leaderboard.models.teams import Membership, Team


class TeamConflictError(AptBoardError):
    """A user is in another team already, or a name cannot be one."""


@transaction.atomic
def team_change(name: str, *, add: Sequence[User] = (), remove: Sequence[User] = ()) -> list[str]:
    """Register a team if it is new, and change who is in it; returns the names of its members.

    What a user sent before counts for whom it was sent.

    Raises:
        TeamConflictError: nothing was changed.
    """
    if not name.strip() or len(name) > 80 or not name.isprintable():
        raise TeamConflictError("A team's name has 1 to 80 visible characters.")
    team, _ = Team.objects.get_or_create(name=name)
    Membership.objects.filter(team=team, user__in=remove).delete()
    for user in add:
        membership, _ = Membership.objects.get_or_create(user=user, defaults={"team": team})
        if membership.team_id != team.pk:
            raise TeamConflictError(f"{user.username} is in the team {membership.team} already.")
    return list(team.memberships.order_by("user__username").values_list("user__username", flat=True))
