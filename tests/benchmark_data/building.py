"""A small bundle for tests, and ways to damage it."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.objectid import ObjectId

from benchmark_data.card_file import measure_database, write_cards
from benchmark_data.gold_answers import GoldAnswerRecord, GoldKind, query_digest, write_gold
from benchmark_data.items import item_line
from benchmark_data.seal import write_manifest
from benchmark_data.types import Bundle, Difficulty, EngineRequirements, FieldNote, Index, Item, Relation, Split
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
    edit_line(root / "items.jsonl", line, change)


def described_bundle(folder: Path) -> Bundle:
    """The small bundle with everything that format 1.0 can say of it, cards and gold answers included."""
    bundle = small_bundle(folder)
    lake, wood = bundle.databases
    boats, crews = lake.collections
    boats = replace(
        boats,
        description="All that float.",
        fields=(FieldNote(path="tons", description="Displacement."),),
        relations=(Relation(path="crew.[].age", collection="crews", field="_id"),),
    )
    lake = replace(lake, description="A lake.", collections=(boats, crews))
    engine = EngineRequirements(mongodb="5.0", features=("$setWindowFields",))
    items = (replace(bundle.items[0], flags=("gold_ambiguous",)), *bundle.items[1:])
    (folder / "items.jsonl").write_text("".join(map(item_line, items)), encoding="utf-8")
    bundle = replace(bundle, databases=(lake, wood), items=items, engine=engine)
    write_manifest(bundle)
    bundle = write_cards(bundle, {database.db_id: measure_database(database) for database in bundle.databases})
    return write_gold(bundle, [gold_answer(bundle, one) for one in items])


def gold_answer(bundle: Bundle, one: Item, **changes: Any) -> GoldAnswerRecord:
    """A gold answer that fits the bundle as it is."""
    digests = {database.db_id: database.digest for database in bundle.databases}
    fields: dict[str, Any] = {
        "question_id": one.question_id,
        "engine": "MongoDB 7.0.14",
        "database": digests[one.db_id],
        "gold_query": query_digest(one.gold_query),
        "kind": GoldKind.SCALAR,
        "rows": (2,),
    }
    return GoldAnswerRecord(**(fields | changes))


def edit_line(path: Path, line: int, change: Callable[[dict[str, Any]], object]) -> None:
    """Change one record of a file of JSON lines."""
    lines = path.read_text(encoding="utf-8").splitlines()
    record = json.loads(lines[line - 1])
    change(record)
    lines[line - 1] = json.dumps(record)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
