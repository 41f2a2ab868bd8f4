"""The examples on the methods page are run."""

import re
from pathlib import Path
from typing import Any

import pytest

from benchmark_data.types import ArrayOrder
from evaluation.commands.extended_json import read_extended_json
from tests.evaluation.answers import judged

PAGE = Path(__file__).parents[2] / "docs" / "methods" / "comparing-answers.md"
EXAMPLES = re.findall(r"^```json\n(.*?)^```", PAGE.read_text(), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("text", EXAMPLES)
def test_each_example_has_the_verdict_that_the_page_shows(text: str) -> None:
    example = read_extended_json(text)
    array_order = ArrayOrder(example.get("meta", {}).get("array_order", "ordered"))
    comparison = judged(example["gold"], example["pred"], array_order=array_order)
    assert (comparison.strict, comparison.soft, comparison.outcome.value) == (
        example["strict"],
        example["soft"],
        example["outcome"],
    )


def test_the_page_has_examples_of_every_verdict() -> None:
    outcomes = {read_extended_json(text)["outcome"] for text in EXAMPLES}
    assert outcomes == {"correct", "extra_columns", "misaligned", "missing_column"}


# gold, prediction and our two verdicts for each row of the table of public scorers, in its order
PAIRS: list[tuple[Any, Any, str]] = [
    ([("alice", 100), ("bob", 250), ("carol", 375)], [("alice", 375), ("bob", 100), ("carol", 250)], "no / no"),
    ([("a",), ("a",), ("b",)], [("a",), ("b",), ("b",)], "no / no"),
    ([(1, "x"), (2, "y")], [("x", 1), ("y", 2)], "yes / yes"),
    ([(0.30000000000000004,)], [(0.3,)], "yes / yes"),
    ([(3,)], [(3.0,)], "yes / yes"),
    ([(True,), (False,)], [(1,), (0,)], "no / no"),
    ([(100,)], [("100",)], "no / no"),
    ([(None,)], [("None",)], "no / no"),
    ([(1, 2), (3, 4)], [(2, 1), (3, 4)], "no / no"),
    ([(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 1)], [(0, 0, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0)], "no / no"),
    ([("Ann",)], [("Ann", 99)], "no / yes"),
    ([(1, 1), (2, 2)], [(1,), (2,)], "no / yes"),
]


def test_the_table_of_public_scorers_shows_our_verdicts() -> None:
    lines = PAGE.read_text().split("| ours: Strict / Soft |")[1].split("\n\n")[0].splitlines()[2:]
    shown = [line.split("|")[2].strip() for line in lines]
    words = {True: "yes", False: "no"}
    for (gold, predicted, expected), cell in zip(PAIRS, shown, strict=True):
        comparison = judged(*([{f"c{i}": v for i, v in enumerate(row)} for row in rows] for rows in (gold, predicted)))
        assert f"{words[comparison.strict]} / {words[comparison.soft]}" == expected == cell
