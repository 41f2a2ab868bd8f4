"""Extended JSON keeps every BSON type, and refuses what is none."""

import json
from datetime import UTC, datetime
from typing import Any

import bson
import pytest
from bson.binary import Binary
from bson.code import Code
from bson.datetime_ms import DatetimeMS
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.max_key import MaxKey
from bson.min_key import MinKey
from bson.objectid import ObjectId
from bson.regex import Regex
from bson.timestamp import Timestamp
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.extended_json import ExtendedJsonError, format_document, parse_document

NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0$"), min_size=1, max_size=8)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**31), 2**31 - 1),
    st.integers(-(2**63), 2**63 - 1).map(Int64),
    st.floats(allow_nan=False) | st.just(float("nan")),
    TEXTS,
    st.binary(max_size=12),
    st.builds(Binary, st.binary(max_size=12), st.integers(1, 255).filter(lambda kind: kind not in (2, 9))),
    st.binary(min_size=12, max_size=12).map(ObjectId),
    # Extended JSON has one NaN, so the sign that a binary NaN may carry is not asked for.
    st.decimals(allow_nan=False, places=3, min_value=-(10**9), max_value=10**9).map(Decimal128),
    st.sampled_from(["NaN", "-Infinity", "-0", "1E+6000", "0.10"]).map(Decimal128),
    st.integers(-(2**53), 2**53).map(DatetimeMS),
    st.builds(Timestamp, st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1)),
    st.builds(Regex, TEXTS.filter(lambda text: "\0" not in text), st.sampled_from(["", "i", "imsx"])),
    st.sampled_from([MinKey(), MaxKey(), Code("x => x")]),
)
VALUES = st.recursive(
    SCALARS, lambda parts: st.lists(parts, max_size=3) | st.dictionaries(NAMES, parts, max_size=3), max_leaves=8
)
DOCUMENTS = st.dictionaries(NAMES, VALUES, max_size=5)


@given(DOCUMENTS)
@settings(deadline=None, max_examples=150)
def test_every_bson_value_survives_writing_and_reading(document: dict[str, Any]) -> None:
    # BSON bytes are compared: they tell int32 from int64, −0 from 0 and NaN from NaN, where Python's == does not.
    again = parse_document(format_document(document))
    assert bson.encode(again) == bson.encode(document)


@given(DOCUMENTS)
@settings(deadline=None, max_examples=50)
def test_a_document_is_one_line_and_writing_is_stable(document: dict[str, Any]) -> None:
    line = format_document(document)
    assert "\n" not in line
    assert "\r" not in line
    assert format_document(parse_document(line)) == line


def test_types_that_python_confuses_are_kept_apart() -> None:
    found = parse_document(
        '{"a": {"$numberInt": "5"}, "b": {"$numberLong": "5"}, "c": {"$numberDouble": "5.0"}, "d": 5, "e": 5.0,'
        ' "f": {"$date": {"$numberLong": "0"}}, "g": {"$date": {"$numberLong": "253402300800000"}}}'
    )
    assert {key: type(value) for key, value in found.items()} == {
        "a": int, "b": Int64, "c": float, "d": int, "e": float, "f": datetime, "g": DatetimeMS,
    }  # fmt: skip
    assert found["f"] == datetime(1970, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "bad_json"),
        ("{", "bad_json"),
        ('{"a": 1} x', "bad_json"),
        ('{"a": NaN}', "bad_json"),
        ('{"a": -Infinity}', "bad_json"),
        ('{"a": ' + "9" * 5000 + "}", "bad_json"),
        ("[1]", "not_an_object"),
        ("5", "not_an_object"),
        ('{"$oid": "65a000000000000000000001"}', "not_an_object"),
        ('{"a": ' * 100_000, "nested_too_deep"),
        ('{"a": 1, "b": 2, "a": 3}', "repeated_key"),
        ('{"a": {"b": [{"c": 1, "c": 1}]}}', "repeated_key"),
        ('{"a": {"$oid": "65"}}', "bad_value"),
        ('{"a": {"$numberInt": "2147483648"}}', "bad_value"),
        ('{"a": {"$numberInt": 5}}', "bad_value"),
        ('{"a": {"$numberLong": "9223372036854775808"}}', "bad_value"),
        ('{"a": {"$numberDecimal": "ten"}}', "bad_value"),
        ('{"a": {"$date": {"x": 1}}}', "bad_value"),
        ('{"a": {"$binary": {"base64": "@", "subType": "zz"}}}', "bad_value"),
        ('{"a": {"$numberDouble": "five"}}', "bad_value"),
        ('{"a": {"$oid": "65a000000000000000000001", "x": 1}}', "bad_value"),
        ('{"a": {"$set": 1}}', "field_name"),
        ('{"$where": "1"}', "field_name"),
    ],
    ids=lambda value: value[:40],
)
def test_what_is_no_document_is_refused_with_its_rule(text: str, rule: str) -> None:
    with pytest.raises(ExtendedJsonError) as caught:
        parse_document(text)
    assert caught.value.rule == rule


WRAPPERS = [
    "$oid",
    "$date",
    "$numberInt",
    "$numberLong",
    "$numberDouble",
    "$numberDecimal",
    "$binary",
    "$type",
    "$uuid",
    "$code",
    "$scope",
    "$timestamp",
    "$regularExpression",
    "$regex",
    "$options",
    "$ref",
    "$id",
    "$dbPointer",
    "$minKey",
    "$symbol",
]
PARTS = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda parts: (
        st.lists(parts, max_size=2)
        | st.dictionaries(st.sampled_from(["t", "i", "base64", "subType", "pattern", "$oid"]), parts)
    ),
    max_leaves=4,
)


@given(st.dictionaries(st.sampled_from(WRAPPERS), PARTS, max_size=3))
@settings(deadline=None, max_examples=300)
def test_no_broken_type_wrapper_crashes_the_reader(wrapper: dict[str, Any]) -> None:
    try:
        rule = "" if list(parse_document(json.dumps({"a": wrapper}))) == ["a"] else "lost"
    except ExtendedJsonError as error:
        rule = error.rule
    assert rule in {"", "bad_value", "field_name"}
