"""A small bundle for tests, and ways to damage it."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.objectid import ObjectId

from benchmark_data.types import Bundle, Difficulty, Index, Item, Split
from benchmark_data.write import CollectionSource, DatabaseSource, Header, write_bundle

HEADER = Header(name="small", version="1", title="Small", license="MIT")

BOATS: tuple[dict[str, Any], ...] = (
    {
        "_id": ObjectId("65a000000000000000000001"),
        "name": "Åse",
        "tons": Int64(12),
        "built": datetime(1990, 5, 1, tzinfo=UTC),
    },
    {
        "_id": ObjectId("65a000000000000000000002"),
        "name": "Bo",
        "tons": 7,
        "price": Decimal128("10.50"),
        "crew": [{"age": 3.5}],
    },
)
BIRDS: tuple[dict[str, Any], ...] = ({"name": "owl", "seen": None}, {"name": "tern"})


def item(question_id: str = "1", db_id: str = "lake", **changes: Any) -> Item:
    fields: dict[str, Any] = {
        "question_id": question_id,
        "db_id": db_id,
        "question": "How many boats are there?",
        "evidence": "",
        "difficulty": Difficulty.SIMPLE,
        "split": Split.PUBLIC,
        "gold_query": "db.boats.countDocuments({})",
    }
    return Item(**(fields | changes))


def small_bundle(folder: Path) -> Bundle:
    """Two databases, three collections, three items."""
    boats = CollectionSource(name="boats", documents=BOATS, indexes=(Index(keys=(("name", 1),), unique=True),))
    lake = DatabaseSource(db_id="lake", collections=(boats, CollectionSource(name="crews", documents=({"_id": 1},))))
    wood = DatabaseSource(db_id="wood", collections=(CollectionSource(name="birds", documents=BIRDS),))
    items = (item("1"), item("2", evidence="A boat is a boat."), item("3", "wood", gold_query="db.birds.find()"))
    return write_bundle(folder, header=HEADER, databases=(wood, lake), items=items)


def edit_manifest(root: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = root / "manifest.json"
    content = json.loads(path.read_text(encoding="utf-8"))
    change(content)
    path.write_text(json.dumps(content), encoding="utf-8")


def edit_item(root: Path, line: int, change: Callable[[dict[str, Any]], object]) -> None:
    path = root / "items.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines()
    record = json.loads(lines[line - 1])
    change(record)
    lines[line - 1] = json.dumps(record)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
