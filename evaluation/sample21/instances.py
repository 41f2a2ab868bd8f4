"""The instances of a sample database on both sides: SQLite files, and their documents in the document database."""

import contextlib
import hashlib
import itertools
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Final, TypeVar

from benchmark_data.bundles.sample21.databases import DOCMAP, SEEDS, SampleDatabase
from benchmark_data.bundles.sample21.instance import checked_docmap, write_instance
from benchmark_data.docmap.sinks import migrate_to_folder
from benchmark_data.docmap.source import connect_read_only
from benchmark_data.docmap.types import Docmap
from benchmark_data.types import Database
from evaluation.embedded.document_database import DocumentDatabaseUrls, provided, urls_from_environment
from evaluation.embedded.home import home
from evaluation.executors.connect import opened
from evaluation.executors.loading import DatabaseLoader
from evaluation.types import Executor

_CALLS: Final = itertools.count()

Done = TypeVar("Done")


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """The document database: who runs queries, who loads, and how the reader is reached."""

    executor: Executor
    loader: DatabaseLoader
    urls: DocumentDatabaseUrls


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleInstance:
    """One seed's data.

    Args:
        seed: of its rows.
        source: the SQLite file.
        connection: to it, for reading.
        docmap: checked against it.
        database: its documents as files.
        storage_name: where they are loaded; for this use only, and dropped afterwards.
    """

    seed: int
    source: Path
    connection: sqlite3.Connection
    docmap: Docmap
    database: Database
    storage_name: str


@contextlib.contextmanager
def engines_opened() -> Iterator[tuple[Engine, ...]]:
    """Two ways to the document database that the environment names, or the embedded one and another like it.

    The embedded engine answers on one processor, and a build waits for it most of the time.

    Raises:
        EmbeddedPartError: it does not start.
    """
    with contextlib.ExitStack() as stack:
        urls = urls_from_environment()
        homes = (home(), Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="apt-"))))
        yield tuple(stack.enter_context(_opened(urls, place)) for place in homes)


@contextlib.contextmanager
def _opened(named: DocumentDatabaseUrls | None, place: Path) -> Iterator[Engine]:
    with (
        contextlib.nullcontext(named) if named else provided(place) as urls,
        DatabaseLoader(urls.loader) as loader,
        opened(urls.reader, demo=named is None) as executor,
    ):
        yield Engine(executor=executor, loader=loader, urls=urls)


def side_by_side(jobs: Iterable[Callable[[Engine], Done]], engines: Sequence[Engine]) -> Iterator[Done]:
    """Do jobs, each on an engine that is free, and give what they return in their order."""
    free: SimpleQueue[Engine] = SimpleQueue()
    for engine in engines:
        free.put(engine)

    def done(job: Callable[[Engine], Done]) -> Done:
        engine = free.get()
        try:
            return job(engine)
        finally:
            free.put(engine)

    with ThreadPoolExecutor(max_workers=len(engines)) as pool:
        yield from pool.map(done, jobs)


def private(database: Database) -> Database:
    """The same content under a storage name of this call: somebody else may use, and drop, the same content."""
    own = hashlib.sha256(f"{os.getpid()} {next(_CALLS)} {database.digest}".encode()).hexdigest()
    return replace(database, digest=own)


@contextlib.contextmanager
def loaded_instances(
    sample: SampleDatabase, engine: Engine, folder: Path, *, seeds: tuple[int, ...] = SEEDS
) -> Iterator[tuple[SampleInstance, ...]]:
    """Build, migrate and load an instance for each seed; their storages are dropped at the end.

    Raises:
        FaultyBundleError: the sources have faults, named by file and line.
        EngineUnavailableError: the document database failed.
    """
    with contextlib.ExitStack() as stack:
        found = []
        for seed in seeds:
            source = folder / f"{sample.db_id}-{seed}.sqlite"
            write_instance(sample, source, seed=seed)
            connection = stack.enter_context(contextlib.closing(connect_read_only(source)))
            docmap = checked_docmap(sample, connection)
            written = migrate_to_folder(
                docmap, source, folder / f"{sample.db_id}-{seed}", file=sample.file(DOCMAP), overwrite=True
            )
            own = private(written)
            stack.callback(engine.loader.drop, own.storage_name)
            engine.loader.load(own)
            found.append(
                SampleInstance(
                    seed=seed,
                    source=source,
                    connection=connection,
                    docmap=docmap,
                    database=written,
                    storage_name=own.storage_name,
                )
            )
        yield tuple(found)
