"""Takes a field's neighbour for the field: the same place in the document, the same type, another meaning."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, Final

from evaluation.sample21.query_places import Steps, at, changed, filters, renamed, walk
from evaluation.types import Operation, Query

Types = Mapping[str, str]
"""The type of every path of a collection, in the order of its documents; paths do not name positions in arrays."""

_TRIED: Final = 2
"""So many neighbours are tried for a field: those that follow it, then from the first one on."""


def types_of(documents: Iterable[Mapping[str, Any]]) -> Types:
    """The paths of a collection's documents with their types, "mixed" where there are several."""
    found: dict[str, str] = {}
    for document in documents:
        for path, type_ in _typed(document, ""):
            found[path] = type_ if found.get(path, type_) == type_ else "mixed"
    return found


def neighbours(path: str, types: Types) -> tuple[str, ...]:
    """The last names of fields that one may take for a field; none where its path is not known."""
    parent = path.rpartition(".")[0]
    if path not in types:
        return ()
    like = [other for other, type_ in types.items() if type_ == types[path] and other.rpartition(".")[0] == parent]
    place = like.index(path)
    return tuple(other.rpartition(".")[2] for other in islice((*like[place + 1 :], *like[:place]), _TRIED))


def other_fields(query: Query, types: Types) -> Iterator[Query]:
    """One field of the query's collection mistaken for its neighbour, wherever the field makes a difference."""
    variables = _variables(query)
    for steps, value in walk(dict(query.arguments)):
        if isinstance(value, str) and value.startswith("$"):
            yield from (
                changed(query, steps, _ending(value, name)) for name in neighbours(_path(value, variables), types)
            )
    for steps, path in (*_conditions(query), *_kept(query)):
        taken = at(query.arguments, steps[:-1])
        others = (_ending(str(steps[-1]), name) for name in neighbours(path, types))
        yield from (renamed(query, steps, other) for other in others if other not in taken)
    if query.operation is Operation.DISTINCT:
        key = query.arguments["key"]
        yield from (changed(query, ("key",), _ending(key, name)) for name in neighbours(key, types))


def _typed(value: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for name, inside in value.items():
        path = f"{prefix}{name}"
        elements = inside if isinstance(inside, list) else [inside]
        kinds = sorted({type(element).__name__ for element in elements if element is not None})
        if kinds and path != "_id":
            yield path, f"{'list of ' if isinstance(inside, list) else ''}{' '.join(kinds)}"
        for element in elements:
            if isinstance(element, Mapping):
                yield from _typed(element, f"{path}.")


def _variables(query: Query) -> dict[str, str]:
    """The arrays whose elements a name stands for."""
    found = {}
    for steps, value in walk(dict(query.arguments)):
        if steps and steps[-1] in {"$filter", "$map"} and isinstance(value, Mapping):
            found[f"$${value.get('as', 'this')}"] = str(value["input"]).removeprefix("$")
    return found


def _path(value: str, variables: Mapping[str, str]) -> str:
    head, _, rest = value.partition(".")
    return f"{variables[head]}.{rest}" if head in variables else value.removeprefix("$")


def _ending(path: str, name: str) -> str:
    """A path with another last name."""
    parent, dot, last = path.rpartition(".")
    return f"{parent}{dot}{'$' if last.startswith('$') else ''}{name}"


def _conditions(query: Query) -> Iterator[tuple[Steps, str]]:
    """The fields that filters name, with their whole paths."""
    for place in filters(query):
        for steps, _ in walk(at(query.arguments, place), place):
            names = [name for name in steps[len(place) :] if isinstance(name, str) and not name.startswith("$")]
            if names and names[-1] == steps[-1] and "$expr" not in steps:
                yield steps, ".".join(names)


def _kept(query: Query) -> Iterator[tuple[Steps, str]]:
    """The fields that projections let through, and those that decide which rows a limit keeps."""
    places = list(walk(dict(query.arguments)))
    is_cut = any(steps[-1] in {"limit", "$limit"} for steps, _ in places if steps)
    for steps, value in places:
        parent = steps[-2] if len(steps) > 1 else ""
        is_kept = parent in {"projection", "$project"} and (value is True or value == 1)
        if is_kept or (is_cut and parent in {"sort", "$sort"}):
            yield steps, str(steps[-1])
