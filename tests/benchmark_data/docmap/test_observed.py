"""The validator that a migration writes beside its documents, and its warnings."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from bson.int64 import Int64

from benchmark_data.docmap.observed import ObservedDocuments
from benchmark_data.docmap.sinks import migrate_to_folder
from tests.benchmark_data.docmap.sources import SHOP, SHOP_DOCMAP, database, docmap_of, migrated


def schema_of(*documents: dict[str, Any]) -> dict[str, Any]:
    seen = ObservedDocuments("x")
    for document in documents:
        seen.see(document, line_bytes=0)
    found: dict[str, Any] = seen.validator["$jsonSchema"]
    return found


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "null"),
        (True, "bool"),
        (5, "int"),
        (2**40, "long"),
        (Int64(5), "long"),
        (1.5, "double"),
        ("a", "string"),
        (b"a", "binData"),
        (datetime(2014, 1, 1, tzinfo=UTC), "date"),
    ],
)
def test_each_type_has_its_name(value: Any, expected: str) -> None:
    assert schema_of({"a": value})["properties"]["a"] == {"bsonType": expected}


def test_types_add_up_and_only_names_that_no_object_lacks_are_required() -> None:
    found = schema_of({"a": 1, "b": {"c": "x"}}, {"a": None, "b": {"c": "y", "d": 1.5}}, {"b": {"c": "z"}})
    assert found["required"] == ["b"]
    assert found["properties"]["a"] == {"bsonType": ["int", "null"]}
    assert found["properties"]["b"]["required"] == ["c"]


def test_elements_of_all_arrays_have_one_schema() -> None:
    found = schema_of({"a": [{"n": 1}, {"n": "x", "m": 1}]}, {"a": []})
    assert found["properties"]["a"] == {
        "bsonType": "array",
        "items": {
            "bsonType": "object",
            "required": ["n"],
            "properties": {"m": {"bsonType": "int"}, "n": {"bsonType": ["int", "string"]}},
        },
    }


def test_an_object_of_very_many_names_is_a_map() -> None:
    found = schema_of({"a": {str(n): n for n in range(500)}})
    assert found["properties"]["a"] == {"bsonType": "object"}


def test_a_migration_writes_a_validator_for_each_collection(tmp_path: Path) -> None:
    source = database(tmp_path, SHOP)
    migrated(docmap_of(source, SHOP_DOCMAP), source, tmp_path / "out")
    found = json.loads((tmp_path / "out" / "validators.json").read_text())
    assert sorted(found) == ["brands", "brewers", "products_unassigned", "reviews", "tags"]
    brands = found["brands"]["$jsonSchema"]
    assert brands["properties"]["flags"]["properties"]["sugar"] == {"bsonType": "bool"}
    assert brands["properties"]["products"]["items"]["required"] == ["kind", "sku"]
    assert found["reviews"]["$jsonSchema"]["properties"]["reviewedAt"] == {"bsonType": "date"}


def test_large_documents_and_long_arrays_are_told_and_written(tmp_path: Path) -> None:
    lines = "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) "
    source = database(tmp_path, SHOP + lines + "INSERT INTO product SELECT i, 1, hex(zeroblob(600)) FROM n;")
    docmap = docmap_of(source, SHOP_DOCMAP.replace("max_items: 5", "max_items: 5000"))
    told: list[str] = []
    migrate_to_folder(docmap, source, tmp_path / "out", file="docmap.yaml", warn=told.append)
    assert told == [
        "brands: 1 documents are above 1 MiB, up to 1.3 MiB.",
        "brands: 1 arrays at products have more than 1,000 elements, up to 1,103.",
    ]
    assert (tmp_path / "out" / "brands.jsonl").is_file()
