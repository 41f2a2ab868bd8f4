"""The sweep: finds in PostgreSQL whatever a lost message, worker or server left behind, and moves it on."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone

from leaderboard.models.runs import Batch, Run
from leaderboard.models.states import ACTIVE_RUN_STATES, OPEN_BATCH_STATES, BatchState, RunState
from leaderboard.queue import SCORE_BATCH, publish
from leaderboard.services.batches import batch_requeue
from leaderboard.services.runs import run_fail, run_finish_if_done

INCOMPLETE_RETRY = timedelta(minutes=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepResult:
    """What one sweep found: numbers of batches re-queued, runs woken, ended, failed and taken up again."""

    requeued: int
    woken: int
    ended: int
    failed: int
    resumed: int


def sweep() -> SweepResult:
    """One pass over every state that is not an end; two passes at once do no harm."""
    resumed = _resume_incomplete()
    requeued = _requeue_lapsed()
    failed = sum(run_fail(run_id, reason=DEADLINE_REASON) for run_id in _overdue())
    ended = sum(run_finish_if_done(run_id) for run_id in _without_open_batches())
    return SweepResult(requeued=requeued, woken=_wake(), ended=ended, failed=failed, resumed=resumed)


DEADLINE_REASON = "The run did not end before its deadline. This is a fault on our side; the submission is kept."


@transaction.atomic
def _requeue_lapsed() -> int:
    lapsed = Batch.objects.select_for_update(skip_locked=True).filter(
        state=BatchState.LEASED, leased_until__lt=timezone.now()
    )
    batches = list(lapsed)
    for batch in batches:
        batch_requeue(batch, reason=f"worker {batch.worker} stopped answering")
    return len(batches)


def _overdue() -> list[int]:
    overdue = Run.objects.filter(state__in=ACTIVE_RUN_STATES, deadline__lt=timezone.now())
    return list(overdue.values_list("pk", flat=True))


def _without_open_batches() -> list[int]:
    still_open = Count("batches", filter=Q(batches__state__in=OPEN_BATCH_STATES))
    runs = Run.objects.filter(state__in=ACTIVE_RUN_STATES).annotate(still_open=still_open).filter(still_open=0)
    return list(runs.values_list("pk", flat=True))


@transaction.atomic
def _wake() -> int:
    now = timezone.now()
    due = Q(batches__state=BatchState.QUEUED) & (Q(batches__not_before=None) | Q(batches__not_before__lte=now))
    runs = Run.objects.filter(state__in=ACTIVE_RUN_STATES).annotate(due=Count("batches", filter=due)).filter(due__gt=0)
    waiting = list(runs.values_list("pk", "due"))
    for run_id, due_batches in waiting:
        # One message a sweep is enough to keep a run going: a worker that claims a batch asks for the next one.
        publish(SCORE_BATCH, run_id, times=min(due_batches, 2))
    return len(waiting)


@transaction.atomic
def _resume_incomplete() -> int:
    """Take runs up again that our faults left incomplete; broken gold alone is no reason to try again."""
    now = timezone.now()
    runs = Run.objects.select_for_update(skip_locked=True, of=("self",)).filter(
        state=RunState.INCOMPLETE, ended_at__lt=now - INCOMPLETE_RETRY, batches__state=BatchState.ABANDONED
    )
    resumable = set(runs.values_list("pk", flat=True))
    for run_id in resumable:
        Batch.objects.filter(run_id=run_id, state=BatchState.ABANDONED).update(
            state=BatchState.QUEUED, attempts=0, not_before=None
        )
        Run.objects.filter(pk=run_id).update(
            state=RunState.SCORING,
            ended_at=None,
            reason="",
            deadline=now + timedelta(seconds=settings.RUN_DEADLINE_SECONDS),
        )
    return len(resumable)
