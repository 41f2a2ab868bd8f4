"""Corrections are read with all their faults at once, and make another bundle of the same documents."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark_data.corrections import (
    LONGEST_REASON,
    GoldCorrection,
    UnusableFolderError,
    corrected_bundle,
    read_corrections,
)
from benchmark_data.diff import compare_bundles
from benchmark_data.errors import FaultyBundleError
from benchmark_data.gold_answers import read_gold
from benchmark_data.load import load_bundle
from benchmark_data.types import Bundle, Item
from tests.benchmark_data.building import described_bundle, small_bundle

GOLD = "db.boats.countDocuments({tons: 7})"


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    return small_bundle(tmp_path / "old")


def written(folder: Path, *records: Any) -> Path:
    path = folder / "corrections.jsonl"
    path.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in records))
    return path


def line(**changes: Any) -> dict[str, Any]:
    return {"question_id": "1", "gold_query": GOLD, "reason": "It counted all boats."} | changes


def test_gold_and_evidence_are_replaced_and_nothing_else(bundle: Bundle, tmp_path: Path) -> None:
    path = written(tmp_path, line(), {"question_id": 2, "evidence": "", "reason": "It was wrong."})
    found = {each.question_id: each for each in read_corrections(path, bundle)}
    assert found["2"] == GoldCorrection(question_id="2", gold_query=None, evidence="", reason="It was wrong.")
    made = corrected_bundle(bundle, found, version="2", folder=tmp_path / "new")
    assert load_bundle(tmp_path / "new") == made
    assert (made.version, made.items[0].gold_query, made.items[1].evidence) == ("2", GOLD, "")
    assert made.items[2].gold_query == bundle.items[2].gold_query
    difference = compare_bundles(bundle, made)
    assert [(item.question_id, item.reasons[0].change) for item in difference.items] == [
        ("1", "gold_query"),
        ("2", "evidence"),
    ]
    assert (difference.databases, difference.texts) == ((), ("version",))
    assert load_bundle(bundle.root) == bundle


def test_stored_answers_of_corrected_items_are_left_out(tmp_path: Path) -> None:
    old = described_bundle(tmp_path / "old")
    found = {"1": GoldCorrection(question_id="1", gold_query=GOLD, evidence=None, reason="x")}
    made = corrected_bundle(old, found, version="2", folder=tmp_path / "new")
    assert [answer.question_id for answer in read_gold(made)] == ["2", "3"]


@pytest.mark.parametrize(
    ("records", "rules"),
    [
        (["{"], ["bad_json"]),
        ([line(question_id="9")], ["unknown_question_id"]),
        ([line(question_id="9", reason="")], ["unknown_question_id", "empty_field"]),
        ([line(), line()], ["duplicate_question_id"]),
        ([line(reason="")], ["empty_field"]),
        ([line(reason="x" * (LONGEST_REASON + 1))], ["too_long"]),
        ([{"question_id": "1", "reason": "r"}], ["nothing_corrected"]),
        ([line(gold_query="db.boats.countDocuments({})")], ["nothing_corrected"]),
        ([line(question="Another?")], ["unknown_field"]),
        ([line(gold_query=5)], ["wrong_type", "nothing_corrected"]),
        ([line(gold_query="db.boats.drop()")], ["unusable_gold"]),
        ([], ["empty_file"]),
    ],
    ids=[
        "no json", "unknown item", "unknown, no reason", "twice", "no reason", "long reason",
        "nothing new", "the same", "question", "type",
        "forbidden", "empty",
    ],
)  # fmt: skip
def test_every_fault_is_told(bundle: Bundle, tmp_path: Path, records: list[Any], rules: list[str]) -> None:
    def check(item: Item) -> str | None:
        return "it writes" if "drop" in item.gold_query else None

    with pytest.raises(FaultyBundleError) as raised:
        read_corrections(written(tmp_path, *records), bundle, check_query=check)
    assert [fault.rule for fault in raised.value.faults] == rules


def test_a_folder_that_is_there_is_not_written_to(bundle: Bundle, tmp_path: Path) -> None:
    with pytest.raises(UnusableFolderError):
        corrected_bundle(bundle, {}, version="2", folder=bundle.root)
