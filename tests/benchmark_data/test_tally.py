"""A tally counts exactly while it can, and estimates within its error afterwards."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmark_data.tally import EXACT, SKETCH, Tally, containment, hashed


def tally(values: list[object] | range) -> Tally:
    made = Tally()
    for value in values:
        made.add(value)
    return made


@given(st.lists(st.one_of(st.text(max_size=4), st.integers(0, 50))))
@settings(deadline=None, max_examples=60)
def test_few_values_are_counted_exactly(values: list[object]) -> None:
    made = tally(values)
    assert (made.total, made.distinct, made.exact) == (len(values), len(set(values)), True)
    assert all(made.counts[value] == values.count(value) for value in set(values))


@pytest.mark.parametrize("count", [300, 3_000, 60_000])
def test_many_values_are_estimated_within_a_fifth(count: int) -> None:
    made = tally(range(count))
    assert not made.exact
    assert abs(made.distinct - count) < 0.2 * count
    assert len(made.counts) <= EXACT
    assert len(made.hashes) == SKETCH


def test_repetition_does_not_move_the_estimate() -> None:
    once, often = tally([*range(2_000)] * 2), tally([*range(2_000)] * 3 + [*range(1_999, -1, -1)])
    assert once.hashes == often.hashes
    assert once.distinct == often.distinct


@given(st.lists(st.integers(0, 700), max_size=900), st.lists(st.integers(0, 700), max_size=900))
@settings(deadline=None, max_examples=25)
def test_merging_counts_as_if_all_had_come_to_one(first: list[int], second: list[int]) -> None:
    merged, whole = tally(list(first)), tally([*first, *second])
    merged.merge(tally(list(second)))
    assert merged.total == whole.total
    assert merged.hashes == whole.hashes
    assert merged.distinct == whole.distinct


def test_long_texts_are_kept_as_digests() -> None:
    made = tally(["x" * 10_000, "x" * 10_000, "y" * 10_000])
    assert made.distinct == 2
    assert all(not isinstance(value, str) for value in made.counts)


def test_equal_numbers_of_different_types_are_one_value() -> None:
    assert hashed(5) == hashed(5.0)
    assert hashed("5") != hashed(5)
    assert tally([5, 5.0]).distinct == 1


@pytest.mark.parametrize(
    ("part", "whole", "least", "most"),
    [
        (range(10), range(100), 1.0, 1.0),
        (range(50, 150), range(100), 0.5, 0.5),
        (range(1_000, 1_010), range(100), 0.0, 0.0),
        (range(5_000), range(10_000), 1.0, 1.0),
        (range(5_000, 15_000), range(10_000), 0.35, 0.65),
    ],
    ids=["inside", "half", "outside", "inside by sketch", "half by sketch"],
)
def test_containment_is_the_share_of_values_that_the_other_has(
    part: range, whole: range, least: float, most: float
) -> None:
    share = containment(tally(part), tally(whole))
    assert share is not None
    assert least <= share <= most


def test_containment_is_unknown_where_too_few_hashes_can_be_compared() -> None:
    assert containment(tally(range(3)), tally(range(100_000))) is None
    assert containment(tally([]), tally(range(3))) is None
