"""Digests change with all that a score depends on, and with nothing else."""

import dataclasses
import hashlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.digest import bundle_digest, database_digest, file_digest
from benchmark_data.types import ArrayOrder, Collection, Database, Difficulty, Index, Split
from tests.benchmark_data.building import item

COLLECTION = Collection(
    name="boats", path=Path("a.jsonl"), documents=2, sha256="a" * 64, indexes=(Index(keys=(("x", 1),)),)
)
DATABASE = Database(db_id="lake", collections=(COLLECTION,), digest=database_digest([COLLECTION]))


@pytest.mark.parametrize(
    "change",
    [
        {"name": "ships"},
        {"sha256": "b" * 64},
        {"indexes": ()},
        {"indexes": (Index(keys=(("x", -1),)),)},
        {"indexes": (Index(keys=(("y", 1),)),)},
        {"indexes": (Index(keys=(("x", 1),), unique=True),)},
    ],
    ids=str,
)
def test_a_change_of_the_data_changes_the_digest_of_the_database(change: dict[str, Any]) -> None:
    assert database_digest([dataclasses.replace(COLLECTION, **change)]) != DATABASE.digest


def test_the_place_of_the_files_and_the_order_of_collections_do_not_matter() -> None:
    moved = dataclasses.replace(COLLECTION, path=Path("elsewhere.jsonl"))
    other = dataclasses.replace(COLLECTION, name="crews")
    assert database_digest([moved]) == DATABASE.digest
    assert database_digest([COLLECTION, other]) == database_digest([other, COLLECTION])


SCORED: dict[str, Any] = {
    "question_id": "2",
    "db_id": "wood",
    "question": "Why?",
    "evidence": "Because.",
    "difficulty": Difficulty.CHALLENGING,
    "gold_query": "db.boats.find()",
    "array_order": ArrayOrder.UNSPECIFIED,
}
NOT_SCORED: dict[str, Any] = {"split": Split.HIDDEN, "sql": "SELECT 1", "flags": ("gold_ambiguous",), "line": 7}


@given(st.sets(st.sampled_from(sorted(SCORED)), min_size=1), st.sets(st.sampled_from(sorted(NOT_SCORED))))
@settings(deadline=None, max_examples=60)
def test_a_change_of_any_scored_field_changes_the_digest(scored: set[str], free: set[str]) -> None:
    plain = bundle_digest([DATABASE], [item()])
    unscored = dataclasses.replace(item(), **{name: NOT_SCORED[name] for name in free})
    assert bundle_digest([DATABASE], [unscored]) == plain
    changed = dataclasses.replace(unscored, **{name: SCORED[name] for name in scored})
    assert bundle_digest([DATABASE], [changed]) != plain


def test_every_field_of_an_item_is_known_to_matter_or_not() -> None:
    assert {field.name for field in dataclasses.fields(item())} == set(SCORED) | set(NOT_SCORED)


def test_the_digest_covers_the_databases_and_not_the_order_of_items() -> None:
    items = [item("1"), item("2")]
    assert bundle_digest([DATABASE], items) == bundle_digest([DATABASE], items[::-1])
    assert bundle_digest([DATABASE], items) != bundle_digest([dataclasses.replace(DATABASE, digest="0" * 64)], items)
    assert bundle_digest([DATABASE], items) != bundle_digest([dataclasses.replace(DATABASE, db_id="sea")], items)
    assert bundle_digest([DATABASE], items) != bundle_digest([DATABASE], items[:1])


def test_the_serialisation_is_the_one_that_the_format_writes_down() -> None:
    # The very bytes of FORMAT.md's example, so that another implementation can be checked against it.
    text = (
        '{"collections":[{"indexes":[{"keys":[["x",1]],"unique":false}],"name":"boats","sha256":"' + "a" * 64 + '"}],'
        '"form":"aptboard-database-digest-1"}'
    )
    assert DATABASE.digest == hashlib.sha256(text.encode()).hexdigest()
    text = (
        '{"databases":{"lake":"DIGEST"},"form":"aptboard-bundle-digest-1","items":[{"array_order":"ordered",'
        '"db_id":"lake","difficulty":"simple","evidence":"","gold_query":"db.boats.find({name: \\"Å\\"})",'
        '"question":"How many boats are there?","question_id":"1"}]}'
    ).replace("DIGEST", DATABASE.digest)
    found = bundle_digest([DATABASE], [item(gold_query='db.boats.find({name: "Å"})')])
    assert found == hashlib.sha256(text.encode()).hexdigest()


def test_a_file_is_hashed_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    assert file_digest(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
