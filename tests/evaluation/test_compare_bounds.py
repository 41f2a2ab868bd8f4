"""Comparing answers: depth, puzzles and width stay bounded."""

import random
from typing import Any

import pytest

from evaluation.types import Outcome
from tests.evaluation.answers import judged, verdict


@pytest.mark.parametrize("depth", [200, 5_000])
def test_deep_documents_and_arrays_reach_no_recursion_limit(depth: int) -> None:
    def nested(leaf: Any, *, arrays: Any, key: Any) -> Any:
        for _ in range(depth):
            leaf = [leaf] if arrays else {key: leaf}
        return leaf

    same = [{"d": nested(1.5, arrays=False, key="k"), "a": nested(1.5, arrays=True, key="")}]
    other = [{"e": nested(1.5, arrays=False, key="o"), "b": nested(1.5, arrays=True, key="")}]
    wrong = [{"e": nested(1.5, arrays=False, key="o"), "b": nested(2, arrays=True, key="")}]
    assert verdict(same, other) == (True, True)
    assert verdict(same, wrong) == (False, False)
    assert verdict([{"a": [nested(1, arrays=False, key="k")]}], [{"a": [nested(2, arrays=False, key="k")]}]) == (
        False,
        False,
    )


def parity_columns(bits: int) -> Any:
    """All 2**bits rows, and a column of the parity of every subset of bits: each pair of columns looks alike."""
    rows = [[number >> bit & 1 for bit in range(bits)] for number in range(2**bits)]
    subsets = range(1, 2**bits)
    return [
        {f"m{subset}": sum(bit for k, bit in enumerate(row) if subset >> k & 1) % 2 for subset in subsets}
        for row in rows
    ]


def test_a_column_puzzle_ends_as_undecided() -> None:
    gold = parity_columns(6)
    predicted = [{name.replace("m", "q"): value for name, value in row.items()} for row in reversed(gold)]
    # Swap one cell pair of one column: its counts stay, its relation to the others breaks in a few rows only.
    first = next(row for row in predicted if row["q1"] == 0 and row["q2"] == 1)
    second = next(row for row in predicted if row["q1"] == 1 and row["q2"] == 1)
    first["q1"], second["q1"] = 1, 0
    comparison = judged(gold, predicted)
    assert (comparison.strict, comparison.soft) == (False, False)
    assert comparison.diagnostics.undecided
    assert comparison.outcome is Outcome.MISALIGNED
    assert judged(gold, predicted) == comparison, "the verdict does not depend on time"


def test_a_puzzle_with_a_solution_is_solved() -> None:
    gold = parity_columns(5)
    chance = random.Random(4)
    names = list(gold[0])
    others = [f"q{number}" for number in range(len(names))]
    chance.shuffle(others)
    predicted = [dict(zip(others, row.values(), strict=True)) for row in chance.sample(gold, len(gold))]
    assert verdict(gold, predicted) == (True, True)


def test_rows_with_a_key_of_their_own_need_no_grid() -> None:
    """1,500 rows × 3,001 columns would be millions of cells, most of them missing."""
    gold = [{"id": number, f"k{number}": {"v": number % 7, "w": "x"}} for number in range(1_500)]
    predicted = gold[::-1]
    assert verdict(gold, predicted) == (True, True)
    swapped = [dict(row) for row in predicted]
    swapped[0]["id"], swapped[1]["id"] = swapped[1]["id"], swapped[0]["id"]
    assert judged(gold, swapped).outcome is Outcome.MISALIGNED


def test_more_columns_than_can_be_compared_are_undecided() -> None:
    gold = [{"a": number} for number in range(1_001)]
    predicted = [{f"k{number}x{i}": i for i in range(100)} for number in range(1_001)]
    comparison = judged(gold, predicted)
    assert comparison.diagnostics.undecided
    assert not comparison.soft
