"""How hard a query is comes from its structure alone, by a written rule."""

from typing import Any

import pytest

from benchmark_data.types import Difficulty
from evaluation.difficulty import difficulty_of, points_of, structure_of
from evaluation.types import Operation, Query

MATCH = {"$match": {"kind": "a"}}
GROUP = {"$group": {"_id": "$kind", "n": {"$sum": 1}}}
HAVING = {"$match": {"n": {"$gt": 3}}}
UNWIND = {"$unwind": "$parts"}
LOOKUP = {"$lookup": {"from": "others", "localField": "o", "foreignField": "_id", "as": "other"}}
SORT, LIMIT = {"$sort": {"n": -1}}, {"$limit": 5}
WINDOW = {"$setWindowFields": {"sortBy": {"day": 1}, "output": {"place": {"$rank": {}}}}}
CLIMB = {
    "$graphLookup": {"from": "nodes", "startWith": "$_id", "connectFromField": "_id", "connectToField": "up", "as": "x"}
}
BRANCH = {"$set": {"late": {"$cond": [{"$gt": ["$minutes", 5]}, 1, 0]}}}
FACET = {"$facet": {"few": [MATCH, {"$count": "n"}], "many": [{"$count": "n"}]}}

PIPELINES: list[tuple[list[dict[str, Any]], int, Difficulty]] = [
    ([MATCH], 0, Difficulty.SIMPLE),
    ([MATCH, SORT, LIMIT], 0, Difficulty.SIMPLE),
    ([MATCH, GROUP, SORT], 2, Difficulty.SIMPLE),
    ([UNWIND, MATCH, {"$count": "n"}], 1, Difficulty.SIMPLE),
    ([GROUP, HAVING, SORT], 3, Difficulty.MODERATE),
    ([UNWIND, GROUP, SORT], 3, Difficulty.MODERATE),
    ([MATCH, BRANCH, GROUP], 3, Difficulty.MODERATE),
    ([LOOKUP, UNWIND, MATCH], 3, Difficulty.MODERATE),
    ([CLIMB], 4, Difficulty.MODERATE),
    ([MATCH, UNWIND, GROUP, HAVING, SORT], 6, Difficulty.MODERATE),
    ([UNWIND, GROUP, WINDOW], 7, Difficulty.CHALLENGING),
    ([LOOKUP, UNWIND, GROUP, HAVING, SORT, LIMIT], 9, Difficulty.CHALLENGING),
    ([MATCH, GROUP, GROUP, SORT, LIMIT], 7, Difficulty.CHALLENGING),
    ([FACET, BRANCH], 7, Difficulty.CHALLENGING),
]


@pytest.mark.parametrize(("pipeline", "points", "difficulty"), PIPELINES, ids=[str(n) for n in range(len(PIPELINES))])
def test_a_pipeline_has_the_points_of_its_parts(
    pipeline: list[dict[str, Any]], points: int, difficulty: Difficulty
) -> None:
    query = Query(collection="things", operation=Operation.AGGREGATE, arguments={"pipeline": pipeline})
    assert points_of(structure_of(query)) == points
    assert difficulty_of(query) is difficulty


FINDS: list[tuple[Operation, dict[str, Any], Difficulty]] = [
    (Operation.COUNT_DOCUMENTS, {"filter": {"a": 1}}, Difficulty.SIMPLE),
    (Operation.DISTINCT, {"key": "a", "filter": {}}, Difficulty.SIMPLE),
    (Operation.FIND, {"filter": {"parts": {"$elemMatch": {"a": 1}}}, "sort": {"a": 1}}, Difficulty.SIMPLE),
    (
        Operation.FIND,
        {"filter": {"parts": {"$elemMatch": {"a": 1}}}, "projection": {"b": {"$cond": ["$c", {"$map": {}}, 2]}}},
        Difficulty.MODERATE,
    ),
]


@pytest.mark.parametrize(("operation", "arguments", "difficulty"), FINDS, ids=[str(n) for n in range(len(FINDS))])
def test_other_methods_are_rated_by_their_operators(
    operation: Operation, arguments: dict[str, Any], difficulty: Difficulty
) -> None:
    query = Query(collection="things", operation=operation, arguments=arguments)
    assert structure_of(query).stages == 1
    assert difficulty_of(query) is difficulty


def test_stages_of_pipelines_in_stages_count() -> None:
    query = Query(collection="things", operation=Operation.AGGREGATE, arguments={"pipeline": [FACET, SORT]})
    structure = structure_of(query)
    assert (structure.stages, structure.subpipelines, structure.depth) == (5, 2, 6)


def test_a_match_before_the_grouping_is_no_condition_on_groups() -> None:
    before = Query(collection="t", operation=Operation.AGGREGATE, arguments={"pipeline": [MATCH, GROUP]})
    behind = Query(collection="t", operation=Operation.AGGREGATE, arguments={"pipeline": [GROUP, HAVING]})
    assert (structure_of(before).conditions, structure_of(behind).conditions) == (0, 1)
