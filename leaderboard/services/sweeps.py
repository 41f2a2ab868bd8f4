"""The sweep: finds in PostgreSQL whatever a lost message, worker or server left behind, and moves it on."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from leaderboard.clock import database_now, is_up
from leaderboard.models.events import EventKind
from leaderboard.models.runs import Batch, Run
from leaderboard.models.states import OPEN_BATCH_STATES, SCORABLE_RUN_STATES, BatchState, RunState
from leaderboard.queue import MOST_MESSAGES, wake_scorers
from leaderboard.selectors.schedule import LONGEST_PAUSE, batch_due
from leaderboard.services.batches import batches_requeue
from leaderboard.services.executions import executions_trim
from leaderboard.services.runs import (
    GENERATION_REASON,
    GIVEN_UP_REASON,
    run_expire,
    run_fail,
    run_finish_if_done,
    run_resume,
)
from leaderboard.services.standings import boards_catch_up
from leaderboard.services.workers import workers_forget


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepResult:
    """What one sweep found.

    Args:
        resumed: incomplete runs that were taken up again.
        requeued: batches whose lease had lapsed.
        overdue: runs that were ended because their time was up, in whatever state.
        ended: runs whose batches were all closed.
        ranked: finished runs that their boards did not know.
        due: batches that wait for a worker, counted as far as messages are sent.
    """

    resumed: int
    requeued: int
    overdue: int
    ended: int
    ranked: int
    due: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeout:
    """When the time of a run in one state is up, and what ends it then; True where the call did."""

    is_up: Callable[[datetime], Q]
    end: Callable[[int], bool]


def _past_deadline(now: datetime) -> Q:
    return Q(deadline__lt=now)


def _long_incomplete(now: datetime) -> Q:
    return Q(created_at__lt=now - timedelta(seconds=settings.GIVE_UP_SECONDS))


TIMEOUTS: Final[Mapping[RunState, Timeout]] = {
    RunState.QUEUED: Timeout(is_up=_past_deadline, end=run_expire),
    # What a model has not answered must not be judged as if it had answered nothing.
    RunState.GENERATING: Timeout(is_up=_past_deadline, end=partial(run_fail, reason=GENERATION_REASON)),
    RunState.SCORING: Timeout(is_up=_past_deadline, end=run_expire),
    RunState.INCOMPLETE: Timeout(is_up=_long_incomplete, end=partial(run_fail, reason=GIVEN_UP_REASON)),
}
"""Every state that is no end has a time after which the sweep takes a run out of it."""


def sweep() -> SweepResult:
    """One pass over every state that is not an end; two passes at once do no harm.

    Each run is moved on in a transaction of its own, so that one that cannot be moved keeps no other from it.
    """
    overdue = sum(_ended(state, timeout) for state, timeout in TIMEOUTS.items())
    result = SweepResult(
        overdue=overdue,
        resumed=_count(run_resume, _resumable()),
        requeued=_requeue_lapsed(),
        ended=_count(run_finish_if_done, _without_open_batches()),
        ranked=boards_catch_up(),
        due=_wake(),
    )
    executions_trim()
    workers_forget()
    return result


def _count(move: Callable[[int], bool], run_ids: Iterable[int]) -> int:
    return sum(move(run_id) for run_id in run_ids)


def _ended(state: RunState, timeout: Timeout) -> int:
    runs = Run.every.filter(timeout.is_up(database_now()), state=state)
    return _count(timeout.end, list(runs.values_list("pk", flat=True)))


def _resumable() -> list[int]:
    due = is_up("resume_at", database_now(), longest=LONGEST_PAUSE)
    runs = Run.every.filter(due, state=RunState.INCOMPLETE)
    return list(runs.order_by("resume_at").values_list("pk", flat=True))


@transaction.atomic
def _requeue_lapsed() -> int:
    now = database_now()
    lease = timedelta(seconds=settings.BATCH_LEASE_SECONDS)
    lapsed = Batch.objects.select_for_update(skip_locked=True).filter(
        is_up("leased_until", now, longest=lease), state=BatchState.LEASED
    )
    leases: dict[UUID | None, list[Batch]] = defaultdict(list)
    for batch in lapsed.order_by("pk"):
        leases[batch.lease].append(batch)
    for batches in leases.values():
        reason = f"worker {batches[0].worker} stopped answering"
        batches_requeue(batches, kind=EventKind.LEASE_LAPSED, reason=reason, now=now)
    return sum(map(len, leases.values()))


def _without_open_batches() -> list[int]:
    still_open = Batch.objects.filter(run=OuterRef("pk"), state__in=OPEN_BATCH_STATES)
    runs = Run.every.filter(~Exists(still_open), state__in=SCORABLE_RUN_STATES)
    return list(runs.order_by().values_list("pk", flat=True))


@transaction.atomic
def _wake() -> int:
    # So many are enough to wake all up: who counts a long queue to its end keeps it waiting.
    due = Batch.objects.filter(batch_due(database_now()), run__state__in=SCORABLE_RUN_STATES)[:MOST_MESSAGES].count()
    wake_scorers(due)
    return due
