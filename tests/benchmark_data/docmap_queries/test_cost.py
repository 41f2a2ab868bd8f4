"""Which of two pipelines is taken for the cheaper one, and filters that move forward."""

from typing import Any

import pytest

from benchmark_data.docmap.queries.cost import Statistics, estimated_cost
from benchmark_data.docmap.queries.tidying import Presence, tidied

STATISTICS = Statistics(
    sizes={"big": 10_000, "small": 20},
    elements={("small", "parts"): 50.0},
    indexed={"big": frozenset({"day", "small"})},
)
COUNT: dict[str, Any] = {"$group": {"_id": None, "n": {"$sum": 1}}}
JOIN_BIG: list[dict[str, Any]] = [
    {"$lookup": {"from": "big", "localField": "_id", "foreignField": "small", "as": "b"}},
    {"$unwind": "$b"},
]
JOIN_SMALL: list[dict[str, Any]] = [
    {"$lookup": {"from": "small", "localField": "small", "foreignField": "_id", "as": "s"}},
    {"$unwind": "$s"},
]


@pytest.mark.parametrize(
    ("cheaper", "dearer"),
    [
        (("small", [COUNT]), ("big", [COUNT])),
        (("big", [{"$match": {"day": 1}}, COUNT]), ("big", [{"$match": {"name": 1}}, COUNT])),
        (("big", [{"$match": {"_id": 1}}, COUNT]), ("big", [{"$match": {"day": 1}}, COUNT])),
        (("big", [{"$match": {"day": {"$gte": 1, "$lt": 2}}}, COUNT]), ("big", [COUNT])),
        (("big", [{"$match": {"day": 1}}, *JOIN_SMALL]), ("big", [*JOIN_SMALL, {"$match": {"s.x": 1}}])),
        (("big", [COUNT]), ("small", [*JOIN_BIG, COUNT])),
        (
            ("small", [{"$match": {"_id": 3}}, *JOIN_BIG]),
            ("big", [{"$match": {"$expr": {}}}, *JOIN_SMALL]),
        ),
        (("small", [{"$match": {"a": 1}}, {"$unwind": "$parts"}]), ("small", [{"$unwind": "$parts"}, COUNT])),
        (("small", [COUNT]), ("small", [{"$facet": {"rows": [COUNT]}}])),
        (("small", [COUNT]), ("small", [{"$unionWith": {"coll": "big", "pipeline": []}}, COUNT])),
        (
            ("small", [{"$lookup": {"from": "big", "pipeline": [COUNT], "as": "b"}}]),
            ("small", [{"$lookup": {"from": "big", "let": {"v": "$x"}, "pipeline": [COUNT], "as": "b"}}]),
        ),
    ],
)
def test_the_pipeline_that_reads_less_is_cheaper(
    cheaper: tuple[str, list[dict[str, Any]]], dearer: tuple[str, list[dict[str, Any]]]
) -> None:
    assert estimated_cost(*cheaper, STATISTICS) < estimated_cost(*dearer, STATISTICS)


@pytest.mark.parametrize(
    ("pipeline", "expected"),
    [
        ([{"$unwind": "$a"}, {"$match": {"b": 1}}], [{"$match": {"b": 1}}, {"$unwind": "$a"}]),
        ([{"$unwind": "$a"}, {"$match": {"a.b": 1}}], [{"$unwind": "$a"}, {"$match": {"a.b": 1}}]),
        ([{"$unwind": "$a.b"}, {"$match": {"a": None}}], [{"$unwind": "$a.b"}, {"$match": {"a": None}}]),
        (
            [*JOIN_BIG, {"$match": {"b.x": 1, "name": "n"}}],
            [{"$match": {"name": "n"}}, *JOIN_BIG, {"$match": {"b.x": 1}}],
        ),
        ([COUNT, {"$match": {"n": 1}}], [COUNT, {"$match": {"n": 1}}]),
        ([{"$limit": 2}, {"$match": {"n": 1}}], [{"$limit": 2}, {"$match": {"n": 1}}]),
        (
            [{"$match": {"$expr": {"$eq": ["$a", "$b"]}}}, {"$match": {"c": 1}}],
            [{"$match": {"c": 1, "$expr": {"$eq": ["$a", "$b"]}}}],
        ),
        (
            [{"$match": {"a": {"$gt": 1}}}, {"$match": {"a": {"$lt": 9}}}],
            [{"$match": {"a": {"$gt": 1}}}, {"$match": {"a": {"$lt": 9}}}],
        ),
        (
            [{"$unwind": "$a"}, {"$match": {"$or": [{"b": 1}, {"c": 2}]}}],
            [{"$unwind": "$a"}, {"$match": {"$or": [{"b": 1}, {"c": 2}]}}],
        ),
    ],
)
def test_filters_move_in_front_of_what_does_not_touch_their_fields(
    pipeline: list[dict[str, Any]], expected: list[dict[str, Any]]
) -> None:
    assert tidied(pipeline) == expected


PRESENCES = {"town.name": Presence(test={"$exists": True}, signs=("town.name", "town.mayor"))}


@pytest.mark.parametrize(
    ("conditions", "kept"),
    [
        ([{"town.name": {"$exists": True}}, {"town.name": "Ulm"}], {"town.name": "Ulm"}),
        ([{"town.mayor": "Ada"}, {"town.name": {"$exists": True}}], {"town.mayor": "Ada"}),
        (
            [{"town.name": {"$exists": True}}, {"town._id": 5}],
            {"town.name": {"$exists": True}, "town._id": 5},
        ),
        (
            [{"town.name": {"$exists": True}}, {"town.mayor": None}],
            {"town.name": {"$exists": True}, "town.mayor": None},
        ),
        ([{"town.name": {"$ne": None}}, {"town.mayor": "Ada"}], {"town.name": {"$ne": None}, "town.mayor": "Ada"}),
    ],
)
def test_a_test_for_a_row_goes_only_where_a_value_of_the_row_is_asked_for(
    conditions: list[dict[str, Any]], kept: dict[str, Any]
) -> None:
    assert tidied([{"$match": each} for each in conditions], PRESENCES) == [{"$match": kept}]
