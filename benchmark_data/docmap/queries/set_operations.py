"""UNION, INTERSECT and EXCEPT as $unionWith and $group."""

from typing import Any

from sqlglot import exp

from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.scope import Scope
from benchmark_data.docmap.queries.sources import QueryRule, Rows
from benchmark_data.docmap.queries.typed import Typed
from benchmark_data.docmap.queries.values import merged_kind


def combined(node: exp.SetOperation, scope: Scope, compiled: QueryRule) -> Rows:
    """The rows of both sides, as the operation joins them; the left side names the columns."""
    left = compiled(node.left, _side(scope))
    right = compiled(node.right, _side(scope))
    if len(left.columns) != len(right.columns):
        raise UntranslatableSqlError("set_operation", "Both sides of a set operation need the same number of columns.")
    if left.variables or right.variables:
        scope.variables.update(left.variables | right.variables)
    scope.collection = left.collection
    scope.stages += left.stages
    names = list(left.columns)
    columns = {
        name: _merged(left.columns[name], other) for name, other in zip(names, right.columns.values(), strict=True)
    }
    if isinstance(node, exp.Union):
        _union(node, names, right, scope)
    else:
        _marked(node, names, right, scope)
    if not (node.args.get("order") or node.args.get("limit") or node.args.get("offset")):
        return Rows(collection=scope.collection, stages=scope.stages, columns=columns, variables=scope.variables)
    return _ordered(node, names, columns, scope, compiled)


def _side(scope: Scope) -> Scope:
    """A side sees what the whole sees, not the other side."""
    inner = scope.inner()
    inner.parent = scope.parent
    return inner


def _merged(left: Typed, right: Typed) -> Typed:
    kind = merged_kind([left, right])
    affinity = left.affinity if left.affinity is right.affinity else None
    return Typed(mql=left.mql, kind=kind, nullable=left.nullable or right.nullable, affinity=affinity)


def _renamed(names: list[str], right: Rows) -> list[dict[str, Any]]:
    others = list(right.columns)
    if others == names:
        return right.stages
    shown = {name: f"${other}" for name, other in zip(names, others, strict=True)}
    return [*right.stages, {"$project": {"_id": 0, **shown}}]


def _key(names: list[str]) -> dict[str, Any]:
    # Missing and null would be two keys.
    return {name: {"$ifNull": [f"${name}", None]} for name in names}


def _union(node: exp.Union, names: list[str], right: Rows, scope: Scope) -> None:
    scope.stages.append({"$unionWith": {"coll": right.collection, "pipeline": _renamed(names, right)}})
    if node.args.get("distinct"):
        scope.stages += [{"$group": {"_id": _key(names)}}, {"$replaceWith": "$_id"}]


def _marked(node: exp.SetOperation, names: list[str], right: Rows, scope: Scope) -> None:
    """Each row knows from which side it comes; equal rows of both sides meet in one group."""
    here, there = scope.hidden("left"), scope.hidden("right")
    scope.stages.append({"$addFields": {here: 1, there: 0}})
    other = [*_renamed(names, right), {"$addFields": {here: 0, there: 1}}]
    scope.stages.append({"$unionWith": {"coll": right.collection, "pipeline": other}})
    sides = {here: {"$max": f"${here}"}, there: {"$max": f"${there}"}}
    wanted = {here: 1, there: 1 if isinstance(node, exp.Intersect) else 0}
    scope.stages += [{"$group": {"_id": _key(names), **sides}}, {"$match": wanted}, {"$replaceWith": "$_id"}]


def _ordered(
    node: exp.SetOperation, names: list[str], columns: dict[str, Typed], scope: Scope, compiled: QueryRule
) -> Rows:
    """ORDER BY and LIMIT of the whole, as those of a SELECT from its rows."""
    alias = scope.hidden("rows")
    body = node.copy()
    for clause in ("order", "limit", "offset", "with_"):
        body.set(clause, None)
    select = exp.select(*(exp.column(name, table=alias, quoted=True) for name in names)).from_(
        body.subquery(alias=alias, copy=False), copy=False
    )
    for clause in ("order", "limit", "offset"):
        if node.args.get(clause):
            select.set(clause, node.args[clause].copy())
    outer = _side(scope)
    outer.tables = dict(scope.tables)
    return compiled(select, outer)
