"""Storing of what was judged under a lease: upserts, so that doing a batch twice changes nothing."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import F

from evaluation.score import SCORER_FAULT
from evaluation.types import Verdict
from leaderboard.clock import database_now
from leaderboard.models.events import EventKind
from leaderboard.models.runs import Batch, ItemScore, Run
from leaderboard.models.states import BatchState
from leaderboard.services.batches import Lease, lease_locked
from leaderboard.services.events import event_record
from leaderboard.services.executions import executions_keep

UPSERTED = [
    "outcome", "executed", "soft", "strict", "reason", "message", "milliseconds", "diagnostics", "scored_at",
    "judgement",
]  # fmt: skip

BETWEEN: Final = ", "
LONGEST_NAMES: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemVerdict:
    """The verdict on one item, and the key under which the same text may have it again ("": never)."""

    item_id: int
    database_id: int
    verdict: Verdict
    judgement: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedBy:
    """What judged: version and digest of the scorer, name and version of the engine, and whether it is a demo one."""

    scorer: str
    engine: str
    demo_engine: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What was done under a lease since the last time.

    Args:
        verdicts: of the items that were judged.
        left: how many items of each database are still to be judged; with 0 its batch is closed.
        judged_by: what judged them.
        results: packed results of executed queries that may be kept, by execution key.
        executed: queries that were sent to the engine.
        cached: queries whose result was known.
        milliseconds: wall-clock time that it took.
    """

    verdicts: Sequence[ItemVerdict]
    left: Mapping[int, int]
    judged_by: JudgedBy
    results: Mapping[str, bytes] = field(default_factory=dict)
    executed: int = 0
    cached: int = 0
    milliseconds: int = 0


def work_store(lease: Lease, work: Work) -> None:
    """Store verdicts under a lease that is still ours, close what is done, and keep the results for other runs.

    Raises:
        LeaseLostError: it is not; no verdict is stored.
    """
    with transaction.atomic():
        run, batches = lease_locked(lease)
        ours = {batch.database_id for batch in batches}
        stored = [one for one in work.verdicts if one.database_id in ours]
        ItemScore.objects.bulk_create(
            (_score_row(run.pk, one) for one in stored),
            update_conflicts=True,
            unique_fields=["run", "item"],
            update_fields=UPSERTED,
        )
        _batches_update(run.pk, batches, work, touched={one.database_id for one in stored})
        Run.every.filter(pk=run.pk).update(
            scorer=together(run.scorer, work.judged_by.scorer),
            engine=together(run.engine, work.judged_by.engine),
            demo_engine=run.demo_engine or work.judged_by.demo_engine,
            service_milliseconds=F("service_milliseconds") + work.milliseconds,
            executed_queries=F("executed_queries") + work.executed,
            cached_answers=F("cached_answers") + work.cached,
        )
    executions_keep(work.results)


def together(known: str, present: str) -> str:
    """The names of all that judged a run: one that changed hands must not pass for the work of the last.

    It is judged again as a whole when its scorer is another than that of the workers.
    """
    names = [*(name for name in known.split(BETWEEN) if name and name != present), present]
    while len(BETWEEN.join(names)) > LONGEST_NAMES:
        names.pop(0)
    return BETWEEN.join(names)


def _score_row(run_id: int, one: ItemVerdict) -> ItemScore:
    verdict = one.verdict
    return ItemScore(
        run_id=run_id,
        item_id=one.item_id,
        outcome=verdict.outcome,
        executed=verdict.executed,
        soft=verdict.soft,
        strict=verdict.strict,
        reason=verdict.reason[:60],
        message=verdict.message.replace("\0", "\ufffd"),
        milliseconds=verdict.milliseconds,
        diagnostics=asdict(verdict.diagnostics),
        judgement=one.judgement,
    )


def _batches_update(run_id: int, batches: Sequence[Batch], work: Work, *, touched: Collection[int]) -> None:
    now = database_now()
    shares = [batch.database_id for batch in batches if batch.database_id in touched]
    closed = [batch for batch in batches if work.left.get(batch.database_id) == 0]
    stumbled = _stumbled(run_id, closed)
    for batch in batches:
        batch.judged = max(0, batch.items - work.left.get(batch.database_id, batch.items - batch.judged))
        if batch.database_id in touched:
            batch.attempts = 1
            batch.service_milliseconds += max(1, work.milliseconds // len(shares))
    for batch in closed:
        _close(batch, stumbled.count(batch.database_id), now)
    Batch.objects.bulk_update(
        batches,
        ["judged", "attempts", "service_milliseconds", "state", "reason", "lease", "leased_until", "ended_at"],
    )
    if closed:
        names = ", ".join(batch.database.db_id for batch in closed)
        data = {"databases": len(closed), "items": sum(batch.items for batch in closed)}
        event_record(run_id, kind=EventKind.BATCH_DONE, detail=names, data=data)


def _stumbled(run_id: int, closed: Sequence[Batch]) -> list[int]:
    """The databases of items that the scorer itself stumbled over, one for each item."""
    databases = [batch.database_id for batch in closed]
    scores = ItemScore.objects.filter(run_id=run_id, item__database__in=databases, reason=SCORER_FAULT)
    return list(scores.values_list("item__database", flat=True)) if closed else []


def _close(batch: Batch, stumbled: int, now: datetime) -> None:
    """Close a batch; one with a fault of the scorer is abandoned, and tried again when its run is taken up again."""
    batch.state = BatchState.ABANDONED if stumbled else BatchState.DONE
    batch.reason = f"items that met a fault of the scorer, which has been logged: {stumbled}" if stumbled else ""
    batch.lease, batch.leased_until, batch.ended_at = None, None, now
