"""Gold answers: how an item's gold query is run, judged usable, and kept."""

import zlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import bson
from bson.codec_options import CodecOptions, DatetimeConversion

from benchmark_data.errors import BenchmarkError, SubmissionError
from benchmark_data.types import ArrayOrder
from evaluation.guard.judge import judge
from evaluation.parse.read import read
from evaluation.types import Answer, AnswerKind, ExecutionFailure, Executor, Limits, Operation, Query, ReadingContext

PINNED_NOW: Final = datetime(2025, 1, 1, tzinfo=UTC)
"""The one clock that serves `new Date()` in gold and prediction, so that no verdict changes with the calendar."""

GOLD_LIMITS: Final = Limits(milliseconds=120_000, rows=1_000_000, answer_bytes=256 * 1024 * 1024)

SET_LIKE_OPERATORS: Final = frozenset({"$addToSet", "$setUnion", "$setIntersection", "$setDifference"})
"""Operators whose arrays come in no particular order, by the server's manual."""

ORDER_LOSING_STAGES: Final = frozenset(
    {"$group", "$bucket", "$bucketAuto", "$sortByCount", "$sample", "$unionWith", "$facet"}
)

_CODEC: Final = CodecOptions[dict[str, Any]](datetime_conversion=DatetimeConversion.DATETIME_MS, tz_aware=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gold:
    """A usable gold answer.

    Args:
        answer: what the gold query returned.
        array_order: as the item says, or unspecified where gold builds arrays with a set operator.
        is_sorted: gold asks for an order of rows.
        flags: of the reading, e.g. "uses_now".
    """

    answer: Answer
    array_order: ArrayOrder
    is_sorted: bool
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldSource:
    """What is needed to compute an item's gold."""

    question_id: str
    db_id: str
    storage_name: str
    collections: tuple[str, ...]
    gold_query: str
    array_order: ArrayOrder


class UnusableGoldError(BenchmarkError):
    """The gold query of an item cannot be read, is forbidden, or fails on the engine: the item cannot be judged."""


def reading_context(*, db_id: str, collections: Collection[str]) -> ReadingContext:
    """The context in which gold and predictions are read alike."""
    return ReadingContext(db_id=db_id, collections=tuple(collections), now=PINNED_NOW)


def gold_query(source: GoldSource) -> tuple[Query, tuple[str, ...]]:
    """The gold query and its flags.

    Raises:
        UnusableGoldError: the text cannot be read or the guard refuses it.
    """
    context = reading_context(db_id=source.db_id, collections=source.collections)
    try:
        reading = read(source.gold_query, context=context)
        flags = judge(reading.query, collections=source.collections)
    except SubmissionError as error:
        raise UnusableGoldError(f"gold of {source.question_id} cannot be used: {error}") from error
    return reading.query, tuple(dict.fromkeys((*reading.flags, *flags)))


def gold_compute(
    source: GoldSource, *, executor: Executor, limits: Limits = GOLD_LIMITS, known: Answer | None = None
) -> Gold:
    """Run an item's gold query, or take its `known` answer.

    Raises:
        UnusableGoldError: gold cannot be read, is refused, fails, or is longer than the limits.
        EngineUnavailableError: nobody's fault; try again.
    """
    query, flags = gold_query(source)
    answer = known if known is not None else executor.execute(query, database=source.storage_name, limits=limits)
    if isinstance(answer, ExecutionFailure):
        raise UnusableGoldError(f"gold of {source.question_id} fails on the engine ({answer.kind}): {answer.message}")
    if not answer.complete:
        raise UnusableGoldError(f"gold of {source.question_id} returns more than {limits.rows} rows")
    unordered = source.array_order is ArrayOrder.UNSPECIFIED or builds_sets(query)
    return Gold(
        answer=answer,
        array_order=ArrayOrder.UNSPECIFIED if unordered else ArrayOrder.ORDERED,
        is_sorted=is_sorted(query),
        flags=flags,
    )


def builds_sets(query: Query) -> bool:
    """Whether an array of the answer may be built by an operator that gives no order."""
    return any(key in SET_LIKE_OPERATORS for key in _keys(query.arguments))


def is_sorted(query: Query) -> bool:
    """Whether the query asks for an order of its rows."""
    if query.operation is not Operation.AGGREGATE:
        return bool(query.arguments.get("sort"))
    return _ends_sorted(query.arguments.get("pipeline", ()))


def _ends_sorted(pipeline: Collection[Mapping[str, Any]]) -> bool:
    ordered = False
    for stage in pipeline:
        name = next(iter(stage), "")
        if name == "$sort":
            ordered = True
        elif name in ORDER_LOSING_STAGES:
            ordered = name == "$sortByCount"
    return ordered


def _keys(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, Mapping):
            yield from current.keys()
            waiting.extend(current.values())
        elif isinstance(current, list | tuple):
            waiting.extend(current)


def answer_pack(answer: Answer) -> bytes:
    """The answer as zlib-compressed BSON, for storage."""
    document = {"kind": answer.kind.value, "rows": list(answer.rows), "milliseconds": answer.milliseconds}
    return zlib.compress(bson.encode(document, codec_options=_CODEC), level=6)


def answer_unpack(content: bytes) -> Answer:
    """The answer that `answer_pack` stored; value for value the same."""
    document = bson.decode(zlib.decompress(content), codec_options=_CODEC)
    return Answer(
        kind=AnswerKind(document["kind"]), rows=tuple(document["rows"]), milliseconds=document["milliseconds"]
    )
