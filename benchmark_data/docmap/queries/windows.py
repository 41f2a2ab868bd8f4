"""Window functions as $setWindowFields stages."""

from typing import Any

from sqlglot import exp

from benchmark_data.docmap.queries.conversion import as_number
from benchmark_data.docmap.queries.dispatch import value
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.schema import Kind
from benchmark_data.docmap.queries.scope import Scope
from benchmark_data.docmap.queries.typed import Typed, expression, is_not_null

_RANKS = {exp.Rank: "$rank", exp.DenseRank: "$denseRank", exp.RowNumber: "$documentNumber"}
_WHOLE = {"documents": ["unbounded", "unbounded"]}


def add_windows(nodes: list[exp.Expr], scope: Scope) -> None:
    """Append a stage for each window function in these expressions, and note where its value is."""
    for node in nodes:
        for window in node.find_all(exp.Window):
            if scope.known(window) is None:
                scope.replaced[scope.key(window)] = _window(window, scope)


def _window(window: exp.Window, scope: Scope) -> Typed:
    if window.args.get("spec"):
        raise UntranslatableSqlError("window", "Frames of windows have no rule.")
    keys = _sort_keys(window, scope)
    name = scope.hidden("window")
    stage: dict[str, Any] = {}
    partition = [value(each, scope) for each in window.args.get("partition_by") or []]
    if len(partition) == 1:
        stage["partitionBy"] = partition[0].mql
    elif partition:
        stage["partitionBy"] = {f"k{number}": {"$ifNull": [each.mql, None]} for number, each in enumerate(partition)}
    if keys:
        stage["sortBy"] = keys
    output, found = _output(window, keys, name, scope)
    scope.stages.append({"$setWindowFields": {**stage, "output": {name: output}}})
    return found


def _sort_keys(window: exp.Window, scope: Scope) -> dict[str, int]:
    order = window.args.get("order")
    keys: dict[str, int] = {}
    computed: dict[str, Any] = {}
    for each in order.expressions if order else []:
        found = value(each.this, scope)
        descending = bool(each.args.get("desc"))
        if found.nullable and bool(each.args.get("nulls_first")) is descending:
            raise UntranslatableSqlError("window", "NULLS FIRST and NULLS LAST in a window have no rule.")
        path = found.path
        if path is None:
            path = scope.hidden("order")
            computed[path] = found.mql
        keys[path] = -1 if descending else 1
    if computed:
        scope.stages.append({"$addFields": computed})
    return keys


def _output(window: exp.Window, keys: dict[str, int], name: str, scope: Scope) -> tuple[Any, Typed]:
    function = window.this
    place = f"${name}"
    if type(function) in _RANKS:
        if not keys or (len(keys) > 1 and not isinstance(function, exp.RowNumber)):
            raise UntranslatableSqlError("window", "A rank over several keys, or over none, has no rule.")
        return {_RANKS[type(function)]: {}}, expression(place, Kind.INTEGER, nullable=False)
    if keys:
        raise UntranslatableSqlError("window", "A running aggregate has no rule.")
    if isinstance(function, exp.Count):
        star = function.this is None or isinstance(function.this, exp.Star)
        counted = 1 if star else {"$cond": [is_not_null(value(function.this, scope).mql), 1, 0]}
        return {"$sum": counted, "window": _WHOLE}, expression(place, Kind.INTEGER, nullable=False)
    operand = value(function.this, scope) if isinstance(function, exp.Min | exp.Max | exp.Avg) else None
    if operand is None:
        raise UntranslatableSqlError("window", f"{function.sql(dialect='sqlite')} has no rule as a window function.")
    if isinstance(function, exp.Avg):
        operand = as_number(operand)
    kind = Kind.REAL if isinstance(function, exp.Avg) else operand.kind
    return {f"${function.key}": operand.mql, "window": _WHOLE}, expression(place, kind, nullable=operand.nullable)
