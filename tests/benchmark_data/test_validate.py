"""Validation finds every fault that was planted, several at once."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmark_data.errors import LISTED_FAULTS
from benchmark_data.types import Item
from benchmark_data.validate import validate
from tests.benchmark_data.building import edit_item, edit_manifest, small_bundle


def append(root: Path, name: str, content: bytes) -> None:
    with (root / name).open("ab") as file:
        file.write(content)


def no_gold(item: Item, collections: Sequence[str]) -> str | None:
    return f"{item.gold_query} names none of {', '.join(collections)}" if "nowhere" in item.gold_query else None


Plant = tuple[Callable[[Path], object], tuple[str, str]]

PLANTS: dict[str, Plant] = {
    "bad line": (
        lambda r: append(r, "databases/lake/boats.jsonl", b"{oops\n"),
        ("databases/lake/boats.jsonl", "bad_json"),
    ),
    "no document": (
        lambda r: append(r, "databases/lake/crews.jsonl", b"[1]\n"),
        ("databases/lake/crews.jsonl", "not_an_object"),
    ),
    "field name": (
        lambda r: append(r, "databases/wood/birds.jsonl", b'{"$x": 1}\n'),
        ("databases/wood/birds.jsonl", "field_name"),
    ),
    "same id": (
        lambda r: append(r, "databases/lake/crews.jsonl", b'{"_id": 1.0}\n'),
        ("databases/lake/crews.jsonl", "duplicate_id"),
    ),
    "too large": (
        lambda r: append(r, "databases/wood/birds.jsonl", b'{"a": "' + b"x" * 17_000_000 + b'"}\n'),
        ("databases/wood/birds.jsonl", "too_large"),
    ),
    "stray": (lambda r: append(r, "databases/wood/bees.jsonl", b"{}\n"), ("databases/wood/bees.jsonl", "stray_file")),
    "hidden stray": (lambda r: append(r, ".DS_Store", b""), (".DS_Store", "stray_file")),
    "link": (lambda r: (r / "link").symlink_to("/etc"), ("link", "symbolic_link")),
    "item": (lambda r: edit_item(r, 1, lambda i: i.update(db_id="pond")), ("items.jsonl", "unknown_db_id")),
    "same item": (
        lambda r: edit_item(r, 2, lambda i: i.update(question_id="3")),
        ("items.jsonl", "duplicate_question_id"),
    ),
    "gold": (
        lambda r: edit_item(r, 3, lambda i: i.update(gold_query="db.nowhere.find()")),
        ("items.jsonl", "bad_gold_query"),
    ),
    "title": (lambda r: edit_manifest(r, lambda m: m.update(title="")), ("manifest.json", "empty_field")),
    "count": (
        lambda r: edit_manifest(r, lambda m: m["databases"][1]["collections"][0].update(documents=9)),
        ("manifest.json", "wrong_count"),
    ),
    "collection name": (
        lambda r: edit_manifest(r, lambda m: m["databases"][0]["collections"][0].update(name="a$b")),
        ("manifest.json", "bad_collection_name"),
    ),
}


def test_a_bundle_as_written_has_no_fault(tmp_path: Path) -> None:
    small_bundle(tmp_path / "b")
    for name in ("README.md", "LICENSE", "predictions/a.jsonl", "predictions/b.json.gz"):
        (tmp_path / "b" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "b" / name).touch()
    assert validate(tmp_path / "b", check_query=no_gold) == ()


@given(st.sets(st.sampled_from(sorted(PLANTS.keys() - {"too large"})), min_size=1))
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_planted_fault_is_found_however_many_there_are(
    tmp_path_factory: pytest.TempPathFactory, names: set[str]
) -> None:
    root = tmp_path_factory.mktemp("planted") / "b"
    small_bundle(root)
    for name in sorted(names):
        PLANTS[name][0](root)
    found = {(fault.file, fault.rule) for fault in validate(root, check_query=no_gold)}
    assert {PLANTS[name][1] for name in names} <= found


@pytest.mark.parametrize("name", sorted(PLANTS))
def test_a_single_planted_fault_brings_nothing_but_itself_and_its_digest_and_count(tmp_path: Path, name: str) -> None:
    root = tmp_path / "b"
    small_bundle(root)
    plant, place = PLANTS[name]
    plant(root)
    found = validate(root, check_query=no_gold)
    assert place in [(fault.file, fault.rule) for fault in found]
    assert {fault.rule for fault in found} <= {place[1], "wrong_digest", "wrong_count"}


def test_faults_name_lines_and_fields(tmp_path: Path) -> None:
    root = tmp_path / "b"
    small_bundle(root)
    append(root, "databases/wood/birds.jsonl", b'{"a": {"b": [1, {"c": "\\ud800"}]}}\n{"_id": [1]}\n')
    found = [(fault.line, fault.field, fault.rule) for fault in validate(root) if fault.rule != "wrong_digest"]
    assert found == [
        (None, "databases/wood/birds.jsonl.documents", "wrong_count"),
        (3, "a.b.1.c", "bad_text"),
        (4, "_id", "bad_id"),
    ]


def test_without_a_manifest_the_documents_are_looked_at_all_the_same(tmp_path: Path) -> None:
    root = tmp_path / "b"
    small_bundle(root)
    (root / "manifest.json").unlink()
    append(root, "databases/wood/birds.jsonl", b"oops\n")
    assert [(fault.file, fault.line) for fault in validate(root)] == [
        ("manifest.json", None),
        ("databases/wood/birds.jsonl", 3),
    ]


def test_a_file_of_many_faults_does_not_hide_those_of_the_next(tmp_path: Path) -> None:
    root = tmp_path / "b"
    small_bundle(root)
    append(root, "databases/lake/boats.jsonl", b"oops\n" * 500)
    append(root, "databases/wood/birds.jsonl", b"oops\n")
    found = validate(root)
    boats = [fault for fault in found if fault.file == "databases/lake/boats.jsonl"]
    assert len(boats) == LISTED_FAULTS + 1
    assert boats[-1].rule == "more_faults"
    assert ("databases/wood/birds.jsonl", 3) in [(fault.file, fault.line) for fault in found]


def test_a_gold_query_is_judged_with_the_collections_of_its_database(tmp_path: Path) -> None:
    small_bundle(tmp_path / "b")
    asked: list[tuple[str, tuple[str, ...]]] = []
    validate(tmp_path / "b", check_query=lambda item, names: asked.append((item.question_id, tuple(names))))
    assert asked == [("1", ("boats", "crews")), ("2", ("boats", "crews")), ("3", ("birds",))]
