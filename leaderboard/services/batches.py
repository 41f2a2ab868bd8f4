"""Leasing of batches: claim, keep, yield, hand back; every change is conditional on the lease."""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction

from benchmark_data.errors import InfrastructureError
from leaderboard.clock import database_now
from leaderboard.models.events import EventKind
from leaderboard.models.runs import Batch, Run
from leaderboard.models.states import SCORABLE_RUN_STATES, BatchState, RunState
from leaderboard.selectors.schedule import LONGEST_BACK_OFF, batch_due
from leaderboard.services.events import event_record

LEASED_ITEMS: Final = 200
"""Small batches are leased together, up to so many items: a lease costs as much as the scoring of a dozen items."""

FEWEST_SHARES: Final = 2
"""A lease takes at most this part of what is due of a run, or the part of one of the workers where there are more, so
that the others find their share (guided self-scheduling; Polychronopoulos and Kuck, 1987)."""


class LeaseLostError(InfrastructureError):
    """Another worker has the batches, or the run has ended: stop, and store nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """Claimed batches of one run, and the proof that they are ours.

    Args:
        run_id: the run.
        database_ids: of the batches, in the order in which they are worked on.
        token: of this claim.
        attempts: claims since a verdict of these batches was last stored; a batch that was tried before is alone.
    """

    run_id: int
    database_ids: tuple[int, ...]
    token: uuid.UUID
    attempts: int


@transaction.atomic
def batches_claim(run_id: int, *, worker: str, workers: int = 1) -> Lease | None:
    """Lease the next due batches of a run that has begun, or None where there is nothing to do now.

    Args:
        run_id: the run.
        worker: who claims, for the record.
        workers: how many there are to share the run.
    """
    now = database_now()
    due = Batch.objects.filter(batch_due(now), run_id=run_id, run__state=RunState.SCORING).order_by("pk")
    sizes = list(due.values_list("pk", "attempts", "items", "judged"))
    while wanted := _wanted(sizes, shares=max(FEWEST_SHARES, workers)):
        # Those that another worker claims at this moment are skipped, and the next ones are tried.
        batches = list(due.filter(pk__in=wanted).select_for_update(skip_locked=True, of=("self",)))
        if batches:
            return _leased(run_id, batches, worker=worker, now=now)
        sizes = [size for size in sizes if size[0] not in wanted]
    return None


def _wanted(sizes: Sequence[tuple[int, int, int, int]], *, shares: int) -> list[int]:
    """Keys of the batches to lease together, of (key, attempts, items, judged) of all that are due."""
    if not sizes:
        return []
    if sizes[0][1]:
        return [sizes[0][0]]
    fresh = [(key, max(1, items - judged)) for key, attempts, items, judged in sizes if not attempts]
    bound = min(LEASED_ITEMS, sum(items for _, items in fresh) // shares)
    wanted: list[int] = []
    total = 0
    for key, items in fresh:
        total += items
        if wanted and total > bound:
            break
        wanted.append(key)
    return wanted


def _leased(run_id: int, batches: Sequence[Batch], *, worker: str, now: datetime) -> Lease:
    token, attempts = uuid.uuid4(), batches[0].attempts + 1
    Batch.objects.filter(pk__in=[batch.pk for batch in batches]).update(
        state=BatchState.LEASED,
        attempts=attempts,
        lease=token,
        leased_until=lease_end(now),
        worker=worker[:200],
    )
    if attempts > 1 or not all(batch.service_milliseconds for batch in batches):
        data = {"batches": len(batches), "attempt": attempts}
        event_record(run_id, kind=EventKind.CLAIMED, detail=f"by {worker}", data=data)
    databases = tuple(batch.database_id for batch in batches)
    return Lease(run_id=run_id, database_ids=databases, token=token, attempts=attempts)


def lease_end(now: datetime) -> datetime:
    """When a lease taken or kept now lapses."""
    return now + timedelta(seconds=settings.BATCH_LEASE_SECONDS)


def lease_extend(lease: Lease) -> bool:
    """Keep a lease alive; False where nothing of it is ours any more."""
    changed = Batch.objects.filter(
        run_id=lease.run_id, lease=lease.token, state=BatchState.LEASED, run__state__in=SCORABLE_RUN_STATES
    ).update(leased_until=lease_end(database_now()))
    return changed > 0


@transaction.atomic
def lease_yield(lease: Lease) -> None:
    """Give batches back in the middle, so that others have their turn; their next claim goes on with the next item.

    Raises:
        LeaseLostError: the lease is no longer ours.
    """
    _, batches = lease_locked(lease)
    Batch.objects.filter(pk__in=[batch.pk for batch in batches]).update(
        state=BatchState.QUEUED, lease=None, leased_until=None, attempts=0
    )


@transaction.atomic
def lease_hand_back(lease: Lease, *, reason: str) -> None:
    """Give batches back after a fault on our side: tried again later, or abandoned after the last attempt."""
    try:
        _, batches = lease_locked(lease)
    except LeaseLostError:
        return
    batches_requeue(batches, kind=EventKind.HANDED_BACK, reason=reason, now=database_now())


def batches_requeue(batches: Collection[Batch], *, kind: EventKind, reason: str, now: datetime) -> None:
    """Queue locked batches of one run again with back-off, or abandon those whose attempts are used up."""
    for batch in batches:
        spent = batch.attempts >= settings.BATCH_ATTEMPTS
        batch.state = BatchState.ABANDONED if spent else BatchState.QUEUED
        batch.not_before = now + back_off(batch.attempts)
        batch.lease, batch.leased_until, batch.reason = None, None, reason[:500]
    Batch.objects.bulk_update(batches, ["state", "not_before", "lease", "leased_until", "reason"])
    pauses = [back_off(batch.attempts).total_seconds() for batch in batches if batch.state == BatchState.QUEUED]
    data = {
        "batches": len(batches),
        "abandoned": len(batches) - len(pauses),
        "pause_seconds": max(pauses, default=None),
    }
    for run_id in {batch.run_id for batch in batches}:
        event_record(run_id, kind=kind, detail=reason, data=data)


def back_off(attempts: int) -> timedelta:
    """How long a batch waits after so many attempts: longer each time, up to five minutes."""
    return min(timedelta(seconds=2 ** min(attempts, 20)), LONGEST_BACK_OFF)


def lease_locked(lease: Lease) -> tuple[Run, list[Batch]]:
    """The run and the batches of a lease that are still open, under their locks, in this order as everywhere.

    Raises:
        LeaseLostError: nothing of the lease is ours any more.
    """
    runs = Run.every.select_for_update(no_key=True).filter(pk=lease.run_id, state__in=SCORABLE_RUN_STATES)
    run = runs.only("pk", "state", "scorer", "engine", "demo_engine").first()
    batches = Batch.objects.select_for_update(of=("self",)).filter(
        run_id=lease.run_id, lease=lease.token, state=BatchState.LEASED
    )
    found = list(batches.select_related("database").order_by("pk")) if run is not None else []
    if run is None or not found:
        raise LeaseLostError(f"batches of run {lease.run_id} are no longer leased to this worker")
    return run, found
