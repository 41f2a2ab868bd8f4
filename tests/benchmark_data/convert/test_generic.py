"""A mapping of ten lines makes a bundle of files that nobody knew; a wrong one is taught what is there."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmark_data.convert.generic import convert
from benchmark_data.convert.options import ConversionOptions
from benchmark_data.errors import Fault, FaultyBundleError
from benchmark_data.load import read_documents
from benchmark_data.types import Difficulty, Split
from tests.benchmark_data.convert.dumps import ANIMALS, put

PLAIN = """name = "aptmql-bench"
version = "1.0"
license = "CC-BY-SA-4.0"
databases = { format = "mongodump", path = "dump/{db_id}" }
[items]
files = "questions.jsonl"
question_id = "id"
db_id = "db"
question = "nl.text"
gold_query = "mql"
"""
FULL = """name = "aptmql-bench"
version = "1.0"
license = "CC-BY-SA-4.0"

[databases]
format = "mongodump"
path = "dump/{db_id}"

[items]
files = ["questions.jsonl"]
question_id = { template = "${db}-${id}" }
db_id = "db"
question = "nl.text"
gold_query = { from = ["query", "mql"] }
split = { constant = "hidden" }

[items.difficulty]
from = "level"
values = { easy = "simple", hard = "challenging" }
default = "unrated"
"""
RECORDS: list[dict[str, Any]] = [
    {"id": 1, "db": "zoo", "nl": {"text": "How many?", "hint": "h"}, "mql": "db.animals.countDocuments({})",
     "level": "easy"},
    {"id": 2, "db": "zoo", "nl": {"text": "Which?", "hint": "i"}, "mql": "db.animals.find()", "level": "hard"},
]  # fmt: skip


def source(folder: Path, mapping: str = PLAIN, records: Any = RECORDS) -> Path:
    put(folder / "src" / "dump" / "zoo" / "animals.bson", ANIMALS)
    lines = records if isinstance(records, str) else "".join(f"{json.dumps(record)}\n" for record in records)
    put(folder / "src" / "questions.jsonl", lines)
    put(folder / "src" / "mapping.toml", mapping)
    return folder / "src"


def faults(folder: Path) -> list[Fault]:
    with pytest.raises(FaultyBundleError) as caught:
        convert(folder, folder.parent / "b")
    assert [path.name for path in folder.parent.iterdir()] == ["src"]
    return list(caught.value.faults)


def test_the_mapping_in_the_documents_is_the_one_tested_here() -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "organiser" / "importing.md"
    assert page.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0] == PLAIN


def test_the_slip_in_the_documents_is_answered_as_they_say(tmp_path: Path) -> None:
    page = Path(__file__).resolve().parents[3] / "docs" / "organiser" / "importing.md"
    (found,) = faults(source(tmp_path, PLAIN.replace('"nl.text"', '"nl.txt"')))
    assert f"```text\n{found}\n```" in page.read_text(encoding="utf-8")


def test_ten_lines_are_enough(tmp_path: Path) -> None:
    assert len(PLAIN.splitlines()) == 10
    report = convert(source(tmp_path), tmp_path / "b")
    first, second = report.bundle.items
    assert (report.bundle.name, report.bundle.license) == ("aptmql-bench", "CC-BY-SA-4.0")
    assert (first.question_id, first.db_id, first.question, first.gold_query) == (
        "1", "zoo", "How many?", "db.animals.countDocuments({})",
    )  # fmt: skip
    assert (second.evidence, second.difficulty, second.split) == ("", Difficulty.UNRATED, Split.PUBLIC)
    assert list(read_documents(report.bundle.databases[0].collections[0])) == list(ANIMALS)
    assert any("not used: level" in note for note in report.notes)
    assert any("has the field difficulty" in note for note in report.notes)


def test_templates_values_constants_and_defaults(tmp_path: Path) -> None:
    records = [*RECORDS, RECORDS[0] | {"id": 3, "level": None}, RECORDS[0] | {"id": 4, "level": "moderate"}]
    items = convert(source(tmp_path, FULL, records), tmp_path / "b").bundle.items
    assert [(item.question_id, item.difficulty.value, item.split.value) for item in items] == [
        ("zoo-1", "simple", "hidden"),
        ("zoo-2", "challenging", "hidden"),
        ("zoo-3", "unrated", "hidden"),
        ("zoo-4", "moderate", "hidden"),
    ]


def test_a_gold_query_that_is_an_object_becomes_its_json(tmp_path: Path) -> None:
    query = {"collection": "animals", "pipeline": [{"$limit": 1}]}
    items = convert(source(tmp_path, PLAIN, [RECORDS[0] | {"mql": query}]), tmp_path / "b").bundle.items
    assert json.loads(items[0].gold_query) == query


FILES: dict[str, tuple[str, str, str]] = {
    "an array": ("q.json", json.dumps(RECORDS, indent=1), ""),
    "an object of records": ("q.json", json.dumps({str(r["id"]): r for r in RECORDS}), ""),
    "an array inside": ("q.json", json.dumps({"data": {"all": RECORDS}}), 'records = "data.all"'),
    "two files": ("q*.jsonl", "", ""),
    "csv": ("q.csv", 'id,db,nl.text,mql\n1,zoo,"How\nmany?",db.animals.find()\n2,zoo,b,db.animals.find()\n', ""),
}


@pytest.mark.parametrize(("name", "text", "more"), FILES.values(), ids=FILES.keys())
def test_items_are_read_from_files_of_many_forms(tmp_path: Path, name: str, text: str, more: str) -> None:
    folder = source(tmp_path, PLAIN.replace('"questions.jsonl"', f'"{name}"\n{more}'))
    if text:
        put(folder / name, text)
    else:
        (folder / "questions.jsonl").unlink()
        for number, record in enumerate(RECORDS):
            put(folder / f"q{number}.jsonl", record)
    assert [item.question_id for item in convert(folder, tmp_path / "b").bundle.items] == ["1", "2"]


def test_the_key_and_the_position_of_a_record_may_be_its_id(tmp_path: Path) -> None:
    for name, expected in (("#key", ["a", "b"]), ("#position", ["0", "1"])):
        folder = source(tmp_path / name[1:], PLAIN.replace('"id"', f'"{name}"').replace("questions.jsonl", "q.json"))
        put(folder / "q.json", {"a": RECORDS[0], "b": RECORDS[1]})
        items = convert(folder, tmp_path / name[1:] / "b").bundle.items
        assert [item.question_id for item in items] == expected


DATABASES: dict[str, tuple[str, str, Callable[[Path], None]]] = {
    "a dump of all": ("mongodump", "dump", lambda _: None),
    "exports": ("mongoexport", "exports/{db_id}", lambda s: put(s / "exports/zoo/animals.jsonl", '{"_id": 1}\n')),
    "exports in folders": ("mongoexport", "x/{db_id}/all", lambda s: put(s / "x/zoo/all/animals.json", "[{}]")),
    "a file each": ("json", "db_{db_id}.json", lambda s: put(s / "db_zoo.json", {"animals": [{"_id": 1}], "b": []})),
}


@pytest.mark.parametrize(("form", "path", "prepare"), DATABASES.values(), ids=DATABASES.keys())
def test_databases_are_found_in_every_form(
    tmp_path: Path, form: str, path: str, prepare: Callable[[Path], None]
) -> None:
    folder = source(tmp_path, PLAIN.replace('"mongodump"', f'"{form}"').replace("dump/{db_id}", path))
    prepare(folder)
    (database,) = convert(folder, tmp_path / "b").bundle.databases
    assert (database.db_id, database.collections[0].name) == ("zoo", "animals")


TYPOS: list[tuple[str, str, int, str, str, str]] = [
    ('gold_query = "mql"', 'gold_qery = "mql"', 10, "items.gold_qery", "unknown_key", 'Did you mean "gold_query"?'),
    ('version = "1.0"', 'verison = "1.0"', 2, "verison", "unknown_key", 'Did you mean "version"?'),
    ("format =", "fromat =", 4, "databases.fromat", "unknown_key", 'Did you mean "format"?'),
    ('"mongodump"', '"mongodmp"', 4, "databases.format", "bad_format", 'Did you mean "mongodump"?'),
    ('"nl.text"', '"nl.txt"', 9, "items.question", "unknown_source_field", 'Did you mean "nl.text"? Fields there: id,'),
    ('"nl.text"', '"text"', 9, "items.question", "unknown_source_field", 'Did you mean "nl.text"?'),
    ('question_id = "id"\n', "", 5, "items.question_id", "unknown_source_field", 'question_id = "…"'),
    ("questions.jsonl", "question.jsonl", 5, "items.files", "missing_file", 'Did you mean "questions.jsonl"?'),
    ("dump/{db_id}", "dmp/{db_id}", 4, "databases.path", "missing_file", "dump"),
    ('db_id = "db"', 'db_id = { form = "db" }', 8, "items.db_id.form", "unknown_key", 'Did you mean "from"?'),
    ('db_id = "db"', 'db_id = { from = "db", constant = "x" }', 8, "items.db_id", "bad_rule", "exactly one"),
    ('db_id = "db"', "db_id = 5", 8, "items.db_id", "wrong_type", "path of a field"),
    ('db_id = "db"', 'db_id = { from = "db", values = 5 }', 8, "items.db_id.values", "wrong_type", "easy"),
    ('gold_query = "mql"', 'gold_query = "mql"\ndifficulty = "level"', 11, "items.difficulty", "unknown_value",
     "'easy' (1 records, the first at questions.jsonl:1)"),
    ('license = "CC-BY-SA-4.0"', "", 1, "license", "missing_field", "--license"),
    ('name = "aptmql-bench"', 'name = "Apt MQL"', 1, "name", "bad_name", "lower-case"),
    ("databases = {", "datbases = {", 4, "datbases", "unknown_key", 'Did you mean "databases"?'),
    ('version = "1.0"', "version = ", 0, "", "bad_toml", "line 2"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "line", "field", "rule", "words"), TYPOS, ids=[f"{n}-{case[4]}" for n, case in enumerate(TYPOS)]
)
def test_a_slip_in_the_mapping_is_taught_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, field: str, rule: str, words: str
) -> None:
    assert old in PLAIN
    found = faults(source(tmp_path, PLAIN.replace(old, new)))
    matching = [fault for fault in found if (fault.field, fault.rule) == (field, rule)]
    assert {(fault.file, fault.line) for fault in matching} == {("mapping.toml", line or None)}
    assert any(words in fault.message for fault in matching), matching


RECORD_FAULTS: list[tuple[Any, int, str, str]] = [
    ([RECORDS[0], RECORDS[1] | {"id": 1}], 2, "question_id", "duplicate_question_id"),
    ([RECORDS[0], RECORDS[1] | {"db": "sea"}], 2, "db_id", "unknown_db_id"),
    ([RECORDS[0], RECORDS[1] | {"nl": {}}], 2, "[1].question", "missing_field"),
    ([RECORDS[0], RECORDS[1] | {"mql": " "}], 2, "gold_query", "empty_field"),
    ([RECORDS[0], RECORDS[1] | {"nl": {"text": 5}}], 2, "question", "wrong_type"),
    (json.dumps(RECORDS[0]) + "\n{\n", 2, "", "bad_json"),
    (json.dumps(RECORDS[0]) + "\n5\n", 2, "[1]", "not_an_object"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("records", "line", "field", "rule"), RECORD_FAULTS, ids=[f"{n}-{case[3]}" for n, case in enumerate(RECORD_FAULTS)]
)
def test_a_faulty_record_is_named_with_its_line(tmp_path: Path, records: Any, line: int, field: str, rule: str) -> None:
    found = [(f.file, f.line, f.field, f.rule) for f in faults(source(tmp_path, PLAIN, records))]
    assert found == [("questions.jsonl", line, field, rule)]


def test_faults_of_mapping_records_and_documents_come_at_once(tmp_path: Path) -> None:
    mapping = PLAIN.replace("license", "licence").replace('"nl.text"', '"nl.txt"')
    folder = source(tmp_path, mapping, [RECORDS[0], RECORDS[1] | {"db": "sea"}])
    put(folder / "dump" / "zoo" / "cages.bson", b"\x09")
    assert {(fault.file, fault.rule) for fault in faults(folder)} == {
        ("mapping.toml", "unknown_key"),
        ("mapping.toml", "missing_field"),
        ("mapping.toml", "unknown_source_field"),
        ("questions.jsonl", "unknown_db_id"),
        ("zoo/cages.bson", "truncated_bson"),
    }


def test_a_pattern_never_leads_out_of_the_source(tmp_path: Path) -> None:
    folder = source(tmp_path, PLAIN.replace("dump/{db_id}", "../src/dump/{db_id}"))
    assert ("databases.path", "missing_file") in [(fault.field, fault.rule) for fault in faults(folder)]


def test_the_mapping_may_lie_elsewhere_and_options_come_first(tmp_path: Path) -> None:
    folder = source(tmp_path)
    (folder / "mapping.toml").rename(tmp_path / "m.toml")
    options = ConversionOptions(mapping=tmp_path / "m.toml", version="2.0")
    assert convert(folder, tmp_path / "b", options=options).bundle.version == "2.0"
