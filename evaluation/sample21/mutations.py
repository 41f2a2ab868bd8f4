"""Damages a query as a careless author would: six kinds of mistakes, every place where each can be made."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from evaluation.types import Operation, Query

Steps = tuple[str | int, ...]
"""The keys and positions that lead from a query's arguments to a value."""

_REMOVED: Final = object()
_FLAGS: Final = frozenset({"$exists", "$options", "$regex", "$type", "$mod"})
_ACCUMULATORS: Final[Mapping[str, str]] = MappingProxyType(
    {"$sum": "$avg", "$avg": "$sum", "$min": "$max", "$max": "$min", "$first": "$last", "$last": "$first"}
)


def wrong_constant(query: Query) -> Iterator[Query]:
    """A number one too high, a text one letter too short, a day too late, in a filter."""
    for steps, value in _filtered(query):
        changed = _near(value)
        if changed is not None and not _FLAGS & set(steps):
            yield _changed(query, steps, changed)


def dropped_condition(query: Query) -> Iterator[Query]:
    """One condition of a filter forgotten."""
    for steps in _filters(query):
        for inside, value in _walk(_at(query.arguments, steps), steps):
            parent = _at(query.arguments, inside[:-1])
            if inside == steps or not isinstance(parent, Mapping) or "$expr" in inside:
                continue
            is_condition = inside[:-1] == steps or (len(parent) > 1 and not _FLAGS & set(parent))
            if is_condition and not (isinstance(value, Mapping) and inside[-1] in {"$and", "$or"}):
                yield _changed(query, inside, _REMOVED)


def wrong_sort_or_limit(query: Query) -> Iterator[Query]:
    """One row more than asked for, or the wrong end of the order, where the answer is cut."""
    cut = [
        (steps, value) for steps, value in _walk(dict(query.arguments)) if steps and steps[-1] in {"limit", "$limit"}
    ]
    for steps, value in cut:
        if isinstance(value, int) and value:
            yield _changed(query, steps, value + 1)
    for steps, value in _walk(dict(query.arguments)) if cut else ():
        if steps and steps[-1] in {"sort", "$sort"} and isinstance(value, Mapping) and value:
            first = next(iter(value))
            if value[first] in {1, -1}:
                yield _changed(query, (*steps, first), -value[first])


def wrong_accumulator(query: Query) -> Iterator[Query]:
    """A sum for a mean, the largest for the smallest, the last for the first."""
    for steps, value in _walk(dict(query.arguments)):
        if steps and steps[-1] in _ACCUMULATORS and not isinstance(value, list):
            parent = _at(query.arguments, steps[:-1])
            if len(parent) == 1:
                yield _changed(query, steps[:-1], {_ACCUMULATORS[str(steps[-1])]: value})


def dropped_unwind(query: Query) -> Iterator[Query]:
    """An array taken for its elements."""
    for steps, _ in _walk(dict(query.arguments)):
        if steps and steps[-1] == "$unwind":
            yield _changed(query, steps[:-1], _REMOVED)


def wrong_path(query: Query) -> Iterator[Query]:
    """A nested field read as if it lay on top, or a field's name in the wrong number."""
    for steps, value in _walk(dict(query.arguments)):
        if isinstance(value, str) and value.startswith("$") and not value.startswith("$$"):
            yield _changed(query, steps, f"${_other_path(value[1:])}")
    for steps in _filters(query):
        for inside, _ in _walk(_at(query.arguments, steps), steps):
            name = inside[-1] if inside != steps else ""
            if isinstance(name, str) and name and not name.startswith("$") and "$expr" not in inside:
                yield _renamed(query, inside, _other_path(name))


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


def _near(value: Any) -> Any:
    """A value that is nearly the same; None where there is none to be mistaken for."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, datetime):
        return value + timedelta(days=1)
    if isinstance(value, str) and len(value) > 0 and not value.startswith("$"):
        return value[:-1] or f"{value}{value}"
    return None


def _filters(query: Query) -> Iterator[Steps]:
    """Where filters stand."""
    if query.operation is not Operation.AGGREGATE:
        if query.arguments.get("filter"):
            yield ("filter",)
        return
    for steps, value in _walk(dict(query.arguments)):
        if steps and steps[-1] == "$match" and isinstance(value, Mapping):
            yield steps


def _filtered(query: Query) -> Iterator[tuple[Steps, Any]]:
    for steps in _filters(query):
        for inside, value in _walk(_at(query.arguments, steps), steps):
            if not isinstance(value, Mapping | list | tuple):
                yield inside, value


def _walk(value: Any, steps: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """A value and all values in it, with the way to each."""
    yield steps, value
    if isinstance(value, Mapping):
        for key, inside in value.items():
            yield from _walk(inside, (*steps, key))
    elif isinstance(value, list | tuple):
        for number, inside in enumerate(value):
            yield from _walk(inside, (*steps, number))


def _at(value: Any, steps: Steps) -> Any:
    for step in steps:
        value = value[step]
    return value


def _changed(query: Query, steps: Steps, value: Any) -> Query:
    return replace(query, arguments=_with(query.arguments, steps, value))


def _renamed(query: Query, steps: Steps, name: str) -> Query:
    parent = _at(query.arguments, steps[:-1])
    others = {name if key == steps[-1] else key: inside for key, inside in parent.items()}
    return _changed(query, steps[:-1], others)


def _with(whole: Any, steps: Steps, value: Any) -> Any:
    """A copy of a value in which one place has another value, or none."""
    if not steps:
        return value
    first, rest = steps[0], steps[1:]
    if isinstance(whole, Mapping):
        copy = {key: _with(inside, rest, value) if key == first else inside for key, inside in whole.items()}
        return {key: inside for key, inside in copy.items() if inside is not _REMOVED}
    parts = [_with(inside, rest, value) if number == first else inside for number, inside in enumerate(whole)]
    return [part for part in parts if part is not _REMOVED]
