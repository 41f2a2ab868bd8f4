"""Judging of a batch's items, some at a time: gold, known results, execution, verdicts."""

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, TypeAlias, TypeVar

from django.conf import settings
from django.db import DatabaseError

from benchmark_data.errors import InfrastructureError
from evaluation.execution import execution_key, may_be_kept, result_pack, result_unpack
from evaluation.gold import Gold, UnusableGoldError
from evaluation.judgement import Circumstances, judgement_key, may_be_reused
from evaluation.score import (
    GOLD_FAILED,
    SCORER_FAULT,
    SET_ASIDE,
    Attempt,
    attempt,
    attempt_verdict,
    unscored_verdict,
    unusable_gold_verdict,
)
from evaluation.types import Answer, ExecutionFailure, Executor, Limits, Verdict
from leaderboard.redaction import MAY_QUOTE_GOLD
from leaderboard.selectors.batches import BatchItem
from leaderboard.services.executions import executions_find
from leaderboard.services.scores import ItemVerdict, JudgedBy, Work
from workers.golds import Golds

logger = logging.getLogger(__name__)

CHUNK_ITEMS: Final = 100

SCORER_FAULT_MESSAGE: Final = "This item could not be judged because of a fault in the scorer, which has been logged."


T = TypeVar("T")
Known: TypeAlias = dict[str, bytes]
"""Packed results by execution key: unpacked one at a time, a chunk of large answers does not fill the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """An item that was read: what to execute, under which key its result is kept, and what to compare it with."""

    gold: Gold
    attempt: Attempt
    key: str


@dataclass(slots=True, kw_only=True)
class Tally:
    """Work that was done and is not stored yet."""

    verdicts: list[ItemVerdict] = field(default_factory=list)
    results: dict[str, bytes] = field(default_factory=dict)
    executed: int = 0
    cached: int = 0
    since: float = field(default_factory=time.monotonic)

    @property
    def seconds(self) -> float:
        """How long ago the first of this work was begun."""
        return time.monotonic() - self.since

    def work(self, *, left: Mapping[int, int], judged_by: JudgedBy) -> Work:
        """The work as it is stored; `left` items of each database are still to be judged."""
        return Work(
            verdicts=tuple(self.verdicts),
            results=self.results,
            executed=self.executed,
            cached=self.cached,
            milliseconds=round(self.seconds * 1000),
            left=left,
            judged_by=judged_by,
        )


class Judge:
    """Judges items on one engine.

    Args:
        executor: runs the queries.
        golds: the gold of items.
        limits: of predicted queries.
        first_chunk: items that are read and looked up together before the first of them is executed; the next chunk has
            twice as many, up to `CHUNK_ITEMS`.
    """

    def __init__(
        self,
        executor: Executor,
        *,
        golds: Golds,
        limits: Limits,
        first_chunk: int = CHUNK_ITEMS,
    ) -> None:
        self._executor = executor
        self._golds = golds
        self._limits = limits
        self._first_chunk = first_chunk
        self._circumstances = Circumstances(engine=golds.engine, limits=limits)
        self.tally = Tally()

    def judge(self, items: Sequence[BatchItem]) -> Iterator[BatchItem]:
        """Judge items in their order and pause after each; what was done so far is in `tally`.

        Raises:
            InfrastructureError: nobody's fault; the batch is handed back.
            DatabaseError: PostgreSQL failed.
        """
        start, size = 0, self._first_chunk
        while start < len(items):
            chunk = items[start : start + size]
            start, size = start + size, min(2 * size, CHUNK_ITEMS)
            self._golds.fetch(item.scorable for item in chunk)
            prepared = [self._guarded(item, partial(self._prepared, item)) for item in chunk]
            known = executions_find({one.key for one in prepared if isinstance(one, Prepared)})
            for item, one in zip(chunk, prepared, strict=True):
                if isinstance(one, Verdict):
                    self._add(item, one)
                else:
                    self._add(item, self._guarded(item, partial(self._judged, item, one, known)))
                yield item
            self._golds.trim()

    def taken(self, *, left: Mapping[int, int], judged_by: JudgedBy) -> Work:
        """The work since this was last asked, to be stored; `left` items of each database are still to be judged."""
        tally, self.tally = self.tally, Tally()
        return tally.work(left=dict(left), judged_by=judged_by)

    def _add(self, item: BatchItem, verdict: Verdict) -> None:
        key = ""
        if may_be_reused(verdict):
            key = judgement_key(item.text, item=item.scorable.digest, circumstances=self._circumstances)
        self.tally.verdicts.append(
            ItemVerdict(
                item_id=item.scorable.item_id,
                database_id=item.scorable.database_id,
                verdict=verdict,
                judgement=key,
            )
        )

    def _guarded(self, item: BatchItem, step: Callable[[], T]) -> T | Verdict:
        """The outcome of a step; a fault of the scorer itself leaves this item unscored and the others alone."""
        try:
            return step()
        except (InfrastructureError, DatabaseError):
            raise
        except Exception:
            logger.exception("item %s: fault in the scorer", item.scorable.source.question_id, extra=MAY_QUOTE_GOLD)
            return unscored_verdict(item.scorable.source.question_id, reason=SCORER_FAULT, message=SCORER_FAULT_MESSAGE)

    def _prepared(self, item: BatchItem) -> Prepared | Verdict:
        source, split = item.scorable.source, item.scorable.split
        if item.set_aside:
            return unscored_verdict(source.question_id, reason=GOLD_FAILED, message=SET_ASIDE)
        try:
            gold = self._golds.gold(item.scorable, executor=self._executor)
        except UnusableGoldError as error:
            return unusable_gold_verdict(source.question_id, error=error, split=split)
        found = attempt(item.text, source=source, gold=gold, limits=self._limits)
        if isinstance(found, Verdict):
            return found
        key = execution_key(
            found.query, database_digest=item.scorable.database_digest, limits=found.limits, engine=self._golds.engine
        )
        return Prepared(gold=gold, attempt=found, key=key)

    def _judged(self, item: BatchItem, prepared: Prepared, known: Known) -> Verdict:
        packed = known.get(prepared.key)
        if packed is None:
            result = self._executed(item, prepared, known)
        else:
            result = result_unpack(packed)
            self.tally.cached += 1
        return attempt_verdict(prepared.attempt, result, gold=prepared.gold, split=item.scorable.split)

    def _executed(self, item: BatchItem, prepared: Prepared, known: Known) -> Answer | ExecutionFailure:
        result = self._executor.execute(
            prepared.attempt.query,
            database=item.scorable.source.storage_name,
            limits=prepared.attempt.limits,
        )
        self.tally.executed += 1
        if may_be_kept(result):
            packed = result_pack(result)
            # A chunk of answers that are too large to be kept would fill the memory.
            if len(packed) <= settings.EXECUTION_ANSWER_BYTES:
                known[prepared.key] = self.tally.results[prepared.key] = packed
        return result
