"""Cards lie in a bundle beside the scored data, and go stale with it."""

from pathlib import Path
from typing import Any

import pytest

from benchmark_data.card import RelationCard
from benchmark_data.card_file import measure_database, read_cards, write_cards
from benchmark_data.errors import FaultyBundleError
from benchmark_data.load import load_bundle
from benchmark_data.seal import reseal
from benchmark_data.validate import validate
from tests.benchmark_data.building import described_bundle, edit_line, small_bundle


def test_what_the_makers_say_stands_on_the_cards(tmp_path: Path) -> None:
    bundle = described_bundle(tmp_path / "b")
    cards = {(card.db_id, card.collection): card.card for card in read_cards(bundle)}
    boats = cards["lake", "boats"]
    assert boats.description == "All that float."
    assert {field.path: field.description for field in boats.fields if field.description} == {"tons": "Displacement."}
    assert boats.relations == (RelationCard(path="crew.[].age", collection="crews", field="_id", guessed=False),)
    assert list(cards) == [("lake", "boats"), ("lake", "crews"), ("wood", "birds")]


def test_cards_do_not_move_the_digest_and_are_written_alike_each_time(tmp_path: Path) -> None:
    old = small_bundle(tmp_path / "b")
    cards = {database.db_id: measure_database(database) for database in old.databases}
    written = write_cards(old, cards)
    first = (tmp_path / "b" / "cards.jsonl").read_bytes()
    assert written.digest == old.digest
    assert load_bundle(tmp_path / "b") == written
    assert validate(tmp_path / "b") == ()
    write_cards(written, cards)
    assert (tmp_path / "b" / "cards.jsonl").read_bytes() == first
    assert {path.name for path in (tmp_path / "b").iterdir()} == {
        "cards.jsonl", "databases", "items.jsonl", "manifest.json",
    }  # fmt: skip


def test_a_bundle_without_cards_has_none(tmp_path: Path) -> None:
    assert read_cards(small_bundle(tmp_path / "b")) == ()


def test_progress_tells_of_every_document(tmp_path: Path) -> None:
    told: list[int] = []
    measure_database(small_bundle(tmp_path / "b").databases[0], progress=told.append)
    assert sum(told) == 3


def test_cards_of_changed_documents_are_stale(tmp_path: Path) -> None:
    described_bundle(tmp_path / "b")
    with (tmp_path / "b" / "databases" / "lake" / "crews.jsonl").open("a") as file:
        file.write('{"_id": 2}\n')
    reseal(tmp_path / "b")
    found = [(fault.file, fault.line, fault.rule) for fault in validate(tmp_path / "b")]
    assert found == [
        ("cards.jsonl", 2, "stale_card"),
        ("gold.jsonl", 1, "stale_gold"),
        ("gold.jsonl", 2, "stale_gold"),
    ]


CASES: list[tuple[Any, str, str]] = [
    (lambda c: c.update(collection="boots"), "collection", "unknown_collection"),
    (lambda c: c.update(collection="crews"), "collection", "duplicate_card"),
    (lambda c: c.update(sha256="0" * 64), "sha256", "stale_card"),
    (lambda c: c["card"].update(documents="2"), "card", "bad_card"),
    (lambda c: c.update(colour=1), "colour", "unknown_field"),
    (lambda c: c.pop("db_id"), "db_id", "missing_field"),
]


@pytest.mark.parametrize("number", range(len(CASES)))
def test_a_faulty_card_is_named_by_line_and_field(tmp_path: Path, number: int) -> None:
    change, field, rule = CASES[number]
    bundle = described_bundle(tmp_path / "b")
    edit_line(tmp_path / "b" / "cards.jsonl", 1, change)
    with pytest.raises(FaultyBundleError) as caught:
        read_cards(bundle)
    assert (field, rule) in [(fault.field, fault.rule) for fault in caught.value.faults]
    assert {fault.file for fault in caught.value.faults} == {"cards.jsonl"}
    assert caught.value.faults[0].line in {1, 2}


def test_a_listed_file_that_is_not_there_is_a_fault_of_loading_too(tmp_path: Path) -> None:
    described_bundle(tmp_path / "b")
    (tmp_path / "b" / "cards.jsonl").unlink()
    with pytest.raises(FaultyBundleError) as caught:
        load_bundle(tmp_path / "b")
    assert [(fault.file, fault.rule) for fault in caught.value.faults] == [("cards.jsonl", "missing_file")]


def test_a_file_that_is_not_listed_is_a_stray_until_the_bundle_is_sealed(tmp_path: Path) -> None:
    described_bundle(tmp_path / "b")
    cards = (tmp_path / "b" / "cards.jsonl").read_bytes()
    small_bundle(tmp_path / "c")
    (tmp_path / "c" / "cards.jsonl").write_bytes(cards)
    assert [(fault.file, fault.rule) for fault in validate(tmp_path / "c")] == [("cards.jsonl", "stray_file")]
    assert reseal(tmp_path / "c").cards is not None
    assert validate(tmp_path / "c") == ()
