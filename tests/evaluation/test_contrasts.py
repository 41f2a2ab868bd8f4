"""Entries side by side: the same figures as the functions that rank and test single pairs."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from evaluation.contrasts import ABSENT, RIGHT, WRONG, contrast_groups, contrast_pairs
from evaluation.stats import compare_paired, holm_adjusted, paired_gain

DATABASES = ("books", "heroes", "trains")


@st.composite
def boards(draw: st.DrawFn) -> tuple[NDArray[np.int8], list[str]]:
    """Scores of two to five entries on the items of up to three databases."""
    entries, items = draw(st.integers(2, 5)), draw(st.integers(0, 40))
    row = st.lists(st.sampled_from((RIGHT, WRONG, ABSENT)), min_size=items, max_size=items)
    scores = np.array(draw(st.lists(row, min_size=entries, max_size=entries)), dtype=np.int8).reshape(entries, items)
    return scores, draw(st.lists(st.sampled_from(DATABASES), min_size=items, max_size=items))


def judged(row: NDArray[np.int8]) -> dict[str, bool]:
    """The items that an entry was judged on, as the functions for one pair take them."""
    return {str(number): bool(score) for number, score in enumerate(row) if score != ABSENT}


@settings(max_examples=60, deadline=None)
@given(boards())
def test_every_pair_has_the_figures_of_the_functions_for_one_pair(board: tuple[NDArray[np.int8], list[str]]) -> None:
    scores, databases = board
    clusters = {str(number): database for number, database in enumerate(databases)}
    found = contrast_pairs(scores, databases)
    assert [(pair.first, pair.second) for pair in found] == list(combinations(range(len(scores)), 2))
    for pair in found:
        first, second = judged(scores[pair.first]), judged(scores[pair.second])
        wanted = paired_gain(first, second, clusters=clusters).difference
        assert (pair.difference.n, pair.difference.value) == (wanted.n, wanted.value)
        if pair.difference.low is not None:
            assert (pair.difference.low, pair.difference.high) == (wanted.low, wanted.high)
        single = compare_paired(first, second)
        assert (pair.first_only, pair.second_only, pair.p_value) == (
            single.first_only, single.second_only, single.p_value,
        )  # fmt: skip
        assert pair.both + pair.first_only + pair.second_only + pair.neither == single.n
    assert [pair.adjusted for pair in found] == holm_adjusted([pair.p_value for pair in found]).tolist()


@settings(max_examples=60, deadline=None)
@given(boards())
def test_the_groups_of_items_add_up_to_the_whole(board: tuple[NDArray[np.int8], list[str]]) -> None:
    scores, databases = board
    groups = contrast_groups(scores, databases)
    assert sum(group.n for group in groups) == len(databases)
    pairs = {pair.second: pair for pair in contrast_pairs(scores, databases) if pair.first == 0}
    for place, row in enumerate(scores):
        parts = [group.entries[place] for group in groups]
        assert sum(part.right for part in parts) == np.count_nonzero(row == RIGHT)
        assert sum(part.judged for part in parts) == np.count_nonzero(row != ABSENT)
        if place:
            assert sum(part.won for part in parts) == pairs[place].second_only
            assert sum(part.lost for part in parts) == pairs[place].first_only


def test_an_entry_that_is_right_where_the_other_is_wrong_is_better_and_a_close_one_cannot_be_told_apart() -> None:
    scores = np.zeros((3, 60), dtype=np.int8)
    scores[0, :30] = RIGHT
    scores[1, :29] = RIGHT
    found = contrast_pairs(scores, [DATABASES[number % 3] for number in range(60)])
    assert [(pair.first, pair.second, pair.better) for pair in found] == [(0, 1, None), (0, 2, 0), (1, 2, 1)]


def test_the_better_one_may_be_the_second() -> None:
    scores = np.array([[WRONG] * 20, [RIGHT] * 20], dtype=np.int8)
    (pair,) = contrast_pairs(scores, ["books", "heroes"] * 10)
    assert pair.better == 1
    assert pair.difference.value == -1.0


def test_holm_takes_all_pairs_shown_into_account() -> None:
    # Six items that only the first has right: p = 0.03125 alone, and three pairs are shown.
    scores = np.zeros((3, 40), dtype=np.int8)
    scores[0, :6] = RIGHT
    alone = contrast_pairs(scores[:2], ["books", "heroes"] * 20)
    shown = contrast_pairs(scores, ["books", "heroes"] * 20)
    assert (alone[0].adjusted, alone[0].better) == (0.03125, 0)
    assert (shown[0].p_value, shown[0].better) == (0.03125, None)
    assert shown[0].adjusted == pytest.approx(0.09375)


def test_where_databases_do_not_differ_there_is_no_interval_of_no_width() -> None:
    scores = np.array([[RIGHT, WRONG] * 4, [RIGHT, WRONG] * 4], dtype=np.int8)
    (pair,) = contrast_pairs(scores, ["books", "books", "heroes", "heroes"] * 2)
    assert (pair.difference.value, pair.difference.low, pair.difference.high) == (0.0, None, None)
    assert pair.better is None


def test_a_group_without_judged_items_has_no_share_and_no_difference() -> None:
    scores = np.array([[RIGHT, ABSENT], [WRONG, ABSENT]], dtype=np.int8)
    books, heroes = contrast_groups(scores, ["books", "heroes"])
    assert books.differences == (0.0, -1.0)
    assert (heroes.n, heroes.entries[1].share, heroes.differences) == (1, None, (None, None))
