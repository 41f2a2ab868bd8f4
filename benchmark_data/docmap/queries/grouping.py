"""GROUP BY and aggregates as a $group stage, and what stands for each aggregate after it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlglot import exp

from benchmark_data.docmap.queries.conversion import as_number
from benchmark_data.docmap.queries.dispatch import value
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.schema import Kind
from benchmark_data.docmap.queries.scope import Scope
from benchmark_data.docmap.queries.typed import NULL, Typed, expression, is_not_null

AGGREGATES = (exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)


@dataclass(slots=True, kw_only=True, eq=False)
class Group:
    """A $group stage under construction.

    Args:
        key: the `_id` of the stage.
        fields: accumulators by field.
        defaults: values of the fields where there is no row at all and no GROUP BY; fields that are left out are NULL.
        replaced: what stands for keys, aggregates and bare columns afterwards.
        keyed: whether there is a GROUP BY.
    """

    key: Any = None
    fields: dict[str, Any] = field(default_factory=dict)
    defaults: dict[str, Any] = field(default_factory=dict)
    replaced: dict[str, Typed] = field(default_factory=dict)
    keyed: bool = False

    def add(self, wish: str, accumulator: Any) -> str:
        """Enter an accumulator; returns the name of its field, shared with an equal one."""
        for name, known in self.fields.items():
            if known == accumulator:
                return name
        name, number = wish, 2
        while name in self.fields or name == "_id":
            name, number = f"{wish}_{number}", number + 1
        self.fields[name] = accumulator
        return name


def aggregates_in(nodes: Iterable[exp.Expr]) -> list[exp.Expr]:
    """The aggregates in these expressions, without those of sub-queries and of window functions."""
    found: list[exp.Expr] = []
    for node in nodes:
        found += [each for each in _walk(node) if isinstance(each, AGGREGATES)]
    return found


def _walk(node: exp.Expr) -> Iterable[exp.Expr]:
    """The nodes of an expression, not entering sub-queries; the function of a window is not an aggregate."""
    if isinstance(node, exp.Query):
        return
    yield node
    if isinstance(node, exp.Window):
        inside: list[Any] = [*node.this.iter_expressions(), *node.args.get("partition_by", []), node.args.get("order")]
    else:
        inside = list(node.iter_expressions())
    for each in inside:
        if each is not None:
            yield from _walk(each)


def group_of(keys: list[exp.Expr], outputs: list[exp.Expr], scope: Scope) -> Group:
    """The $group stage for the keys of GROUP BY and the expressions that are asked for afterwards.

    Args:
        keys: of GROUP BY, aliases and positions resolved.
        outputs: all expressions of SELECT, HAVING and ORDER BY.
    """
    group = Group(keyed=bool(keys))
    _enter_keys(keys, group, scope)
    found = aggregates_in(outputs)
    extremes = [each for each in found if isinstance(each, exp.Min | exp.Max)]
    for node in found:
        _enter(node, group, scope)
    _enter_bare_columns(outputs, group, scope, extremes)
    return group


def _enter_keys(keys: list[exp.Expr], group: Group, scope: Scope) -> None:
    values = [value(key, scope) for key in keys]
    if len(keys) == 1:
        group.key = values[0].mql
        group.replaced[scope.key(keys[0])] = values[0].at("$_id")
        if values[0].is_constant:
            group.key = {"$literal": values[0].constant}
    elif keys:
        group.key = {}
        for key, found in zip(keys, values, strict=True):
            name = wished_name(key)
            while name in group.key:
                name += "_"
            # Missing and null would be two keys.
            group.key[name] = {"$ifNull": [found.mql, None]} if found.nullable else found.mql
            group.replaced[scope.key(key)] = found.at(f"$_id.{name}")


def wished_name(node: exp.Expr) -> str:
    """A field name that tells what an expression is."""
    if isinstance(node, exp.Alias):
        text = node.alias
    elif isinstance(node, exp.Column):
        text = node.name
    elif isinstance(node, AGGREGATES):
        column = node.find(exp.Column)
        text = node.key if column is None or isinstance(node, exp.Count) else f"{node.key}_{column.name.lstrip('@')}"
    else:
        return "value"
    text = re.sub(r"[.\0]", "_", text).lstrip("$")
    return text if text and text != "__proto__" else "value"


def _enter(node: exp.Expr, group: Group, scope: Scope) -> None:
    if scope.key(node) in group.replaced:
        return
    wish = node.parent.alias if isinstance(node.parent, exp.Alias) else ""
    name = re.sub(r"[.\0]", "_", wish).lstrip("$") or wished_name(node)
    if isinstance(node.this, exp.Distinct):
        result = _distinct(node, name, group, scope)
    elif isinstance(node, exp.Count):
        result = _count(node, name, group, scope)
    elif node.expressions:
        raise UntranslatableSqlError("aggregate", f"{node.sql(dialect='sqlite')}: no such aggregate.")
    else:
        result = _aggregate(node, name, group, scope)
    group.replaced[scope.key(node)] = result


def _count(node: exp.Count, name: str, group: Group, scope: Scope) -> Typed:
    operand = None if node.this is None or isinstance(node.this, exp.Star) else value(node.this, scope)
    if operand is NULL:
        return expression({"$literal": 0}, Kind.INTEGER, nullable=False)
    counted: Any = 1
    if operand is not None and operand.nullable:
        counted = _counted(operand.mql)
    name = group.add(name, {"$sum": counted})
    group.defaults[name] = 0
    return expression(f"${name}", Kind.INTEGER, nullable=False)


def _counted(mql: Any) -> Any:
    """1 for a value; COUNT(CASE WHEN c THEN x END) is 1 where c is true."""
    if isinstance(mql, dict) and "$cond" in mql:
        condition, then, otherwise = mql["$cond"]
        if otherwise is None and isinstance(then, int | float):
            return {"$cond": [condition, 1, 0]}
    return {"$cond": [is_not_null(mql), 1, 0]}


def _aggregate(node: exp.Expr, name: str, group: Group, scope: Scope) -> Typed:
    operand = value(node.this, scope)
    if isinstance(node, exp.Min | exp.Max):
        accumulator = {"$min" if isinstance(node, exp.Min) else "$max": operand.mql}
        name = group.add(name, accumulator)
        return expression(f"${name}", operand.kind, nullable=operand.nullable or not group.keyed)
    operand = as_number(operand)
    if isinstance(node, exp.Avg):
        name = group.add(name, {"$avg": operand.mql})
        return expression(f"${name}", Kind.REAL, nullable=operand.nullable or not group.keyed)
    name = group.add(name, {"$sum": operand.mql})
    if not operand.nullable:
        return expression(f"${name}", operand.kind, nullable=not group.keyed)
    # The sum of no value is NULL in SQL and 0 in MongoDB.
    number = group.add(f"{name}_values", {"$sum": _counted(operand.mql)})
    mql = {"$cond": [{"$gt": [f"${number}", 0]}, f"${name}", None]}
    return expression(mql, operand.kind, nullable=True)


def _distinct(node: exp.Expr, name: str, group: Group, scope: Scope) -> Typed:
    [inner] = node.this.expressions
    operand = value(inner, scope)
    if isinstance(node, exp.Min | exp.Max):
        copy = type(node)(this=inner.copy())
        return _aggregate(copy, name, group, scope)
    if not isinstance(node, exp.Count):
        operand = as_number(operand)
    field_name = group.add(name, {"$addToSet": operand.mql})
    group.defaults[field_name] = []
    values: Any = f"${field_name}"
    if operand.nullable:
        values = {"$setDifference": [values, [None]]}
    if isinstance(node, exp.Count):
        return expression({"$size": values}, Kind.INTEGER, nullable=False)
    if isinstance(node, exp.Avg):
        return expression({"$avg": values}, Kind.REAL, nullable=True)
    mql = {"$cond": [{"$gt": [{"$size": values}, 0]}, {"$sum": values}, None]}
    return expression(mql, operand.kind, nullable=True)


def _enter_bare_columns(outputs: list[exp.Expr], group: Group, scope: Scope, extremes: Sequence[exp.Expr]) -> None:
    """Columns that are neither grouped nor aggregated.

    SQLite takes them from the row of the one MIN or MAX, else from any row.
    """
    for column in _bare_columns(outputs, group, scope):
        found = value(column, scope)
        if len(extremes) == 1 and len({scope.key(each) for each in extremes}) == 1:
            direction = 1 if isinstance(extremes[0], exp.Min) else -1
            accumulator = _of_extreme(value(extremes[0].this, scope), found, direction, scope)
            scope.notes.add("extreme_row")
        else:
            accumulator = {"$first": found.mql}
            scope.notes.add("bare_column")
        name = group.add(wished_name(column), accumulator)
        group.replaced[scope.key(column)] = found.at(f"${name}", nullable=found.nullable or not group.keyed)


def _of_extreme(key: Typed, found: Typed, direction: int, scope: Scope) -> Any:
    if key.path is None:
        name = scope.hidden("key")
        scope.stages.append({"$addFields": {name: key.mql}})
        path = name
    else:
        path = key.path
    if direction == 1 and key.nullable:
        # NULL comes first in BSON's order and never is the minimum.
        name = scope.hidden("null")
        scope.stages.append({"$addFields": {name: {"$lte": [f"${path}", None]}}})
        return {"$top": {"sortBy": {name: 1, path: 1}, "output": found.mql}}
    return {"$top": {"sortBy": {path: direction}, "output": found.mql}}


def _bare_columns(outputs: list[exp.Expr], group: Group, scope: Scope) -> Iterable[exp.Column]:
    """Each such column once, outside of keys and aggregates."""
    seen: set[str] = set()
    for output in outputs:
        for column in _open_columns(output, group, scope):
            key = scope.key(column)
            if key not in seen and key not in group.replaced:
                seen.add(key)
                yield column


def _open_columns(node: exp.Expr, group: Group, scope: Scope) -> Iterable[exp.Column]:
    if scope.key(node) in group.replaced:
        return
    if isinstance(node, exp.Query):
        # A sub-query speaks of this row where it names a table that is not its own.
        inside = {table.alias_or_name.lower() for table in node.find_all(exp.Table)}
        outer = (column for column in node.find_all(exp.Column) if column.table and column.table.lower() not in inside)
        yield from (column for column in outer if scope.find(column) is not None)
    elif isinstance(node, exp.Column):
        if scope.find(node) is not None:
            yield node
    else:
        for part in node.iter_expressions():
            yield from _open_columns(part, group, scope)
