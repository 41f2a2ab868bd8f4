"""Joins whose rows lie in the document already: an embedded path instead of a $lookup."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from sqlglot import exp

from benchmark_data.docmap.queries.place import moved
from benchmark_data.docmap.queries.scope import Embedded, Scope, Source
from benchmark_data.docmap.queries.sources import Joined, table_source


def embedded_rows(entry: Joined, conditions: list[exp.Expr], available: set[str], scope: Scope) -> exp.Expr | None:
    """Reach the rows of an entry inside the documents, if an equality leads there and all needed columns are there.

    Returns:
        The equality that is thereby true, None where the rows have to be looked up.
    """
    table = scope.schema.table(entry.table) if entry.table else None
    if table is None:
        return None
    needed = _needed(entry.source, scope)
    for node in conditions:
        pair = _equality(node, entry.source.alias.lower(), available, scope)
        if pair is None:
            continue
        outer, outer_column, column = pair
        found = scope.layout.embedded(outer, outer_column, table, column)
        if found is not None and needed <= set(found.columns):
            found = _apart(found, scope)
            scope.stages += map(dict, found.steps)
            source = table_source(table, found.columns, alias=entry.source.alias, prefix=found.prefix)
            source = replace(source, holder=outer.holder, origin=found.origin)
            scope.sources[entry.source.alias.lower()] = source
            scope.presences.update(found.presences)
            return node
    return None


def unwound(stages: Iterable[Mapping[str, Any]]) -> list[str]:
    """The paths of the arrays that stages take apart."""
    values = [stage["$unwind"] for stage in stages if "$unwind" in stage]
    return [str(value["path"] if isinstance(value, Mapping) else value).removeprefix("$") for value in values]


def _apart(found: Embedded, scope: Scope) -> Embedded:
    """The rows out of a copy of their array where the array itself is taken apart already, for another alias.

    `tag a JOIN tag b` asks for pairs of rows; an array that was unwound once has but one row left.
    """
    taken = unwound(scope.stages)
    path = next((path for path in unwound(found.steps) if path in taken), None)
    if path is None:
        return found
    name = scope.hidden(path.rpartition(".")[2])
    first = next(number for number, stage in enumerate(scope.stages) if _changes(stage, path))
    scope.stages.insert(first, {"$set": {name: f"${path}"}})
    return replace(
        found,
        columns={column: place.moved(path, name) for column, place in found.columns.items()},
        steps=tuple(_moved(step, path, name) for step in found.steps),
        prefix=moved(found.prefix, path, name),
    )


def _changes(stage: Mapping[str, Any], path: str) -> bool:
    return path in unwound([stage]) or path in stage.get("$set", {})


def _moved(step: Mapping[str, Any], path: str, name: str) -> dict[str, Any]:
    """A step of a table's home that speaks of another path: an $unwind, or the $set that makes an array of a map."""
    made: dict[str, Any] = {}
    for operator, value in step.items():
        if isinstance(value, str):
            made[operator] = f"${moved(value[1:], path, name)}"
        elif operator == "$set":
            made[operator] = {name if key == path else key: _moved(inside, path, name) for key, inside in value.items()}
        else:
            made[operator] = {moved(key, path, name): inside for key, inside in value.items()}
    return made


def _equality(node: exp.Expr, alias: str, available: set[str], scope: Scope) -> tuple[Source, str, str] | None:
    if not isinstance(node, exp.EQ) or not (isinstance(node.left, exp.Column) and isinstance(node.right, exp.Column)):
        return None
    for inside, outside in ((node.left, node.right), (node.right, node.left)):
        own, other = scope.find(inside), scope.find(outside)
        if own is None or other is None or own[0].alias.lower() != alias:
            continue
        if other[0].alias.lower() in available and other[0].table is not None:
            return other[0], outside.name.lower(), inside.name.lower()
    return None


def _needed(source: Source, scope: Scope) -> set[str]:
    """The columns of a source that the SELECT speaks of, sub-queries included."""
    names: set[str] = set()
    select = scope.select
    if select is None:
        return set(source.columns)
    for column in select.find_all(exp.Column):
        if isinstance(column.this, exp.Star):
            return set(source.columns)
        name = column.name.lower()
        if name in source.columns and column.table.lower() in {"", source.alias.lower()}:
            names.add(name)
    stars = any(isinstance(each, exp.Star) for each in select.expressions)
    return set(source.columns) if stars else names
