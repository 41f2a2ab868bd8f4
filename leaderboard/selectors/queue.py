"""Where a run stands in the queue, and how long it is expected to take."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import F, Sum

from leaderboard.clock import database_now
from leaderboard.models.runs import Batch, Run
from leaderboard.models.states import OPEN_BATCH_STATES, SCORABLE_RUN_STATES, RunState
from leaderboard.selectors.schedule import Candidate, account_turn, fair_order
from leaderboard.selectors.workers import item_seconds, scoring_slots


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePlace:
    """Where an unfinished run stands; the times are estimates from the last batches and the workers alive now.

    Args:
        position: its place among the queued runs, from 1; 0 where workers are on it already.
        runs_ahead: active runs whose turn is before its own.
        waits_for_own: it waits until another run of the same team ends, because of the cap on active runs.
        workers: how many batches can be scored at a time now; with 0 there are no estimates.
        start_seconds: until the first item is judged; 0 where workers are on it already.
        finish_seconds: until the last one is.
    """

    position: int
    runs_ahead: int
    waits_for_own: bool
    workers: int
    start_seconds: float | None
    finish_seconds: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """The open work of an active run: items, and whether the cap on active runs lets workers have it."""

    candidate: Candidate
    items: int
    eligible: bool


def queue_places(runs: Iterable[Run]) -> dict[int, QueuePlace]:
    """By run: where it stands, of those that are queued or being scored; as many queries for all as for one."""
    wanted = {run.pk for run in runs if run.state in SCORABLE_RUN_STATES}
    if not wanted:
        return {}
    loads = _loads()
    now, workers, seconds = database_now(), scoring_slots(), item_seconds()
    return {
        load.candidate.run_id: place_of(load, loads, now=now, workers=workers, seconds=seconds)
        for load in loads
        if load.candidate.run_id in wanted
    }


def place_of(own: Load, loads: Iterable[Load], *, now: datetime, workers: int, seconds: float) -> QueuePlace:
    """The place of a run among all active ones (itself included).

    Workers are shared out in turns, so until a run of n items ends, each other run has had at most n items judged too
    (processor sharing); it starts when each run ahead has had its first turn.

    Args:
        own: the run.
        loads: of all active runs.
        now: aware.
        workers: batches that can be scored at a time.
        seconds: of a worker for an item.
    """
    others = [load for load in loads if load.candidate.run_id != own.candidate.run_id]
    order = fair_order([load.candidate for load in (*others, own) if load.eligible or load is own], now=now)
    ahead = {candidate.run_id for candidate in order[: order.index(own.candidate)]}
    before = [load for load in others if load.candidate.run_id in ahead]
    waiting = own.candidate.state is RunState.QUEUED
    shared = sum(min(load.items, own.items) for load in others if _shares(load, own))
    turn = settings.BATCH_SLICE_SECONDS / seconds if seconds else 0
    first = sum(min(load.items, turn) for load in before if load.candidate.state is RunState.QUEUED)
    start, end = (first if waiting else 0.0), float(shared + own.items)
    if not own.eligible:
        start = max(start, _room(own, others))
        end = max(end, start + own.items)
    rate = workers / seconds if seconds else 0.0
    return QueuePlace(
        position=1 + sum(load.candidate.state is RunState.QUEUED for load in before) if waiting else 0,
        runs_ahead=len(before),
        waits_for_own=not own.eligible,
        workers=workers,
        start_seconds=start / rate if rate else None,
        finish_seconds=end / rate if rate else None,
    )


def _room(own: Load, others: Sequence[Load]) -> float:
    """How many items are judged before enough runs of the same team have ended for this one to be let in."""
    team = [load for load in others if _line(load) == _line(own)]
    ahead = [load for load in team if not load.eligible and _age(load) < _age(own)]
    ends = sorted(
        load.items + sum(min(other.items, load.items) for other in others if other is not load and _shares(other, load))
        for load in team
        if load.eligible
    )
    if len(ahead) < len(ends):
        return ends[len(ahead)]
    return sum(load.items for load in others if load.eligible or load in ahead)


def _line(load: Load) -> tuple[str, bool]:
    """What the cap on active runs counts together."""
    return load.candidate.account, load.candidate.background


def _age(load: Load) -> tuple[datetime, int]:
    return load.candidate.created_at, load.candidate.run_id


def _shares(other: Load, own: Load) -> bool:
    """Whether another run gets worker time before a run is done."""
    return other.eligible and (own.candidate.background or not other.candidate.background)


def _loads() -> list[Load]:
    rows = (
        Run.every.filter(state__in=SCORABLE_RUN_STATES)
        .annotate(turn=account_turn())
        .order_by()
        .values_list("pk", "state", "account", "background", "service_milliseconds", "created_at", "turn")
    )
    still_open = Batch.objects.filter(state__in=OPEN_BATCH_STATES, run__state__in=SCORABLE_RUN_STATES).order_by()
    items = dict(still_open.values_list("run_id").annotate(n=Sum(F("items") - F("judged"))).values_list("run_id", "n"))
    return [
        Load(
            candidate=Candidate(
                run_id=run_id,
                state=RunState(state),
                account=account,
                background=background,
                service_seconds=milliseconds / 1000,
                created_at=created_at,
                account_leases=0,
            ),
            items=max(0, items.get(run_id, 0)),
            eligible=not settings.ACTIVE_RUNS or turn <= settings.ACTIVE_RUNS,
        )
        for run_id, state, account, background, milliseconds, created_at, turn in rows
    ]
