"""Reading of teams: who acts for whom."""

from django.contrib.auth.models import User

from leaderboard.models.teams import Team


def team_of(user: User) -> Team | None:
    """The user's team; None for a user who is a team of one."""
    return Team.objects.filter(memberships__user=user).first()
