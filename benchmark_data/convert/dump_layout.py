"""Makes databases of the namespaces of a dump: tells collections from what no bundle can hold."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmark_data.convert.bson_stream import read_documents
from benchmark_data.convert.bytestream import Meter, open_bytes
from benchmark_data.convert.dump_metadata import Kind, Metadata
from benchmark_data.convert.sources import Databases
from benchmark_data.errors import Fault
from benchmark_data.names import collection_name_problem, db_id_problem
from benchmark_data.write import CollectionSource, DatabaseSource

SERVER_DATABASES = frozenset({"admin", "config", "local"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Namespace:
    """One namespace of a dump.

    Args:
        db_id: its database.
        name: its name in the database.
        path: the file with its documents; None where the dump has none.
        origin: the name of that file, or of the metadata, for messages.
        metadata: of the collection.
    """

    db_id: str
    name: str
    path: Path | None
    origin: str
    metadata: Metadata


@dataclass(slots=True)
class _Layout:
    meter: Meter
    notes: list[str] = field(default_factory=list)


def databases_of(namespaces: Iterable[Namespace], meter: Meter) -> Databases:
    """The databases of a dump, in order of name, with their documents unread.

    Views and the server's own collections are left out, which a note tells. A time series is a fault: its documents
    lie in buckets, and a bundle without them would be another benchmark.
    """
    layout = _Layout(meter)
    grouped: dict[str, list[Namespace]] = {}
    for namespace in namespaces:
        grouped.setdefault(namespace.db_id, []).append(namespace)
    sources: list[DatabaseSource | Fault] = []
    for db_id in sorted(grouped):
        if db_id in SERVER_DATABASES:
            layout.notes.append(f"Left out: the database {db_id}, which is the server's own.")
            continue
        if problem := db_id_problem(db_id):
            sources.append(Fault(file=db_id, rule="bad_db_id", message=f"the database's name {problem}"))
            continue
        entries = sorted(grouped[db_id], key=lambda namespace: namespace.name)
        collections = tuple(found for entry in entries for found in _collection(entry, layout))
        if not collections:
            sources.append(Fault(file=db_id, rule="empty_database", message="the database has no collection."))
        sources.append(DatabaseSource(db_id=db_id, collections=collections))
    return Databases(sources=tuple(sources), notes=tuple(layout.notes))


def _collection(namespace: Namespace, layout: _Layout) -> Iterator[CollectionSource | Fault]:
    shown = f"{namespace.db_id}.{namespace.name}"
    if namespace.metadata.kind is Kind.TIMESERIES or namespace.name.startswith("system.buckets."):
        message = "a time series is stored as buckets; copy it into a plain collection, and dump that."
        yield Fault(file=namespace.origin, field=namespace.name, rule="timeseries_collection", message=message)
    elif namespace.name.startswith("system."):
        layout.notes.append(f"Left out: {shown}, which is the server's own.")
    elif namespace.metadata.kind is Kind.VIEW:
        layout.notes.append(f"Left out: the view {shown}; mongodump --viewsAsCollections makes a collection of it.")
    elif problem := collection_name_problem(namespace.name):
        yield Fault(file=namespace.origin, field=namespace.name, rule="bad_collection_name", message=problem)
    elif namespace.path is None:
        message = "the metadata is there, the file with the documents is not."
        yield Fault(file=namespace.origin, field=namespace.name, rule="missing_file", message=message)
    else:
        layout.notes.extend(f"Left out of {shown}: {phrase}." for phrase in namespace.metadata.left_out)
        yield CollectionSource(
            name=namespace.name,
            documents=_Documents(namespace.path, namespace.name, layout.meter),
            indexes=namespace.metadata.indexes,
            origin=namespace.origin,
        )


class _Documents:
    """The documents of a file, opened when they are asked for: a dump may have more files than can be open."""

    def __init__(self, path: Path, name: str, meter: Meter) -> None:
        self._path = path
        self._name = name
        self._meter = meter

    def __iter__(self) -> Iterator[dict[str, Any] | Fault]:
        try:
            with open_bytes(self._path, self._meter) as stream:
                yield from read_documents(stream, name=self._name)
        except OSError as error:
            message = f"the file cannot be read: {error.strerror}."
            yield Fault(file="", field=self._name, rule="missing_file", message=message)
