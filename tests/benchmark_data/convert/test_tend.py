"""TEND becomes a bundle, or a list of all that is wrong with it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bson.int64 import Int64

from benchmark_data.convert.options import ConversionOptions
from benchmark_data.convert.tend import convert
from benchmark_data.errors import FaultyBundleError
from benchmark_data.load import load_bundle, read_documents
from benchmark_data.types import Difficulty, Split
from benchmark_data.write import Step

DATABASES: dict[str, dict[str, Any]] = {
    "zoo": {"keepers": [{"name": "Ann", "age": 40}], "animals": [{"name": "Ape", "grams": 3_000_000_000, "legs": 2}]},
    "farm": {"cows": [{"milk": 2.0, "born": None, "calves": [{"n": -2_147_483_649}]}, {"ok": True}]},
}
QUESTIONS: list[dict[str, Any]] = [
    {"question_id": 12, "db_id": "zoo", "question": "How many?", "paraphrases": ["Count"],
     "SQL": "SELECT 1", "MQL": "db.keepers.find()", "split": "test"},
    {"question_id": 3, "db_id": "farm", "question": "Which cows?", "paraphrases": [],
     "SQL": "SELECT 2", "MQL": "db.cows.find();\n", "split": "train"},
]  # fmt: skip


def source(folder: Path, change: Callable[[dict[str, Any], list[Any]], object] | None = None) -> Path:
    databases, questions = json.loads(json.dumps([DATABASES, QUESTIONS]))
    if change is not None:
        change(databases, questions)
    (folder / "tend" / "databases").mkdir(parents=True)
    for name, content in databases.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / "tend" / "databases" / f"{name}.json").write_text(text)
    lines = ",\n".join(map(json.dumps, questions))
    (folder / "tend" / "questions.json").write_text(f"[\n{lines}\n]")
    return folder / "tend"


def test_databases_and_questions_become_a_bundle(tmp_path: Path) -> None:
    steps: list[Step] = []
    report = convert(source(tmp_path), tmp_path / "b", progress=steps.append)
    bundle = load_bundle(tmp_path / "b")
    assert report.bundle == bundle
    assert report.documents == 4
    assert [(step.db_id, step.documents, step.total) for step in steps] == [("farm", 2, 2), ("zoo", 2, 2)]
    assert [(d.db_id, [c.name for c in d.collections]) for d in bundle.databases] == [
        ("farm", ["cows"]),
        ("zoo", ["animals", "keepers"]),
    ]
    first, second = bundle.items
    assert (first.question_id, second.question_id) == ("3", "12")
    assert (first.evidence, first.difficulty, first.split) == ("", Difficulty.UNRATED, Split.PUBLIC)
    assert (first.gold_query, first.sql) == ("db.cows.find();\n", "SELECT 2")


def test_json_numbers_become_int32_int64_or_double_and_no_id_is_made_up(tmp_path: Path) -> None:
    bundle = convert(source(tmp_path), tmp_path / "b").bundle
    cows, animals = bundle.databases[0].collections[0], bundle.databases[1].collections[0]
    cow, other = read_documents(cows)
    (animal,) = read_documents(animals)
    assert [type(value) for value in animal.values()] == [str, Int64, int]
    assert (type(cow["milk"]), type(cow["calves"][0]["n"]), other) == (float, Int64, {"ok": True})
    assert list(cow) == ["milk", "born", "calves"]


def test_a_conversion_gives_the_same_bytes_again(tmp_path: Path) -> None:
    folder = source(tmp_path)
    for name in ("a", "b"):
        convert(folder, tmp_path / name)
    convert(folder, tmp_path / "b", overwrite=True)
    files = sorted(path.relative_to(tmp_path / "a") for path in (tmp_path / "a").rglob("*") if path.is_file())
    assert len(files) == 5
    assert [(tmp_path / "a" / f).read_bytes() for f in files] == [(tmp_path / "b" / f).read_bytes() for f in files]


DAMAGE: list[tuple[Callable[[dict[str, Any], list[Any]], object], str, int | None, str, str]] = [
    (lambda d, _: d.update(zoo='{"a": [1'), "databases/zoo.json", 1, "", "bad_json"),
    (lambda d, _: d.update(zoo="[]"), "databases/zoo.json", None, "", "not_an_object"),
    (lambda d, _: d.update(zoo='{"a": [], "a": []}'), "databases/zoo.json", None, "a", "repeated_key"),
    (lambda d, _: d["zoo"].update({"a$b": []}), "databases/zoo.json", None, "a$b", "bad_collection_name"),
    (lambda d, _: d["zoo"].update(cages={}), "databases/zoo.json", None, "cages", "wrong_type"),
    (lambda d, _: d["zoo"]["keepers"].append(5), "databases/zoo.json", None, "keepers[1]", "not_an_object"),
    (lambda d, _: d["zoo"]["keepers"].append({"a": {"$b": 1}}),
     "databases/zoo.json", None, "keepers[1].a.$b", "field_name"),
    (lambda d, _: d["zoo"]["keepers"].append({"a": 2**63}), "databases/zoo.json", None, "keepers[1].a", "bad_value"),
    (lambda d, _: d.update(zoo='{"a": [{"b": 1, "b": 2}]}'), "databases/zoo.json", None, "a[0]", "repeated_key"),
    (lambda d, _: d.update({"a b": {}}), "databases/a b.json", None, "", "bad_db_id"),
    (lambda _, q: q[1].update(db_id="sea"), "questions.json", 3, "[1].db_id", "unknown_db_id"),
    (lambda _, q: q[1].pop("MQL"), "questions.json", 3, "[1].MQL", "missing_field"),
    (lambda _, q: q[1].update(MQL=" "), "questions.json", 3, "[1].MQL", "empty_field"),
    (lambda _, q: q[1].update(question_id=[3]), "questions.json", 3, "[1].question_id", "wrong_type"),
    (lambda _, q: q[1].update(question_id="12"), "questions.json", 3, "[1].question_id", "duplicate_question_id"),
    (lambda _, q: q[1].update(evidence="x"), "questions.json", 3, "[1].evidence", "unknown_field"),
    (lambda _, q: q.append("x"), "questions.json", 4, "[2]", "not_an_object"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "file", "line", "field", "rule"), DAMAGE)
def test_a_faulty_record_is_named_and_nothing_is_written(
    tmp_path: Path,
    change: Callable[[dict[str, Any], list[Any]], object],
    file: str,
    line: int | None,
    field: str,
    rule: str,
) -> None:
    with pytest.raises(FaultyBundleError) as caught:
        convert(source(tmp_path, change), tmp_path / "b")
    assert (file, line, field, rule) in [(f.file, f.line, f.field, f.rule) for f in caught.value.faults]
    assert [path.name for path in tmp_path.iterdir()] == ["tend"]


def test_all_faults_of_all_files_come_at_once(tmp_path: Path) -> None:
    def change(databases: dict[str, Any], questions: list[Any]) -> None:
        databases["farm"]["cows"] += [5, {"$a": 1}]
        databases["zoo"] = "oops"
        questions[0].pop("question")
        questions[1]["db_id"] = "sea"

    with pytest.raises(FaultyBundleError) as caught:
        convert(source(tmp_path, change), tmp_path / "b")
    assert [(fault.file, fault.field) for fault in caught.value.faults] == [
        ("databases/farm.json", "cows[2]"),
        ("databases/farm.json", "cows[3].$a"),
        ("databases/zoo.json", ""),
        ("questions.json", "[0].question"),
        ("questions.json", "[1].db_id"),
    ]


def test_questions_on_one_line_are_told_apart(tmp_path: Path) -> None:
    folder = source(tmp_path)
    (folder / "questions.json").write_text(json.dumps([QUESTIONS[0], QUESTIONS[0]]))
    with pytest.raises(FaultyBundleError, match=r"\[1\]\.question_id: \"12\" was used before, at \[0\]"):
        convert(folder, tmp_path / "b")


def test_a_folder_that_is_no_tend_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FaultyBundleError, match=r"questions\.json"):
        convert(tmp_path, tmp_path / "b")


def test_options_come_before_what_tend_says_of_itself_and_others_are_refused(tmp_path: Path) -> None:
    folder = source(tmp_path)
    bundle = convert(folder, tmp_path / "b", options=ConversionOptions(name="tend-copy")).bundle
    assert (bundle.name, bundle.version) == ("tend-copy", "1")
    with pytest.raises(FaultyBundleError, match="--gold: this format does not take it"):
        convert(folder, tmp_path / "c", options=ConversionOptions(gold=tmp_path / "gold.json"))
