"""Proves the gold of one sample item: the same rows from SQL and from the documents, on every instance."""

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchmark_data.bundles.sample21.authored_items import AuthoredItem
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.errors import SubmissionError
from evaluation.equivalence import Reference, Row, Verdict, compare_rows
from evaluation.equivalence_sqlite import SqlFailedError, reference_of, run_sql
from evaluation.gold import reading_context
from evaluation.guard.judge import judge
from evaluation.parse.read import read
from evaluation.sample21.instances import SampleInstance
from evaluation.sample21.leaves import leaf_paths, leaf_rows
from evaluation.sample21.ties import open_limit
from evaluation.types import Answer, ExecutionFailure, Executor, Limits, Query

MOST_ROWS: Final = 200
LIMITS: Final = Limits(milliseconds=30_000, rows=20_000)
_WIDEST_PERMUTED: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFault:
    """What is wrong with an item; `field` is the part that is to blame, `is_advice` leaves it to the author."""

    field: str
    rule: str
    message: str
    is_advice: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemProof:
    """What was found of an item.

    Args:
        item: the item.
        query: its gold as it is sent; None where it cannot be read.
        rows: number of rows of each instance's answer; empty where one failed.
        faults: why it is not proved, or not good.
        milliseconds: of the slowest gold query.
    """

    item: AuthoredItem
    query: Query | None = None
    rows: tuple[int, ...] = ()
    faults: tuple[ItemFault, ...] = ()
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answered:
    """One instance's answers from both sides."""

    seed: int
    reference: Reference
    width: int
    answer: Answer


class _UnprovableError(Exception):
    def __init__(self, field: str, rule: str, message: str) -> None:
        super().__init__(message)
        self.fault = ItemFault(field=field, rule=rule, message=message)


def prove_item(item: AuthoredItem, instances: Sequence[SampleInstance], *, executor: Executor) -> ItemProof:
    """Compare the answers of both sides on every instance.

    Raises:
        EngineUnavailableError: the document database failed.
    """
    query: Query | None = None
    try:
        query = _query(item, instances[0])
        answered = [_answered(item, query, instance, executor) for instance in instances]
    except _UnprovableError as error:
        return ItemProof(item=item, query=query, faults=(error.fault,))
    faults = [*_differences(answered), *_judged(item, query, answered, instances[0])]
    if item.empty is False and not faults:
        tie = open_limit(query, executor=executor, database=instances[0].storage_name, limits=LIMITS)
        faults += [ItemFault(field="mql", rule="tied", message=tie)] if tie else []
    return ItemProof(
        item=item,
        query=query,
        rows=tuple(len(each.answer.rows) for each in answered),
        faults=tuple(faults),
        milliseconds=max(each.answer.milliseconds for each in answered),
    )


def _query(item: AuthoredItem, instance: SampleInstance) -> Query:
    collections = tuple(collection.name for collection in instance.database.collections)
    try:
        reading = read(item.mql, context=reading_context(db_id=instance.docmap.db_id, collections=collections))
        flags = {*reading.flags, *judge(reading.query, collections=collections)}
    except SubmissionError as error:
        raise _UnprovableError("mql", "unusable_query", f"it cannot be used: {error}") from error
    for flag in sorted(flags & {"uses_now", "nondeterministic", "literal_only", "duplicate_key"}):
        raise _UnprovableError("mql", flag, f"the reader or the guard flags it: {flag}.")
    return reading.query


def _answered(item: AuthoredItem, query: Query, instance: SampleInstance, executor: Executor) -> _Answered:
    try:
        reference = reference_of(instance.connection, item.sql)
        width = len(instance.connection.execute(item.sql).description)
        run_sql(instance.connection, item.sql, seconds=30)
    except (SqlFailedError, UntranslatableSqlError) as error:
        raise _UnprovableError("sql", "sql_failed", f"seed {instance.seed}: {error}") from error
    answer = executor.execute(query, database=instance.storage_name, limits=LIMITS)
    if isinstance(answer, ExecutionFailure):
        raise _UnprovableError("mql", "query_failed", f"seed {instance.seed}: {answer.kind}: {answer.message}")
    return _Answered(seed=instance.seed, reference=reference, width=width, answer=answer)


def _differences(answered: Sequence[_Answered]) -> list[ItemFault]:
    """The first difference between both sides, and open ties."""
    paths = leaf_paths([each.answer for each in answered])
    width = answered[0].width
    if any(each.answer.rows for each in answered) and len(paths) != width:
        shown = ", ".join(".".join(path) or "(value)" for path in paths)
        message = f"{len(paths)} leaf columns ({shown}) where SQL has {width}."
        return [ItemFault(field="mql", rule="columns", message=message)]
    for each in answered:
        rows = leaf_rows(each.answer, paths)
        verdict, message = compare_rows(each.reference, rows)
        if verdict is Verdict.DIFFERENT:
            order = _other_order(answered, paths)
            if order:
                message = f"equal with MQL's columns in the order {order}."
                return [ItemFault(field="sql", rule="column_order", message=message, is_advice=True)]
            text = f"seed {each.seed}: {message}; {_sql_rows(each.reference)}"
            return [ItemFault(field="mql", rule="not_equal", message=text)]
        if verdict is Verdict.TIED:
            return [ItemFault(field="sql", rule="tied", message=f"seed {each.seed}: {message}: tell how ties are cut.")]
    return []


def _sql_rows(reference: Reference) -> str:
    shown = [row for group in reference.groups for row in group.rows[: group.kept]][:3]
    return f"SQL's rows begin {shown!r:.300}"


def _other_order(answered: Sequence[_Answered], paths: tuple[tuple[str, ...], ...]) -> str:
    """The order of MQL's columns in which every instance is equal, or "".

    A find answers in the order of the stored document, whatever its projection says, and no metric looks at it.
    """
    if len(paths) > _WIDEST_PERMUTED:
        return ""
    for order in itertools.permutations(range(len(paths))):
        shuffled = [paths[place] for place in order]
        if all(compare_rows(each.reference, leaf_rows(each.answer, shuffled))[0] is Verdict.EQUAL for each in answered):
            return ", ".join(".".join(path) for path in shuffled)
    return ""


def _judged(item: AuthoredItem, query: Query, answered: Sequence[_Answered], base: SampleInstance) -> list[ItemFault]:
    """Whether the answers are worth asking for."""
    empty = [_is_vacuous(each.answer) for each in answered]
    faults = []
    if item.empty and not empty[0]:
        faults.append(ItemFault(field="empty", rule="not_empty", message="the answer is said to be empty, and is not."))
    elif not item.empty and empty[0]:
        faults.append(ItemFault(field="mql", rule="empty", message="the answer is empty (no row, 0 or null)."))
    elif not item.empty and len(empty) > 1 and all(empty[1:]):
        message = "the answer is empty (no row, 0 or null) on both re-seeded instances."
        faults.append(ItemFault(field="mql", rule="empty", message=message))
    rows = max(len(each.answer.rows) for each in answered)
    if rows > MOST_ROWS:
        message = f"the answer has {rows:,} rows; more than {MOST_ROWS} are too many."
        faults.append(ItemFault(field="mql", rule="too_many_rows", message=message))
    faults += _of_all(query, answered[0], base)
    if not item.empty and len(answered) > 1 and len({_fingerprint(each.answer) for each in answered}) == 1:
        message = "the answer is the same on all instances: they prove little."
        faults.append(ItemFault(field="mql", rule="same_answers", message=message, is_advice=True))
    return faults


def _of_all(query: Query, base: _Answered, instance: SampleInstance) -> list[ItemFault]:
    documents = {each.name: each.documents for each in instance.database.collections}.get(query.collection, 0)
    rows = len(base.answer.rows)
    (counted,) = base.answer.rows if rows == 1 and isinstance(base.answer.rows[0], int) else (None,)
    if rows > 40 and rows >= 0.9 * documents:
        message = f"the answer has {rows} rows of {documents} documents: nearly everything."
        return [ItemFault(field="mql", rule="everything", message=message)]
    if counted is not None and counted == documents and query.arguments.get("filter"):
        message = f"all {documents} documents are counted: the filter leaves none out."
        return [ItemFault(field="mql", rule="everything", message=message, is_advice=True)]
    return []


def _is_vacuous(answer: Answer) -> bool:
    """Whether there is no row, or one row that says nothing."""
    rows = answer.rows
    return not rows or (len(rows) == 1 and all(value in (None, 0) for value in _values(rows[0])))


def _values(row: Any) -> list[Any]:
    if isinstance(row, Mapping):
        return [value for inside in row.values() for value in _values(inside)]
    return [row] if not isinstance(row, list) else [None] if not row else list(row)


def _fingerprint(answer: Answer) -> str:
    return re.sub(r"ObjectId\('[0-9a-f]+'\)", "ObjectId", repr(answer.rows))


def plain_rows(answer: Answer) -> list[Row]:
    """An answer's rows in the order of its own columns."""
    return leaf_rows(answer, leaf_paths([answer]))
