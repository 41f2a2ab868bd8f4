"""The _id of each document is remembered, in memory or in a file."""

from typing import Any

import pytest
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.objectid import ObjectId
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.identities import Identities, identity

SAME: list[tuple[Any, Any]] = [
    (1, 1.0), (1, Int64(1)), (100, Decimal128("1E+2")), (0.5, Decimal128("0.50")), (0.0, -0.0),
    (float("nan"), Decimal128("NaN")), (float("inf"), Decimal128("Infinity")), ({"a": 1}, {"a": 1.0}), ([1], [1.0]),
    (2**53, float(2**53)), (1e300, int(1e300)),
]  # fmt: skip
OTHER: list[tuple[Any, Any]] = [
    (1, True), (1, "1"), (0.1, Decimal128("0.1")), (2**53 + 1, float(2**53)), ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
    ({"a": "bc"}, {"ab": "c"}), ([1, [2]], [[1], 2]), ("x", b"x"), (None, False), (ObjectId("00" * 12), "0" * 24),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), SAME, ids=repr)
def test_values_that_mongodb_finds_equal_are_one_identity(one: Any, other: Any) -> None:
    assert identity(one) == identity(other)


@pytest.mark.parametrize(("one", "other"), OTHER, ids=repr)
def test_values_that_mongodb_tells_apart_are_two(one: Any, other: Any) -> None:
    assert identity(one) != identity(other)


@given(values=st.lists(st.integers(0, 40) | st.text(max_size=2) | st.binary(min_size=70, max_size=71), max_size=60))
@settings(max_examples=60, deadline=None)
def test_the_file_answers_as_memory_does(values: list[Any]) -> None:
    memory, file = Identities(), Identities(in_memory=5)
    for place, value in enumerate(values):
        assert memory.first(value, place) == file.first(value, place) == values.index(value)
