"""Archives that mongodump wrote become a bundle, or a list of all that is wrong with them."""

import gzip
from pathlib import Path
from typing import Any

import bson
import pytest

from benchmark_data.convert.archive import MAGIC, TERMINATOR
from benchmark_data.convert.bytestream import BytesRead
from benchmark_data.convert.mongodump import convert
from benchmark_data.convert.options import ConversionOptions
from benchmark_data.errors import Fault, FaultyBundleError
from benchmark_data.load import read_documents
from benchmark_data.types import Index
from tests.benchmark_data.convert.dumps import ANIMALS, archive, beside, put

KEEPERS: list[dict[str, Any]] = [{"_id": n, "name": f"keeper {n}"} for n in range(40)]
BLOCKS: list[tuple[str, list[dict[str, Any]]]] = [
    ("zoo.keepers", KEEPERS[:3]), ("zoo.animals", list(ANIMALS[:1])), ("farm.cows", []), ("zoo.keepers", KEEPERS[3:]),
    ("zoo.animals", list(ANIMALS[1:])), ("farm.cows", [{"milk": 2.5}]),
]  # fmt: skip
METADATA = {"zoo.animals": {"indexes": [{"v": 2, "key": {"name": 1}, "name": "n", "unique": True}]}}


def write(folder: Path, data: bytes) -> Path:
    beside(folder)
    (folder / "dump.archive").write_bytes(data)
    return folder / "dump.archive"


def faults(tmp_path: Path, data: bytes) -> list[Fault]:
    source = write(tmp_path / "dump", data)
    with pytest.raises(FaultyBundleError) as caught:
        convert(source, tmp_path / "b")
    assert [path.name for path in tmp_path.iterdir()] == ["dump"]
    return list(caught.value.faults)


@pytest.mark.parametrize("packed", [False, True])
def test_interleaved_collections_come_apart_in_order(tmp_path: Path, packed: bool) -> None:
    data = archive(BLOCKS, metadata=METADATA)
    bundle = convert(write(tmp_path / "dump", gzip.compress(data) if packed else data), tmp_path / "b").bundle
    found = {(d.db_id, c.name): list(read_documents(c)) for d in bundle.databases for c in d.collections}
    assert found == {("zoo", "keepers"): KEEPERS, ("zoo", "animals"): list(ANIMALS), ("farm", "cows"): [{"milk": 2.5}]}
    assert bundle.databases[1].collections[0].indexes == (Index(keys=(("name", 1),), unique=True),)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "dump"]


def test_an_archive_and_a_folder_of_the_same_data_have_the_same_digest(tmp_path: Path) -> None:
    folder = beside(tmp_path / "folder")
    put(folder / "zoo" / "animals.bson", ANIMALS)
    put(folder / "zoo" / "animals.metadata.json", METADATA["zoo.animals"])
    packed = write(tmp_path / "dump", archive([("zoo.animals", ANIMALS)], metadata=METADATA))
    digests = {convert(source, tmp_path / f"b{n}").bundle.digest for n, source in enumerate((folder, packed))}
    assert len(digests) == 1


def test_views_and_the_log_of_operations_are_left_out_by_name(tmp_path: Path) -> None:
    metadata = {"zoo.big": {"type": "view", "options": {"viewOn": "animals"}}}
    data = archive([("zoo.animals", ANIMALS), (".oplog", [{"op": "n"}])], metadata=metadata)
    report = convert(write(tmp_path / "dump", data), tmp_path / "b")
    assert [c.name for d in report.bundle.databases for c in d.collections] == ["animals"]
    assert any("the view zoo.big" in note for note in report.notes)
    assert any("oplog" in note for note in report.notes)


def test_progress_counts_the_archive_and_what_it_is_unpacked_into(tmp_path: Path) -> None:
    seen: list[BytesRead] = []
    data = archive(BLOCKS)
    convert(write(tmp_path / "dump", data), tmp_path / "b", options=ConversionOptions(advance=seen.append))
    documents = sum(len(bson.encode(document)) for _, part in BLOCKS for document in part)
    assert seen[-1] == BytesRead(done=len(data) + documents, total=len(data) + documents)


SOUND = archive([("zoo.animals", ANIMALS)])
START = len(SOUND) - len(archive([("zoo.animals", ANIMALS)], ended=False))
HEADER = MAGIC + bson.encode({"version": "0.1"})
DAMAGE: list[tuple[str, bytes, str, str]] = [
    ("other bytes", b"PK\x03\x04" + SOUND[4:], "not_an_archive", "504b0304"),
    ("empty", b"", "not_an_archive", "begins with"),
    ("only the magic number", MAGIC, "truncated_archive", "at byte 4:"),
    ("cut off in a document", SOUND[: -START - 10], "truncated_bson", "cut off"),
    ("cut off before the end marks", SOUND[:-START], "truncated_archive", "zoo.animals has no end mark"),
    ("cut off in an end mark", SOUND[:-2], "truncated_bson", "cut off"),
    ("a length of nonsense", HEADER + b"\x01\x00\x00\x00", "bad_length", f"at byte {len(HEADER)}:"),
    ("another checksum", archive([("zoo.animals", ANIMALS)], crc=5), "wrong_checksum", "zoo.animals"),
    ("a namespace after its end", SOUND + SOUND[-START:], "bad_archive", "goes on after its end mark"),
    ("a header that names nothing", HEADER + bson.encode({"db": 1}) + TERMINATOR, "bad_archive", "collection"),
    ("two terminators", HEADER + TERMINATOR + TERMINATOR, "bad_archive", "terminator"),
    ("metadata that is no JSON", HEADER + bson.encode({"db": "a", "collection": "b", "metadata": "{"}) + TERMINATOR,
     "bad_json", "not JSON"),
    ("gzip that is cut off", gzip.compress(SOUND, mtime=0)[:-9], "bad_gzip", "cut off"),
    ("no document", HEADER + TERMINATOR + b"\x06\x00\x00\x00\x01\x00", "bad_bson", "not BSON"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "rule", "words"), [case[1:] for case in DAMAGE], ids=[case[0] for case in DAMAGE])
def test_damage_is_named_with_its_place(tmp_path: Path, data: bytes, rule: str, words: str) -> None:
    found = faults(tmp_path, data)
    assert [fault.file for fault in found if fault.rule == rule and words in fault.message] == ["dump.archive"]


def test_a_document_of_17_mb_is_a_fault_of_its_collection(tmp_path: Path) -> None:
    documents = [ANIMALS[0], {"_id": 9, "text": "x" * 17_000_000}]
    source = write(tmp_path / "dump", archive([("zoo.animals", documents)], crc=0, ended=False))
    with pytest.raises(FaultyBundleError) as caught:
        convert(source, tmp_path / "b")
    assert ("dump.archive:zoo.animals", "animals[1]", "too_large") in [
        (fault.file, fault.field, fault.rule) for fault in caught.value.faults
    ]


def test_an_archive_in_a_folder_is_pointed_at(tmp_path: Path) -> None:
    write(tmp_path / "dump", SOUND)
    with pytest.raises(FaultyBundleError, match="state its own path as the source"):
        convert(tmp_path / "dump", tmp_path / "b")
