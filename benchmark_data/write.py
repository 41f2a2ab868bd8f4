"""Writes a bundle: record by record, checked as it goes, and seen by others only when it is whole."""

import hashlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchmark_data.digest import bundle_digest, database_digest, file_digest
from benchmark_data.documents import DocumentCheck
from benchmark_data.errors import Fault
from benchmark_data.extended_json import format_document
from benchmark_data.faults import FaultLog
from benchmark_data.items import item_line, read_items
from benchmark_data.load import load_bundle, raise_faults
from benchmark_data.manifest import ITEMS, MANIFEST, manifest_text
from benchmark_data.types import (
    NO_REQUIREMENTS,
    Bundle,
    Collection,
    Database,
    EngineRequirements,
    FieldNote,
    Index,
    Item,
    Relation,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A database that was just written.

    Args:
        db_id: its name.
        documents: how many it has.
        total: how many databases there will be, None where the source cannot tell beforehand.
    """

    db_id: str
    documents: int
    total: int | None


Progress = Callable[[Step], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a bundle says of itself; see `Bundle` for the fields."""

    name: str
    version: str
    title: str
    license: str
    citation: str = ""
    private: bool = False
    engine: EngineRequirements = NO_REQUIREMENTS


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionSource:
    """A collection to be written.

    Args:
        name: its name.
        documents: BSON values; a `Fault` stands where the source has a record that is no document.
        indexes: to be built besides the one on `_id`.
        origin: the file that it is read from, for messages.
        description, fields, relations: what the makers say of it; see `Collection`.
    """

    name: str
    documents: Iterable[Mapping[str, Any] | Fault]
    indexes: tuple[Index, ...] = ()
    origin: str = ""
    description: str = ""
    fields: tuple[FieldNote, ...] = ()
    relations: tuple[Relation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseSource:
    """A database to be written; its collections may be read lazily, one after another."""

    db_id: str
    collections: Iterable[CollectionSource | Fault]
    description: str = ""


def write_bundle(
    destination: Path,
    *,
    header: Header,
    databases: Iterable[DatabaseSource | Fault],
    items: Iterable[Item | Fault],
    overwrite: bool = False,
    progress: Progress | None = None,
    total: int | None = None,
) -> Bundle:
    """Write a bundle into a new folder; the same records always give the same bytes.

    Everything is written into a temporary folder beside `destination` and moved there at the end: whatever goes
    wrong, `destination` is as it was. Databases and their documents are read once, in the order given.

    Args:
        destination: the bundle's folder; it must not exist, or be empty, or be a bundle that `overwrite` gives up.
        header: what the bundle says of itself.
        databases: in any order; a `Fault` stands where the source has none.
        items: in the order of the items file.
        overwrite: replace a bundle that is there.
        progress: told of each database.
        total: how many databases there will be, if known, for `progress`.

    Raises:
        FaultyBundleError: with all faults of all records; nothing was written.
        OSError: the disk refused.
    """
    _check_destination(destination, overwrite=overwrite)
    with _folder_beside(destination) as folder:
        logs: list[FaultLog | Fault] = []
        written = []
        for database in _write_databases(folder, databases, logs):
            written.append(database)
            if progress is not None:
                documents = sum(collection.documents for collection in database.collections)
                progress(Step(db_id=database.db_id, documents=documents, total=total))
        kept = _write_items(folder / ITEMS, items, logs)
        if kept:
            logs.append(_reread(folder / ITEMS, None if _count_faults(logs) else written))
        _raise(logs)
        _seal(folder, header, written, kept)
        load_bundle(folder)
        _move(folder, destination)
    return load_bundle(destination, check_digests=False)


def _check_destination(destination: Path, *, overwrite: bool) -> None:
    log = FaultLog(destination.name)
    is_bundle = (destination / MANIFEST).is_file()
    if destination.is_symlink() or (destination.exists() and not destination.is_dir()):
        log.add("not_a_folder", "the destination exists and is no folder.")
    elif is_bundle and not overwrite:
        log.add("bundle_exists", "there is a bundle already; ask for overwriting to replace it.")
    elif destination.is_dir() and not is_bundle and any(destination.iterdir()):
        log.add("not_a_bundle", "the folder exists, has other things in it, and is not touched.")
    raise_faults([log])


@contextmanager
def _folder_beside(destination: Path) -> Iterator[Path]:
    destination.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{destination.name}-", dir=destination.parent) as parent:
        folder = Path(parent) / "bundle"
        folder.mkdir()
        yield folder


def _move(folder: Path, destination: Path) -> None:
    """Put the finished folder in its place; an old bundle goes into the temporary folder and away with it."""
    old = folder.parent / "old"
    if destination.exists():
        destination.rename(old)
    try:
        folder.rename(destination)
    except OSError:
        if old.exists():
            old.rename(destination)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _write_databases(
    folder: Path, sources: Iterable[DatabaseSource | Fault], logs: list[FaultLog | Fault]
) -> Iterator[Database]:
    for source in sources:
        if isinstance(source, Fault):
            logs.append(source)
            continue
        collections = tuple(_write_collections(folder, source, logs))
        yield Database(
            db_id=source.db_id,
            collections=tuple(sorted(collections, key=lambda collection: collection.name)),
            digest=database_digest(collections),
            description=source.description,
        )


def _write_collections(folder: Path, source: DatabaseSource, logs: list[FaultLog | Fault]) -> Iterator[Collection]:
    directory = folder / "databases" / quote(source.db_id, safe="")
    directory.mkdir(parents=True, exist_ok=True)
    used: set[str] = set()
    for collection in source.collections:
        if isinstance(collection, Fault):
            logs.append(collection)
            continue
        path = directory / _file_name(collection.name, used)
        log = FaultLog(collection.origin or path.relative_to(folder).as_posix())
        yield _write_collection(path, collection, log)
        logs.append(log)


def _file_name(name: str, used: set[str]) -> str:
    """A file name that every file system takes, also one that does not tell "Pets" from "pets"."""
    stem = quote(name, safe=" ")[:120]
    number = 1
    while (candidate := stem if number == 1 else f"{stem}-{number}").lower() in used:
        number += 1
    used.add(candidate.lower())
    return f"{candidate}.jsonl"


def _write_collection(path: Path, source: CollectionSource, log: FaultLog) -> Collection:
    check = DocumentCheck()
    sha256 = hashlib.sha256()
    documents = 0
    with path.open("wb") as file:
        for number, document in enumerate(source.documents, start=1):
            if isinstance(document, Fault):
                log.add(document.rule, document.message, line=document.line, field=document.field)
                continue
            problems = check.problems(document, place=number)
            for problem in problems:
                place = ".".join(filter(None, (f"{source.name}[{number - 1}]", problem.field)))
                log.add(problem.rule, problem.message, field=place)
            if not problems:
                line = f"{format_document(document)}\n".encode()
                sha256.update(line)
                file.write(line)
                documents += 1
    return Collection(
        name=source.name,
        path=path,
        documents=documents,
        sha256=sha256.hexdigest(),
        indexes=source.indexes,
        description=source.description,
        fields=tuple(sorted(source.fields, key=lambda note: note.path)),
        relations=source.relations,
    )


def _write_items(path: Path, items: Iterable[Item | Fault], logs: list[FaultLog | Fault]) -> tuple[Item, ...]:
    kept: list[Item] = []
    with path.open("w", encoding="utf-8", newline="\n", errors="surrogatepass") as file:
        for item in items:
            if isinstance(item, Fault):
                logs.append(item)
                continue
            file.write(item_line(item))
            kept.append(replace(item, line=len(kept) + 1))
    return tuple(kept)


def _reread(path: Path, databases: list[Database] | None) -> FaultLog:
    """The faults that a reader would find in the items just written, so that they are told along with all others.

    Without `databases` no db_id is judged: where a database is faulty, its items are not to blame.
    """
    log = FaultLog(path.name)
    read_items(path, log, db_ids=None if databases is None else {database.db_id for database in databases})
    return log


def _count_faults(found: list[FaultLog | Fault]) -> int:
    return sum(entry.total if isinstance(entry, FaultLog) else entry.count for entry in found)


def _seal(folder: Path, header: Header, databases: list[Database], items: tuple[Item, ...]) -> None:
    databases.sort(key=lambda database: database.db_id)
    bundle = Bundle(
        name=header.name,
        version=header.version,
        title=header.title,
        license=header.license,
        citation=header.citation,
        databases=tuple(databases),
        items=items,
        digest=bundle_digest(databases, items),
        root=folder,
        private=header.private,
        engine=header.engine,
    )
    (folder / MANIFEST).write_text(manifest_text(bundle, items_sha256=file_digest(folder / ITEMS)), encoding="utf-8")


def _raise(found: list[FaultLog | Fault]) -> None:
    """Raise the faults of logs and single faults together, in the order found."""
    logs: list[FaultLog] = []
    for entry in found:
        log = entry if isinstance(entry, FaultLog) else FaultLog(entry.file)
        if isinstance(entry, Fault):
            log.add(entry.rule, entry.message, line=entry.line, field=entry.field)
            log.total = entry.count
        logs.append(log)
    raise_faults(logs)
