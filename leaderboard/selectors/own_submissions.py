"""Reading of a user's own submissions, and those of the user's team, as a list."""

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.db.models import Prefetch, Q, QuerySet

from evaluation.types import Condition
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.models.teams import Team
from leaderboard.selectors.submissions import SubmissionStatus, overall_status, shown_state, standing_of


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSubmission:
    """One line in the list of a user's submissions; `sender` is the team mate who sent it, "" for the user's own."""

    id: uuid.UUID
    entry: str
    release: str
    created_at: datetime
    sender: str
    status: SubmissionStatus
    runs: tuple["OwnRun", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRun:
    """One condition in the list of a user's submissions."""

    condition: Condition
    state: RunState
    strict_ex: float | None
    rank: int | None


def submissions_of(user: User) -> QuerySet[Submission]:
    """The submissions of a user and of the user's team, the newest first, with all that `own_submission` needs."""
    # Of predictions that were scored again, the last version speaks for all.
    runs = Run.objects.select_related("standing").defer("report")
    ours = Q(owner=user) | Q(team__in=Team.objects.filter(memberships__user=user))
    latest = Submission.objects.filter(ours, rescorings=None).select_related("release", "owner")
    return latest.order_by("-created_at", "pk").prefetch_related(Prefetch("runs", queryset=runs))


def own_submission(submission: Submission, *, reader: User) -> OwnSubmission:
    """One line of the reader's list; no query where the submission comes from `submissions_of`."""
    runs = tuple(_own_run(run) for run in submission.runs.all())
    return OwnSubmission(
        id=submission.pk,
        entry=submission.entry,
        release=str(submission.release),
        created_at=submission.created_at,
        sender="" if submission.owner_id == reader.pk else submission.owner.get_username(),
        status=overall_status(run.state for run in runs),
        runs=runs,
    )


def _own_run(run: Run) -> OwnRun:
    standing = standing_of(run)
    return OwnRun(
        condition=Condition(run.condition),
        state=shown_state(run),
        strict_ex=standing.strict_ex if standing else None,
        rank=standing.rank if standing else None,
    )
