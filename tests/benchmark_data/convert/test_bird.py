"""BIRD's questions become a bundle with databases and gold from elsewhere."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmark_data.convert.bird import convert
from benchmark_data.convert.options import ConversionOptions
from benchmark_data.errors import Fault, FaultyBundleError
from tests.benchmark_data.building import small_bundle
from tests.benchmark_data.convert.dumps import ANIMALS, BUNDLE, put

QUESTIONS: list[dict[str, Any]] = [
    {"question_id": 7, "db_id": "zoo", "question": "How many?", "evidence": "e", "SQL": "SELECT 1",
     "difficulty": "moderate"},
    {"question_id": 9, "db_id": "zoo", "question": "Which?", "evidence": "", "SQL": "SELECT 2", "difficulty": "simple"},
]  # fmt: skip
TRAINING = [{key: value for key, value in q.items() if key not in ("question_id", "difficulty")} for q in QUESTIONS]
GOLD = {"7": "db.animals.countDocuments({})", "9": "db.animals.find()"}
POSITIONS = {"0": GOLD["7"], "1": GOLD["9"]}


def source(folder: Path, name: str = "dev.json", questions: Any = None, gold: Any = None) -> ConversionOptions:
    put(folder / "bird" / "bundle.json", BUNDLE)
    content = QUESTIONS if questions is None else questions
    lines = "".join(f"{json.dumps(question)}\n" for question in content)
    put(folder / "bird" / name, lines if name.endswith("l") else json.dumps(content, indent=1))
    put(folder / "dump" / "zoo" / "animals.bson", ANIMALS)
    put(folder / "gold.json", json.dumps(GOLD if gold is None else gold))
    return ConversionOptions(databases=folder / "dump", gold=folder / "gold.json")


def faults(folder: Path, options: ConversionOptions) -> list[Fault]:
    with pytest.raises(FaultyBundleError) as caught:
        convert(folder / "bird", folder / "b", options=options)
    assert not (folder / "b").exists()
    return list(caught.value.faults)


@pytest.mark.parametrize("name", ["dev.json", "mini_dev_sqlite.json", "mini_dev.jsonl"])
def test_questions_keep_their_ids_evidence_difficulty_and_sql(tmp_path: Path, name: str) -> None:
    options = source(tmp_path, name)
    first, second = convert(tmp_path / "bird", tmp_path / "b", options=options).bundle.items
    assert (first.question_id, first.evidence, first.difficulty.value, first.sql) == ("7", "e", "moderate", "SELECT 1")
    assert (second.question_id, second.gold_query, second.split.value) == ("9", "db.animals.find()", "public")


def test_training_questions_are_numbered_by_position_and_unrated(tmp_path: Path) -> None:
    report = convert(tmp_path / "bird", tmp_path / "b", options=source(tmp_path, "train.json", TRAINING, POSITIONS))
    assert [(item.question_id, item.difficulty.value) for item in report.bundle.items] == [
        ("0", "unrated"),
        ("1", "unrated"),
    ]
    assert any("numbered by position" in note for note in report.notes)


def test_gold_may_be_records_and_the_rest_is_told(tmp_path: Path) -> None:
    gold = [{"question_id": int(key), "gold_query": text} for key, text in (GOLD | {"11": "x"}).items()]
    report = convert(tmp_path / "bird", tmp_path / "b", options=source(tmp_path, gold=gold))
    assert [item.gold_query for item in report.bundle.items] == list(GOLD.values())
    assert any("1 gold queries belong to no question, as that of 11" in note for note in report.notes)


def test_a_bundle_gives_its_databases_and_its_gold(tmp_path: Path) -> None:
    small = small_bundle(tmp_path / "small")
    questions = [{"question_id": int(i.question_id), "db_id": i.db_id, "question": "New?"} for i in small.items]
    source(tmp_path, questions=questions)
    bundle = convert(tmp_path / "bird", tmp_path / "b", options=ConversionOptions(databases=tmp_path / "small")).bundle
    assert [database.digest for database in bundle.databases] == [database.digest for database in small.databases]
    assert [(item.question, item.gold_query) for item in bundle.items] == [("New?", i.gold_query) for i in small.items]


def test_exports_give_databases_too(tmp_path: Path) -> None:
    options = source(tmp_path)
    put(tmp_path / "export" / "zoo" / "animals.json", "[]")
    databases = ConversionOptions(databases=tmp_path / "export", gold=options.gold)
    assert convert(tmp_path / "bird", tmp_path / "b", options=databases).documents == 0


def damaged(**changes: Any) -> list[dict[str, Any]]:
    return [QUESTIONS[0], {key: value for key, value in (QUESTIONS[1] | changes).items() if value is not None}]


DAMAGE: list[tuple[list[dict[str, Any]], Any, str, str]] = [
    (QUESTIONS, {"7": "x"}, "gold_query", "missing_gold"),
    (QUESTIONS, GOLD | {"9": 5}, "gold_query", "wrong_type"),
    (QUESTIONS, [{"question_id": 7, "gold_query": "x"}] * 2, "question_id", "duplicate_question_id"),
    (damaged(question_id=7), GOLD, "question_id", "duplicate_question_id"),
    (damaged(question_id=None), GOLD, "question_id", "missing_field"),
    (damaged(db_id="sea"), GOLD, "db_id", "unknown_db_id"),
    (damaged(question=None), GOLD, "question", "missing_field"),
    (damaged(difficulty="hard"), GOLD, "difficulty", "bad_difficulty"),
    (damaged(evidence=["a"]), GOLD, "evidence", "wrong_type"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("questions", "gold", "field", "rule"), DAMAGE, ids=[f"{n}-{case[3]}" for n, case in enumerate(DAMAGE)]
)
def test_a_faulty_question_is_named(
    tmp_path: Path, questions: list[dict[str, Any]], gold: Any, field: str, rule: str
) -> None:
    found = faults(tmp_path, source(tmp_path, questions=questions, gold=gold))
    assert (field, rule) in [(fault.field, fault.rule) for fault in found]


def test_without_databases_it_is_told_what_to_state(tmp_path: Path) -> None:
    source(tmp_path)
    assert [(f.file, f.rule) for f in faults(tmp_path, ConversionOptions())] == [("--databases", "missing_option")]


def test_a_folder_with_two_files_of_questions_asks_for_one(tmp_path: Path) -> None:
    options = source(tmp_path)
    put(tmp_path / "bird" / "train.json", "[]")
    assert any("dev.json, train.json: state one" in fault.message for fault in faults(tmp_path, options))


def test_questions_that_are_no_json_are_a_fault_with_its_line(tmp_path: Path) -> None:
    options = source(tmp_path)
    put(tmp_path / "bird" / "dev.json", '[\n{"question_id": 1,\n')
    assert ("dev.json", 3, "bad_json") in [(f.file, f.line, f.rule) for f in faults(tmp_path, options)]


@pytest.mark.parametrize("place", ["zoo", "dev_databases/zoo"])
def test_descriptions_of_columns_become_notes_on_fields(tmp_path: Path, place: str) -> None:
    options = source(tmp_path)
    header = "original_column_name,column_name,column_description,data_format,value_description\n"
    folder = tmp_path / "bird" / place / "database_description"
    put(folder / "Animals.csv", f"{header}name,,what it is called,text,\nlegs,leg count,,,0 for fish\nmute,,,,\n")
    put(folder / "cages.csv", f"{header}size,,in metres,,\n")
    (collection,) = convert(tmp_path / "bird", tmp_path / "b", options=options).bundle.databases[0].collections
    assert [(note.path, note.description) for note in collection.fields] == [
        ("legs", "leg count\n0 for fish"),
        ("name", "what it is called"),
    ]
