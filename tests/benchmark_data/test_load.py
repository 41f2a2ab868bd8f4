"""Loading gives a bundle's records, or all its faults at once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmark_data.errors import LISTED_FAULTS, BenchmarkError, Fault, FaultyBundleError
from benchmark_data.load import load_bundle, read_documents
from benchmark_data.seal import reseal
from benchmark_data.types import ArrayOrder, Collection, Difficulty, Index, Split
from tests.benchmark_data.building import BOATS, described_bundle, edit_item, edit_manifest, small_bundle


def faults_of(root: Path, **options: Any) -> tuple[Fault, ...]:
    with pytest.raises(FaultyBundleError) as caught:
        load_bundle(root, **options)
    return caught.value.faults


def places(faults: tuple[Fault, ...]) -> list[tuple[str, int | None, str, str]]:
    return [(fault.file, fault.line, fault.field, fault.rule) for fault in faults]


def test_what_was_written_is_loaded(tmp_path: Path) -> None:
    written = small_bundle(tmp_path / "b")
    loaded = load_bundle(tmp_path / "b")
    assert loaded == written
    assert [database.db_id for database in loaded.databases] == ["lake", "wood"]
    boats = loaded.databases[0].collections[0]
    assert (boats.name, boats.documents, boats.indexes) == ("boats", 2, (Index(keys=(("name", 1),), unique=True),))
    assert [item.line for item in loaded.items] == [1, 2, 3]
    assert list(read_documents(boats)) == list(BOATS)


def test_a_question_id_may_be_a_number_and_optional_fields_may_be_missing(tmp_path: Path) -> None:
    small_bundle(tmp_path / "b")
    edit_item(tmp_path / "b", 1, lambda record: record.update(question_id=17, sql=None))
    edit_item(
        tmp_path / "b", 2, lambda record: record.update(array_order="unspecified", split="hidden", sql="SELECT 1")
    )
    first, second, _ = load_bundle(tmp_path / "b", check_digests=False).items
    assert (first.question_id, first.sql, first.array_order) == ("17", None, ArrayOrder.ORDERED)
    assert (second.sql, second.array_order, second.split) == ("SELECT 1", ArrayOrder.UNSPECIFIED, Split.HIDDEN)
    assert second.difficulty is Difficulty.SIMPLE


def test_a_changed_file_breaks_its_digest_and_is_named(tmp_path: Path) -> None:
    small_bundle(tmp_path / "b")
    edit_item(tmp_path / "b", 1, lambda record: record.update(question="Why?"))
    with (tmp_path / "b" / "databases" / "lake" / "boats.jsonl").open("a") as file:
        file.write('{"_id": 5}\n')
    assert places(faults_of(tmp_path / "b")) == [
        ("items.jsonl", None, "", "wrong_digest"),
        ("databases/lake/boats.jsonl", None, "", "wrong_digest"),
    ]
    assert load_bundle(tmp_path / "b", check_digests=False).items[0].question == "Why?"


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda m: m.update(digest="0" * 64), "digest"),
        (lambda m: m["databases"][1].update(digest="0" * 64), "databases.wood.digest"),
        (lambda m: m["databases"][0]["collections"][0]["indexes"].clear(), "databases.lake.digest"),
    ],
)
def test_a_manifest_that_states_another_digest_is_a_fault(
    tmp_path: Path, change: Callable[[Any], object], field: str
) -> None:
    small_bundle(tmp_path / "b")
    edit_manifest(tmp_path / "b", change)
    found = faults_of(tmp_path / "b")
    assert ("manifest.json", None, field, "wrong_digest") in places(found)


MANIFEST_DAMAGE: list[tuple[Callable[[dict[str, Any]], object], str, str]] = [
    (lambda m: m.pop("name"), "name", "missing_field"),
    (lambda m: m.update(name="Not A Name"), "name", "bad_name"),
    (lambda m: m.update(version=1), "version", "wrong_type"),
    (lambda m: m.update(title=" "), "title", "empty_field"),
    (lambda m: m.update(licence="MIT"), "licence", "unknown_field"),
    (lambda m: m.update(format_version="2.0"), "format_version", "unknown_format_version"),
    (lambda m: m.update(databases=[]), "databases", "empty_field"),
    (lambda m: m.update(databases={}), "databases", "wrong_type"),
    (lambda m: m.update(items=5), "items", "wrong_type"),
    (lambda m: m["items"].update(count=4), "items.count", "wrong_count"),
    (lambda m: m["items"].update(count=-1), "items.count", "wrong_type"),
    (lambda m: m["items"].update(file="other.jsonl"), "items.file", "bad_file"),
    (lambda m: m["items"].update(sha256="ABC"), "items.sha256", "bad_digest"),
    (lambda m: m["databases"].append(5), "databases[2]", "wrong_type"),
    (lambda m: m["databases"].append(m["databases"][0]), "databases[2].db_id", "duplicate_db_id"),
    (lambda m: m["databases"][0].update(collections=[]), "databases[0].collections", "empty_field"),
    (
        lambda m: m["databases"][1]["collections"][0].update(documents=True),
        "databases[1].collections[0].documents",
        "wrong_type",
    ),
    (
        lambda m: m["databases"][0]["collections"][0].update(indexes=[{"keys": [["a", 2]]}]),
        "databases[0].collections[0].indexes[0].keys[0]",
        "bad_index",
    ),
    (
        lambda m: m["databases"][0]["collections"][0].update(indexes=[{"keys": [["a..b", 1]]}]),
        "databases[0].collections[0].indexes[0].keys[0]",
        "bad_index",
    ),
    (
        lambda m: m["databases"][0]["collections"][0].update(indexes=[{"keys": []}]),
        "databases[0].collections[0].indexes[0].keys",
        "empty_index",
    ),
    (
        lambda m: m["databases"][0]["collections"][0].update(indexes=[{"keys": [["a", 1]]}, {"keys": [["a", 1]]}]),
        "databases[0].collections[0].indexes[1].keys",
        "duplicate_index",
    ),
    (
        lambda m: m["databases"][0]["collections"][0].update(indexes=[{"keys": [["a", 1]], "unique": 1}]),
        "databases[0].collections[0].indexes[0].unique",
        "wrong_type",
    ),
]


@pytest.mark.parametrize(
    ("change", "field", "rule"), MANIFEST_DAMAGE, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_faulty_manifest_names_the_field(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], field: str, rule: str
) -> None:
    small_bundle(tmp_path / "b")
    edit_manifest(tmp_path / "b", change)
    assert ("manifest.json", None, field, rule) in places(faults_of(tmp_path / "b"))


@pytest.mark.parametrize("name", ["a$b", "system.users", "a\0", ".a", "a.", "a..b", "x" * 192, "\ud800"], ids=repr)
def test_a_name_that_mongodb_refuses_is_no_collection(tmp_path: Path, name: str) -> None:
    small_bundle(tmp_path / "b")
    edit_manifest(tmp_path / "b", lambda m: m["databases"][0]["collections"][0].update(name=name))
    found = places(faults_of(tmp_path / "b"))
    assert any(field == "databases[0].collections[0].name" for _, _, field, _ in found)


@pytest.mark.parametrize(
    "file",
    [
        "/etc/passwd",
        "databases/../../x.jsonl",
        "../x.jsonl",
        "databases\\x.jsonl",
        "items.jsonl",
        "databases/x.json",
        "databases//x.jsonl",
        "./databases/x.jsonl",
    ],
)
def test_a_manifest_cannot_name_a_file_outside_of_its_databases(tmp_path: Path, file: str) -> None:
    small_bundle(tmp_path / "b")
    edit_manifest(tmp_path / "b", lambda m: m["databases"][0]["collections"][0].update(file=file))
    found = places(faults_of(tmp_path / "b"))
    assert ("manifest.json", None, "databases[0].collections[0].file", "bad_file") in found


ITEM_DAMAGE: list[tuple[Callable[[dict[str, Any]], object], str, str]] = [
    (lambda r: r.pop("question_id"), "question_id", "missing_field"),
    (lambda r: r.update(question_id=None), "question_id", "wrong_type"),
    (lambda r: r.update(question_id=True), "question_id", "wrong_type"),
    (lambda r: r.update(question_id=1.5), "question_id", "wrong_type"),
    (lambda r: r.update(question_id="a b"), "question_id", "bad_question_id"),
    (lambda r: r.update(question_id="1"), "question_id", "duplicate_question_id"),
    (lambda r: r.update(question_id=1), "question_id", "duplicate_question_id"),
    (lambda r: r.update(db_id="pond"), "db_id", "unknown_db_id"),
    (lambda r: r.update(question=""), "question", "empty_field"),
    (lambda r: r.update(question="\ud800"), "question", "bad_text"),
    (lambda r: r.pop("evidence"), "evidence", "missing_field"),
    (lambda r: r.update(evidence=None), "evidence", "wrong_type"),
    (lambda r: r.update(difficulty="hard"), "difficulty", "bad_difficulty"),
    (lambda r: r.update(split="train"), "split", "bad_split"),
    (lambda r: r.update(array_order="any"), "array_order", "bad_array_order"),
    (lambda r: r.update(gold_query=" \n"), "gold_query", "empty_field"),
    (lambda r: r.update(gold_query={"find": "a"}), "gold_query", "wrong_type"),
    (lambda r: r.update(sql=5), "sql", "wrong_type"),
    (lambda r: r.update(evidnce="x"), "evidnce", "unknown_field"),
]


@pytest.mark.parametrize(
    ("change", "field", "rule"), ITEM_DAMAGE, ids=lambda value: value if isinstance(value, str) else ""
)
def test_a_faulty_item_names_line_and_field(
    tmp_path: Path, change: Callable[[dict[str, Any]], object], field: str, rule: str
) -> None:
    small_bundle(tmp_path / "b")
    edit_item(tmp_path / "b", 2, change)
    assert places(faults_of(tmp_path / "b", check_digests=False)) == [("items.jsonl", 2, field, rule)]


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (b"oops", "bad_json"),
        (b"", "blank_line"),
        (b"[1]", "not_an_object"),
        (b'"\xe9"', "not_utf8"),
        (b'{"a": NaN}', "bad_json"),
    ],
    ids=repr,
)
def test_a_line_that_is_no_item_is_named(tmp_path: Path, line: bytes, rule: str) -> None:
    small_bundle(tmp_path / "b")
    path = tmp_path / "b" / "items.jsonl"
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join([lines[0], line, *lines[1:]]) + b"\n")
    assert places(faults_of(tmp_path / "b", check_digests=False)) == [("items.jsonl", 2, "", rule)]


def test_a_repeated_field_of_an_item_is_a_fault(tmp_path: Path) -> None:
    small_bundle(tmp_path / "b")
    path = tmp_path / "b" / "items.jsonl"
    path.write_text(path.read_text().replace('"evidence": "",', '"evidence": "", "evidence": "x",', 1))
    assert places(faults_of(tmp_path / "b", check_digests=False)) == [("items.jsonl", 1, "evidence", "repeated_key")]


def test_all_faults_of_all_files_are_raised_at_once(tmp_path: Path) -> None:
    small_bundle(tmp_path / "b")
    edit_item(tmp_path / "b", 1, lambda record: record.pop("question"))
    edit_item(tmp_path / "b", 3, lambda record: record.update(split="x", difficulty="y"))
    edit_manifest(tmp_path / "b", lambda manifest: manifest.pop("title"))
    (tmp_path / "b" / "databases" / "wood" / "birds.jsonl").unlink()
    assert {(file, line, rule) for file, line, _, rule in places(faults_of(tmp_path / "b"))} == {
        ("manifest.json", None, "missing_field"),
        ("items.jsonl", 1, "missing_field"),
        ("items.jsonl", 3, "bad_split"),
        ("items.jsonl", 3, "bad_difficulty"),
        ("items.jsonl", None, "wrong_digest"),
        ("databases/wood/birds.jsonl", None, "missing_file"),
    }


def test_a_file_of_thousands_of_faults_is_listed_in_part_and_counted_in_full(tmp_path: Path) -> None:
    small_bundle(tmp_path / "b")
    (tmp_path / "b" / "items.jsonl").write_text("oops\n" * 3000)
    with pytest.raises(FaultyBundleError) as caught:
        load_bundle(tmp_path / "b", check_digests=False)
    assert len(caught.value.faults) == LISTED_FAULTS
    assert caught.value.total == 3000


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b"5"], ids=repr)
def test_a_manifest_that_cannot_be_read_does_not_hide_the_faults_of_the_items(tmp_path: Path, content: bytes) -> None:
    small_bundle(tmp_path / "b")
    (tmp_path / "b" / "manifest.json").write_bytes(content)
    edit_item(tmp_path / "b", 2, lambda record: record.pop("question"))
    found = places(faults_of(tmp_path / "b"))
    assert [file for file, *_ in found] == ["manifest.json", "items.jsonl"]


def test_a_folder_that_is_no_bundle_says_so(tmp_path: Path) -> None:
    assert {rule for *_, rule in places(faults_of(tmp_path))} == {"missing_file"}


@pytest.mark.parametrize(
    ("line", "rule"), [(b"oops\n", "bad_json"), (b"\n", "blank_line"), (b'"\xff"\n', "not_utf8")], ids=repr
)
def test_reading_documents_stops_at_a_bad_line_and_names_it(tmp_path: Path, line: bytes, rule: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"a": 1}\n' + line)
    documents = read_documents(Collection(name="a", path=path, documents=2, sha256=""))
    assert next(documents) == {"a": 1}
    with pytest.raises(BenchmarkError) as caught:
        next(documents)
    assert isinstance(caught.value, FaultyBundleError)
    assert places(caught.value.faults) == [("a.jsonl", 2, "", rule)]


def test_reading_documents_of_a_missing_file_is_the_organisers_fault(tmp_path: Path) -> None:
    with pytest.raises(FaultyBundleError, match=r"a\.jsonl: the file cannot be read"):
        next(read_documents(Collection(name="a", path=tmp_path / "a.jsonl", documents=1, sha256="")))


def test_the_first_form_of_the_format_is_read_alike_and_sealed_as_the_present_one(tmp_path: Path) -> None:
    written = small_bundle(tmp_path / "b")
    edit_manifest(tmp_path / "b", lambda m: m.update(format_version="0.9"))
    assert load_bundle(tmp_path / "b") == written
    assert reseal(tmp_path / "b") == written
    assert '"format_version": "1.0"' in (tmp_path / "b" / "manifest.json").read_text()


@pytest.mark.parametrize("name", ["private", "engine", "cards", "gold"])
def test_what_the_first_form_did_not_know_is_unknown_there(tmp_path: Path, name: str) -> None:
    small_bundle(tmp_path / "b")
    edit_manifest(tmp_path / "b", lambda m: m.update({"format_version": "0.9", name: {}}))
    assert places(faults_of(tmp_path / "b")) == [("manifest.json", None, name, "unknown_field")]


def test_a_relation_to_a_collection_that_is_not_there_is_a_fault(tmp_path: Path) -> None:
    small_bundle(tmp_path / "b")
    relation = {"path": "name", "collection": "ports", "field": "_id"}
    edit_manifest(tmp_path / "b", lambda m: m["databases"][0]["collections"][1].update(relations=[relation]))
    assert places(faults_of(tmp_path / "b")) == [
        ("manifest.json", None, "databases[0].collections[1].relations[0].collection", "unknown_collection"),
    ]


def test_everything_that_a_bundle_says_comes_back(tmp_path: Path) -> None:
    written = described_bundle(tmp_path / "b")
    loaded = load_bundle(tmp_path / "b")
    assert loaded == written
    assert (loaded.engine.mongodb, loaded.engine.features) == ("5.0", ("$setWindowFields",))
    assert loaded.items[0].flags == ("gold_ambiguous",)
    assert loaded.databases[0].description == "A lake."
    assert loaded.digest == small_bundle(tmp_path / "plain").digest
