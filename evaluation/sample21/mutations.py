"""Damages a query as a careless author would: six kinds of mistakes, every place where each can be made."""

from collections.abc import Callable, Iterator, Mapping
from datetime import MAXYEAR, datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from evaluation.sample21.query_places import REMOVED, at, changed, filtered, filters, renamed, walk
from evaluation.types import Query

FLAGS: Final = frozenset({"$exists", "$options", "$regex", "$type", "$mod"})
"""Conditions whose operands are no constants that one mistakes for others."""

ACCUMULATORS: Final[Mapping[str, str]] = MappingProxyType(
    {"$sum": "$avg", "$avg": "$sum", "$min": "$max", "$max": "$min", "$first": "$last", "$last": "$first"}
)


def wrong_constant(query: Query) -> Iterator[Query]:
    """A number one too high, a text one letter too short, a day too late, in a filter."""
    for steps, value in filtered(query):
        other = near(value)
        if other is not None and not FLAGS & set(steps):
            yield changed(query, steps, other)


def dropped_condition(query: Query) -> Iterator[Query]:
    """One condition of a filter forgotten."""
    for steps in filters(query):
        for inside, value in walk(at(query.arguments, steps), steps):
            parent = at(query.arguments, inside[:-1])
            if inside == steps or not isinstance(parent, Mapping) or "$expr" in inside:
                continue
            is_condition = inside[:-1] == steps or (len(parent) > 1 and not FLAGS & set(parent))
            if is_condition and not (isinstance(value, Mapping) and inside[-1] in {"$and", "$or"}):
                yield changed(query, inside, REMOVED)


def wrong_sort_or_limit(query: Query) -> Iterator[Query]:
    """One row more than asked for, or the wrong end of the order, where the answer is cut."""
    cut = [(steps, value) for steps, value in walk(dict(query.arguments)) if steps and steps[-1] in {"limit", "$limit"}]
    for steps, value in cut:
        if isinstance(value, int) and value:
            yield changed(query, steps, value + 1)
    for steps, value in walk(dict(query.arguments)) if cut else ():
        if steps and steps[-1] in {"sort", "$sort"} and isinstance(value, Mapping) and value:
            first = next(iter(value))
            if value[first] in {1, -1}:
                yield changed(query, (*steps, first), -value[first])


def wrong_accumulator(query: Query) -> Iterator[Query]:
    """A sum for a mean, the largest for the smallest, the last for the first."""
    for steps, value in walk(dict(query.arguments)):
        if steps and steps[-1] in ACCUMULATORS and not isinstance(value, list):
            parent = at(query.arguments, steps[:-1])
            if len(parent) == 1:
                yield changed(query, steps[:-1], {ACCUMULATORS[str(steps[-1])]: value})


def dropped_unwind(query: Query) -> Iterator[Query]:
    """An array taken for its elements."""
    for steps, _ in walk(dict(query.arguments)):
        if steps and steps[-1] == "$unwind":
            yield changed(query, steps[:-1], REMOVED)


def wrong_path(query: Query) -> Iterator[Query]:
    """A nested field read as if it lay on top, or a field's name in the wrong number."""
    for steps, value in walk(dict(query.arguments)):
        if isinstance(value, str) and value.startswith("$") and not value.startswith("$$"):
            yield changed(query, steps, f"${_other_path(value[1:])}")
    for steps in filters(query):
        for inside, _ in walk(at(query.arguments, steps), steps):
            name = inside[-1] if inside != steps else ""
            if isinstance(name, str) and name and not name.startswith("$") and "$expr" not in inside:
                yield renamed(query, inside, _other_path(name))


MUTATIONS: Final[Mapping[str, Callable[[Query], Iterator[Query]]]] = MappingProxyType(
    {
        "wrong_constant": wrong_constant,
        "dropped_condition": dropped_condition,
        "wrong_sort_or_limit": wrong_sort_or_limit,
        "wrong_accumulator": wrong_accumulator,
        "dropped_unwind": dropped_unwind,
        "wrong_path": wrong_path,
    }
)


def _other_path(path: str) -> str:
    _, dot, rest = path.partition(".")
    if dot:
        return rest
    return path[:-1] if path.endswith("s") else f"{path}s"


def near(value: Any) -> Any:
    """A value that is nearly the same; None where there is none to be mistaken for."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, datetime):
        return value + timedelta(days=1 if value.year < MAXYEAR else -1)
    if isinstance(value, str) and len(value) > 0 and not value.startswith("$"):
        return value[:-1] or f"{value}{value}"
    return None
