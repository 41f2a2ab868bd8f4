"""Reading of submissions: how far each run is, and what came out."""

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, Q

from evaluation.aggregate import Report
from evaluation.types import Condition
from leaderboard.models.runs import ItemScore, Run
from leaderboard.models.standings import Standing
from leaderboard.models.states import ACTIVE_RUN_STATES, RunState
from leaderboard.models.submissions import Submission
from leaderboard.selectors.access import may_read_items
from leaderboard.selectors.endpoints import (
    AskingView,
    EndpointView,
    FactsView,
    GainView,
    asking_views,
    endpoint_view,
    facts_view,
    gain_view,
)
from leaderboard.selectors.queue import QueuePlace, queue_places
from leaderboard.selectors.rescorings import (
    EarlierFigures,
    OtherVersion,
    Rescoring,
    earlier_figures,
    rescored_as,
    rescoring,
)


class SubmissionStatus(StrEnum):
    """Where a submission is, over all its runs; the last four are ends."""

    QUEUED = "queued"
    GENERATING = "generating"
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
    resume_at: datetime | None
    place: QueuePlace | None
    asking: AskingView | None
    earlier: tuple[EarlierFigures, ...]

    @property
    def active(self) -> bool:
        """Whether workers are still expected to change it."""
        return self.state in ACTIVE_RUN_STATES


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionView:
    """A submission as one reader may see it; owner, file name and items are for its owner, the team and staff only."""

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
    rescoring: Rescoring | None
    rescored_as: OtherVersion | None
    endpoint: EndpointView | None
    facts: FactsView | None
    gain: GainView | None

    @property
    def file(self) -> "SubmissionView | None":
        """The submission where its predictions came in a file; None where a model is asked."""
        return self if self.endpoint is None else None

    @property
    def active(self) -> bool:
        """Whether any run is still going on."""
        return any(run.active for run in self.runs)

    @property
    def cancellable(self) -> bool:
        """Whether there is a run that can still be cancelled."""
        return self.owned and any(run.state in CANCELLABLE for run in self.runs)


CANCELLABLE = frozenset({*ACTIVE_RUN_STATES, RunState.INCOMPLETE})


def submission_found(submission_id: uuid.UUID) -> Submission | None:
    """The submission with its release and owner, and all that was said of a model."""
    related = ("release", "owner", "endpoint", "facts", "evidence_gain")
    return Submission.objects.select_related(*related).filter(pk=submission_id).first()


def submission_view(submission: Submission, *, reader: User | AnonymousUser, places: bool = False) -> SubmissionView:
    """What a reader may see of a submission, in a number of queries that does not depend on its items.

    Args:
        submission: as `submission_found` gives it.
        reader: who asks.
        places: tell where its active runs stand in the queue.
    """
    owned = may_read_items(reader, submission)
    runs = list(submission.runs.select_related("standing", "generation"))
    asking = asking_views(submission, runs, owned=owned)
    waiting = queue_places(runs) if places else {}
    done, total, earlier = _items_done(runs), submission.release.items.count(), earlier_figures(runs)
    views = tuple(
        _run_view(
            run,
            RunProgress(done=done.get(run.pk, 0), total=total),
            place=waiting.get(run.pk),
            asking=asking.get(run.pk),
            earlier=earlier.get(run.pk, ()),
            owned=owned,
        )
        for run in runs
    )
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
        rescoring=rescoring(submission, runs, owned=owned),
        rescored_as=rescored_as(submission),
        endpoint=endpoint_view(submission, owned=owned),
        facts=facts_view(submission),
        gain=gain_view(submission),
    )


def _items_done(runs: Iterable[Run]) -> Mapping[int, int]:
    rows = ItemScore.objects.filter(run__in=runs).order_by().values_list("run_id").annotate(n=Count("pk"))
    return dict(rows.values_list("run_id", "n"))


def _run_view(
    run: Run,
    progress: RunProgress,
    *,
    place: QueuePlace | None,
    asking: AskingView | None,
    earlier: tuple[EarlierFigures, ...],
    owned: bool,
) -> RunView:
    standing = standing_of(run)
    return RunView(
        condition=Condition(run.condition),
        state=shown_state(run),
        # A reason may name a server or a worker of ours: the public reads the state alone.
        reason=run.reason if owned else "",
        progress=progress,
        deadline=run.deadline,
        started_at=run.started_at,
        ended_at=None if run.unranked else run.ended_at,
        report=None if run.report is None or run.unranked else Report.from_json(run.report),
        scorer=run.scorer,
        engine=run.engine,
        demo_engine=run.demo_engine,
        rank=standing.rank if standing else None,
        tie_group=standing.tie_group if standing else None,
        resume_at=run.resume_at,
        place=place,
        asking=asking,
        earlier=earlier,
    )


def shown_state(run: Run) -> RunState:
    """A run shows that it has finished once it stands on the board: nobody is to read its figures without its rank."""
    return RunState.SCORING if run.unranked else RunState(run.state)


def submission_awaited(submission: Submission) -> bool:
    """Whether a run of the submission is still going on, or waits for its rank."""
    return submission.runs.filter(Q(state__in=ACTIVE_RUN_STATES) | Q(unranked=True)).exists()


def standing_of(run: Run) -> Standing | None:
    """The place of a run that is on the board."""
    return run.standing if hasattr(run, "standing") else None


def overall_status(states: Iterable[RunState]) -> SubmissionStatus:
    """One word for all runs: what still goes on before what has ended, what went wrong before what went well."""
    found = set(states)
    return next((status for state, status in PRECEDENCE if state in found), SubmissionStatus.SCORED)


PRECEDENCE = (
    (RunState.SCORING, SubmissionStatus.SCORING),
    (RunState.GENERATING, SubmissionStatus.GENERATING),
    (RunState.QUEUED, SubmissionStatus.QUEUED),
    (RunState.FAILED, SubmissionStatus.FAILED),
    (RunState.INCOMPLETE, SubmissionStatus.INCOMPLETE),
    (RunState.CANCELLED, SubmissionStatus.CANCELLED),
)
