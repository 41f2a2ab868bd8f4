"""The SHA-256 digests that tie a score to the data it was computed on; FORMAT.md writes the rules down."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmark_data.types import Collection, Database, Item

_BUNDLE_FORM = "aptboard-bundle-digest-1"
_DATABASE_FORM = "aptboard-database-digest-1"


def file_digest(path: Path) -> str:
    """Hex SHA-256 of a file's bytes.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def database_digest(collections: Iterable[Collection]) -> str:
    """Hex SHA-256 over names, indexes and file digests, in order of name; the db_id is not part of it.

    Two databases of the same content have the same digest, so answers may be shared between bundles.
    """
    content = [
        {
            "indexes": [
                {"keys": [[path, way] for path, way in i.keys], "unique": i.unique} for i in collection.indexes
            ],
            "name": collection.name,
            "sha256": collection.sha256,
        }
        for collection in sorted(collections, key=lambda collection: collection.name)
    ]
    return _sha256({"collections": content, "form": _DATABASE_FORM})


def bundle_digest(databases: Iterable[Database], items: Iterable[Item]) -> str:
    """Hex SHA-256 over all that a score or its breakdown depends on.

    Left out on purpose: title, licence and citation; an item's SQL and split (to publish hidden gold moves no
    score); the order of the items in their file.
    """
    content = [
        {
            "array_order": item.array_order.value,
            "db_id": item.db_id,
            "difficulty": item.difficulty.value,
            "evidence": item.evidence,
            "gold_query": item.gold_query,
            "question": item.question,
            "question_id": item.question_id,
        }
        for item in sorted(items, key=lambda item: item.question_id)
    ]
    digests = {database.db_id: database.digest for database in databases}
    return _sha256({"databases": digests, "form": _BUNDLE_FORM, "items": content})


def _sha256(content: Mapping[str, Any]) -> str:
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()
