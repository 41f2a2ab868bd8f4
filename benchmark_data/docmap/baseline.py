"""Tries the mechanical embedding on a database and names how it ends: recursion, too large, partial, or ok."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from benchmark_data.docmap.check import checked
from benchmark_data.docmap.engine import Migration
from benchmark_data.docmap.fetch import working_copy
from benchmark_data.docmap.fk_embedding import TableLoss, fk_embedding, losses
from benchmark_data.docmap.source import connect_read_only, count_rows, read_schema
from benchmark_data.docmap.strategies import RecursionFoundError
from benchmark_data.docmap.types import Docmap
from benchmark_data.docmap.walk import links_of
from benchmark_data.documents import DocumentCheck
from benchmark_data.errors import Fault
from benchmark_data.faults import FaultLog


class Outcome(StrEnum):
    """How a mechanical conversion ends."""

    RECURSION = "recursion"
    DOCUMENT_TOO_LARGE = "document_too_large"
    PARTIAL = "partial"
    OK = "ok"


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


def fk_embedding_baseline(source: Path, db_id: str) -> Baseline:
    """Generate the mechanical embedding, build its documents without keeping them, and count what is lost.

    Raises:
        SourceError: the source cannot be read.
    """
    connection = connect_read_only(source)
    try:
        schema = read_schema(connection)
        counts = {table.name: count_rows(connection, table.name) for table in schema.tables}
        nothing = {name: TableLoss(rows=count, lost=count, copies=0) for name, count in counts.items()}
        try:
            text = fk_embedding(connection, schema, db_id)
        except RecursionFoundError as error:
            return Baseline(outcome=Outcome.RECURSION, message=str(error), docmap="", tables=nothing)
        docmap = checked(text, connection, FaultLog("docmap"))
        tables = losses(connection, schema)
    finally:
        connection.close()
    problem = _first_too_large(docmap, source)
    if problem:
        return Baseline(outcome=Outcome.DOCUMENT_TOO_LARGE, message=problem, docmap=text, tables=nothing)
    lost, rows = sum(one.lost for one in tables.values()), sum(counts.values())
    if lost:
        message = f"{lost:,} of {rows:,} rows are in no document ({100 * lost / rows:.1f} %)."
        return Baseline(outcome=Outcome.PARTIAL, message=message, docmap=text, tables=tables)
    return Baseline(outcome=Outcome.OK, message=f"all {rows:,} rows are in a document.", docmap=text, tables=tables)


def _first_too_large(docmap: Docmap, source: Path) -> str:
    """A sentence on the first document that MongoDB would refuse, "" if there is none."""
    check = DocumentCheck()
    with working_copy(source, links_of(docmap)) as fetcher:
        for collection in Migration(docmap, fetcher, file="docmap").collections():
            for number, document in enumerate(collection.documents, start=1):
                problems = () if isinstance(document, Fault) else check.problems(document, place=number)
                for problem in problems:
                    if problem.rule == "too_large":
                        return f"{collection.name}, document {number}: {problem.message}"
    return ""
