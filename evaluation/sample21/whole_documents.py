"""Gold without its final shaping: right rows, with everything that the documents have."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from evaluation.difficulty import GROUPING
from evaluation.types import Operation, Query

_PICKING: Final = frozenset({"$elemMatch", "$slice", "$meta"})


def whole_documents(query: Query) -> Query:
    """The query as one would write it who always returns whole documents.

    A find loses its projection. The last `$project` of a pipeline keeps what it computes, beside all other fields. A
    grouping gives one of its documents along with each group, and counts and `distinct` are written as groupings.
    What has no such shaping stays as it is.
    """
    if query.operation in {Operation.FIND, Operation.FIND_ONE}:
        computed = _computed(query.arguments.get("projection") or {})
        kept = {name: value for name, value in query.arguments.items() if name != "projection"}
        return replace(
            query, arguments=_piped(kept, computed) if computed else kept, operation=_method(query, computed)
        )
    if query.operation is not Operation.AGGREGATE:
        return replace(query, operation=Operation.AGGREGATE, arguments={"pipeline": _grouped(query)}, length_only=False)
    stages: list[Mapping[str, Any]] = []
    waiting = list(query.arguments.get("pipeline", ()))
    shaped = False
    while waiting:
        stage = waiting.pop()
        [(name, value)] = stage.items()
        if name in _GROUPINGS or name in GROUPING:
            stages = [*waiting, *(_GROUPINGS[name](value) if name in _GROUPINGS else [stage]), *stages]
            break
        if name == "$project" and not shaped:
            computed, shaped = _computed(value), True
            stages = [*([{"$addFields": computed}] if computed else []), *stages]
        else:
            stages = [stage, *stages]
    return replace(query, arguments={**query.arguments, "pipeline": stages})


def _grouped(query: Query) -> list[dict[str, Any]]:
    """A count, or a `distinct`, as a grouping; the arrays on the way to a key are unwound, as `distinct` does."""
    condition = query.arguments.get("filter")
    stages: list[dict[str, Any]] = [{"$match": condition}] if condition else []
    if query.operation is not Operation.DISTINCT:
        return [*stages, *_counted("count")]
    names = query.arguments["key"].split(".")
    stages += [{"$unwind": f"${'.'.join(names[: length + 1])}"} for length in range(len(names))]
    return [*stages, {"$group": {"_id": f"${'.'.join(names)}", **_DOCUMENT}}]


def _counted(name: str) -> list[dict[str, Any]]:
    return [{"$group": {"_id": None, name: {"$sum": 1}, **_DOCUMENT}}]


def _with_document(group: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [{"$group": {**group, **_DOCUMENT}}]


def _sorted_by_count(key: Any) -> list[dict[str, Any]]:
    return [{"$group": {"_id": key, "count": {"$sum": 1}, **_DOCUMENT}}, {"$sort": {"count": -1}}]


_DOCUMENT: Final[Mapping[str, Any]] = {"document": {"$first": "$$ROOT"}}
_GROUPINGS: Final[Mapping[str, Callable[[Any], list[dict[str, Any]]]]] = {
    "$count": _counted,
    "$group": _with_document,
    "$sortByCount": _sorted_by_count,
}


def _method(query: Query, computed: Mapping[str, Any]) -> Operation:
    return Operation.AGGREGATE if computed else query.operation


def _computed(projection: Mapping[str, Any]) -> dict[str, Any]:
    """What a projection computes, rather than lets through or leaves out."""
    found: dict[str, Any] = {}
    for path, value in projection.items():
        if isinstance(value, Mapping) and value and not next(iter(value)).startswith("$"):
            found |= {f"{path}.{name}": inside for name, inside in _computed(value).items()}
        elif isinstance(value, str) or (isinstance(value, Mapping) and not set(value) & _PICKING):
            found[path] = value
    return found


def _piped(arguments: Mapping[str, Any], computed: Mapping[str, Any]) -> dict[str, Any]:
    """A find that computes fields, as a pipeline."""
    stages = [{"$match": arguments.get("filter") or {}}]
    stages += [{f"${name}": arguments[name]} for name in ("sort", "skip", "limit") if arguments.get(name)]
    return {"pipeline": [*stages, {"$addFields": dict(computed)}]}
