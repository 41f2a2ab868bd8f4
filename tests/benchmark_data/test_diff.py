"""A difference names exactly the items whose scores it can move."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmark_data.diff import ITEM_FIELDS, BundleDiff, Effect, compare_bundles
from benchmark_data.items import item_fields
from benchmark_data.load import load_bundle
from benchmark_data.seal import reseal
from benchmark_data.types import Bundle
from tests.benchmark_data.building import described_bundle, edit_item, edit_manifest, item, small_bundle

Change = Callable[[Path], object]


def append(root: Path, name: str, line: str) -> None:
    with (root / name).open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


def item_change(**fields: Any) -> Change:
    return lambda root: edit_item(root, 1, lambda record: record.update(fields))


def manifest_change(change: Callable[[Any], object]) -> Change:
    return lambda root: edit_manifest(root, change)


@pytest.fixture
def bundles(tmp_path: Path) -> Callable[[Change], tuple[Bundle, Bundle]]:
    def made(change: Change) -> tuple[Bundle, Bundle]:
        old = small_bundle(tmp_path / "old")
        small_bundle(tmp_path / "new")
        change(tmp_path / "new")
        return old, reseal(tmp_path / "new")

    return made


def effects(found: BundleDiff) -> dict[str, tuple[str, ...]]:
    return {one.question_id: (one.effect.value, *(reason.change for reason in one.reasons)) for one in found.items}


CASES: list[tuple[Change, dict[str, tuple[str, ...]], bool]] = [
    (item_change(question="Why?"), {"1": ("score", "question")}, False),
    (item_change(evidence="A boat floats."), {"1": ("score", "evidence")}, False),
    (item_change(gold_query="db.boats.find()"), {"1": ("score", "gold_query")}, False),
    (item_change(array_order="unspecified"), {"1": ("score", "array_order")}, False),
    (item_change(db_id="wood"), {"1": ("score", "db_id")}, False),
    (item_change(difficulty="moderate"), {"1": ("breakdown", "difficulty")}, False),
    (item_change(split="hidden"), {"1": ("none", "split")}, True),
    (item_change(sql="SELECT 1"), {"1": ("none", "sql")}, True),
    (item_change(flags=["gold_ambiguous"]), {"1": ("none", "flags")}, True),
    (item_change(sql="SELECT 1", evidence="x"), {"1": ("score", "evidence", "sql")}, False),
    (item_change(question_id="9"), {"1": ("score", "removed"), "9": ("score", "added")}, False),
    (
        lambda root: append(root, "items.jsonl", json.dumps(item_fields(item("4", "wood")))),
        {"4": ("score", "added")},
        False,
    ),
    (
        lambda root: append(root, "databases/lake/crews.jsonl", '{"_id": 2}'),
        {"1": ("score", "database_content"), "2": ("score", "database_content")},
        False,
    ),
    (
        manifest_change(lambda m: m["databases"][0]["collections"][0]["indexes"].clear()),
        {"1": ("timing", "database_indexes"), "2": ("timing", "database_indexes")},
        False,
    ),
    (
        manifest_change(lambda m: m["databases"][1]["collections"][0].update(name="beasts")),
        {"3": ("score", "database_content")},
        False,
    ),
    (manifest_change(lambda m: m.update(title="Other", license="CC0")), {}, True),
    (manifest_change(lambda m: m["databases"][0].update(description="A lake.")), {}, True),
    (lambda _root: None, {}, True),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CASES)))
def test_a_change_moves_what_it_can_move(bundles: Callable[[Change], tuple[Bundle, Bundle]], number: int) -> None:
    change, expected, same_digest = CASES[number]
    old, new = bundles(change)
    found = compare_bundles(old, new)
    assert effects(found) == expected
    assert (found.old == found.new) is same_digest


def test_databases_and_texts_that_changed_are_named(bundles: Callable[[Change], tuple[Bundle, Bundle]]) -> None:
    def change(root: Path) -> None:
        append(root, "databases/lake/crews.jsonl", '{"_id": 2}')
        edit_manifest(root, lambda m: m["databases"][0]["collections"][0]["indexes"].clear())
        edit_manifest(root, lambda m: m.update(title="Other", engine={"mongodb": "6.0"}))

    found = compare_bundles(*bundles(change))
    assert [(d.db_id, d.change, d.collections) for d in found.databases] == [
        ("lake", "content", ("crews",)),
        ("lake", "indexes", ("boats",)),
    ]
    assert found.texts == ("title", "engine")
    assert found.counts == {Effect.SCORE: 2, Effect.BREAKDOWN: 0, Effect.TIMING: 0, Effect.NONE: 0}
    assert json.loads(json.dumps(found.as_json()))["items"][0] == {
        "question_id": "1",
        "db_id": "lake",
        "effect": "score",
        "changes": ["database_content", "database_indexes"],
    }


def test_whatever_changes_the_digest_is_told(bundles: Callable[[Change], tuple[Bundle, Bundle]]) -> None:
    old, new = bundles(manifest_change(lambda m: m["databases"][0]["collections"][1].update(name="teams")))
    assert old.digest != new.digest
    assert effects(compare_bundles(old, new)) == {
        "1": ("score", "database_content"),
        "2": ("score", "database_content"),
    }


def test_cards_and_gold_answers_move_nothing(tmp_path: Path) -> None:
    small_bundle(tmp_path / "old")
    described_bundle(tmp_path / "new")
    found = compare_bundles(load_bundle(tmp_path / "old"), load_bundle(tmp_path / "new"))
    assert found.old == found.new
    assert {one.effect for one in found.items} == {Effect.NONE}
    assert found.texts == ("engine", "descriptions")


def test_every_field_of_an_item_has_its_effect() -> None:
    assert set(ITEM_FIELDS) == set(item_fields(item(sql="", flags=("a",)))) - {"question_id"} | {"array_order"}
