"""Leasing of batches: claim, keep, store scores, hand back; every change is conditional on the lease."""

import uuid
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from benchmark_data.errors import InfrastructureError
from benchmark_data.types import Split
from evaluation.gold import GoldSource
from evaluation.types import Outcome, Verdict
from leaderboard.models.runs import Batch, ItemScore, Run
from leaderboard.models.states import ACTIVE_RUN_STATES, BatchState, RunState
from leaderboard.models.submissions import Prediction
from leaderboard.selectors.gold import gold_source

LONGEST_BACK_OFF = timedelta(minutes=5)


class LeaseLostError(InfrastructureError):
    """Another worker has the batch, or the run has ended: stop, and store nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchItem:
    """One item that is still to be judged."""

    item_id: int
    source: GoldSource
    split: Split
    set_aside: str
    text: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """A claimed batch: what is to be done, and the proof that it is ours."""

    batch_id: int
    run_id: int
    token: uuid.UUID
    items: tuple[BatchItem, ...]


@transaction.atomic
def batch_claim(run_id: int, *, worker: str) -> Lease | None:
    """Lease the next open batch of a run to a worker, or None where there is nothing to do now."""
    now = timezone.now()
    batch = (
        Batch.objects.select_for_update(skip_locked=True, of=("self",))
        .filter(run_id=run_id, state=BatchState.QUEUED, run__state__in=ACTIVE_RUN_STATES)
        .filter(Q(not_before=None) | Q(not_before__lte=now))
        .select_related("run__submission", "database")
        .order_by("pk")
        .first()
    )
    if batch is None:
        return None
    batch.state = BatchState.LEASED
    batch.attempts += 1
    batch.lease = uuid.uuid4()
    batch.leased_until = lease_end(now)
    batch.worker = worker[:200]
    batch.save(update_fields=["state", "attempts", "lease", "leased_until", "worker"])
    Run.objects.filter(pk=run_id, state=RunState.QUEUED).update(state=RunState.SCORING, started_at=now)
    return Lease(batch_id=batch.pk, run_id=run_id, token=batch.lease, items=_open_items(batch))


def lease_end(now: datetime) -> datetime:
    """When a lease taken or kept now lapses."""
    return now + timedelta(seconds=settings.BATCH_LEASE_SECONDS)


def _open_items(batch: Batch) -> tuple[BatchItem, ...]:
    judged = ItemScore.objects.filter(run=batch.run).exclude(outcome=Outcome.UNSCORED).values("item_id")
    texts = dict(
        Prediction.objects.filter(
            submission=batch.run.submission, condition=batch.run.condition, item__database=batch.database
        ).values_list("item_id", "text")
    )
    return tuple(
        BatchItem(
            item_id=item.pk,
            source=gold_source(item, batch.database),
            split=Split(item.split),
            set_aside=item.set_aside,
            text=texts.get(item.pk),
        )
        for item in batch.database.items.exclude(pk__in=judged)
    )


def batch_extend(lease: Lease) -> bool:
    """Keep a lease alive; False where it is no longer ours."""
    changed = Batch.objects.filter(
        pk=lease.batch_id, lease=lease.token, state=BatchState.LEASED, run__state__in=ACTIVE_RUN_STATES
    ).update(leased_until=lease_end(timezone.now()))
    return changed == 1


@transaction.atomic
def scores_store(lease: Lease, verdicts: Sequence[tuple[int, Verdict]]) -> None:
    """Upsert verdicts, given as (item_id, verdict), under a lease that is still ours.

    Raises:
        LeaseLostError: it is not; nothing is stored.
    """
    _locked(lease)
    ItemScore.objects.bulk_create(
        (_score_row(lease.run_id, item_id, verdict) for item_id, verdict in verdicts),
        update_conflicts=True,
        unique_fields=["run", "item"],
        update_fields=[
            "outcome", "executed", "soft", "strict", "reason", "message", "milliseconds", "diagnostics", "scored_at",
        ],
    )  # fmt: skip


def _score_row(run_id: int, item_id: int, verdict: Verdict) -> ItemScore:
    return ItemScore(
        run_id=run_id,
        item_id=item_id,
        outcome=verdict.outcome,
        executed=verdict.executed,
        soft=verdict.soft,
        strict=verdict.strict,
        reason=verdict.reason[:60],
        message=verdict.message.replace("\0", "\ufffd"),
        milliseconds=verdict.milliseconds,
        diagnostics=asdict(verdict.diagnostics),
    )


@transaction.atomic
def batch_finish(lease: Lease, *, scorer: str, engine: str, demo_engine: bool) -> None:
    """Mark a batch done and record what judged it.

    Raises:
        LeaseLostError: the lease is no longer ours.
    """
    batch = _locked(lease)
    batch.state, batch.lease, batch.leased_until, batch.reason = BatchState.DONE, None, None, ""
    batch.save(update_fields=["state", "lease", "leased_until", "reason"])
    Run.objects.filter(pk=lease.run_id).update(scorer=scorer, engine=engine, demo_engine=demo_engine)


@transaction.atomic
def batch_hand_back(lease: Lease, *, reason: str) -> None:
    """Give a batch back after a fault on our side: tried again later, or abandoned after the last attempt."""
    try:
        batch = _locked(lease)
    except LeaseLostError:
        return
    batch_requeue(batch, reason=reason)


def batch_requeue(batch: Batch, *, reason: str) -> None:
    """Queue a locked batch again with back-off, or abandon it when its attempts are used up."""
    spent = batch.attempts >= settings.BATCH_ATTEMPTS
    pause = min(timedelta(seconds=2**batch.attempts), LONGEST_BACK_OFF)
    batch.state = BatchState.ABANDONED if spent else BatchState.QUEUED
    batch.not_before = timezone.now() + pause
    batch.lease, batch.leased_until, batch.reason = None, None, reason[:500]
    batch.save(update_fields=["state", "not_before", "lease", "leased_until", "reason"])


def _locked(lease: Lease) -> Batch:
    batch = (
        Batch.objects.select_for_update(of=("self",))
        .filter(pk=lease.batch_id, lease=lease.token, state=BatchState.LEASED, run__state__in=ACTIVE_RUN_STATES)
        .first()
    )
    if batch is None:
        raise LeaseLostError(f"batch {lease.batch_id} is no longer leased to this worker")
    return batch
