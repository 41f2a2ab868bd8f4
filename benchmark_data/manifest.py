"""The manifest of a bundle: what it is called, which databases it has, and the digests of its files."""

import json
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from benchmark_data.faults import FaultLog
from benchmark_data.fields import Fields, kind_name, shown
from benchmark_data.json_text import JsonText, JsonTextError, repeated_keys
from benchmark_data.names import (
    bundle_name_problem,
    collection_name_problem,
    db_id_problem,
    indexed_path_problem,
)
from benchmark_data.types import Bundle, Collection, Database, Index

MANIFEST = "manifest.json"
ITEMS = "items.jsonl"
FORMAT_VERSION = "0.9"

_MANIFEST_BYTES = 64 * 1024 * 1024
_SHA256 = re.compile(r"[0-9a-f]{64}")
_DIRECTIONS = (1, -1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What a manifest says, as far as it could be read.

    Args:
        name, version, title, license, citation: of the bundle; "" where they could not be read.
        databases: in order of db_id, with the digests that the manifest states.
        items: number of items stated, None where it could not be read.
        items_sha256: digest of the items file stated.
        digest: digest of the bundle stated.
    """

    name: str
    version: str
    title: str
    license: str
    citation: str
    databases: tuple[Database, ...]
    items: int | None
    items_sha256: str
    digest: str


def read_manifest(root: Path, log: FaultLog) -> Manifest | None:
    """Read a bundle's manifest and note all its faults; None where there is nothing that can be read.

    The paths of collections are joined to `root`.
    """
    fields = _fields(root / MANIFEST, log)
    if fields is None:
        return None
    fields.only(("format_version", "name", "version", "title", "license", "citation", "databases", "items", "digest"))
    version = fields.text("format_version")
    if version is not None and version != FORMAT_VERSION:
        message = f'this program reads format version "{FORMAT_VERSION}", not {shown(version)}.'
        fields.fault("unknown_format_version", "format_version", message)
        return None
    name = fields.text("name")
    if name is not None and (problem := bundle_name_problem(name)):
        fields.fault("bad_name", "name", problem)
    items = fields.object("items")
    if items is not None:
        items.only(("file", "count", "sha256"))
        if items.text("file") not in (None, ITEMS):
            items.fault("bad_file", "file", f'must be "{ITEMS}".')
    return Manifest(
        name=name or "",
        version=fields.text("version") or "",
        title=fields.text("title") or "",
        license=fields.text("license") or "",
        citation=fields.text("citation", empty=True) or "",
        databases=_databases(fields, root),
        items=items.count("count") if items else None,
        items_sha256=_digest(items, "sha256") if items else "",
        digest=_digest(fields, "digest"),
    )


def manifest_text(bundle: Bundle, *, items_sha256: str) -> str:
    """The manifest of a bundle as it stands in its file; the same bundle always gives the same bytes."""
    content = {
        "format_version": FORMAT_VERSION,
        "name": bundle.name,
        "version": bundle.version,
        "title": bundle.title,
        "license": bundle.license,
        "citation": bundle.citation,
        "digest": bundle.digest,
        "items": {"file": ITEMS, "count": len(bundle.items), "sha256": items_sha256},
        "databases": [_database_fields(database, bundle.root) for database in bundle.databases],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _fields(path: Path, log: FaultLog) -> Fields | None:
    try:
        if path.stat().st_size > _MANIFEST_BYTES:
            log.add("too_large", f"a manifest has at most {_MANIFEST_BYTES:,} bytes.")
            return None
        content = JsonText(path.read_text(encoding="utf-8")).value()
    except OSError as error:
        log.add("missing_file", f"a bundle is a folder with a readable manifest.json in it: {error.strerror}.")
    except UnicodeDecodeError as error:
        log.add("not_utf8", f"not UTF-8 at byte {error.start + 1}.")
    except JsonTextError as error:
        log.add("bad_json", f"not JSON: {error.message}.", line=error.line)
    else:
        for key in repeated_keys(content):
            log.add("repeated_key", "this key stands more than once in one object.", field=key)
        if isinstance(content, dict):
            return Fields(content, log)
        log.add("not_an_object", f"a manifest must be a JSON object, not {kind_name(content)}.")
    return None


def _databases(fields: Fields, root: Path) -> tuple[Database, ...]:
    databases: dict[str, Database] = {}
    entries = fields.objects("databases")
    if not entries and fields.record.get("databases") == []:
        fields.fault("empty_field", "databases", "a bundle has at least one database.")
    for entry in entries:
        entry.only(("db_id", "digest", "collections"))
        db_id = entry.text("db_id") or ""
        if db_id and (problem := db_id_problem(db_id)):
            entry.fault("bad_db_id", "db_id", problem)
            continue
        if db_id in databases:
            entry.fault("duplicate_db_id", "db_id", f'the database "{db_id}" is listed twice.')
        collections = _collections(entry, root)
        if not collections and entry.record.get("collections") == []:
            entry.fault("empty_field", "collections", "a database has at least one collection.")
        databases[db_id] = Database(db_id=db_id, collections=collections, digest=_digest(entry, "digest"))
    return tuple(databases[db_id] for db_id in sorted(databases) if db_id)


def _collections(database: Fields, root: Path) -> tuple[Collection, ...]:
    collections: dict[str, Collection] = {}
    files: set[str] = set()
    for entry in database.objects("collections"):
        collection = _collection(entry, root)
        if collection is None:
            continue
        if collection.name in collections:
            entry.fault("duplicate_collection", "name", f'the collection "{collection.name}" is listed twice.')
        file = collection.path.as_posix()
        if file in files:
            entry.fault("duplicate_file", "file", "two collections have the same file.")
        files.add(file)
        collections[collection.name] = collection
    return tuple(collections[name] for name in sorted(collections))


def _collection(entry: Fields, root: Path) -> Collection | None:
    entry.only(("name", "file", "documents", "sha256", "indexes"))
    name = entry.text("name")
    if name is not None and (problem := collection_name_problem(name)):
        entry.fault("bad_collection_name", "name", problem)
    file = entry.text("file")
    if file is not None and not _is_inside(file):
        entry.fault("bad_file", "file", 'must be a plain path below "databases/" that ends in ".jsonl".')
        file = None
    documents, sha256, indexes = entry.count("documents"), _digest(entry, "sha256"), _indexes(entry)
    if name is None or file is None:
        return None
    return Collection(name=name, path=root / file, documents=documents or 0, sha256=sha256, indexes=indexes)


def _is_inside(file: str) -> bool:
    """Whether a path stays below databases/: a manifest must not make us read files from elsewhere."""
    path = PurePosixPath(file)
    plain = path.as_posix() == file and "\\" not in file and "\0" not in file and ".." not in path.parts
    return plain and len(path.parts) > 1 and path.parts[0] == "databases" and path.suffix == ".jsonl"


def _indexes(entry: Fields) -> tuple[Index, ...]:
    found: list[Index] = []
    for spec in entry.objects("indexes"):
        spec.only(("keys", "unique"))
        keys = tuple(key for key in (_index_key(spec, i, pair) for i, pair in enumerate(spec.array("keys"))) if key)
        if not keys:
            spec.fault("empty_index", "keys", "an index has at least one key.")
        index = Index(keys=keys, unique=spec.flag("unique"))
        if index.keys in {other.keys for other in found}:
            spec.fault("duplicate_index", "keys", "two indexes have the same keys.")
        found.append(index)
    return tuple(found)


def _index_key(spec: Fields, position: int, pair: Any) -> tuple[str, int] | None:
    place = f"keys[{position}]"
    match pair:
        case [str(path), int(direction)] if direction in _DIRECTIONS and not isinstance(direction, bool):
            if problem := indexed_path_problem(path):
                spec.fault("bad_index", place, problem)
            return path, direction
    spec.fault("bad_index", place, 'must be a pair like ["path", 1]; the direction is 1 or -1.')
    return None


def _digest(fields: Fields, name: str) -> str:
    digest = fields.text(name) or ""
    if digest and not _SHA256.fullmatch(digest):
        fields.fault("bad_digest", name, "must be a SHA-256 digest: 64 lower-case hexadecimal digits.")
    return digest


def _database_fields(database: Database, root: Path) -> dict[str, Any]:
    return {
        "db_id": database.db_id,
        "digest": database.digest,
        "collections": [
            {
                "name": collection.name,
                "file": collection.path.relative_to(root).as_posix(),
                "documents": collection.documents,
                "sha256": collection.sha256,
                "indexes": [{"keys": [list(key) for key in i.keys], "unique": i.unique} for i in collection.indexes],
            }
            for collection in database.collections
        ],
    }
