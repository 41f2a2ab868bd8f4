"""Reading of submissions: how far each run is, and what came out."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Prefetch, QuerySet

from evaluation.aggregate import Report
from evaluation.types import Condition
from leaderboard.models.runs import ItemScore, Run
from leaderboard.models.standings import Standing
from leaderboard.models.states import ACTIVE_RUN_STATES, RunState
from leaderboard.models.submissions import Submission
from leaderboard.selectors.access import may_read_items


class SubmissionStatus(StrEnum):
    """Where a submission is, over all its runs; the last four are ends."""

    QUEUED = "queued"
    SCORING = "scoring"
    SCORED = "scored"
    INCOMPLETE = "incomplete"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress:
    """Items that have a verdict, and items of the release."""

    done: int
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """One run as it is shown; `reason` is "" for those who may not read what happened inside."""

    condition: Condition
    state: RunState
    reason: str
    progress: RunProgress
    deadline: datetime
    started_at: datetime | None
    ended_at: datetime | None
    report: Report | None
    scorer: str
    engine: str
    demo_engine: bool
    rank: int | None
    tie_group: int | None

    @property
    def active(self) -> bool:
        """Whether workers are still expected to change it."""
        return self.state in ACTIVE_RUN_STATES


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionView:
    """A submission as one reader may see it; owner, file name and items are for its owner and staff only."""

    id: uuid.UUID
    entry: str
    description: str
    release: str
    release_name: str
    release_version: str
    created_at: datetime
    status: SubmissionStatus
    runs: tuple[RunView, ...]
    owned: bool
    owner: str
    file_name: str
    file_format: str
    file_sha256: str
    file_bytes: int

    @property
    def active(self) -> bool:
        """Whether any run is still going on."""
        return any(run.active for run in self.runs)

    @property
    def cancellable(self) -> bool:
        """Whether there is a run that can still be cancelled."""
        return self.owned and any(run.state in CANCELLABLE for run in self.runs)


CANCELLABLE = frozenset({*ACTIVE_RUN_STATES, RunState.INCOMPLETE})


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnSubmission:
    """One line in the list of a user's submissions; `strict_ex` holds a share for each finished run."""

    id: uuid.UUID
    entry: str
    release: str
    created_at: datetime
    status: SubmissionStatus
    runs: tuple["OwnRun", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnRun:
    """One condition in the list of a user's submissions."""

    condition: Condition
    state: RunState
    strict_ex: float | None
    rank: int | None


def submission_found(submission_id: uuid.UUID) -> Submission | None:
    """The submission with its release and owner."""
    return Submission.objects.select_related("release", "owner").filter(pk=submission_id).first()


def submission_view(submission: Submission, *, reader: User | AnonymousUser) -> SubmissionView:
    """What a reader may see of a submission, in three queries however many items it has."""
    owned = may_read_items(reader, submission)
    runs = list(submission.runs.select_related("standing"))
    done, total = _items_done(runs), submission.release.items.count()
    views = tuple(_run_view(run, RunProgress(done=done.get(run.pk, 0), total=total), owned=owned) for run in runs)
    return SubmissionView(
        id=submission.pk,
        entry=submission.entry,
        description=submission.description,
        release=str(submission.release),
        release_name=submission.release.name,
        release_version=submission.release.version,
        created_at=submission.created_at,
        status=overall_status(run.state for run in views),
        runs=views,
        owned=owned,
        owner=submission.owner.get_username() if owned else "",
        file_name=submission.file_name if owned else "",
        file_format=submission.file_format,
        file_sha256=submission.file_sha256,
        file_bytes=submission.file_bytes,
    )


def _items_done(runs: Iterable[Run]) -> Mapping[int, int]:
    rows = ItemScore.objects.filter(run__in=runs).order_by().values_list("run_id").annotate(n=Count("pk"))
    return dict(rows.values_list("run_id", "n"))


def _run_view(run: Run, progress: RunProgress, *, owned: bool) -> RunView:
    standing = _standing(run)
    return RunView(
        condition=Condition(run.condition),
        state=RunState(run.state),
        # A reason may name a server or a worker of ours: the public reads the state alone.
        reason=run.reason if owned else "",
        progress=progress,
        deadline=run.deadline,
        started_at=run.started_at,
        ended_at=run.ended_at,
        report=None if run.report is None else Report.from_json(run.report),
        scorer=run.scorer,
        engine=run.engine,
        demo_engine=run.demo_engine,
        rank=standing.rank if standing else None,
        tie_group=standing.tie_group if standing else None,
    )


def _standing(run: Run) -> Standing | None:
    return run.standing if hasattr(run, "standing") else None


def overall_status(states: Iterable[RunState]) -> SubmissionStatus:
    """One word for all runs: what still goes on before what has ended, what went wrong before what went well."""
    found = set(states)
    return next((status for state, status in PRECEDENCE if state in found), SubmissionStatus.SCORED)


PRECEDENCE = (
    (RunState.SCORING, SubmissionStatus.SCORING),
    (RunState.QUEUED, SubmissionStatus.QUEUED),
    (RunState.FAILED, SubmissionStatus.FAILED),
    (RunState.INCOMPLETE, SubmissionStatus.INCOMPLETE),
    (RunState.CANCELLED, SubmissionStatus.CANCELLED),
)


def submissions_of(owner: User) -> QuerySet[Submission]:
    """A user's submissions, the newest first, with all that `own_submission` needs."""
    runs = Run.objects.select_related("standing").defer("report")
    return owner.submissions.select_related("release").prefetch_related(Prefetch("runs", queryset=runs))


def own_submission(submission: Submission) -> OwnSubmission:
    """One line of the list; no query where the submission comes from `submissions_of`."""
    runs = tuple(_own_run(run) for run in submission.runs.all())
    return OwnSubmission(
        id=submission.pk,
        entry=submission.entry,
        release=str(submission.release),
        created_at=submission.created_at,
        status=overall_status(run.state for run in runs),
        runs=runs,
    )


def _own_run(run: Run) -> OwnRun:
    standing = _standing(run)
    return OwnRun(
        condition=Condition(run.condition),
        state=RunState(run.state),
        strict_ex=standing.strict_ex if standing else None,
        rank=standing.rank if standing else None,
    )
