"""Compiles questions' SQL and proves each MongoDB query on every instance of the data."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from benchmark_data.docmap.queries.alternatives import alternatives
from benchmark_data.docmap.queries.compile import CompiledQuery, compile_sql
from benchmark_data.docmap.queries.docmap_layout import DocmapLayout
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.leftovers import relational_leftovers
from benchmark_data.docmap.queries.schema import Schema
from benchmark_data.docmap.queries.scope import TableLayout
from evaluation.equivalence import Reference, Verdict, compare_rows
from evaluation.equivalence_sqlite import SqlFailedError, reference_of
from evaluation.errors import ForbiddenQueryError, UnparsableTextError
from evaluation.guard.judge import judge
from evaluation.parse.read import read
from evaluation.types import ExecutionFailure, Executor, Limits, Query, ReadingContext


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlQuestion:
    """One SQL query to be proved."""

    question_id: str
    sql: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Instance:
    """The same data on both sides.

    Args:
        name: for messages.
        connection: the SQLite side.
        database: name of the MongoDB database.
    """

    name: str
    connection: sqlite3.Connection
    database: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What was found of one question.

    Args:
        question_id: the question.
        compiled: its query, None where a rule is missing.
        verdicts: by instance, in order; empty where nothing could be compared.
        rows: how many rows each instance's answer has.
        reason: why it is not proved, "" where it is.
        flags: of the compiler, of the guard and on relational leftovers, sorted.
    """

    question_id: str
    compiled: CompiledQuery | None = None
    verdicts: tuple[Verdict, ...] = ()
    rows: tuple[int, ...] = ()
    reason: str = ""
    flags: tuple[str, ...] = ()

    @property
    def is_proved(self) -> bool:
        """Equal on each instance, and on one of them there is a row to compare."""
        return not self.reason

    @property
    def is_tied(self) -> bool:
        """Whether SQL leaves open, somewhere, which rows it gives."""
        return Verdict.TIED in self.verdicts


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What proofs run on.

    Args:
        instances: the data on both sides.
        executor: runs the document queries.
        collections: the names that these may use.
        limits: of one query, on either side.
    """

    instances: tuple[Instance, ...]
    executor: Executor
    collections: tuple[str, ...]
    limits: Limits


class RefusedQueryError(Exception):
    """A compiled query is not read back, or the guard refuses it."""


def sent_query(compiled: CompiledQuery, *, collections: Sequence[str]) -> tuple[Query, tuple[str, ...]]:
    """The query as a submission of the same text would be sent, and the guard's flags.

    Raises:
        RefusedQueryError: the text is not read, or is refused.
    """
    context = ReadingContext(db_id=None, collections=tuple(collections), now=datetime.now(tz=UTC))
    try:
        query = read(compiled.text, context=context).query
        return query, judge(query, collections=collections)
    except (UnparsableTextError, ForbiddenQueryError) as error:
        raise RefusedQueryError(f"{error.reason}: {error}") from error


def prove(question: SqlQuestion, *, bench: Bench, schema: Schema, layout: TableLayout) -> Proof:
    """Compile one question and compare the answers of both sides on every instance.

    Raises:
        EngineUnavailableError: the server cannot be reached, or failed.
    """
    try:
        compiled = compile_sql(question.sql, schema=schema, layout=layout)
    except UntranslatableSqlError as error:
        return Proof(question_id=question.question_id, reason=f"untranslated: {error.rule}: {error.message}")
    return _proof_of(question, compiled, bench=bench, layout=layout)


def _proof_of(question: SqlQuestion, compiled: CompiledQuery, *, bench: Bench, layout: TableLayout) -> Proof:
    embedded = layout.repeated_collections() if isinstance(layout, DocmapLayout) else ()
    pipeline = list(compiled.pipeline)
    flags = {*compiled.notes, *relational_leftovers(pipeline, embedded=embedded, collection=compiled.collection)}
    try:
        query, guard_flags = sent_query(compiled, collections=bench.collections)
    except RefusedQueryError as error:
        return Proof(question_id=question.question_id, compiled=compiled, reason=f"refused: {error}")
    verdicts, rows, reason = _verdicts(question, compiled, query, bench)
    if Verdict.TIED in verdicts:
        flags.add("tied")
    if not reason and not any(rows):
        reason = "vacuous: no instance gives a row"
    return Proof(
        question_id=question.question_id,
        compiled=compiled,
        verdicts=verdicts,
        rows=rows,
        reason=reason,
        flags=tuple(sorted({*flags, *guard_flags})),
    )


def optimised(question: SqlQuestion, proof: Proof, *, bench: Bench, schema: Schema, layout: TableLayout) -> Proof:
    """The proof of the first of the `alternatives` that is equal on every instance, else the proof itself.

    Raises:
        EngineUnavailableError: the server cannot be reached, or failed.
    """
    if proof.compiled is None or not proof.is_proved:
        return proof
    for shorter in alternatives(proof.compiled, question.sql, schema=schema, layout=layout):
        found = _proof_of(question, shorter, bench=bench, layout=layout)
        if found.is_proved:
            return found
    return proof


def _verdicts(
    question: SqlQuestion, compiled: CompiledQuery, query: Query, bench: Bench
) -> tuple[tuple[Verdict, ...], tuple[int, ...], str]:
    verdicts: list[Verdict] = []
    sizes: list[int] = []
    for instance in bench.instances:
        try:
            reference = reference_of(instance.connection, question.sql, seconds=bench.limits.milliseconds / 1000)
        except SqlFailedError as error:
            return tuple(verdicts), tuple(sizes), f"{instance.name}: SQL failed: {error}"
        verdict, message = _verdict(reference, compiled, query, instance, bench)
        sizes.append(reference.size)
        if verdict is not None:
            verdicts.append(verdict)
        if verdict in {None, Verdict.DIFFERENT}:
            return tuple(verdicts), tuple(sizes), f"{instance.name}: {message}"
    return tuple(verdicts), tuple(sizes), ""


def _verdict(
    reference: Reference, compiled: CompiledQuery, query: Query, instance: Instance, bench: Bench
) -> tuple[Verdict | None, str]:
    answer = bench.executor.execute(query, database=instance.database, limits=bench.limits)
    if isinstance(answer, ExecutionFailure):
        return None, f"{answer.kind}: {answer.message}"
    if not answer.complete:
        return None, f"the answer has more than {bench.limits.rows} rows"
    # The names of the answer's fields tell the columns, so that a missing field is NULL.
    rows = [tuple(row.get(name) for name in compiled.columns) for row in answer.rows]
    return compare_rows(reference, rows)
