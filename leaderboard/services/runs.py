"""Life of a run: made, begun, ended, reopened; state, report, figures and event change in one transaction."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Count, F, Q

from evaluation.aggregate import aggregate
from evaluation.types import Condition, Outcome
from leaderboard.clock import database_now
from leaderboard.models.events import EventKind
from leaderboard.models.generations import Generation, GenerationState
from leaderboard.models.runs import Batch, ItemScore, Run
from leaderboard.models.states import (
    OPEN_BATCH_STATES,
    SCORABLE_RUN_STATES,
    BatchState,
    RunState,
    sources,
)
from leaderboard.models.submissions import Submission
from leaderboard.queue import wake_scorers
from leaderboard.selectors.access import is_team_mate
from leaderboard.selectors.schedule import LONGEST_PAUSE
from leaderboard.selectors.verdicts import run_verdicts, track_items
from leaderboard.services.events import event_record
from leaderboard.services.figures import figures_store
from leaderboard.services.notices import submission_cancelled_notice
from leaderboard.services.replacements import replacement_take_over

DEADLINE_REASON: Final = (
    "The run did not end before its deadline. This is a fault on our side; it is taken up again by itself."
)
GENERATION_REASON: Final = "The model did not answer every request before the run's deadline."
GIVEN_UP_REASON: Final = "We could not judge every item for too long a time. This is a fault on our side."
CANCELLED_REASON: Final = "Cancelled by its owner."


def run_create(submission: Submission, condition: Condition) -> Run:
    """Queue the scoring of one condition and wake the workers."""
    sizes = database_sizes(submission)
    background = submission.rescored_from_id is not None
    run = Run.objects.create(
        submission=submission,
        condition=condition,
        account=account_of(submission),
        background=background,
        deadline=run_deadline(database_now(), items=sum(sizes.values()), background=background),
    )
    event_record(run.pk, kind=EventKind.QUEUED, data={"items": sum(sizes.values()), "databases": len(sizes)})
    batches_create(run, sizes)
    return run


def database_sizes(submission: Submission) -> dict[int, int]:
    """How many items a submission's release has of each database, by the database's key."""
    databases = submission.release.databases.annotate(size=Count("items")).filter(size__gt=0)
    return dict(databases.values_list("pk", "size"))


def batches_create(run: Run, sizes: Mapping[int, int]) -> None:
    """Make the batches of a run whose predictions are there, and wake the workers."""
    Batch.objects.bulk_create(Batch(run=run, database_id=key, items=size) for key, size in sizes.items())
    wake_scorers(len(sizes))


def account_of(submission: Submission) -> str:
    """Whose share of the workers a submission uses: its team's, or its owner's."""
    return f"team:{submission.team_id}" if submission.team_id else f"user:{submission.owner_id}"


def run_deadline(now: datetime, *, items: int, background: bool = False) -> datetime:
    """When a run that is queued or taken up again now has to have ended: a fixed time, and some for each item.

    Runs that nobody waits for yield to all others: thousands of them, made by one correction, may take days, and that
    is no fault of which their owners are to be told.
    """
    seconds = settings.GIVE_UP_SECONDS if background else settings.RUN_DEADLINE_SECONDS
    return now + timedelta(seconds=seconds + settings.RUN_ITEM_SECONDS * items)


@transaction.atomic
def run_begin(run_id: int) -> bool:
    """Start the scoring of a queued run; True where this call did."""
    begun = Run.every.filter(pk=run_id, state=RunState.QUEUED).update(state=RunState.SCORING, started_at=database_now())
    if begun:
        event_record(run_id, kind=EventKind.STARTED)
    return begun == 1


def run_finish_if_done(run_id: int) -> bool:
    """End a run whose batches are all closed; True where this call ended it."""
    # Asked without a lock first: all but the last batch of a run find others open.
    if Batch.objects.filter(run_id=run_id, state__in=OPEN_BATCH_STATES).exists():
        return False
    with transaction.atomic():
        run = _locked(run_id)
        if run is None or run.state not in SCORABLE_RUN_STATES:
            return False
        if run.batches.filter(state__in=OPEN_BATCH_STATES).exists():
            return False
        _close(run)
        return True


@transaction.atomic
def run_expire(run_id: int) -> bool:
    """End a run that is past its deadline as incomplete, to be taken up again; True where this call ended it."""
    run = _locked(run_id)
    now = database_now()
    if run is None or run.state not in SCORABLE_RUN_STATES or run.deadline >= now:
        return False
    run.batches.filter(state__in=OPEN_BATCH_STATES).update(
        state=BatchState.ABANDONED, lease=None, leased_until=None, reason=DEADLINE_REASON
    )
    _close(run)
    return True


def _locked(run_id: int) -> Run | None:
    """The run under a lock, taken before the lock of any of its batches; rows may be added that point to it."""
    runs = Run.every.select_for_update(of=("self",), no_key=True).select_related("submission__release")
    return runs.filter(pk=run_id).first()


def _close(run: Run) -> None:
    """Write the report and the end of a locked run without open batches."""
    release = run.submission.release
    verdicts = run_verdicts(run)
    report = aggregate(verdicts, items=track_items(release))
    abandoned = run.batches.filter(state=BatchState.ABANDONED).first()
    complete = abandoned is None and report.unscored == 0
    now = database_now()
    run.state = RunState.FINISHED if complete else RunState.INCOMPLETE
    run.reason = "" if complete else _incompleteness(abandoned)
    run.resume_at = None if abandoned is None else now + resume_pause(run.resumptions)
    run.report = report.as_json()
    run.ended_at = now
    # The board follows once this is committed: runs that finish together are ranked together.
    run.unranked = complete and run.replaces_id is None
    run.save(update_fields=["state", "reason", "report", "ended_at", "resume_at", "unranked"])
    if run.replaces_id is not None:
        if complete:
            replacement_take_over(run)
        return
    if complete:
        figures_store(run, verdicts, report)
    kind = EventKind.FINISHED if complete else EventKind.INCOMPLETE
    event_record(run.pk, kind=kind, detail=run.reason, data={"items": report.n, "unscored": report.unscored})


def _incompleteness(abandoned: Batch | None) -> str:
    why = abandoned.reason if abandoned else "the gold of some items cannot be used on this engine"
    return f"Some items could not be judged, through no fault of the submission: {why}"[:500]


def resume_pause(resumptions: int) -> timedelta:
    """How long an incomplete run waits before it is taken up again: longer each time, up to an hour."""
    doubled: int = 2 ** min(resumptions, 20)
    return min(timedelta(seconds=settings.RESUME_SECONDS) * doubled, LONGEST_PAUSE)


@transaction.atomic
def run_resume(run_id: int) -> bool:
    """Take an incomplete run up again: what was abandoned is queued anew; True where this call did."""
    run = _locked(run_id)
    if run is None or run.state != RunState.INCOMPLETE or run.resume_at is None or _awaits_model(run):
        return False
    if timedelta() < run.resume_at - database_now() <= LONGEST_PAUSE:
        return False
    _reopen(run, Q(state=BatchState.ABANDONED), reason="The items that could not be judged are tried again.")
    return True


@transaction.atomic
def run_reopen(run_id: int, *, database_ids: Collection[int], reason: str) -> bool:
    """Judge the unscored items of some databases of an incomplete run again; True where this call reopened it.

    Args:
        run_id: the run.
        database_ids: keys of the databases whose gold was computed anew.
        reason: a sentence for the run's log.
    """
    run = _locked(run_id)
    if run is None or run.state != RunState.INCOMPLETE or _awaits_model(run):
        return False
    _reopen(run, Q(state=BatchState.ABANDONED) | Q(database_id__in=database_ids), reason=reason)
    return True


def _awaits_model(run: Run) -> bool:
    """Whether a model is still to be asked for the run, so that there is nothing to judge yet."""
    return Generation.objects.filter(run=run).exclude(state=GenerationState.DONE).exists()


def _reopen(run: Run, which: Q, *, reason: str) -> None:
    """Queue batches of a locked run anew; what its items have been given stays, but for "unscored"."""
    batches = list(run.batches.filter(which, state__in=(BatchState.ABANDONED, BatchState.DONE)))
    databases = [batch.database_id for batch in batches]
    scores = ItemScore.objects.filter(run=run, item__database__in=databases)
    scores.filter(outcome=Outcome.UNSCORED).delete()
    counts = scores.order_by().values_list("item__database").annotate(n=Count("pk"))
    judged = dict(counts.values_list("item__database", "n"))
    for batch in batches:
        batch.state, batch.attempts, batch.not_before, batch.ended_at = BatchState.QUEUED, 0, None, None
        batch.judged = judged.get(batch.database_id, 0)
    Batch.objects.bulk_update(batches, ["state", "attempts", "not_before", "ended_at", "judged"])
    items = sum(run.batches.values_list("items", flat=True))
    Run.every.filter(pk=run.pk).update(
        state=RunState.SCORING,
        ended_at=None,
        resume_at=None,
        reason="",
        resumptions=F("resumptions") + 1,
        deadline=run_deadline(database_now(), items=items, background=run.background),
    )
    event_record(run.pk, kind=EventKind.RESUMED, detail=reason, data={"databases": len(batches)})
    wake_scorers(len(batches))


@transaction.atomic
def run_fail(run_id: int, *, reason: str) -> bool:
    """End a run without a score for a reason that is shown; True where this call ended it."""
    return _end(run_id, RunState.FAILED, EventKind.FAILED, reason)


@transaction.atomic
def run_cancel(run_id: int, *, reason: str = CANCELLED_REASON) -> bool:
    """End a run at somebody's wish; True where this call ended it."""
    return _end(run_id, RunState.CANCELLED, EventKind.CANCELLED, reason)


def _end(run_id: int, state: RunState, kind: EventKind, reason: str) -> bool:
    changed = Run.every.filter(pk=run_id, state__in=sources(state)).update(
        state=state, reason=reason[:500], ended_at=database_now(), resume_at=None
    )
    # A run in the background that came to nothing leaves what it would have replaced as it is.
    if Run.every.filter(pk=run_id, state=state, replaces__isnull=False).delete()[0]:
        return True
    if changed:
        Batch.objects.filter(run_id=run_id, state__in=OPEN_BATCH_STATES).update(
            state=BatchState.ABANDONED, lease=None, leased_until=None
        )
        event_record(run_id, kind=kind, detail=reason)
    return changed == 1


def submission_cancel(submission: Submission, *, by: User | None = None) -> int:
    """End every run of a submission that has not ended; how many this call ended.

    Args:
        submission: the submission.
        by: whose wish it is, where it is not its owner's; the owner is told.
    """
    who = None if by is None or by.pk == submission.owner_id else canceller(submission, by)
    reason = CANCELLED_REASON if who is None else f"Cancelled by {who}."
    # Not in one transaction: the end of a run locks the submission, and a worker may be ending the next run.
    ended = sum(run_cancel(run_id, reason=reason) for run_id in submission.runs.values_list("pk", flat=True))
    if ended and who is not None:
        submission_cancelled_notice(submission, by=who)
    return ended


def canceller(submission: Submission, by: User) -> str:
    """What the owner reads of somebody else who cancelled: a team mate by name, the organisers as such."""
    mate = is_team_mate(by, submission)
    return f"{by.get_username()} of your team" if mate else "the organisers of the site"
