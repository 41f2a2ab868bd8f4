"""Codes of keys."""

import random
from typing import Any

import pytest
from bson.int64 import Int64
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.coding import KeyedColumn, exact_doubles, joint_codes, profile

keys = st.lists(st.sampled_from([None, 0, -0.0, 1, 1.0, 2.5, Int64(2**53), 2**53 + 1, 1e300, "a", "1"]), max_size=8)


def column(cells: Any) -> Any:
    return KeyedColumn(path=("a",), rows=None, keys=cells, values=len(cells) - cells.count(None))


@settings(max_examples=200, deadline=None)
@given(keys, keys)
def test_codes_are_equal_exactly_where_keys_are(first: Any, second: Any) -> None:
    (one, two), span = joint_codes([first, second])
    cells, codes = [*first, *second], [*one.tolist(), *two.tolist()]
    for i, (cell, code) in enumerate(zip(cells, codes, strict=True)):
        assert 0 <= code < span
        assert (code == 0) is (cell is None)
        assert [other == code for other in codes[:i]] == [other == cell for other in cells[:i]]


@settings(max_examples=100, deadline=None)
@given(keys, st.randoms(use_true_random=False), st.sampled_from([float, Int64]))
def test_equal_multisets_share_a_profile_in_any_order_and_types(cells: Any, chance: random.Random, kind: Any) -> None:
    shuffled = [kind(cell) if type(cell) is int and cell < 2**53 else cell for cell in cells]
    chance.shuffle(shuffled)
    assert profile(column(cells)) == profile(column(shuffled))


@pytest.mark.parametrize("other", [[1, 2], [1, 1, 1], [1, None], ["1", 1], [1, 1.5], []])
def test_other_multisets_have_other_profiles(other: Any) -> None:
    assert profile(column([1, 1])) != profile(column(other))


@pytest.mark.parametrize("cells", [["a"], [1, "a"], [2**53 + 1], [1e300], [True]])
def test_what_doubles_cannot_tell_apart_is_not_coded_by_them(cells: Any) -> None:
    assert exact_doubles(cells) is None
