"""Joins whose rows lie in the document already: an embedded path instead of a $lookup."""

from dataclasses import replace

from sqlglot import exp

from benchmark_data.docmap.queries.scope import Scope, Source
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
            scope.stages += map(dict, found.steps)
            source = table_source(table, found.columns, alias=entry.source.alias, prefix=found.prefix)
            source = replace(source, holder=outer.holder, origin=found.origin)
            scope.sources[entry.source.alias.lower()] = source
            scope.presences.update(found.presences)
            return node
    return None


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
