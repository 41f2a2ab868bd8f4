"""Comparing answers: the case table, the rules at their edges, and hidden gold."""

import json
from pathlib import Path
from typing import Any

import pytest
from bson.decimal128 import Decimal128
from bson.int64 import Int64

from benchmark_data.types import ArrayOrder
from evaluation.commands.extended_json import read_extended_json
from evaluation.compare import compare
from evaluation.types import Answer, AnswerKind, Outcome
from tests.evaluation.answers import documents, judged, scalar, values, verdict

CASES = [
    read_extended_json(line) for line in (Path(__file__).parent / "cases" / "scoring.jsonl").read_text().splitlines()
]


def case_answer(case: dict[str, Any], side: Any) -> Any:
    return Answer(kind=AnswerKind(case.get(f"{side}_kind", "documents")), rows=tuple(case[side]))


def case_comparison(case: dict[str, Any], **options: Any) -> Any:
    meta = case.get("meta", {})
    return compare(
        case_answer(case, "gold"),
        case_answer(case, "pred"),
        array_order=ArrayOrder(meta.get("array_order", "ordered")),
        gold_sorted=meta.get("gold_sorted", False),
        **options,
    )


@pytest.mark.parametrize("case", CASES, ids=[f"{case['id']} {case['title']}" for case in CASES])
def test_each_case_has_the_expected_verdict(case: dict[str, Any]) -> None:
    comparison = case_comparison(case)
    assert (comparison.strict, comparison.soft) == (case["expect_strict"], case["expect_soft"]), comparison.message


@pytest.mark.parametrize("case", CASES, ids=[f"{case['id']} {case['title']}" for case in CASES])
def test_outcome_and_sentence_go_with_each_verdict(case: dict[str, Any]) -> None:
    comparison = case_comparison(case)
    expected = {(True, True): {"correct"}, (False, True): {"extra_columns"}}.get(
        (comparison.strict, comparison.soft), {"row_count", "missing_column", "misaligned"}
    )
    assert comparison.outcome.value in expected
    assert comparison.message.endswith((".", "…"))
    assert len(comparison.message) < 700


# gold, predicted, strict, soft
MORE_CASES: dict[str, tuple[list[Any], list[Any], bool, bool]] = {
    "keys with dots are keys, not paths": ([{"a.b": 1, "a": {"b": 2}}], [{"x": 2, "y": 1}], True, True),
    "an all-null gold column is satisfied by absence": ([{"a": 1, "b": None}], [{"x": 1}], True, True),
    "a surplus all-null column is not informative": ([{"a": 1}], [{"x": 1, "y": None}], True, True),
    "null gold, explicit null and more": ([{"a": None}], [{"x": None, "y": 5}], False, True),
    "null gold, nothing informative": ([{"a": None}], [{}], True, True),
    "null gold, two null columns": ([{"a": None}], [{"x": None, "y": None}], True, True),
    "null predicted for a value": ([{"a": 5}], [{"a": None}], False, False),
    "one predicted column serves two identical gold columns": ([{"a": 1, "b": 1}], [{"x": 1}], False, True),
    "identical columns need equal multiplicity": (
        [{"a": 1, "b": 1, "c": 2}],
        [{"x": 1, "y": 2, "z": 2}],
        False,
        True,
    ),
    "one predicted column does not serve two different gold columns": (
        [{"a": 1, "b": 1}, {"a": 2, "b": 1}],
        [{"x": 1}, {"x": 2}],
        False,
        False,
    ),
    "a scalar in one row, a sub-document in another": (
        [{"v": 1}, {"v": {"n": 2}}],
        [{"a": 1}, {"b": 2}],
        True,
        True,
    ),
    "an empty array is a value": ([{"a": []}], [{"a": None}], False, False),
    "an empty array is no empty document": ([{"a": []}], [{"a": {}}], False, False),
    "keys of documents in arrays may come in any order": (
        [{"a": [{"x": 1, "y": 2}]}],
        [{"a": [{"y": 2, "x": 1}]}],
        True,
        True,
    ),
    "a missing key in an array is not null": ([{"a": [{"x": 1, "y": None}]}], [{"a": [{"x": 1}]}], False, False),
    "bool in an array is no number": ([{"a": [True]}], [{"a": [1]}], False, False),
    "numbers in arrays compare by value": ([{"a": [1, 2.5]}], [{"a": [1.0, Decimal128("2.50")]}], True, True),
    "an array is no value": ([{"a": [1]}], [{"a": 1}], False, False),
    "integers beyond doubles compare exactly": ([{"a": Int64(2**53)}], [{"a": Int64(2**53 + 1)}], False, False),
    "a double and an integer beyond it": ([{"a": 1e17}], [{"a": Int64(10**17)}], True, True),
    "a double and the next integer": ([{"a": 1e17}], [{"a": Int64(10**17 + 1)}], False, False),
    "large decimals": ([{"a": Decimal128("1E+400")}], [{"a": Decimal128("10E+399")}], True, True),
    "large decimals that differ": ([{"a": Decimal128("1E+400")}], [{"a": Decimal128("1E+401")}], False, False),
    "a fraction beyond doubles": (
        [{"a": Decimal128("9007199254740993.5")}],
        [{"a": Decimal128("9007199254740993.4")}],
        True,
        True,
    ),
    "minus zero": ([{"a": 0.0}], [{"a": -0.0}], True, True),
    "infinities differ by sign": ([{"a": float("inf")}], [{"a": float("-inf")}], False, False),
    "infinity of a decimal": ([{"a": float("inf")}], [{"a": Decimal128("Infinity")}], True, True),
    "NaN of a decimal": ([{"a": float("nan")}], [{"a": Decimal128("NaN")}], True, True),
    "NaN is not null": ([{"a": float("nan")}], [{"a": None}], False, False),
    "an integral sum with noise": ([{"a": 3}], [{"a": 3.0000000000000004}], True, True),
    "noise does not join two integers": (
        [{"a": Int64(10**10)}, {"a": Int64(10**10 + 1)}],
        [{"a": 1e10 + 1e-6}, {"a": 1e10 + 1e-6}],
        False,
        False,
    ),
    "zero and noise": ([{"a": 0}], [{"a": 5.5e-17}], True, True),
    "tiny ratios differ": ([{"a": 1e-7}], [{"a": 1.00001e-7}], False, False),
}


@pytest.mark.parametrize("name", MORE_CASES)
def test_rules_at_their_edges(name: str) -> None:
    gold, predicted, strict, soft = MORE_CASES[name]
    assert verdict(gold, predicted) == (strict, soft), judged(gold, predicted).message


@pytest.mark.parametrize("repeats", [1, 40, 3000])
@pytest.mark.parametrize("name", [n for n in MORE_CASES if "null" not in n and "NaN" not in n])
def test_rules_hold_at_every_height(name: str, repeats: int) -> None:
    """Short, tall and very tall tables take different ways through the code."""
    gold, predicted, strict, soft = MORE_CASES[name]
    filler = [{"filler": number} for number in range(repeats)]
    assert verdict([*gold, *filler], [*filler, *predicted]) == (strict, soft)


def test_a_scalar_a_list_of_values_and_documents_meet() -> None:
    assert compare(scalar(5), values(5.0)).strict
    assert compare(values("a", "b"), documents({"x": "b"}, {"x": "a"})).strict
    assert compare(values({"x": 1}, {"x": 2}), documents({"k": {"x": 2}}, {"k": {"x": 1}})).strict
    assert not compare(values({}), documents({})).soft


def test_find_one_without_a_match_is_no_row() -> None:
    nothing = Answer(kind=AnswerKind.DOCUMENT, rows=(None,))
    assert compare(documents(), nothing).diagnostics.vacuous
    assert compare(documents({"a": 1}), nothing).outcome is Outcome.ROW_COUNT


def test_a_prediction_that_was_cut_is_a_wrong_row_count() -> None:
    cut = Answer(kind=AnswerKind.DOCUMENTS, rows=({"a": 1},), complete=False)
    comparison = compare(documents({"a": 1}), cut)
    assert comparison.outcome is Outcome.ROW_COUNT
    assert "more than 1 row" in comparison.message


@pytest.mark.parametrize(
    ("predicted", "ordered"),
    [
        ([{"x": 1}, {"x": 2}], True),
        ([{"x": 2}, {"x": 1}], False),
        ([{"x": 1, "y": 0}, {"x": 2, "y": 0}], False),
        ([{"x": 1}, {"x": 3}], False),
    ],
)
def test_order_is_judged_where_gold_sorts(predicted: Any, ordered: bool) -> None:
    gold = [{"a": 1}, {"a": 2}]
    assert judged(gold, predicted, gold_sorted=True).diagnostics.ordered is ordered
    assert judged(gold, predicted).diagnostics.ordered is None


def test_order_is_found_under_any_partners() -> None:
    """The names lead to partners that need a row permutation; other partners keep the order."""
    gold = [{"a": 0, "b": 1}, {"a": 1, "b": 0}]
    predicted = [{"b": 0, "a": 1}, {"b": 1, "a": 0}]
    assert judged(gold, predicted, gold_sorted=True).diagnostics.ordered is True


def test_diagnostics_count_rows_columns_and_surplus() -> None:
    diagnostics = judged([{"a": 1}, {"a": 2}], [{"x": 1, "y": 1, "z": 7}, {"x": 2, "y": 2, "z": None}]).diagnostics
    assert (diagnostics.gold_rows, diagnostics.gold_columns) == (2, 1)
    assert (diagnostics.predicted_rows, diagnostics.predicted_columns) == (2, 3)
    assert diagnostics.surplus_columns == 2


def test_both_empty_is_vacuous_and_correct() -> None:
    comparison = judged([], [])
    assert comparison.diagnostics.vacuous
    assert comparison.outcome is Outcome.CORRECT


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_hidden_gold_never_shows(case: dict[str, Any]) -> None:
    """Gold with unmistakable names and texts is compared; neither may appear in the message."""
    marked = json.loads(json.dumps(case["gold"], default=str))
    gold = Answer(
        kind=AnswerKind(case.get("gold_kind", "documents")),
        rows=tuple(marked_value(row) for row in marked),
    )
    for predicted in (case_answer(case, "pred"), gold_without_last_row(gold), scrambled(gold)):
        comparison = compare(gold, predicted, hidden=True)
        assert "CANARY" not in comparison.message


def marked_value(value: Any) -> Any:
    if isinstance(value, dict):
        return {f"CANARY{key}": marked_value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [marked_value(item) for item in value]
    return f"CANARY {value}" if value is not None else None


def gold_without_last_row(gold: Any) -> Any:
    return documents(*(row if isinstance(row, dict) else {"v": row} for row in gold.rows[:-1]))


def scrambled(gold: Any) -> Any:
    """The same columns with values moved down one row in one of them, under other names."""
    rows = [dict(enumerate(row.values())) if isinstance(row, dict) else {0: row} for row in gold.rows]
    firsts = [row.get(0) for row in rows]
    return documents(
        *(
            {f"p{k}": v for k, v in {**row, 0: first}.items()}
            for row, first in zip(rows, firsts[-1:] + firsts, strict=False)
        )
    )
