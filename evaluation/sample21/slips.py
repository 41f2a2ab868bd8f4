"""Makes the slips of somebody who writes a query: finer mistakes than `mutations` knows, every place of each."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

from evaluation.sample21.mutations import (
    ACCUMULATORS,
    FLAGS,
    dropped_condition,
    dropped_unwind,
    near,
    wrong_constant,
    wrong_sort_or_limit,
)
from evaluation.sample21.query_places import REMOVED, Steps, at, changed, filters, walk
from evaluation.types import Operation, Query

_NEIGHBOURS: Final[Mapping[str, str]] = MappingProxyType({"$gt": "$gte", "$gte": "$gt", "$lt": "$lte", "$lte": "$lt"})
_COMPARISONS: Final = frozenset({*_NEIGHBOURS, "$eq", "$ne", "$in"})
_ORDER_USING: Final = frozenset({"$limit", "$skip", "$first", "$last", "$push", "$firstN", "$lastN"})


def other_constants(query: Query) -> Iterator[Query]:
    """A constant that is nearly the right one, in a filter or in a comparison of an expression."""
    yield from wrong_constant(query)
    for steps, _ in _compared(query):
        for inside, value in walk(at(query.arguments, steps), steps):
            other = None if isinstance(value, Mapping | list | tuple) else near(value)
            if inside != steps and other is not None and not FLAGS & set(inside):
                yield changed(query, inside, other)


def other_bounds(query: Query) -> Iterator[Query]:
    """A bound that lets its own value in where it should not, or keeps it out."""
    for steps, value in walk(dict(query.arguments)):
        if steps and steps[-1] in _NEIGHBOURS:
            parent = at(query.arguments, steps[:-1])
            turned = {_NEIGHBOURS[key] if key == steps[-1] else key: inside for key, inside in parent.items()}
            if len(turned) == len(parent) and value is not None:
                yield changed(query, steps[:-1], turned)


def dropped_conditions(query: Query) -> Iterator[Query]:
    """One condition forgotten, in a filter, in one of several branches, or in an expression."""
    yield from dropped_condition(query)
    for steps, value in walk(dict(query.arguments)):
        name = steps[-1] if steps else ""
        if name in {"$and", "$or", "$nor"} and isinstance(value, list | tuple) and len(value) > 1:
            yield from (changed(query, (*steps, number), REMOVED) for number in range(len(value)))
        elif name == "$filter" and isinstance(value, Mapping):
            yield changed(query, steps[:-1], value["input"])
        elif name == "$cond":
            branches = list(value.values()) if isinstance(value, Mapping) else value
            yield changed(query, steps[:-1], value["then"] if isinstance(value, Mapping) else branches[1])


def other_cuts(query: Query) -> Iterator[Query]:
    """Where the answer depends on an order: its other end, none at all, one row more or less."""
    yield from wrong_sort_or_limit(query)
    for steps, value in walk(dict(query.arguments)):
        name = steps[-1] if steps else ""
        if name in {"limit", "$limit"} and isinstance(value, int) and value > 1:
            yield changed(query, steps, value - 1)
        elif name in {"sort", "$sort", "sortBy"} and isinstance(value, Mapping) and _matters(query, steps):
            first = next(iter(value))
            yield changed(query, (*steps, first), -value[first])
            if name != "sortBy":
                yield changed(query, steps if name == "sort" else steps[:-1], REMOVED)


def other_accumulators(query: Query) -> Iterator[Query]:
    """As `wrong_accumulator`, but for the first or last of a group that comes in no order."""
    for steps, value in walk(dict(query.arguments)):
        if steps and "$group" in steps and steps[-1] in {"$first", "$last"} and not _sorted_before(query, steps):
            continue
        if steps and steps[-1] in ACCUMULATORS and not isinstance(value, list):
            parent = at(query.arguments, steps[:-1])
            if len(parent) == 1:
                yield changed(query, steps[:-1], {ACCUMULATORS[str(steps[-1])]: value})


def dropped_keys(query: Query) -> Iterator[Query]:
    """One part of what is grouped by forgotten; a single key, and everything is one group."""
    for steps, value in walk(dict(query.arguments)):
        if steps[-2:] != ("$group", "_id") or value is None:
            continue
        parts = list(value) if isinstance(value, Mapping) and not any(key.startswith("$") for key in value) else []
        if len(parts) > 1:
            yield from (changed(query, (*steps, part), REMOVED) for part in parts)
        else:
            yield changed(query, steps, None)


def split_elements(query: Query) -> Iterator[Query]:
    """Conditions on one element of an array, each asked of any element."""
    for steps, value in walk(dict(query.arguments)):
        if not steps or steps[-1] != "$elemMatch" or not isinstance(steps[-2], str) or steps[-2].startswith("$"):
            continue
        holder, array = at(query.arguments, steps[:-2]), steps[-2]
        if not isinstance(value, Mapping) or len(holder[array]) > 1 or len(value) < 2:
            continue
        if any(key.startswith("$") for key in value):
            continue
        loose = {f"{array}.{key}": inside for key, inside in value.items()}
        kept = {key: inside for key, inside in holder.items() if key != array}
        yield changed(query, steps[:-2], {**kept, **loose})


def forgotten_missing(query: Query) -> Iterator[Query]:
    """What is missing taken as it comes."""
    for steps, value in walk(dict(query.arguments)):
        # Null and false are what a missing value is taken for anyway.
        if steps and steps[-1] == "$ifNull" and value[-1] is not None and value[-1] is not False:
            yield changed(query, steps[:-1], value[0])
        elif steps and steps[-1] == "preserveNullAndEmptyArrays":
            yield changed(query, steps, not value)


def repeated_values(query: Query) -> Iterator[Query]:
    """What should be counted or listed once, as often as it occurs."""
    if query.operation is Operation.DISTINCT:
        condition, key = query.arguments.get("filter"), query.arguments["key"]
        names = key.split(".")
        stages: list[dict[str, Any]] = [{"$match": condition}] if condition else []
        stages += [{"$unwind": f"${'.'.join(names[: length + 1])}"} for length in range(len(names))]
        listed = [*stages, {"$project": {"_id": 0, "value": f"${key}"}}]
        yield replace(query, operation=Operation.AGGREGATE, arguments={"pipeline": listed})
    for steps, value in walk(dict(query.arguments)):
        name = steps[-1] if steps else ""
        if name == "$addToSet":
            yield changed(query, steps[:-1], {"$push": value})
        elif name == "$setUnion":
            yield changed(query, steps[:-1], {"$concatArrays": value if isinstance(value, list) else [value]})
        elif name == "$group" and set(value) == {"_id"} and value["_id"] is not None:
            yield changed(query, steps[:-1], {"$project": {"_id": value["_id"]}})


SLIPS: Final[Mapping[str, Callable[[Query], Iterator[Query]]]] = MappingProxyType(
    {
        "condition dropped": dropped_conditions,
        "constant changed": other_constants,
        "boundary moved": other_bounds,
        "order or limit": other_cuts,
        "other accumulator": other_accumulators,
        "unwind dropped": dropped_unwind,
        "group key dropped": dropped_keys,
        "element's conditions split": split_elements,
        "missing values forgotten": forgotten_missing,
        "repeats kept": repeated_values,
    }
)
"""Kinds of mistakes by their names in reports; `siblings` has one more, which has to know the documents."""


def _compared(query: Query) -> Iterator[tuple[Steps, Any]]:
    """Comparisons in expressions outside of filters."""
    inside_filters = tuple(filters(query))
    for steps, value in walk(dict(query.arguments)):
        is_filtered = any(steps[: len(place)] == place for place in inside_filters)
        if steps and steps[-1] in _COMPARISONS and not is_filtered and isinstance(value, list | tuple):
            yield steps, value


def _matters(query: Query, steps: Steps) -> bool:
    """Whether the answer depends on this order: rows are cut behind it, or gathered in it."""
    if steps[-1] == "sort":
        return "limit" in query.arguments or query.operation is Operation.FIND_ONE
    if steps[-1] == "sortBy":
        return True
    following = at(query.arguments, steps[:-2])[int(steps[-2]) + 1 :]
    return any(key in _ORDER_USING for stage in following for inside, _ in walk(stage) for key in inside[-1:])


def _sorted_before(query: Query, steps: Steps) -> bool:
    place = steps.index("$group")
    stages = at(query.arguments, steps[: place - 1])
    return any("$sort" in stage for stage in stages[: int(steps[place - 1])])
