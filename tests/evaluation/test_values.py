"""Canonical keys."""

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
from bson import SON
from bson.binary import Binary
from bson.code import Code
from bson.datetime_ms import DatetimeMS
from bson.dbref import DBRef
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.objectid import ObjectId
from bson.regex import Regex
from bson.timestamp import Timestamp

from benchmark_data.types import ArrayOrder
from evaluation.values import Canonicaliser
from tests.evaluation.answers import DISTINCT_LEAVES


def keys(*cells: Any, array_order: Any = ArrayOrder.ORDERED) -> Any:
    canonicaliser = Canonicaliser(array_order)
    kinds = set(map(type, cells))
    canonicaliser.observe(list(cells), kinds)
    canonicaliser.freeze()
    return canonicaliser.keys(list(cells), kinds)


def same(first: Any, second: Any, **options: Any) -> Any:
    one, other = keys(first, second, **options)
    equal = one == other
    assert not equal or hash(one) == hash(other)
    return equal


EQUAL = {
    "number types": (3, Int64(3)),
    "integer and double": (3, 3.0),
    "integer and decimal": (3, Decimal128("3.00")),
    "double and decimal": (1.1, Decimal128("1.10")),
    "noise": (0.3, 0.30000000000000004),
    "zeros": (0.0, -0.0),
    "decimal zeros": (Decimal128("-0E+3"), 0),
    "NaNs": (float("nan"), Decimal128("sNaN")),
    "infinities": (float("-inf"), Decimal128("-Infinity")),
    "naive and aware dates": (datetime(2020, 1, 1), datetime(2020, 1, 1, tzinfo=UTC)),  # noqa: DTZ001
    "dates of two zones": (
        datetime(2020, 1, 1, 2, tzinfo=timezone(timedelta(hours=2))),
        datetime(2020, 1, 1, tzinfo=UTC),
    ),
    "date and milliseconds": (datetime(2020, 1, 1, microsecond=1999, tzinfo=UTC), DatetimeMS(1577836800001)),
    "dates before 1970": (datetime(1969, 12, 31, 23, 59, 59, 999999, tzinfo=UTC), DatetimeMS(-1)),
    "bytes and binary of subtype 0": (b"ab", Binary(b"ab", 0)),
    "UUID and binary of subtype 4": (UUID(int=5), Binary(UUID(int=5).bytes, 4)),
    "regular expressions": (Regex("a", "im"), Regex("a", "mi")),
    "a native regular expression": (Regex.from_native(re.compile("a", re.IGNORECASE)), re.compile("a", re.IGNORECASE)),
    "key order": ({"a": 1, "b": 2}, SON([("b", 2), ("a", 1.0)])),
    "key order in arrays": ([{"a": 1, "b": 2}], [{"b": 2, "a": 1}]),
    "a reference and its document": (DBRef("c", 5), {"$id": 5, "$ref": "c"}),
    "code with scope": (Code("f", {"a": 1}), Code("f", {"a": 1.0})),
}

UNEQUAL = {
    "bool and number": (True, 1),
    "bool and number in an array": ([False], [0]),
    "number and text": (1, "1"),
    "date and text": (datetime(2020, 1, 1, tzinfo=UTC), "2020-01-01T00:00:00Z"),
    "date and number": (DatetimeMS(5), 5),
    "ObjectId and hex": (ObjectId("65a1b2c3d4e5f60718293a4b"), "65a1b2c3d4e5f60718293a4b"),
    "binary subtypes": (b"ab", Binary(b"ab", 4)),
    "bytes and text": (b"ab", "ab"),
    "flags": (Regex("a", "i"), Regex("a")),
    "code and text": (Code("f"), "f"),
    "code with and without scope": (Code("f"), Code("f", {})),
    "blanks": (" a", "a"),
    "case": ("A", "a"),
    "Unicode forms": ("é", "e\u0301"),
    "milliseconds": (DatetimeMS(0), DatetimeMS(1)),
    "timestamps": (Timestamp(1, 1), Timestamp(1, 2)),
    "array order": ([1, 2], [2, 1]),
    "array length": ([1, 1], [1]),
    "null and nothing in an array": ([None], []),
    "missing and null in an array": ([{"a": None}], [{}]),
    "array and document": ([], {}),
    "nested once more": ([1], [[1]]),
    "key and value swapped": ({"a": "b"}, {"b": "a"}),
    "null and NaN": (None, float("nan")),
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal_values_have_equal_keys(name: str) -> None:
    assert same(*EQUAL[name])
    assert same([EQUAL[name][0]], [EQUAL[name][1]])


@pytest.mark.parametrize("name", UNEQUAL)
def test_unequal_values_have_unequal_keys(name: str) -> None:
    assert not same(*UNEQUAL[name])
    assert not same([UNEQUAL[name][0]], [UNEQUAL[name][1]])


def test_one_value_of_each_type_has_a_key_of_its_own() -> None:
    assert len(set(keys(*DISTINCT_LEAVES))) == len(DISTINCT_LEAVES)


@pytest.mark.parametrize(
    ("first", "second", "equal"),
    [
        ([1, 2, 2], [2, 1, 2], True),
        ([1, 2, 2], [1, 1, 2], False),
        ([[1, 2], [3]], [[3], [2, 1]], True),
        ([{"a": [1, 2]}], [{"a": [2, 1]}], True),
    ],
)
def test_arrays_are_multisets_at_any_depth_where_order_is_unspecified(first: Any, second: Any, equal: bool) -> None:
    assert same(first, second, array_order=ArrayOrder.UNSPECIFIED) is equal


def test_keys_of_plain_columns_are_the_cells_themselves() -> None:
    cells = ["a", None, 5]
    canonicaliser = Canonicaliser(ArrayOrder.ORDERED)
    assert canonicaliser.keys(cells, set(map(type, cells))) is cells


def test_what_is_no_bson_value_is_refused() -> None:
    with pytest.raises(TypeError, match="complex is not a BSON value"):
        keys(1j)


def test_subclasses_of_python_types_count_as_those_types() -> None:
    class Level(int):
        def __eq__(self, other: Any) -> Any:
            return False

        __hash__ = int.__hash__

    assert same(Level(3), 3.0)
