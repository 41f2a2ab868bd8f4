"""Whatever bytes a source has: it becomes a bundle, or is refused with faults and leaves nothing behind."""

import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import bson
import pytest
from bson.decimal128 import Decimal128
from bson.regex import Regex
from bson.timestamp import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.convert import generic, mongodump, mongoexport
from benchmark_data.convert.report import ConversionReport
from benchmark_data.errors import FaultyBundleError
from tests.benchmark_data.convert.dumps import archive, beside, put
from tests.benchmark_data.convert.test_generic import FULL, RECORDS

DOCUMENTS = [
    {"_id": 1, "a": {"b": [1, 2.5, {"c": None}]}, "price": Decimal128("1.5")},
    {"_id": 2, "at": Timestamp(1, 2), "like": Regex("a", "i")},
]
BSON = b"".join(map(bson.encode, DOCUMENTS))
LINES = b'{"_id": 1, "a": {"$numberLong": "5"}}\n{"_id": {"$oid": "656565656565656565656565"}}\n'
METADATA = {"indexes": [{"v": 2, "key": {"a": {"$numberInt": "1"}}, "name": "a"}], "options": {}, "type": "collection"}


def dump(folder: Path, data: bytes) -> Path:
    (folder / "zoo" / "animals.bson").write_bytes(data)
    return folder


def described(folder: Path, data: bytes) -> Path:
    (folder / "zoo" / "animals.metadata.json").write_bytes(data)
    return folder


def packed(folder: Path, data: bytes) -> Path:
    (folder / "a.archive").write_bytes(data)
    return folder / "a.archive"


def exported(folder: Path, data: bytes) -> Path:
    (folder / "zoo" / "animals.bson").unlink()
    (folder / "zoo" / "animals.json").write_bytes(data)
    return folder


def mapped(folder: Path, data: bytes) -> Path:
    put(folder / "dump" / "zoo" / "animals.bson", DOCUMENTS)
    put(folder / "questions.jsonl", "".join(f"{json.dumps(record)}\n" for record in RECORDS))
    (folder / "mapping.toml").write_bytes(data)
    return folder


Place = Callable[[Path, bytes], Path]
SOURCES: dict[str, tuple[Place, Callable[..., ConversionReport], bytes]] = {
    "bson": (dump, mongodump.convert, BSON),
    "metadata": (described, mongodump.convert, json.dumps(METADATA).encode()),
    "archive": (packed, mongodump.convert, archive([("zoo.animals", DOCUMENTS), ("zoo.cages", [])])),
    "lines": (exported, mongoexport.convert, LINES),
    "array": (exported, mongoexport.convert, b"[" + LINES[:-1].replace(b"\n", b",\n") + b"]"),
    "mapping": (mapped, generic.convert, FULL.encode()),
}


@pytest.mark.parametrize(("place", "convert", "data"), SOURCES.values(), ids=SOURCES.keys())
@given(start=st.integers(0, 2000), length=st.integers(0, 6), new=st.binary(max_size=5))
@settings(max_examples=25, deadline=None)
def test_damage_never_crashes_an_importer(
    place: Place, convert: Callable[..., ConversionReport], data: bytes, start: int, length: int, new: bytes
) -> None:
    start %= len(data)
    with TemporaryDirectory() as parent:
        folder = beside(Path(parent) / "source")
        put(folder / "zoo" / "animals.bson", DOCUMENTS)
        source = place(folder, data[:start] + new + data[start + length :])
        expected = {"source"} | ({"b"} if _is_taken(convert, source, Path(parent) / "b") else set())
        assert {path.name for path in Path(parent).iterdir()} == expected


def _is_taken(convert: Callable[..., ConversionReport], source: Path, destination: Path) -> bool:
    try:
        convert(source, destination)
    except FaultyBundleError as error:
        return not error.faults
    return True
