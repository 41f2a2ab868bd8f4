"""Tries the mechanical embedding on a database and names how it ends."""

import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from benchmark_data.docmap.check import checked
from benchmark_data.docmap.engine import Migration
from benchmark_data.docmap.fetch import working_copy
from benchmark_data.docmap.fk_embedding import TableLoss, fk_embedding, losses, pasted_error
from benchmark_data.docmap.source import Schema, SourceError, connect_read_only, count_rows, read_schema
from benchmark_data.docmap.strategies import RecursionFoundError
from benchmark_data.docmap.types import Docmap
from benchmark_data.docmap.walk import links_of
from benchmark_data.documents import DocumentCheck
from benchmark_data.errors import Fault
from benchmark_data.faults import FaultLog

_PROGRESS_STEPS = 20_000


class Outcome(StrEnum):
    """How a mechanical conversion ends."""

    RECURSION = "recursion"
    SQL_ERROR = "sql_error"
    DOCUMENT_TOO_LARGE = "document_too_large"
    TIMEOUT = "timeout"
    PARTIAL = "partial"
    OK = "ok"


class _TookTooLongError(Exception):
    """The time is over."""


class _Deadline:
    """The moment at which a trial is broken off."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    @property
    def is_over(self) -> bool:
        """Whether it has come."""
        return time.monotonic() > self._end

    def check(self) -> None:
        """Break off.

        Raises:
            _TookTooLongError: the time is over.
        """
        if self.is_over:
            raise _TookTooLongError


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """What the mechanical embedding does to a database.

    Args:
        outcome: how it ends.
        message: a sentence on it.
        docmap: its text, "" where there is none.
        tables: rows, lost rows and further copies, by table.
    """

    outcome: Outcome
    message: str
    docmap: str
    tables: Mapping[str, TableLoss]

    @property
    def rows(self) -> int:
        """Rows of the source."""
        return sum(table.rows for table in self.tables.values())

    @property
    def lost(self) -> int:
        """Rows in no document; all of them where nothing comes out."""
        return sum(table.lost for table in self.tables.values())


def fk_embedding_baseline(source: Path, db_id: str, *, seconds: float = 600.0) -> Baseline:
    """Generate the mechanical embedding, build its documents without keeping them, and count what is lost.

    Args:
        source: the SQLite file.
        db_id: its name.
        seconds: after which the trial is broken off as a timeout.

    Raises:
        SourceError: the source cannot be read.
    """
    deadline = _Deadline(seconds)
    with closing(connect_read_only(source)) as connection:
        schema = read_schema(connection)
        counts = {table.name: count_rows(connection, table.name) for table in schema.tables}
        connection.set_progress_handler(lambda: deadline.is_over, _PROGRESS_STEPS)
        try:
            return _tried(connection, schema, source, db_id, deadline)
        except RecursionFoundError as error:
            return _nothing(Outcome.RECURSION, str(error), counts)
        except _TookTooLongError:
            return _nothing(Outcome.TIMEOUT, f"not done within {seconds:g} seconds.", counts)
        except sqlite3.OperationalError as error:
            if deadline.is_over:
                return _nothing(Outcome.TIMEOUT, f"not done within {seconds:g} seconds.", counts)
            raise SourceError(f"{source.name}: SQLite gave up: {error}.") from error


def _tried(connection: sqlite3.Connection, schema: Schema, source: Path, db_id: str, deadline: _Deadline) -> Baseline:
    text = fk_embedding(connection, schema, db_id)
    tables = losses(connection, schema)
    rows, lost = sum(one.rows for one in tables.values()), sum(one.lost for one in tables.values())
    counts = {name: one.rows for name, one in tables.items()}
    broken = pasted_error(connection, schema)
    if broken:
        return _nothing(Outcome.SQL_ERROR, broken, counts, docmap=text)
    docmap = checked(text, connection, FaultLog("docmap"))
    problem = _first_too_large(docmap, source, deadline)
    if problem:
        return _nothing(Outcome.DOCUMENT_TOO_LARGE, problem, counts, docmap=text)
    if lost:
        message = f"{lost:,} of {rows:,} rows are in no document ({100 * lost / rows:.1f} %)."
        return Baseline(outcome=Outcome.PARTIAL, message=message, docmap=text, tables=tables)
    return Baseline(outcome=Outcome.OK, message=f"all {rows:,} rows are in a document.", docmap=text, tables=tables)


def _nothing(outcome: Outcome, message: str, counts: Mapping[str, int], *, docmap: str = "") -> Baseline:
    """An end at which no document comes out."""
    tables = {name: TableLoss(rows=count, lost=count, copies=0) for name, count in counts.items()}
    return Baseline(outcome=outcome, message=message, docmap=docmap, tables=tables)


def _first_too_large(docmap: Docmap, source: Path, deadline: _Deadline) -> str:
    """A sentence on the first document that MongoDB would refuse, "" if there is none."""
    check = DocumentCheck()
    with working_copy(source, links_of(docmap)) as fetcher:
        for collection in Migration(docmap, fetcher, file="docmap").collections():
            for number, document in enumerate(collection.documents, start=1):
                deadline.check()
                problems = () if isinstance(document, Fault) else check.problems(document, place=number)
                for problem in problems:
                    if problem.rule == "too_large":
                        return f"{collection.name}, document {number}: {problem.message}"
    return ""
