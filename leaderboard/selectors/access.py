"""Who may read what of a submission: figures are public, the rest is its owner's, the owner's team's and staff's."""

from django.contrib.auth.models import AnonymousUser, User

from leaderboard.models.submissions import Submission
from leaderboard.models.teams import Membership


def may_read_items(user: User | AnonymousUser, submission: Submission) -> bool:
    """Whether a user may read the predicted texts and the verdicts on single items, and cancel the submission.

    Of a team, whoever is in it now, and only for what was sent for the team: it shares the quota that was charged.
    """
    if not user.is_authenticated:
        return False
    return user.is_staff or user.pk == submission.owner_id or is_team_mate(user, submission)


def is_team_mate(user: User, submission: Submission) -> bool:
    """Whether a user is in the team that a submission was sent for."""
    return submission.team_id is not None and Membership.objects.filter(user=user, team=submission.team_id).exists()
