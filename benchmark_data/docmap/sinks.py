"""Writes migrated databases: a folder of Extended JSON lines, or a bundle; seen by others only when it is whole."""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from benchmark_data.digest import database_digest
from benchmark_data.docmap.engine import ENGINE_VERSION, Migration
from benchmark_data.docmap.fetch import working_copy
from benchmark_data.docmap.observed import ObservedDocuments
from benchmark_data.docmap.types import Docmap
from benchmark_data.docmap.walk import links_of
from benchmark_data.documents import DocumentCheck
from benchmark_data.errors import Fault, FaultyBundleError
from benchmark_data.extended_json import format_document
from benchmark_data.faults import FaultLog
from benchmark_data.load import load_bundle, raise_faults
from benchmark_data.manifest import MANIFEST as BUNDLE_MANIFEST
from benchmark_data.types import Collection, Database, Index, Item
from benchmark_data.write import CollectionSource, Header, write_bundle

MANIFEST = "migration.json"
VALIDATORS = "validators.json"
"""The $jsonSchema of each collection, as `collMod` takes it for a validator."""


def migrate_to_folder(
    docmap: Docmap,
    source: Path,
    destination: Path,
    *,
    file: str,
    overwrite: bool = False,
    warn: Callable[[str], None] = lambda _: None,
) -> Database:
    """Migrate a source into a folder: a file of Extended JSON lines a collection, `migration.json`, `validators.json`.

    Args:
        docmap: checked against the source.
        source: the SQLite file.
        destination: must not exist, be empty, or be an earlier migration that `overwrite` gives up.
        file: the docmap's name in faults.
        overwrite: replace an earlier migration.
        warn: told of documents and arrays that are allowed and large.

    Raises:
        FaultyBundleError: cells, documents or rows that cannot be migrated; nothing was written.
        SourceError: the source cannot be read.
        OSError: the disk refused.
    """
    _check_destination(destination, overwrite=overwrite)
    destination.parent.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory(prefix=f".{destination.name}-", dir=destination.parent) as parent,
        working_copy(source, links_of(docmap)) as fetcher,
    ):
        folder = Path(parent) / "new"
        folder.mkdir()
        migration = Migration(docmap, fetcher, file=file)
        log = FaultLog(file)
        _take(log, migration.unheld())
        observed: dict[str, ObservedDocuments] = {}
        collections = []
        for collection in migration.collections():
            seen = observed[collection.name] = ObservedDocuments(collection.name)
            collections.append(_write(folder, collection, log, seen))
        raise_faults([log])
        collections.sort(key=lambda collection: collection.name)
        (folder / MANIFEST).write_text(_manifest(docmap.db_id, collections), encoding="utf-8")
        (folder / VALIDATORS).write_text(_validators(observed), encoding="utf-8")
        for seen in observed.values():
            for warning in seen.warnings:
                warn(warning)
        if destination.exists():
            destination.rename(Path(parent) / "old")
        folder.rename(destination)
    return read_migrated(destination)


def migrate_to_bundle(
    docmap: Docmap,
    source: Path,
    destination: Path,
    *,
    file: str,
    header: Header,
    items: Iterable[Item | Fault],
    overwrite: bool = False,
) -> Database:
    """Migrate a source into a bundle with items on it; other arguments and errors as in `migrate_to_folder`."""
    with working_copy(source, links_of(docmap)) as fetcher:
        migration = Migration(docmap, fetcher, file=file)
        log = FaultLog(file)
        _take(log, migration.unheld())
        raise_faults([log])
        bundle = write_bundle(
            destination, header=header, databases=[migration.database()], items=items, overwrite=overwrite, total=1
        )
    return bundle.databases[0]


def read_migrated(folder: Path) -> Database:
    """The database that a folder holds: of a migration, or of a bundle with one database.

    Raises:
        FaultyBundleError: the folder is neither, or its description is broken.
    """
    if (folder / BUNDLE_MANIFEST).is_file():
        databases = load_bundle(folder, check_digests=False).databases
        if len(databases) == 1:
            return databases[0]
        raise _faulty(folder.name, f"the bundle has {len(databases)} databases; one is expected.")
    try:
        found = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        collections = tuple(
            Collection(
                name=one["name"],
                path=folder / one["file"],
                documents=one["documents"],
                sha256=one["sha256"],
                indexes=tuple(
                    Index(keys=tuple((path, way) for path, way in index["keys"]), unique=index["unique"])
                    for index in one["indexes"]
                ),
            )
            for one in found["collections"]
        )
        return Database(db_id=found["db_id"], collections=collections, digest=database_digest(collections))
    except OSError as error:
        raise _faulty(f"{folder.name}/{MANIFEST}", f"the file cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise _faulty(f"{folder.name}/{MANIFEST}", f"is no description of a migration: {error!r}.") from error


def _faulty(file: str, message: str) -> FaultyBundleError:
    return FaultyBundleError((Fault(file=file, rule="not_a_migration", message=message),))


def _check_destination(destination: Path, *, overwrite: bool) -> None:
    log = FaultLog(destination.name)
    is_migration = (destination / MANIFEST).is_file()
    if destination.is_symlink() or (destination.exists() and not destination.is_dir()):
        log.add("not_a_folder", "the destination exists and is no folder.")
    elif is_migration and not overwrite:
        log.add("migration_exists", "there is a migration already; ask for overwriting to replace it.")
    elif destination.is_dir() and not is_migration and any(destination.iterdir()):
        log.add("not_a_migration", "the folder exists, has other things in it, and is not touched.")
    raise_faults([log])


def _take(log: FaultLog, faults: tuple[Fault, ...]) -> None:
    for fault in faults:
        log.add(fault.rule, fault.message, line=fault.line, field=fault.field)


def _validators(observed: Mapping[str, ObservedDocuments]) -> str:
    content = {name: seen.validator for name, seen in sorted(observed.items())}
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def _write(folder: Path, source: CollectionSource, log: FaultLog, observed: ObservedDocuments) -> Collection:
    path = folder / f"{quote(source.name, safe=' ')[:150]}.jsonl"
    if path.exists():
        path = folder / f"{path.stem}-{len(list(folder.iterdir()))}.jsonl"
    sha256, documents = hashlib.sha256(), 0
    with path.open("wb") as file:
        for document in _sound(source, log):
            line = f"{format_document(document)}\n".encode()
            sha256.update(line)
            file.write(line)
            observed.see(document, line_bytes=len(line))
            documents += 1
    return Collection(
        name=source.name, path=path, documents=documents, sha256=sha256.hexdigest(), indexes=source.indexes
    )


def _sound(source: CollectionSource, log: FaultLog) -> Iterator[dict[str, Any]]:
    check = DocumentCheck()
    for number, document in enumerate(source.documents, start=1):
        if isinstance(document, Fault):
            log.add(document.rule, document.message, line=document.line, field=document.field)
            continue
        problems = check.problems(document, place=number)
        for problem in problems:
            place = ".".join(filter(None, (f"{source.name}[{number - 1}]", problem.field)))
            log.add(problem.rule, problem.message, field=place)
        if not problems:
            yield dict(document)


def _manifest(db_id: str, collections: list[Collection]) -> str:
    content = {
        "migration": ENGINE_VERSION,
        "db_id": db_id,
        "collections": [
            {
                "name": collection.name,
                "file": collection.path.name,
                "documents": collection.documents,
                "sha256": collection.sha256,
                "indexes": [{"keys": [list(key) for key in i.keys], "unique": i.unique} for i in collection.indexes],
            }
            for collection in collections
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"
