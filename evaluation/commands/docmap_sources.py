"""What the commands on queries work with: questions, docmaps, sources as loaded databases, and the server."""

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmark_data.docmap.check import checked, read_checked
from benchmark_data.docmap.queries.docmap_layout import DocmapLayout
from benchmark_data.docmap.queries.layout import OneToOne
from benchmark_data.docmap.queries.schema import Schema
from benchmark_data.docmap.queries.scope import TableLayout
from benchmark_data.docmap.sinks import migrate_to_folder
from benchmark_data.docmap.source import connect_read_only, read_schema
from benchmark_data.docmap.strategies import one_to_one
from benchmark_data.docmap.types import Docmap
from benchmark_data.faults import FaultLog
from evaluation.embedded.document_database import DocumentDatabaseUrls, provided, urls_from_environment
from evaluation.embedded.home import home
from evaluation.equivalence_perturbed import perturbed
from evaluation.equivalence_run import Bench, Instance
from evaluation.equivalence_sqlite import schema_of
from evaluation.executors.connect import opened
from evaluation.executors.explaining import DocumentsExamined
from evaluation.executors.loading import DatabaseLoader
from evaluation.types import Executor, Limits

Source = Annotated[Path, typer.Argument(metavar="SOURCE", help="The SQLite file.", exists=True, dir_okay=False)]
Questions = Annotated[
    Path, typer.Argument(metavar="QUESTIONS", help="JSON list of {question_id, SQL, evidence?}.", exists=True)
]
Perturbations = Annotated[
    int, typer.Option("--perturbations", help="Altered copies of the source to prove on as well.", min=0)
]
Seconds = Annotated[float, typer.Option("--seconds", help="Time limit of one query.", min=0.1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """The document database with the three hands that the commands need."""

    executor: Executor
    loader: DatabaseLoader
    examined: DocumentsExamined | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """A strategy for one source.

    Args:
        docmap: the design.
        is_one_to_one: whether each table is a collection and each column a field of its name.
    """

    docmap: Docmap
    is_one_to_one: bool

    def layout(self, schema: Schema, collections: Sequence[str]) -> TableLayout:
        """Where the tables lie, among collections that there are."""
        if self.is_one_to_one:
            return OneToOne(tuple(table.name for table in schema.tables.values()))
        return DocmapLayout(self.docmap, schema, collections=collections)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """Instances of a source on both sides, with what is needed to prove queries on them."""

    bench: Bench
    schema: Schema
    layout: TableLayout


def questions_of(path: Path) -> list[dict[str, Any]]:
    """The questions of a file.

    Raises:
        typer.BadParameter: it holds no questions.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise typer.BadParameter(f"{path}: not JSON: {error}") from error
    good = isinstance(found, list) and all(
        isinstance(each, dict) and "question_id" in each and isinstance(each.get("SQL"), str) for each in found
    )
    if not good:
        raise typer.BadParameter(f'{path}: expected a list of objects with "question_id" and "SQL"')
    return list(found)


def design_of(source: Path, path: Path | None, *, indexed: bool = False) -> Design:
    """A docmap's file, checked against a source; without one One-to-One.

    Raises:
        BenchmarkError: the source or the docmap cannot be used.
    """
    if path is not None:
        return Design(docmap=read_checked(path, source), is_one_to_one=False)
    with contextlib.closing(connect_read_only(source)) as connection:
        text = one_to_one(read_schema(connection), source.stem, indexed=indexed)
        return Design(docmap=checked(text, connection, FaultLog("one_to_one")), is_one_to_one=True)


@contextlib.contextmanager
def loaded(design: Design, files: Sequence[Path], *, engine: Engine, limits: Limits, folder: Path) -> Iterator[Loaded]:
    """Migrate each file by a design, load it, and keep both sides open."""
    instances: list[Instance] = []
    collections: dict[str, None] = {}
    with contextlib.ExitStack() as stack:
        for number, file in enumerate(files):
            database = migrate_to_folder(design.docmap, file, folder / f"documents{number}", file="docmap")
            engine.loader.load(database)
            connection = stack.enter_context(contextlib.closing(connect_read_only(file)))
            instances.append(Instance(name=file.stem, connection=connection, database=database.storage_name))
            collections |= dict.fromkeys(each.name for each in database.collections)
        schema = schema_of(instances[0].connection)
        bench = Bench(
            instances=tuple(instances), executor=engine.executor, collections=tuple(collections), limits=limits
        )
        yield Loaded(bench=bench, schema=schema, layout=design.layout(schema, tuple(collections)))


def perturbed_files(source: Path, design: Design, folder: Path, number: int) -> list[Path]:
    """Altered copies of a source, such that a docmap can be meant for them."""
    made = []
    with contextlib.closing(connect_read_only(source)) as connection:
        for seed in range(1, number + 1):
            path = folder / f"{source.stem}-perturbed-{seed}.sqlite"
            docmap = None if design.is_one_to_one else design.docmap
            with (
                contextlib.closing(perturbed(connection, seed=seed, docmap=docmap)) as copy,
                contextlib.closing(sqlite3.connect(path)) as file,
            ):
                copy.backup(file)
            made.append(path)
    return made


@contextlib.contextmanager
def running_engine() -> Iterator[Engine]:
    """The server that the environment names, else the embedded engine for as long as the command runs."""
    named = urls_from_environment()
    with contextlib.nullcontext(named) if named else provided(home()) as urls:
        given: DocumentDatabaseUrls = urls
        with (
            DatabaseLoader(given.loader) as loader,
            contextlib.closing(DocumentsExamined(given.reader)) as examined,
            opened(given.reader, demo=named is None) as executor,
        ):
            yield Engine(executor=executor, loader=loader, examined=examined)
