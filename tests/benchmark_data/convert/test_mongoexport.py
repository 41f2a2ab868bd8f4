"""Files that mongoexport wrote become a bundle, or a list of all that is wrong with them."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from benchmark_data.convert.mongoexport import convert
from benchmark_data.errors import FaultyBundleError
from benchmark_data.load import read_documents
from tests.benchmark_data.convert.dumps import beside, put

LINES = '{"_id":1,"name":"ape"}\n{"_id":2,"name":"Bär"}\n'
DOCUMENTS = [{"_id": 1, "name": "ape"}, {"_id": 2, "name": "Bär"}]
FORMS = {
    "lines": ("animals.json", LINES),
    "lines without an end": ("animals.jsonl", LINES[:-1]),
    "lines with blank ones and a mark": ("animals.json", "\ufeff" + LINES.replace("\n", "\r\n\r\n")),
    "an array": ("animals.json", json.dumps(DOCUMENTS)),
    "an array over lines": ("animals.json", json.dumps(DOCUMENTS, indent=2, ensure_ascii=False)),
    "documents over lines": ("animals.json", "\n".join(json.dumps(document, indent="\t") for document in DOCUMENTS)),
    "packed": ("animals.jsonl.gz", LINES),
}


def export(folder: Path, name: str, content: Any) -> Path:
    put(beside(folder / "export") / "zoo" / name, content)
    return folder / "export"


@pytest.mark.parametrize(("name", "text"), FORMS.values(), ids=FORMS.keys())
def test_each_form_gives_the_same_documents(tmp_path: Path, name: str, text: str) -> None:
    report = convert(export(tmp_path, name, text), tmp_path / "b")
    (collection,) = report.bundle.databases[0].collections
    assert (collection.name, list(read_documents(collection))) == ("animals", DOCUMENTS)
    assert any("no indexes" in note for note in report.notes)


def test_an_empty_file_is_an_empty_collection(tmp_path: Path) -> None:
    source = export(tmp_path, "animals.json", LINES)
    put(source / "zoo" / "cages.json", "")
    put(source / "zoo" / "keepers.json", "[]")
    collections = convert(source, tmp_path / "b").bundle.databases[0].collections
    assert [(c.name, c.documents) for c in collections] == [("animals", 2), ("cages", 0), ("keepers", 0)]


def test_the_folder_of_one_database_is_taken_under_its_name(tmp_path: Path) -> None:
    put(beside(tmp_path / "zoo") / "animals.json", LINES)
    assert [d.db_id for d in convert(tmp_path / "zoo", tmp_path / "b").bundle.databases] == ["zoo"]


DAMAGE: list[tuple[str, Any, int | None, str, str]] = [
    ("animals.json", LINES + '{"a": }\n{"a": 1}', 3, "", "bad_json"),
    ("animals.json", LINES + "[1]\n", 3, "", "not_an_object"),
    ("animals.json", LINES + '{"a": {"$numberInt": "x"}}\n', 3, "", "bad_value"),
    ("animals.json", LINES + '{"a": 1, "a": 2}\n', 3, "", "repeated_key"),
    ("animals.json", LINES + '{"a": NaN}\n', 3, "", "bad_json"),
    ("animals.json", LINES.encode() + b'{"a": "\xff"}\n', 3, "", "not_utf8"),
    ("animals.json", LINES + '{"_id": 1.0}\n', None, "animals[2]._id", "duplicate_id"),
    ("animals.json", LINES + '{"a": {"$b": 1}}\n', 3, "", "field_name"),
    ("animals.json", '[\n{"_id": 1},\n{"_id": {"$oid": "x"}},\n{}]', 3, "animals[1]", "bad_value"),
    ("animals.json", '[\n{"_id": 1},\n{"_id" 2}]', 3, "animals[1]", "bad_json"),
    ("animals.json", '[\n{"_id": 1},\n5]', 3, "animals[1]", "not_an_object"),
    ("animals.json", '[\n{"_id": 1}', 2, "animals[1]", "bad_json"),
    ("animals.json", '[{"_id": 1}] x', 1, "animals[1]", "bad_json"),
    ("animals.json.gz", None, None, "animals", "bad_gzip"),
    ("animals.csv", "_id,name\n1,ape\n", None, "", "wrong_form"),
    ("a$b.json", LINES, None, "a$b", "bad_collection_name"),
    ("animals.json", {"_id": 1, "text": "x" * 17_000_000}, None, "animals[0]", "too_large"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "content", "line", "field", "rule"),
    DAMAGE,
    ids=[f"{number}-{case[0]}-{case[4]}" for number, case in enumerate(DAMAGE)],
)
def test_damage_is_named_with_its_place_and_nothing_is_written(
    tmp_path: Path, name: str, content: Any, line: int | None, field: str, rule: str
) -> None:
    source = export(tmp_path, name, "" if content is None else content)
    if content is None:
        (source / "zoo" / name).write_bytes(gzip.compress(b"x" * 1000, mtime=0)[:-12])
    with pytest.raises(FaultyBundleError) as caught:
        convert(source, tmp_path / "b")
    assert (line, field, rule) in [(fault.line, fault.field, fault.rule) for fault in caught.value.faults]
    assert [path.name for path in tmp_path.iterdir()] == ["export"]


def test_all_faulty_lines_are_listed_and_the_others_are_read(tmp_path: Path) -> None:
    source = export(tmp_path, "animals.json", '{"_id": 1}\nx\n{"_id": 1}\n[\n')
    put(source / "farm" / "cows.json", "[{")
    with pytest.raises(FaultyBundleError) as caught:
        convert(source, tmp_path / "b")
    assert [(fault.file, fault.line, fault.rule) for fault in caught.value.faults] == [
        ("farm/cows.json", 1, "bad_json"),
        ("zoo/animals.json", 2, "bad_json"),
        ("zoo/animals.json", None, "duplicate_id"),
        ("zoo/animals.json", 4, "bad_json"),
    ]


def test_a_folder_without_exports_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(FaultyBundleError, match=r"<database>/<collection>\.json"):
        convert(beside(tmp_path / "export"), tmp_path / "b")
