"""The databases that a manifest lists: their collections, files, indexes, and what the makers say of them."""

import re
from pathlib import Path, PurePosixPath
from typing import Any

from benchmark_data.fields import Fields
from benchmark_data.names import collection_name_problem, db_id_problem, indexed_path_problem
from benchmark_data.types import Collection, Database, FieldNote, Index, Relation

_SHA256 = re.compile(r"[0-9a-f]{64}")
_DIRECTIONS = (1, -1)


def read_digest(fields: Fields, name: str) -> str:
    """A required SHA-256 digest; "" where there is none."""
    digest = fields.text(name) or ""
    if digest and not _SHA256.fullmatch(digest):
        fields.fault("bad_digest", name, "must be a SHA-256 digest: 64 lower-case hexadecimal digits.")
    return digest


def read_databases(fields: Fields, root: Path, *, described: bool) -> tuple[Database, ...]:
    """The databases of a manifest, in order of db_id.

    Args:
        fields: the manifest.
        root: the bundle's folder.
        described: the format version knows descriptions, notes on fields, and relations.
    """
    databases: dict[str, Database] = {}
    entries = fields.objects("databases")
    if not entries and fields.record.get("databases") == []:
        fields.fault("empty_field", "databases", "a bundle has at least one database.")
    for entry in entries:
        entry.only(("db_id", "digest", "collections", *(("description",) if described else ())))
        db_id = entry.text("db_id") or ""
        if db_id and (problem := db_id_problem(db_id)):
            entry.fault("bad_db_id", "db_id", problem)
            continue
        if db_id in databases:
            entry.fault("duplicate_db_id", "db_id", f'the database "{db_id}" is listed twice.')
        collections = _collections(entry, root, described=described)
        if not collections and entry.record.get("collections") == []:
            entry.fault("empty_field", "collections", "a database has at least one collection.")
        digest = read_digest(entry, "digest")
        description = (entry.optional_text("description") or "") if described else ""
        databases[db_id] = Database(db_id=db_id, collections=collections, digest=digest, description=description)
    return tuple(databases[db_id] for db_id in sorted(databases) if db_id)


def database_fields(database: Database, root: Path) -> dict[str, Any]:
    """A database as the JSON object that stands in a manifest; what is empty and may be left out is left out."""
    fields: dict[str, Any] = {"db_id": database.db_id, "digest": database.digest}
    if database.description:
        fields["description"] = database.description
    return fields | {"collections": [_collection_fields(collection, root) for collection in database.collections]}


def _collection_fields(collection: Collection, root: Path) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "name": collection.name,
        "file": collection.path.relative_to(root).as_posix(),
        "documents": collection.documents,
        "sha256": collection.sha256,
        "indexes": [{"keys": [list(key) for key in i.keys], "unique": i.unique} for i in collection.indexes],
    }
    if collection.description:
        fields["description"] = collection.description
    if collection.fields:
        fields["fields"] = {note.path: note.description for note in collection.fields}
    if collection.relations:
        fields["relations"] = [
            {"path": relation.path, "collection": relation.collection, "field": relation.field}
            for relation in collection.relations
        ]
    return fields


def _collections(database: Fields, root: Path, *, described: bool) -> tuple[Collection, ...]:
    collections: dict[str, Collection] = {}
    entries: dict[str, Fields] = {}
    files: set[str] = set()
    for entry in database.objects("collections"):
        collection = _collection(entry, root, described=described)
        if collection is None:
            continue
        if collection.name in collections:
            entry.fault("duplicate_collection", "name", f'the collection "{collection.name}" is listed twice.')
        file = collection.path.as_posix()
        if file in files:
            entry.fault("duplicate_file", "file", "two collections have the same file.")
        files.add(file)
        collections[collection.name] = collection
        entries[collection.name] = entry
    for name, collection in collections.items():
        for index, relation in enumerate(collection.relations):
            if relation.collection not in collections:
                message = f'the database has no collection "{relation.collection}".'
                entries[name].fault("unknown_collection", f"relations[{index}].collection", message)
    return tuple(collections[name] for name in sorted(collections))


def _collection(entry: Fields, root: Path, *, described: bool) -> Collection | None:
    extra = ("description", "fields", "relations") if described else ()
    entry.only(("name", "file", "documents", "sha256", "indexes", *extra))
    name = entry.text("name")
    if name is not None and (problem := collection_name_problem(name)):
        entry.fault("bad_collection_name", "name", problem)
    file = entry.text("file")
    if file is not None and not _is_inside(file):
        entry.fault("bad_file", "file", 'must be a plain path below "databases/" that ends in ".jsonl".')
        file = None
    documents, sha256, indexes = entry.count("documents"), read_digest(entry, "sha256"), _indexes(entry)
    description = (entry.optional_text("description") or "") if described else ""
    notes, relations = (_notes(entry), _relations(entry)) if described else ((), ())
    if name is None or file is None:
        return None
    return Collection(
        name=name,
        path=root / file,
        documents=documents or 0,
        sha256=sha256,
        indexes=indexes,
        description=description,
        fields=notes,
        relations=relations,
    )


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


def _notes(entry: Fields) -> tuple[FieldNote, ...]:
    notes = entry.object("fields") if "fields" in entry.record else None
    if notes is None:
        return ()
    found = {path: notes.text(path) for path in sorted(notes.record)}
    return tuple(FieldNote(path=path, description=text) for path, text in found.items() if text)


def _relations(entry: Fields) -> tuple[Relation, ...]:
    found = []
    for relation in entry.objects("relations") if "relations" in entry.record else ():
        relation.only(("path", "collection", "field"))
        path, collection, field = relation.text("path"), relation.text("collection"), relation.text("field")
        if path and collection and field:
            found.append(Relation(path=path, collection=collection, field=field))
    return tuple(found)
