"""Finds places in a query's arguments and makes copies in which one of them is changed."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from evaluation.types import Operation, Query

Steps = tuple[str | int, ...]
"""The keys and positions that lead from a query's arguments to a value."""

REMOVED: Final = object()
"""Put in a place, it takes the place out."""


def filters(query: Query) -> Iterator[Steps]:
    """Where filters stand."""
    if query.operation is not Operation.AGGREGATE:
        if query.arguments.get("filter"):
            yield ("filter",)
        return
    for steps, value in walk(dict(query.arguments)):
        if steps and steps[-1] == "$match" and isinstance(value, Mapping):
            yield steps


def filtered(query: Query) -> Iterator[tuple[Steps, Any]]:
    """The scalars in filters."""
    for steps in filters(query):
        for inside, value in walk(at(query.arguments, steps), steps):
            if not isinstance(value, Mapping | list | tuple):
                yield inside, value


def walk(value: Any, steps: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """A value and all values in it, with the way to each."""
    yield steps, value
    if isinstance(value, Mapping):
        for key, inside in value.items():
            yield from walk(inside, (*steps, key))
    elif isinstance(value, list | tuple):
        for number, inside in enumerate(value):
            yield from walk(inside, (*steps, number))


def at(value: Any, steps: Steps) -> Any:
    """What stands in a place."""
    for step in steps:
        value = value[step]
    return value


def changed(query: Query, steps: Steps, value: Any) -> Query:
    """The query with another value, or none, in a place."""
    return replace(query, arguments=_with(query.arguments, steps, value))


def renamed(query: Query, steps: Steps, name: str) -> Query:
    """The query with another name for the key that leads to a place."""
    parent = at(query.arguments, steps[:-1])
    others = {name if key == steps[-1] else key: inside for key, inside in parent.items()}
    return changed(query, steps[:-1], others)


def _with(whole: Any, steps: Steps, value: Any) -> Any:
    """A copy of a value in which one place has another value, or none."""
    if not steps:
        return value
    first, rest = steps[0], steps[1:]
    if isinstance(whole, Mapping):
        copy = {key: _with(inside, rest, value) if key == first else inside for key, inside in whole.items()}
        return {key: inside for key, inside in copy.items() if inside is not REMOVED}
    parts = [_with(inside, rest, value) if number == first else inside for number, inside in enumerate(whole)]
    return [part for part in parts if part is not REMOVED]
