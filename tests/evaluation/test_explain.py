"""Sentences for submitters."""

from typing import Any

import pytest

from evaluation.types import Outcome
from tests.evaluation.answers import judged

BRANDS: list[dict[str, Any]] = [
    {"brand": "Ale", "rating": 3},
    {"brand": "Bock", "rating": 4},
    {"brand": "Cider", "rating": 4.5},
]

SENTENCES: dict[str, tuple[Any, Any, Outcome, str]] = {
    "a wrong value beside a right one": (
        BRANDS,
        [*BRANDS[:2], {"brand": "Cider", "rating": 4.9}],
        Outcome.MISSING_COLUMN,
        "Row 3 of gold has rating 4.5; the predicted row with the same brand has 4.9.",
    ),
    "a wrong value under another name": (
        BRANDS,
        [{"name": row["brand"], "stars": row["rating"] + (row["rating"] == 4.5)} for row in BRANDS],
        Outcome.MISSING_COLUMN,
        "Row 3 of gold has rating 4.5; no predicted row has it in stars.",
    ),
    "rows scrambled": (
        BRANDS,
        [{"brand": "Ale", "rating": 4}, {"brand": "Bock", "rating": 3}, BRANDS[2]],
        Outcome.MISALIGNED,
        "Row 1 of gold has rating 3; the predicted row with the same brand has 4.",
    ),
    "a type that differs": (
        [{"id": "100"}],
        [{"id": 100}],
        Outcome.MISSING_COLUMN,
        'Gold has id "100"; the prediction has 100. Gold holds text there, the prediction a number.',
    ),
    "rounding": (
        [{"r": 58.744924}],
        [{"r": 58.74}],
        Outcome.MISSING_COLUMN,
        "Gold has r 58.744924; the prediction has 58.74. Numbers compare within a relative 1e-9; nothing is rounded.",
    ),
    "blanks": (
        [{"n": " Ann"}],
        [{"n": "ann"}],
        Outcome.MISSING_COLUMN,
        'Gold has n " Ann"; the prediction has "ann". The texts differ in case, blanks or Unicode form only; '
        "texts compare exactly.",
    ),
    "a column that nothing comes near": (
        [{"a": 1, "far": "x"}, {"a": 2, "far": "y"}],
        [{"a": 1, "b": 7}, {"a": 2, "b": 8}],
        Outcome.MISSING_COLUMN,
        'No predicted column has the values of gold\'s far: row 1 of gold has "x".',
    ),
    "too few copies": (
        [{"f": "a"}, {"f": "a"}, {"f": "b"}],
        [{"f": "a"}, {"f": "b"}, {"f": "b"}],
        Outcome.MISSING_COLUMN,
        'Row 2 of gold has f "a"; too few predicted rows have it.',
    ),
    "rows in an array": (
        [{"n": 1}, {"n": 2}],
        [{"results": [{"n": 1}, {"n": 2}]}],
        Outcome.ROW_COUNT,
        "The prediction has 1 row; gold has 2 rows. The array results has 2 elements: arrays are not unwrapped into "
        "rows.",
    ),
    "surplus": (
        [{"n": 1}],
        [{"n": 1, "_id": 7, "x": 8, "y": 9, "z": 10}],
        Outcome.EXTRA_COLUMNS,
        "All of gold is there, and 4 more columns: _id, x, y and 1 more.",
    ),
    "one column too few": (
        [{"n": 1, "m": 1}],
        [{"n": 1}],
        Outcome.EXTRA_COLUMNS,
        "A column that gold has more than once is there once only.",
    ),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_the_sentence_names_what_differs(name: str) -> None:
    gold, predicted, outcome, message = SENTENCES[name]
    comparison = judged(gold, predicted)
    assert (comparison.outcome, comparison.message) == (outcome, message)


def test_hidden_items_tell_the_row_without_values_or_names() -> None:
    comparison = judged(BRANDS, [*BRANDS[:2], {"brand": "Cider", "rating": 4.9}], hidden=True)
    assert comparison.diagnostics.first_difference == 3
    assert comparison.message == (
        "A gold column has no predicted column with the same values; the first gold row without a partner is row 3."
    )


def test_long_values_and_names_are_cut() -> None:
    name = "n" * 500
    comparison = judged([{name: "a" * 10_000_000}], [{name: "b" * 10_000_000}])
    assert len(comparison.message) < 400


def test_megabytes_of_nested_values_are_cut_without_being_walked() -> None:
    value: list[Any] = []
    for _ in range(10_000):
        value = [value, 1]
    comparison = judged([{"a": value}], [{"a": [value]}])
    assert len(comparison.message) < 400
