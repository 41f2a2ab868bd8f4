"""Alignment of rows, words of pairs, and the search's budget."""

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.alignment import rows_align
from evaluation.columns import ColumnClass
from evaluation.pairwise import PairTable
from evaluation.search import Budget, BudgetSpentError, PartnerSearch

grids = st.lists(st.lists(st.integers(0, 2), min_size=3, max_size=3), min_size=1, max_size=6)


def dense(codes: Any, profile: Any = 0) -> Any:
    array = np.array(codes, dtype=np.int64)
    return ColumnClass(members=(0,), profile=profile, rows=None, codes=array, span=3)


def short(codes: Any) -> Any:
    return ColumnClass(members=(0,), profile=0, rows=None, codes=tuple(codes), span=3)


def sparse(codes: Any) -> Any:
    rows = np.flatnonzero(codes)
    return ColumnClass(members=(0,), profile=0, rows=rows, codes=np.array(codes, dtype=np.int64)[rows], span=3)


def columns(grid: Any, form: Any) -> Any:
    return [form(column) for column in zip(*grid, strict=True)]


@settings(max_examples=150, deadline=None)
@given(grids, st.data())
def test_rows_align_when_they_are_equal_as_multisets_in_every_form(gold: Any, data: Any) -> None:
    predicted = data.draw(st.permutations(gold))
    if data.draw(st.booleans()):
        predicted = [list(row) for row in predicted]
        predicted[0][0] = data.draw(st.integers(0, 2))
    expected = sorted(gold) == sorted(predicted)
    for form in (short, dense, sparse):
        pairs = list(zip(columns(gold, form), columns(predicted, form), strict=True))
        assert rows_align(pairs, len(gold)) is expected
    mixed = list(zip(columns(gold, dense), columns(predicted, dense), strict=True))[:2]
    mixed.append((columns(gold, sparse)[2], columns(predicted, sparse)[2]))
    assert rows_align(mixed, len(gold)) is expected


def test_many_wide_columns_align_beyond_one_word_a_row() -> None:
    height, chance = 50, random.Random(8)
    wide = [
        ColumnClass(
            members=(number,),
            profile=number,
            rows=None,
            codes=np.array(chance.sample(range(2**40), height), dtype=np.int64),
            span=2**40,
        )
        for number in range(6)
    ]
    order = np.array(chance.sample(range(height), height))
    moved = [
        ColumnClass(members=c.members, profile=c.profile, rows=None, codes=np.asarray(c.codes)[order], span=c.span)
        for c in wide
    ]
    assert rows_align(list(zip(wide, moved, strict=True)), height)
    np.asarray(moved[5].codes)[[0, 1]] = np.asarray(moved[5].codes)[[1, 0]]
    assert not rows_align(list(zip(wide, moved, strict=True)), height)


@settings(max_examples=100, deadline=None)
@given(grids, st.permutations(range(3)), st.randoms(use_true_random=False))
def test_words_of_pairs_never_refute_true_partners(grid: Any, order: Any, chance: random.Random) -> None:
    gold = columns(grid, dense)
    rows = chance.sample(grid, len(grid))
    predicted = [columns(rows, dense)[number] for number in order]
    table = PairTable.build(gold, predicted, [0b111] * 3, len(grid))
    remaining = table.consistent([0b111] * 3)
    assert remaining is not None
    for position, number in enumerate(order):
        assert remaining[number] >> position & 1


def test_words_of_pairs_refute_what_no_bijection_carries_over() -> None:
    gold = columns([[0, 0, 0], [0, 0, 0], [1, 1, 1], [1, 1, 1]], dense)
    predicted = columns([[0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1]], dense)
    table = PairTable.build(gold, predicted, [0b111] * 3, 4)
    assert table.consistent([0b111] * 3) is None


def search(budget: int) -> Any:
    grid = [[number >> bit & 1 for bit in range(4)] for number in range(16)]
    gold = columns(grid, dense)
    predicted = columns(grid[::-1], dense)
    return PartnerSearch(
        gold, predicted, candidates=[0b1111] * 4, preferred=[3, 2, 1, 0], height=16, budget=Budget(budget)
    )


def test_the_preferred_partners_are_tried_first() -> None:
    assert search(10**9).run() == {0: 3, 1: 2, 2: 1, 3: 0}


def test_a_search_without_a_budget_is_given_up() -> None:
    with pytest.raises(BudgetSpentError):
        search(100).run()
