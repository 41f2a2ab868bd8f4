"""What is not on the lists is found at any depth, and what is on them is allowed."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.errors import ForbiddenQueryError
from evaluation.guard.judge import judge
from evaluation.types import Operation, Query
from tests.attacks.independent_walker import OPERATOR_NAMES, STAGE_NAMES, violations

BAD_STAGES = [
    ({"$out": "x"}, "write_stage"),
    ({"$merge": {"into": "x"}}, "write_stage"),
    ({"$out": None}, "write_stage"),
    ({"$changeStream": {}}, "unknown_stage"),
    ({"$currentOp": {}}, "unknown_stage"),
    ({"$match": {}, "$limit": 1}, "bad_stage"),
    ({}, "bad_stage"),
    ({"$match": {"$where": "1"}}, "server_side_js"),
    ({"$unionWith": "gold"}, "unknown_collection"),
    ({"$lookup": {"from": {"db": "a", "coll": "t"}, "as": "x"}}, "bad_namespace"),
    ({"$set": {"a": {"$function": {}}}}, "server_side_js"),
    ({"$set": {"a": "$$USER_ROLES"}}, "unknown_variable"),
    ({"$set": {"a": {"$nonsense": 1}}}, "unknown_operator"),
]
PIPELINE_HOLDERS = st.sampled_from(
    [
        lambda inside: {"$lookup": {"from": "t", "as": "x", "pipeline": inside}},
        lambda inside: {"$unionWith": {"coll": "t", "pipeline": inside}},
        lambda inside: {"$facet": {"a": [{"$limit": 1}], "b": inside}},
    ]
)
VALUE_HOLDERS = st.sampled_from(
    [
        lambda inside: {"$cond": [True, inside, 1]},
        lambda inside: {"$let": {"vars": {"v": inside}, "in": "$$v"}},
        lambda inside: [1, inside],
        lambda inside: {"a": {"b": inside}},
        lambda inside: {"$map": {"input": "$a", "in": inside}},
        lambda inside: {"$elemMatch": inside},
        lambda inside: {"$switch": {"branches": [{"case": True, "then": inside}]}},
        lambda inside: {"$not": inside},
    ]
)
BAD_VALUES = [
    ({"$where": "1"}, "server_side_js"),
    ({"$function": {}}, "server_side_js"),
    ({"$accumulator": {}}, "server_side_js"),
    ({"$out": "x"}, "write_stage"),
    ({"$_internalJsEmit": {}}, "unknown_operator"),
    ("$$CLUSTER_TIME", "unknown_variable"),
    ("$$JS_SCOPE.x", "unknown_variable"),
    ({"\uff04out": {"$nonsense": 1}}, "unknown_operator"),
    ({"__proto__": 1}, "unsupported_syntax"),
    ({"a\0": 1}, "bad_key"),
    (2**63, "bad_value"),
]


def aggregate(pipeline: list[Any]) -> Query:
    return Query(collection="t", operation=Operation.AGGREGATE, arguments={"pipeline": pipeline})


def reason(query: Query) -> str:
    with pytest.raises(ForbiddenQueryError) as caught:
        judge(query, collections={"t"})
    return caught.value.reason


@settings(max_examples=150, deadline=None)
@given(bad=st.sampled_from(BAD_STAGES), holders=st.lists(PIPELINE_HOLDERS, max_size=12), before=st.integers(0, 3))
def test_a_bad_stage_is_found_in_pipelines_at_any_depth(bad: tuple[Any, str], holders: list[Any], before: int) -> None:
    stage, expected = bad
    for holder in holders:
        stage = holder([{"$limit": 1}] * before + [stage])
    assert reason(aggregate([stage])) == expected


@settings(max_examples=150, deadline=None)
@given(
    bad=st.sampled_from(BAD_VALUES),
    holders=st.lists(VALUE_HOLDERS, max_size=20),
    argument=st.sampled_from(["filter", "projection", "sort"]),
)
def test_a_bad_value_is_found_in_every_argument_at_any_depth(
    bad: tuple[Any, str], holders: list[Any], argument: str
) -> None:
    value, expected = bad
    for holder in holders:
        value = holder(value)
    query = Query(collection="t", operation=Operation.FIND, arguments={"filter": {}, argument: {"a": value}})
    assert reason(query) == expected


NAMES = [*sorted(OPERATOR_NAMES | STAGE_NAMES), "$out", "$where", "$nonsense", "$$NOW", "$$USER_ROLES", "a", "from"]
TREES = st.recursive(
    st.none() | st.integers(-3, 3) | st.sampled_from(["$a", "$$NOW", "$$CLUSTER_TIME", "t", "gold", "$$x"]),
    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inside, max_size=2),
    max_leaves=10,
)


@settings(max_examples=300, deadline=None)
@given(pipeline=st.lists(st.dictionaries(st.sampled_from(NAMES), TREES, min_size=1, max_size=1), max_size=3))
def test_whatever_is_allowed_holds_nothing_that_a_second_walker_misses_on_the_lists(pipeline: list[Any]) -> None:
    query = aggregate(pipeline)
    try:
        judge(query, collections={"t"})
    except ForbiddenQueryError as error:
        refused = error.reason
    else:
        refused = ""
    found = list(violations(query, collections={"t"}))
    assert refused or not found, found
