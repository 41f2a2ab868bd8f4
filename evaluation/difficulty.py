"""Rates how hard a query is by a written rule on its structure: points for what a reader has to think of."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from benchmark_data.types import Difficulty
from evaluation.types import Operation, Query

GROUPING: Final = frozenset({"$group", "$bucket", "$bucketAuto", "$sortByCount"})
ARRAY_WORK: Final = frozenset(
    {"$filter", "$map", "$reduce", "$elemMatch", "$objectToArray", "$arrayToObject", "$zip", "$sortArray"}
)
SET_WORK: Final = frozenset({"$setUnion", "$setIntersection", "$setDifference", "$setIsSubset", "$unionWith"})
CONDITIONS: Final = frozenset({"$cond", "$switch"})
TEXT_AND_TIME: Final = frozenset(
    {"$dateToString", "$dateDiff", "$dateFromString", "$split", "$substr", "$substrCP", "$substrBytes", "$regexFind"}
    | {"$regexMatch", "$toDouble", "$toInt", "$toDecimal", "$convert", "$dateTrunc", "$replaceAll", "$replaceOne"}
)

SIMPLE_POINTS: Final = 2
MODERATE_POINTS: Final = 6
"""The most points of a simple and of a moderate query."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Structure:
    """What a query is made of.

    Args:
        operation: the read method.
        stages: of the pipeline and of all pipelines in it; 1 for other methods.
        unwinds, groupings, lookups, windows, recursions: how many stages of that kind.
        subpipelines: pipelines inside stages ($facet's, $lookup's, $unionWith's).
        conditions: filters behind a grouping.
        branches: $cond and $switch.
        array_work, set_work, conversions: operators on arrays, on sets, on texts and dates.
        depth: nesting of the query's values, the pipeline's list counted as one level.
    """

    operation: Operation
    stages: int
    unwinds: int
    groupings: int
    lookups: int
    windows: int
    recursions: int
    subpipelines: int
    conditions: int
    branches: int
    array_work: int
    set_work: int
    conversions: int
    depth: int


def difficulty_of(query: Query) -> Difficulty:
    """The difficulty of a query by its points."""
    points = points_of(structure_of(query))
    if points <= SIMPLE_POINTS:
        return Difficulty.SIMPLE
    return Difficulty.MODERATE if points <= MODERATE_POINTS else Difficulty.CHALLENGING


def points_of(structure: Structure) -> int:
    """The points of a structure.

    Grouping 2, and 3 more for each further one; a filter behind it 1; unwinding 1; lookup 2; a pipeline in a stage 2;
    a window, a recursion 4; a branch 1; work on arrays or sets 1, conversions 1 (each at most 2); every stage beyond
    the third 1, counted up to 4; nesting beyond seven levels 1.
    """
    return (
        2 * min(structure.groupings, 1)
        + 3 * max(0, structure.groupings - 1)
        + structure.conditions
        + structure.unwinds
        + 2 * structure.lookups
        + 2 * structure.subpipelines
        + 4 * (structure.windows + structure.recursions)
        + min(structure.branches, 2)
        + min(structure.array_work + structure.set_work, 2)
        + min(structure.conversions, 2)
        + min(max(0, structure.stages - 3), 4)
        + (structure.depth > 7)
    )


def structure_of(query: Query) -> Structure:
    """Count what a query is made of."""
    stages = list(_stages(query.arguments.get("pipeline", ())))
    names = [name for name, _ in stages]
    keys = list(_keys(query.arguments))
    return Structure(
        operation=query.operation,
        stages=len(stages) or 1,
        unwinds=names.count("$unwind"),
        groupings=sum(name in GROUPING for name in names),
        lookups=names.count("$lookup"),
        windows=names.count("$setWindowFields"),
        recursions=names.count("$graphLookup"),
        subpipelines=sum(len(list(_inner(name, value))) for name, value in stages),
        conditions=_conditions(names),
        branches=sum(key in CONDITIONS for key in keys),
        array_work=sum(key in ARRAY_WORK for key in keys),
        set_work=sum(key in SET_WORK for key in keys),
        conversions=sum(key in TEXT_AND_TIME for key in keys),
        depth=_depth(query.arguments) - 1,
    )


def _stages(pipeline: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
    for stage in pipeline:
        for name, value in stage.items():
            yield name, value
            for inside in _inner(name, value):
                yield from _stages(inside)


def _inner(name: str, value: Any) -> Iterator[Sequence[Mapping[str, Any]]]:
    if name == "$facet":
        yield from value.values()
    elif name in {"$lookup", "$unionWith"} and isinstance(value, Mapping) and value.get("pipeline"):
        yield value["pipeline"]


def _conditions(names: Sequence[str]) -> int:
    """Filters that stand behind a grouping."""
    grouped, found = False, 0
    for name in names:
        found += grouped and name == "$match"
        grouped = grouped or name in GROUPING
    return found


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, inside in value.items():
            yield key
            yield from _keys(inside)
    elif isinstance(value, list | tuple):
        for inside in value:
            yield from _keys(inside)


def _depth(value: Any) -> int:
    if isinstance(value, Mapping):
        return 1 + max(map(_depth, value.values()), default=0)
    if isinstance(value, list | tuple):
        return 1 + max(map(_depth, value), default=0)
    return 0
