"""The gold answers that lie in a bundle: computed on an engine, and compared with what another engine says."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import bson
from bson.codec_options import CodecOptions, DatetimeConversion

from benchmark_data.gold_answers import GoldAnswerRecord, GoldKind, may_be_stored, query_digest
from benchmark_data.types import Bundle, Item, Split
from evaluation.compare import compare
from evaluation.gold import GOLD_LIMITS, Gold, GoldSource, UnusableGoldError, gold_compute, gold_query
from evaluation.runner import gold_source
from evaluation.types import Answer, AnswerKind, Executor, Limits

# As executors decode: dates stay milliseconds.
_AS_EXECUTED = CodecOptions[dict[str, Any]](datetime_conversion=DatetimeConversion.DATETIME_MS, tz_aware=False)


def computed_gold(
    bundle: Bundle,
    *,
    executor: Executor,
    limits: Limits = GOLD_LIMITS,
    progress: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Item, Gold | UnusableGoldError]]:
    """Run the gold of every item whose answer may lie in the bundle, in the bundle's order.

    Args:
        bundle: its databases must be loaded under their storage names.
        executor: where gold runs.
        limits: of each query.
        progress: called after each item.

    Raises:
        EngineUnavailableError: the document database went away.
    """
    databases = {database.db_id: database for database in bundle.databases}
    for item in bundle.items:
        if not may_be_stored(bundle, item):
            continue
        try:
            yield item, gold_compute(gold_source(item, databases[item.db_id]), executor=executor, limits=limits)
        except UnusableGoldError as error:
            yield item, error
        progress()


def gold_record(bundle: Bundle, item: Item, gold: Gold | UnusableGoldError, *, engine: str) -> GoldAnswerRecord:
    """What is stored of an item's gold; `engine` is a name and version."""
    database = next(database for database in bundle.databases if database.db_id == item.db_id)
    failed = isinstance(gold, UnusableGoldError)
    return GoldAnswerRecord(
        question_id=item.question_id,
        engine=engine,
        database=database.digest,
        gold_query=query_digest(item.gold_query),
        kind=None if isinstance(gold, UnusableGoldError) else GoldKind(gold.answer.kind.value),
        rows=() if isinstance(gold, UnusableGoldError) else gold.answer.rows,
        failure=str(gold) if failed else "",
    )


def gold_difference(record: GoldAnswerRecord, item: Item, gold: Gold | UnusableGoldError) -> str | None:
    """How the present engine's answer differs from the stored one, or None where it is strictly equal.

    Answers are compared as a prediction is with gold, by Strict-EX: what may differ there may differ here, such as the
    order of rows. Of hidden gold no value is told. That both failed is no difference, whatever the engines said.
    """
    failed = isinstance(gold, UnusableGoldError)
    if record.kind is None or isinstance(gold, UnusableGoldError):
        if failed == (record.kind is None):
            return None
        there = "failed" if record.kind is None else "gave an answer"
        return f"it {there} on {record.engine}, and {'fails' if failed else 'gives an answer'} here"
    verdict = compare(
        stored_answer(record),
        gold.answer,
        array_order=gold.array_order,
        gold_sorted=gold.is_sorted,
        hidden=item.split is Split.HIDDEN,
    )
    if verdict.strict:
        return None
    return f"another answer than on {record.engine}: {verdict.message}"


def stored_answer(record: GoldAnswerRecord) -> Answer:
    """A stored answer as an executor would have returned it."""
    kind = AnswerKind((record.kind or GoldKind.DOCUMENTS).value)
    rows = bson.decode(bson.encode({"rows": list(record.rows)}), codec_options=_AS_EXECUTED)["rows"]
    return Answer(kind=kind, rows=tuple(rows))


def gold_problem(item: Item, collections: Sequence[str]) -> str | None:
    """Why an item's gold query cannot be scored, before it is run, or None."""
    source = GoldSource(
        question_id=item.question_id,
        db_id=item.db_id,
        storage_name="",
        collections=tuple(collections),
        gold_query=item.gold_query,
        array_order=item.array_order,
    )
    try:
        gold_query(source)
    except UnusableGoldError as error:
        return str(error)
    return None
