"""Folders that mongodump wrote become a bundle, or a list of all that is wrong with them."""

import gzip
import re
from pathlib import Path
from typing import Any

import bson
import pytest
from bson.int64 import Int64

from benchmark_data.convert.bytestream import BytesRead
from benchmark_data.convert.mongodump import convert
from benchmark_data.convert.options import ConversionOptions
from benchmark_data.errors import Fault, FaultyBundleError
from benchmark_data.load import load_bundle, read_documents
from benchmark_data.types import Index
from tests.benchmark_data.convert.dumps import ANIMALS, ITEM, beside, put, zoo

SYMBOL = b"\x0e\x00\x00\x00\x0ea\x00\x02\x00\x00\x00b\x00\x00"
TWICE = b"\x13\x00\x00\x00\x10a\x00\x01\x00\x00\x00\x10a\x00\x02\x00\x00\x00\x00"


def metadata(**fields: Any) -> dict[str, Any]:
    own = {"v": 2, "key": {"_id": 1}, "name": "_id_"}
    return {"options": {}, "indexes": [own], "collectionName": "animals", "type": "collection"} | fields


def faults(source: Path, **options: Any) -> list[Fault]:
    with pytest.raises(FaultyBundleError) as caught:
        convert(source, source.parent / "b", options=ConversionOptions(**options))
    assert not (source.parent / "b").exists()
    return list(caught.value.faults)


def test_a_folder_becomes_a_bundle_with_its_indexes_and_types(tmp_path: Path) -> None:
    indexes = [
        {"v": 2, "key": {"_id": 1}, "name": "_id_"},
        {"v": 2, "key": {"name": {"$numberInt": "1"}, "legs": -1.0}, "name": "a", "unique": True},
        {"v": 2, "key": {"legs": {"$numberDouble": "-1.0"}}, "name": "b", "background": True, "ns": "zoo.animals"},
    ]
    source = zoo(tmp_path / "dump", {"zoo/animals.metadata.json": metadata(indexes=indexes)})
    report = convert(source, tmp_path / "b")
    (collection,) = load_bundle(tmp_path / "b").databases[0].collections
    assert collection.indexes == (Index(keys=(("name", 1), ("legs", -1)), unique=True), Index(keys=(("legs", -1),)))
    documents = list(read_documents(collection))
    assert (documents, type(documents[1]["legs"])) == (list(ANIMALS), Int64)
    assert (report.documents, report.notes, report.bundle.name) == (2, (), "zoo")


def test_packed_files_give_the_same_digest(tmp_path: Path) -> None:
    plain = zoo(tmp_path / "plain", {"zoo/animals.metadata.json": metadata()})
    packed = beside(tmp_path / "packed")
    put(packed / "zoo" / "animals.bson.gz", ANIMALS)
    put(packed / "zoo" / "animals.metadata.json.gz", metadata())
    digests = {convert(source, tmp_path / f"b-{source.name}").bundle.digest for source in (plain, packed)}
    assert len(digests) == 1


def test_the_folder_of_one_database_is_taken_under_its_name(tmp_path: Path) -> None:
    source = beside(tmp_path / "zoo")
    put(source / "animals.bson", ANIMALS)
    assert [d.db_id for d in convert(source, tmp_path / "b").bundle.databases] == ["zoo"]


def test_an_escaped_name_and_the_name_in_the_metadata_are_taken(tmp_path: Path) -> None:
    files = {
        "zoo/a%2Fb c.bson": b"",
        "zoo/cut%24off.bson": b"",
        "zoo/cut%24off.metadata.json": metadata(collectionName="a very long name"),
    }
    collections = convert(zoo(tmp_path / "dump", files), tmp_path / "b").bundle.databases[0].collections
    assert [collection.name for collection in collections] == ["a very long name", "a/b c", "animals"]


def test_what_is_no_collection_is_left_out_by_name(tmp_path: Path) -> None:
    files = {
        "oplog.bson": b"",
        "prelude.json": {},
        "notes.txt": "x",
        "admin/system.version.bson": [{"_id": 1}],
        "zoo/system.views.bson": [{"_id": "zoo.big"}],
        "zoo/big.metadata.json": metadata(
            collectionName="big", type="view", options={"viewOn": "a", "pipeline": [{"$match": {}}]}
        ),
        "zoo/README": "x",
    }
    report = convert(zoo(tmp_path / "dump", files), tmp_path / "b")
    assert [(d.db_id, [c.name for c in d.collections]) for d in report.bundle.databases] == [("zoo", ["animals"])]
    for name in ("oplog.bson", "notes.txt", "admin", "zoo.system.views", "the view zoo.big", "zoo/README"):
        assert any(re.match(rf"Left out: (the database )?{re.escape(name)}", note) for note in report.notes), name
    assert not any("prelude" in note for note in report.notes)


INDEXES: list[tuple[dict[str, Any], str]] = [
    ({"key": {"born": 1}, "expireAfterSeconds": 60}, "option expireAfterSeconds"),
    ({"key": {"name": "text"}}, "type text"),
    ({"key": {"place": "2dsphere"}}, "type 2dsphere"),
    ({"key": {"$**": 1}}, "key $**"),
    ({"key": {"name": 1}, "unique": True, "partialFilterExpression": {"a": {"$gt": 1}}}, "partialFilterExpression"),
    ({"key": {"name": 1}, "sparse": True}, "option sparse"),
    ({"key": {"name": 0}}, "key name"),
    ({"key": {}}, "no keys"),
]  # fmt: skip


@pytest.mark.parametrize(("index", "reason"), INDEXES)
def test_an_index_that_a_bundle_cannot_hold_is_left_out_by_name(
    tmp_path: Path, index: dict[str, Any], reason: str
) -> None:
    content = metadata(indexes=[{"v": 2, "name": "it"} | index])
    report = convert(zoo(tmp_path / "dump", {"zoo/animals.metadata.json": content}), tmp_path / "b")
    assert report.bundle.databases[0].collections[0].indexes == ()
    assert report.notes == (f"Left out of zoo.animals: the index it ({report.notes[0].partition('(')[2]}",)
    assert reason in report.notes[0]


RAW = bson.encode(ANIMALS[0])
BIG = {"_id": 3, "text": "x" * 17_000_000}
DAMAGE: list[tuple[str, Any, str, str, str]] = [
    ("zoo/animals.bson", RAW + RAW[:-3], "animals[1]", "truncated_bson", f"at byte {len(RAW)}:"),
    ("zoo/animals.bson", RAW + b"\x07\x00", "animals[1]", "truncated_bson", f"at byte {len(RAW)}:"),
    ("zoo/animals.bson", RAW + b"\x04\x00\x00\x00", "animals[1]", "bad_length", "4 bytes"),
    ("zoo/animals.bson", RAW + b"\xff\xff\xff\x7f", "animals[1]", "bad_length", "2,147,483,647 bytes"),
    ("zoo/animals.bson", RAW + b"\x06\x00\x00\x00\x01\x00", "animals[1]", "bad_bson", f"at byte {len(RAW)}:"),
    ("zoo/animals.bson", RAW + bson.encode({"a": "b"}).replace(b"b", b"\xff"), "animals[1]", "bad_bson", "utf"),
    ("zoo/animals.bson", RAW + SYMBOL, "animals[1].a", "retired_type", "symbol"),
    ("zoo/animals.bson", RAW + TWICE, "animals[1].a", "repeated_key", f"at byte {len(RAW)}:"),
    ("zoo/animals.bson", [ANIMALS[0], BIG, ANIMALS[1]], "animals[1]", "too_large", f"at byte {len(RAW)}:"),
    ("zoo/animals.bson", [ANIMALS[0], ANIMALS[0]], "animals[1]._id", "duplicate_id", "used before"),
    ("zoo/animals.bson", gzip.compress(RAW), "animals[0]", "truncated_bson", "must end in .gz"),
    ("zoo/animals.bson", None, "", "missing_file", "<database>/<collection>.bson"),
    ("zoo/animals.metadata.json", "{", "", "bad_json", "not JSON"),
    ("zoo/animals.metadata.json.gz", " " * 17_000_000, "", "too_large", "16,777,216"),
    ("bundle.json", {"name": "a", "version": "1", "license": "MIT", "private": 1}, "private", "wrong_type", "true"),
    ("zoo/animals.metadata.json", "[]", "", "not_an_object", "must be an object"),
    ("zoo/animals.metadata.json", {"indexes": {"a": 1}, "options": [1]}, "", "wrong_type", "indexes"),
    ("zoo/animals.metadata.json", {"indexes": [{"name": "x"}]}, "indexes[0]", "bad_index", "key"),
    ("zoo/keepers.metadata.json", {}, "keepers", "missing_file", "is not"),
    ("zoo/heat.metadata.json", {"type": "timeseries"}, "heat", "timeseries_collection", "buckets"),
    ("zoo/system.buckets.heat.bson", b"", "system.buckets.heat", "timeseries_collection", "buckets"),
    ("zoo/a%24b.bson", b"", "a$b", "bad_collection_name", "$"),
    ("zoo/animals.bson.gz", ANIMALS, "", "duplicate_file", "twice"),
    ("a b/x.bson", b"", "", "bad_db_id", "letters"),
    ("items.jsonl", "{}\n", "question_id", "missing_field", "missing"),
    ("items.jsonl", None, "", "missing_file", "--items"),
    ("bundle.json", {"name": "A B", "version": "1", "license": "MIT"}, "name", "bad_name", "lower-case"),
    ("bundle.json", {"name": "a"}, "version", "missing_field", "--version"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "content", "field", "rule", "words"),
    DAMAGE,
    ids=[f"{n}-{case[0]}-{case[3]}" for n, case in enumerate(DAMAGE)],
)
def test_damage_is_named_with_its_place_and_nothing_is_written(
    tmp_path: Path, file: str, content: Any, field: str, rule: str, words: str
) -> None:
    source = zoo(tmp_path / "dump", {file: content})
    if content is None:
        (source / file).unlink(missing_ok=True)
    found = [(fault.field, fault.rule) for fault in faults(source) if words in fault.message]
    assert (field, rule) in found
    assert [path.name for path in tmp_path.iterdir()] == ["dump"]


@pytest.mark.parametrize(
    "content",
    [b"no gzip", gzip.compress(RAW * 500)[:-20], gzip.compress(RAW)[:-8] + b"12345678"],
    ids=["other bytes", "cut off", "wrong checksum"],
)
def test_a_damaged_gzip_file_is_a_fault(tmp_path: Path, content: bytes) -> None:
    source = beside(tmp_path / "dump")
    (source / "zoo").mkdir()
    (source / "zoo" / "animals.bson.gz").write_bytes(content)
    (found,) = [fault for fault in faults(source) if fault.rule == "bad_gzip"]
    assert found.file == "zoo/animals.bson.gz"
    assert found.field.startswith("animals[")


def test_faults_of_all_parts_come_at_once(tmp_path: Path) -> None:
    files = {"zoo/animals.bson": RAW[:-1], "farm/cows.bson": TWICE, "farm/cows.metadata.json": "{"}
    source = zoo(tmp_path / "dump", files)
    beside(source, [ITEM, ITEM | {"db_id": "sea"}])
    (source / "bundle.json").unlink()
    rules = {(fault.file, fault.rule) for fault in faults(source, mapping=tmp_path / "x")}
    assert rules >= {
        ("zoo/animals.bson", "truncated_bson"),
        ("farm/cows.bson", "repeated_key"),
        ("dump", "bad_json"),
        ("items.jsonl", "duplicate_question_id"),
        ("items.jsonl", "unknown_db_id"),
        ("bundle.json", "missing_field"),
        ("--mapping", "unknown_option"),
    }


def test_two_files_that_claim_one_collection_are_a_fault(tmp_path: Path) -> None:
    files = {"zoo/cages.bson": b"", "zoo/cages.metadata.json": {"collectionName": "animals"}}
    found = faults(zoo(tmp_path / "dump", files))
    assert [(fault.file, fault.field, fault.rule) for fault in found] == [("zoo", "animals", "duplicate_collection")]


def test_reading_goes_on_after_a_document_that_is_too_large(tmp_path: Path) -> None:
    source = zoo(tmp_path / "dump", {"zoo/animals.bson": [BIG, ANIMALS[0], ANIMALS[0]]})
    assert {"too_large", "duplicate_id"} <= {fault.rule for fault in faults(source)}


def test_gold_is_judged_where_a_judge_is_given(tmp_path: Path) -> None:
    source = zoo(tmp_path / "dump")
    (found,) = faults(source, check_query=lambda item, names: f"{item.question_id} does not know {','.join(names)}")
    assert (found.file, found.line, found.field, found.rule) == ("items.jsonl", 1, "gold_query", "bad_gold_query")
    assert found.message == "1 does not know animals"


def test_options_come_before_what_the_source_says_of_itself(tmp_path: Path) -> None:
    source = zoo(tmp_path / "dump")
    (source / "items.jsonl").rename(tmp_path / "other.jsonl")
    options = ConversionOptions(name="other", title="Other", items=tmp_path / "other.jsonl")
    bundle = convert(source, tmp_path / "b", options=options).bundle
    assert (bundle.name, bundle.title, bundle.version) == ("other", "Other", "1")


def test_progress_ends_at_the_size_of_the_files(tmp_path: Path) -> None:
    seen: list[BytesRead] = []
    source = zoo(tmp_path / "dump", {"zoo/keepers.bson.gz": [{"_id": n} for n in range(1000)]})
    convert(source, tmp_path / "b", options=ConversionOptions(advance=seen.append))
    size = sum((source / "zoo" / name).stat().st_size for name in ("animals.bson", "keepers.bson.gz"))
    assert seen[-1] == BytesRead(done=size, total=size)
