"""The guard allows what reads, refuses what does not, and flags what the item should tell."""

from typing import Any

import pytest
from bson.code import Code
from bson.dbref import DBRef
from bson.regex import Regex

from evaluation.errors import ForbiddenQueryError
from evaluation.guard.canonical import canonical, canonical_arguments
from evaluation.guard.judge import judge
from evaluation.guard.lists import ENTRIES, METHODS, REFUSED_OPERATORS, Kind
from evaluation.types import Operation, Query


def find(condition: Any = None, **arguments: Any) -> Query:
    return Query(collection="t", operation=Operation.FIND, arguments={"filter": condition or {}, **arguments})


def aggregate(*pipeline: Any) -> Query:
    return Query(collection="t", operation=Operation.AGGREGATE, arguments={"pipeline": list(pipeline)})


def reason(query: Query, collections: set[str] | None = None) -> str:
    with pytest.raises(ForbiddenQueryError) as caught:
        judge(query, collections=collections)
    return caught.value.reason


def test_names_of_operators_are_values_and_path_segments_too() -> None:
    assert judge(find({"note": "$out", "a.$merge": 1}), collections={"t"}) == ()


@pytest.mark.parametrize("text", ["$$", "$$$", "$$ 5", "$$x", "$$this.a", "costs $$NOW", "$NOW"])
def test_text_that_only_looks_like_a_system_variable_is_text(text: str) -> None:
    assert judge(find({"price": text}), collections=None) == ()


def test_nothing_under_literal_is_an_operator_or_a_variable() -> None:
    stage = {"$project": {"x": {"$literal": {"$nonsense": "$$NOW"}}, "y": "$y"}}
    assert judge(aggregate(stage), collections=None) == ()


def test_unknown_collections_are_refused_only_where_the_collections_are_known() -> None:
    query = aggregate({"$lookup": {"from": "u", "localField": "a", "foreignField": "b", "as": "c"}})
    assert judge(query, collections=None) == ()
    assert judge(query, collections={"t", "u"}) == ()
    assert reason(query, {"t"}) == "unknown_collection"
    assert reason(query, set()) == "unknown_collection"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("system.users", "system_collection"),
        ("a.system.b", "system_collection"),
        ("", "bad_namespace"),
        ("a$b", "bad_namespace"),
        ("a\0b", "bad_namespace"),
        (".a", "bad_namespace"),
        ("a.", "bad_namespace"),
        ("a..b", "bad_namespace"),
        ("a" * 256, "bad_namespace"),
        ("__proto__", "unknown_collection"),
    ],
)
def test_names_that_no_collection_of_the_item_has_are_refused(name: str, expected: str) -> None:
    query = Query(collection=name, operation=Operation.FIND, arguments={"filter": {}})
    assert reason(query, {"t"}) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (find({"a": Code("1")}), "server_side_js"),
        (find({"a": DBRef("t", 1)}), "bad_value"),
        (find({"a": {1, 2}}), "bad_value"),
        (find({"a": Regex("a" * 1001)}), "too_complex"),
        (find({"a": "x" * 1_000_001}), "too_complex"),
        (find({"a": [0] * 50_001}), "too_complex"),
        (find({1: 2}), "bad_key"),
        (find(maxTimeMS=5), "unsupported_option"),
        (Query(collection="t", operation=Operation.DISTINCT, arguments={"key": "$a", "filter": {}}), "bad_key"),
        (Query(collection="t", operation=Operation.AGGREGATE, arguments={"pipeline": {"$out": 1}}), "bad_stage"),
        (Query(collection="t", operation=Operation.AGGREGATE, arguments={"filter": [{"$out": 1}]}), "write_stage"),
    ],
)
def test_queries_that_no_reader_builds_are_refused_all_the_same(query: Query, expected: str) -> None:
    assert reason(query) == expected


def test_a_deep_value_is_refused_without_recursion_errors() -> None:
    value: Any = 1
    for _ in range(5_000):
        value = {"a": value}
    assert reason(find({"a": value})) == "too_complex"


@pytest.mark.parametrize(
    ("pipeline", "flags"),
    [
        ([{"$limit": 1}, {"$project": {"_id": 0, "n": {"$literal": 42}}}], ("literal_only",)),
        ([{"$project": {"n": {"$literal": 42}}}], ("literal_only",)),
        ([{"$project": {"_id": 1, "n": {"$literal": 42}}}], ()),
        ([{"$project": {"n": "$n"}}], ()),
        ([{"$project": {"n": {"m": 1}}}], ()),
        ([{"$project": {"_id": 0}}], ()),
        ([{"$group": {"_id": None, "n": {"$sum": 1}}}], ()),
        ([{"$group": {"_id": None, "n": {"$max": 42}}}], ("literal_only",)),
        ([{"$group": {"_id": "$a"}}, {"$project": {"_id": 0, "n": "x"}}], ("literal_only",)),
        ([{"$project": {"n": 1}}, {"$addFields": {"m": 5}}], ()),
        ([{"$match": {"a": 1}}, {"$count": "n"}], ()),
        ([{"$replaceRoot": {"newRoot": {"a": 1, "b": "$$ROOT"}}}], ()),
        ([{"$facet": {"a": [{"$project": {"n": {"$literal": 1}}}]}}], ("literal_only",)),
        ([{"$facet": {"a": [{"$project": {"n": {"$literal": 1}}}], "b": []}}], ()),
        ([{"$project": {"n": {"$map": {"input": [1, 2], "as": "x", "in": "$$x"}}}}], ("literal_only",)),
        ([{"$project": {"n": {"$map": {"input": "$a", "as": "x", "in": 1}}}}], ()),
        ([{"$project": {"n": {"$size": {"$filter": {"input": "$a", "cond": True}}}}}], ()),
        ([{"$project": {"s": {"$meta": "textScore"}}}], ()),
        ([{"$project": {"_id": 0, "n": 42}}], ()),
    ],
)
def test_constants_are_told_from_readings(pipeline: list[Any], flags: tuple[str, ...]) -> None:
    assert judge(aggregate(*pipeline), collections=None) == flags


def test_the_clock_is_flagged_wherever_it_stands() -> None:
    assert judge(find({"d": {"$lt": "$$NOW"}}), collections=None) == ("uses_now",)
    assert judge(aggregate({"$set": {"x": ["$$NOW"]}}), collections=None) == ("uses_now",)


def test_the_canonical_text_keeps_the_order_of_keys_and_tells_types() -> None:
    first, second = find(sort={"a": 1, "b": 1}), find(sort={"b": 1, "a": 1})
    assert canonical(first) != canonical(second)
    assert canonical_arguments(first) == '{"filter": {}, "sort": {"a": {"$numberInt": "1"}, "b": {"$numberInt": "1"}}}'
    assert canonical(find(limit=1)) != canonical(find(limit=1.0))


def test_the_canonical_text_does_not_depend_on_the_order_of_arguments() -> None:
    first = Query(collection="t", operation=Operation.FIND, arguments={"filter": {}, "limit": 1})
    second = Query(collection="t", operation=Operation.FIND, arguments={"limit": 1, "filter": {}})
    assert canonical(first) == canonical(second)


def test_the_canonical_text_tells_what_is_done_with_the_answer() -> None:
    plain: dict[str, Any] = {"collection": "t", "operation": Operation.FIND, "arguments": {"filter": {}}}
    queries = [Query(**plain), Query(**plain, length_only=True), Query(**plain, index=0), Query(**plain, path=("a",))]
    assert len({canonical(query) for query in queries}) == 4


def test_the_lists_name_each_thing_once_and_refuse_nothing_that_they_allow() -> None:
    named = [(entry.kind, entry.name) for entry in ENTRIES]
    assert len(named) == len(set(named))
    assert {name for _, name in named}.isdisjoint(REFUSED_OPERATORS)
    assert all(entry.reason and entry.since[0].isdigit() for entry in ENTRIES)
    assert {operation.value for operation in Operation} == METHODS
    assert all(entry.name.startswith("$") for entry in ENTRIES if entry.kind not in {Kind.METHOD, Kind.VARIABLE})
