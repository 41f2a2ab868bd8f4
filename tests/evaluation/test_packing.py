"""Packed verdicts come back as they were, and are told from those of another order."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.packing import order_digest, packed_rows, verdicts_pack, verdicts_unpack


@given(st.lists(st.booleans(), max_size=100))
@settings(deadline=None, max_examples=50)
def test_what_was_packed_is_unpacked(strict: list[bool]) -> None:
    packed = verdicts_pack(strict)
    assert len(packed) == (len(strict) + 7) // 8
    assert verdicts_unpack(packed, items=len(strict)).tolist() == strict


@pytest.mark.parametrize("items", [0, 8, 17])
def test_verdicts_on_another_number_of_items_are_refused(items: int) -> None:
    with pytest.raises(ValueError, match=f"on {items} items"):
        verdicts_unpack(verdicts_pack([True] * 9), items=items)


def test_rows_are_those_of_the_entries() -> None:
    rows = packed_rows([verdicts_pack([True] * 9), verdicts_pack([False] * 8 + [True])], items=9)
    assert rows.tolist() == [[0b1111_1111, 0b1000_0000], [0, 0b1000_0000]]


def test_another_order_has_another_digest() -> None:
    assert order_digest(["a", "b"]) == order_digest(iter(["a", "b"]))
    assert len({order_digest(ids) for ids in (["a", "b"], ["b", "a"], ["a"], ["ab"], ["a,b"], [])}) == 6
