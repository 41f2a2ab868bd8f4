"""Every BSON type survives every path into a bundle."""

import json
import math
import struct
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import bson
from bson import json_util
from bson.binary import Binary
from bson.code import Code
from bson.datetime_ms import DatetimeMS
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.json_util import JSONMode, JSONOptions
from bson.max_key import MaxKey
from bson.min_key import MinKey
from bson.objectid import ObjectId
from bson.regex import Regex
from bson.timestamp import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.convert import generic, mongodump, mongoexport
from benchmark_data.convert.bson_stream import CODEC
from benchmark_data.convert.mongodump_write import write_dump
from benchmark_data.load import read_documents
from benchmark_data.types import Bundle
from tests.benchmark_data.convert.dumps import archive, beside, put

MOMENTS = st.integers(-(2**62), 2**62) | st.integers(-62_135_596_800_000, 253_402_300_799_999)
# Of the many ways to write a decimal in its 16 bytes, one is canonical, and text can tell no other.
DECIMALS = st.binary(min_size=16, max_size=16).map(
    lambda bid: Decimal128(str(Decimal128.from_bid(bid)))
) | st.sampled_from(
    [
        Decimal128(text)
        for text in ("NaN", "-0", "0E+3", "1.50", "Infinity", "9.999999999999999999999999999999999E+6144")
    ]
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
KEYS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="$\0"), min_size=1, max_size=5)
LEAVES = (
    st.none() | st.booleans() | TEXTS
    | st.integers(-(2**31), 2**31 - 1) | st.integers(-(2**63), 2**63 - 1).map(Int64)
    | st.floats(allow_nan=False) | st.just(float("nan")) | DECIMALS | MOMENTS.map(DatetimeMS)
    | st.binary(min_size=12, max_size=12).map(ObjectId)
    | st.builds(Binary, st.binary(max_size=9), st.sampled_from([0, 1, 5, 6, 128, 255]))
    | st.builds(Binary, st.binary(min_size=16, max_size=16), st.sampled_from([3, 4]))
    | st.builds(Regex, KEYS, st.integers(0, 3).map(lambda n: n * 2))
    | st.builds(Timestamp, st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1))
    | st.builds(Code, TEXTS) | st.builds(MinKey) | st.builds(MaxKey)
)  # fmt: skip
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=8
)
DOCUMENTS = st.lists(st.dictionaries(KEYS.filter(lambda key: key != "_id"), VALUES, max_size=5), max_size=4)
CANONICAL = JSONOptions(json_mode=JSONMode.CANONICAL, tz_aware=True, tzinfo=UTC)

MAPPING = """
name = "zoo"
version = "1"
license = "MIT"
databases = { format = "json", path = "databases/{db_id}.json" }
items = { files = "items.jsonl" }
"""


def canonical(documents: list[dict[str, Any]]) -> list[str]:
    return [json_util.dumps(document, json_options=CANONICAL) for document in documents]


def from_folder(folder: Path, documents: list[dict[str, Any]]) -> Bundle:
    put(beside(folder / "dump") / "zoo" / "animals.bson.gz", documents)
    return mongodump.convert(folder / "dump", folder / "b").bundle


def from_archive(folder: Path, documents: list[dict[str, Any]]) -> Bundle:
    beside(folder / "dump")
    (folder / "dump" / "a.archive").write_bytes(archive([("zoo.animals", documents)]))
    return mongodump.convert(folder / "dump" / "a.archive", folder / "b").bundle


def from_lines(folder: Path, documents: list[dict[str, Any]]) -> Bundle:
    text = "".join(f"{line}\n" for line in canonical(documents))
    put(beside(folder / "export") / "zoo" / "animals.jsonl", text)
    return mongoexport.convert(folder / "export", folder / "b").bundle


def from_array(folder: Path, documents: list[dict[str, Any]]) -> Bundle:
    put(beside(folder / "export") / "zoo" / "animals.json", f"[{','.join(canonical(documents))}]\n")
    return mongoexport.convert(folder / "export", folder / "b").bundle


def from_object(folder: Path, documents: list[dict[str, Any]]) -> Bundle:
    put(beside(folder / "source") / "databases" / "zoo.json", f'{{"animals": [{",".join(canonical(documents))}]}}')
    put(folder / "source" / "mapping.toml", MAPPING)
    return generic.convert(folder / "source", folder / "b").bundle


def from_round_trip(folder: Path, documents: list[dict[str, Any]]) -> Bundle:
    first = from_folder(folder / "first", documents)
    write_dump(first, folder / "again")
    second = mongodump.convert(folder / "again", folder / "b").bundle
    assert second.digest == first.digest
    return second


PATHS: tuple[Callable[[Path, list[dict[str, Any]]], Bundle], ...] = (
    from_folder, from_archive, from_lines, from_array, from_object, from_round_trip,
)  # fmt: skip


def plain_nan(value: Any) -> Any:
    """Extended JSON has one NaN only: its sign and payload are no part of the value."""
    if isinstance(value, float) and math.isnan(value):
        return math.nan
    if isinstance(value, Decimal128) and value.to_decimal().is_nan():
        return Decimal128("NaN")
    if isinstance(value, dict):
        return {key: plain_nan(part) for key, part in value.items()}
    return [plain_nan(part) for part in value] if isinstance(value, list) else value


@given(documents=DOCUMENTS)
@settings(max_examples=25, deadline=None)
def test_types_and_missing_fields_survive_every_path(documents: list[dict[str, Any]]) -> None:
    documents = [plain_nan(document) for document in documents]
    expected = [bson.encode(document) for document in documents]
    for path in PATHS:
        with TemporaryDirectory() as folder:
            (collection,) = path(Path(folder), documents).databases[0].collections
            found = [bson.encode(document, codec_options=CODEC) for document in read_documents(collection)]
        assert found == expected, path.__name__


def test_relaxed_extended_json_is_read_by_the_size_of_its_numbers(tmp_path: Path) -> None:
    line = '{"a": 5, "b": 3000000000, "c": 5.0, "d": {"$date": "2020-01-02T03:04:05.678Z"}, "e": {"$oid": "%s"}}'
    put(beside(tmp_path / "export") / "zoo" / "animals.json", line % ("ab" * 12) + "\n")
    (collection,) = mongoexport.convert(tmp_path / "export", tmp_path / "b").bundle.databases[0].collections
    (document,) = read_documents(collection)
    moment = datetime(2020, 1, 2, 3, 4, 5, 678_000, tzinfo=UTC)
    assert document == {"a": 5, "b": 3_000_000_000, "c": 5.0, "d": moment, "e": ObjectId("ab" * 12)}
    assert [type(value) for value in document.values()][:3] == [int, Int64, float]


def test_a_nan_with_a_payload_is_imported_as_nan(tmp_path: Path) -> None:
    raw = bson.encode({"a": 1.0}).replace(struct.pack("<d", 1.0), b"\x01\x00\x00\x00\x00\x00\xf8\xff")
    put(beside(tmp_path / "dump") / "zoo" / "animals.bson", raw)
    (collection,) = mongodump.convert(tmp_path / "dump", tmp_path / "b").bundle.databases[0].collections
    assert json.loads(collection.path.read_text()) == {"a": {"$numberDouble": "NaN"}}
