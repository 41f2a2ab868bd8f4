"""Who may read what of a submission: figures are public, texts and verdicts on single items are its owner's."""

from django.contrib.auth.models import AnonymousUser, User

from leaderboard.models.submissions import Submission


def may_read_items(user: User | AnonymousUser, submission: Submission) -> bool:
    """Whether a user may read the predicted texts and the verdicts on single items, and cancel the submission."""
    return user.is_authenticated and (user.is_staff or user.pk == submission.owner_id)
