"""Classes of numbers under the tolerance."""

from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation import numbers
from evaluation.numbers import Number, is_integral, merged_numbers

CLOSE = st.builds(
    lambda base, steps, sign: sign * base * (1 + steps * 3e-10),
    st.sampled_from([1.0, 1.5, 3.0, 7.25, 1e10, 1e10 + 1, 1e-12, 1e-11, 0.0, 4e15, 1e-300]),
    st.integers(0, 12),
    st.sampled_from([1, -1]),
)


def classes(members: Any, merged: Any) -> Any:
    found: dict[Any, set[Any]] = {}
    for number in members:
        found.setdefault(merged.get(number, number), set()).add(number)
    return found


@pytest.mark.parametrize(
    ("low", "high", "equal"),
    [
        (0.3, 0.30000000000000004, True),
        (1.0, 1.0 + 9e-10, True),
        (1.0, 1.0 + 3e-9, False),
        (0.0, 9e-13, True),
        (0.0, 3e-12, False),
        (0.004, 0.001, False),
        (1e15, 1e15 + 1, False),
        (1e15, 1e15 + 0.5, True),
        (Decimal("0.1"), 0.1, True),
        (Decimal("4503599627370497.5"), 4503599627370498, True),
        (0.5, Decimal("1E+400"), False),
        (-0.1, -0.10000000000000002, True),
    ],
)
def test_two_numbers_share_a_class_by_the_tolerance(low: Number, high: Number, equal: bool) -> None:
    merged = merged_numbers([[low, high]], [])
    assert (merged.get(low, low) == merged.get(high, high)) is equal


@settings(max_examples=200, deadline=None)
@given(st.lists(CLOSE, max_size=40), st.lists(st.integers(-(10**11), 10**11), max_size=5))
def test_classes_are_chains_with_one_integral_value_at_most(fractional: Any, integral: Any) -> None:
    members = {*fractional, *integral}
    merged = merged_numbers([fractional], [integral])
    found = classes(members, merged)
    for representative, group in found.items():
        assert representative in group
        assert sum(map(is_integral, group)) <= 1
        assert not any(map(is_integral, group)) or is_integral(representative)
        for low, high in pairwise(sorted(group)):
            assert high - low <= max(1e-9 * max(abs(low), abs(high)), 1e-12)
    for low, high in pairwise(sorted(members)):
        if high - low > max(1.000001e-9 * max(abs(low), abs(high)), 1.000001e-12):
            assert merged.get(low, low) != merged.get(high, high)


@settings(max_examples=100, deadline=None)
@given(st.lists(CLOSE, min_size=1, max_size=60), st.lists(st.integers(-10, 10), max_size=9))
def test_few_and_many_numbers_are_classed_alike(fractional: Any, integral: Any) -> None:
    few = merged_numbers([fractional], [integral])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbers, "_FEW", -1)
        assert merged_numbers([fractional], [integral]) == few


def test_a_fraction_between_two_integers_goes_with_the_nearer_one() -> None:
    low, high = 10**10, 10**10 + 1
    assert merged_numbers([[1e10 + 0.25, 1e10 + 0.75, 1e10 + 0.5]], [[low, high]]) == {
        1e10 + 0.25: low,
        1e10 + 0.5: low,
        1e10 + 0.75: high,
    }


def test_integral_values_alone_are_never_merged() -> None:
    assert merged_numbers([[1e300, 1.0000000000000002e300]], [[2**53, 2**53 + 1]]) == {}
