"""Expressions that outgrow the data are refused; those that only grow with it are allowed."""

from typing import Any

import pytest

from evaluation.errors import ForbiddenQueryError
from evaluation.guard.growth import check_expression, check_growth


def reduce(inside: Any, *, source: Any = "$a", start: Any = "") -> dict[str, Any]:
    return {"$reduce": {"input": source, "initialValue": start, "in": inside}}


VALUE = "$$value"
DOUBLED = {"$concatArrays": [VALUE, VALUE]}


@pytest.mark.parametrize(
    "expression",
    [
        reduce(DOUBLED),
        reduce({"$concat": [VALUE, "$$this", VALUE]}),
        reduce([VALUE, VALUE]),
        reduce({"a": VALUE, "b": VALUE}),
        reduce({"$let": {"vars": {"v": VALUE}, "in": {"$concat": ["$$v", "$$v"]}}}),
        reduce({"$map": {"input": [0, 1], "in": VALUE}}),
        reduce({"$switch": {"branches": [{"case": True, "then": DOUBLED}], "default": VALUE}}),
        reduce({"$ifNull": [DOUBLED, VALUE]}),
        reduce({"$zip": {"inputs": [VALUE, VALUE]}}),
        reduce({"$setUnion": [VALUE, {"$map": {"input": VALUE, "as": "x", "in": ["$$x", VALUE]}}]}),
        reduce(reduce({"$concat": [VALUE, "$$this"]}, source=[1, 2, 3], start=DOUBLED)),
        reduce({"$replaceAll": {"input": VALUE, "find": "a", "replacement": VALUE}}),
        reduce({"$filter": {"input": DOUBLED, "cond": True}}),
        reduce(DOUBLED, source={"$range": [0, 40]}),
        {"$range": [0, 10_001]},
        {"$range": [0, 1e300, 2]},
        {"$map": {"input": {"$range": [0, 9_999]}, "in": {"$map": {"input": {"$range": [0, 9_999]}, "in": [1] * 50}}}},
    ],
)
def test_what_grows_without_bound_is_refused(expression: Any) -> None:
    with pytest.raises(ForbiddenQueryError) as caught:
        check_expression(expression)
    assert caught.value.reason == "amplification"


@pytest.mark.parametrize(
    "expression",
    [
        reduce({"$concatArrays": [VALUE, ["$$this"]]}),
        reduce({"$add": [VALUE, {"$multiply": [VALUE, "$$this"]}]}, start=0),
        reduce({"$cond": [{"$gt": ["$$this.n", "$$value.n"]}, "$$this", VALUE]}, start={"n": 0}),
        reduce({"$concat": [VALUE, {"$cond": [{"$eq": [VALUE, ""]}, "", ", "]}, "$$this"]}),
        reduce({"$mergeObjects": [VALUE, {"k": "$$this"}]}, start={}),
        reduce(
            {"sum": {"$add": ["$$value.sum", "$$this"]}, "all": {"$concatArrays": ["$$value.all", ["$$value.sum"]]}},
            start={"sum": 0, "all": []},
        ),
        reduce({"$setUnion": [VALUE, "$$this"]}, start=[]),
        reduce({"$replaceAll": {"input": VALUE, "find": "$$this", "replacement": ""}}),
        reduce({"$slice": [{"$concatArrays": [["$$this"], VALUE]}, 3]}, start=[]),
        reduce(DOUBLED, source=[1, 2, 3]),
        {"$range": [0, 10_000]},
        {"$range": [0, {"$size": "$a"}]},
        {"$map": {"input": {"$range": [0, 9_999]}, "in": {"$range": [0, 9_999]}}},
        {"$literal": reduce(DOUBLED)},
        {"$cond": "$a"},
        {"$switch": {"branches": "$a"}},
        {"$reduce": []},
        {"$let": {"vars": [], "in": 1}},
        {"$map": "$a"},
    ],
)
def test_what_grows_with_the_data_is_allowed(expression: Any) -> None:
    check_expression(expression)


def test_doubling_from_stage_to_stage_is_refused_and_a_few_stages_are_not() -> None:
    stage = {"$set": {"x": {"$concatArrays": ["$x", "$x"]}}}
    check_growth([stage] * 10)
    with pytest.raises(ForbiddenQueryError):
        check_growth([stage] * 40)


def test_deeply_nested_reductions_stop_at_the_budget() -> None:
    expression: Any = "$$this"
    for _ in range(12):
        expression = reduce({"$add": [expression, 1]})
    with pytest.raises(ForbiddenQueryError) as caught:
        check_expression(expression)
    assert caught.value.reason == "too_complex"
