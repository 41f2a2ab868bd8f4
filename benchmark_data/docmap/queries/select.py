"""One SELECT as a pipeline: rows, groups, windows, distinct rows, order, limit, projection."""

from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from benchmark_data.docmap.queries.dispatch import value
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.filters import filter_of
from benchmark_data.docmap.queries.grouping import AGGREGATES, aggregates_in, group_of
from benchmark_data.docmap.queries.joins import read_rows
from benchmark_data.docmap.queries.names import expanded, resolved, with_aliases
from benchmark_data.docmap.queries.schema import Kind
from benchmark_data.docmap.queries.scope import Scope
from benchmark_data.docmap.queries.set_operations import combined
from benchmark_data.docmap.queries.sources import Rows
from benchmark_data.docmap.queries.tidying import tidied
from benchmark_data.docmap.queries.typed import Typed
from benchmark_data.docmap.queries.windows import add_windows


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalarDefault:
    """What a scalar sub-query is where no row reaches it.

    Args:
        value: of its column; None is NULL.
        guarded: whether the pipeline has to give a row itself in that case.
        one_row: whether it gives one row at most.
    """

    value: Any = None
    guarded: bool = True
    one_row: bool = False


_STRICT = (*AGGREGATES, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Cast, exp.Paren, exp.Round)


def scalar_default(node: exp.Expr) -> ScalarDefault:
    """Whether a sub-query without rows is NULL or 0, so that nothing has to be added to its pipeline."""
    if not isinstance(node, exp.Select) or node.args.get("group") or not aggregates_in(node.expressions):
        return ScalarDefault()
    found = node.expressions[0].unalias()
    if isinstance(found, exp.Count):
        return ScalarDefault(value=0, guarded=False, one_row=True)
    part: exp.Expr = found
    while isinstance(part, exp.Paren | exp.Cast | exp.Round):
        part = part.this
    strict = isinstance(part, AGGREGATES) or (isinstance(part, _STRICT) and part.find(exp.Count) is None)
    return ScalarDefault(guarded=not strict or node.args.get("having") is not None, one_row=True)


def compile_query(node: exp.Expr, scope: Scope, *, guarded: bool = True) -> Rows:
    """The pipeline of a SELECT or of a set operation.

    Args:
        guarded: whether an aggregate over no row gives a row, as in SQL.

    Raises:
        UntranslatableSqlError: a part of it has no rule.
    """
    common = node.args.get("with_")
    if common is not None:
        if common.args.get("recursive"):
            raise UntranslatableSqlError("recursive", "WITH RECURSIVE has no rule.")
        for each in common.expressions:
            if each.args["alias"].args.get("columns"):
                raise UntranslatableSqlError("with_columns", f"WITH {each.alias} renames its columns.")
            scope.tables[each.alias.lower()] = each.this
    if isinstance(node, exp.Subquery):
        return compile_query(node.this, scope, guarded=guarded)
    if isinstance(node, exp.SetOperation):
        return combined(node, scope, compile_query)
    if not isinstance(node, exp.Select):
        raise UntranslatableSqlError("statement", f"{node.key.upper()} is no query with a rule.")
    return _select(node, scope, guarded=guarded)


def _select(select: exp.Select, scope: Scope, *, guarded: bool) -> Rows:
    if not select.expressions:
        raise UntranslatableSqlError("syntax", "SELECT names no column.")
    read_rows(with_aliases(select, scope), scope, compile_query)
    outputs = expanded(select, scope)
    order = _order(select, outputs, scope)
    keys = resolved(select.args["group"].expressions if select.args.get("group") else [], outputs, scope)
    having = _having(select, scope)
    asked = [*(node for _, node in outputs), *([having] if having else []), *(each.this for each in order)]
    if keys or aggregates_in(asked):
        _group(keys, asked, scope, guarded=guarded)
    if having is not None:
        found = filter_of(having, scope)
        scope.stages.append({"$match": found})
    add_windows(asked, scope)
    columns = {name: value(node, scope) for name, node in outputs}
    if select.args.get("distinct"):
        columns = _distinct(columns, outputs, order, scope)
    _sort(order, scope)
    _limit(select, scope)
    return project(columns, scope)


def _having(select: exp.Select, scope: Scope) -> exp.Expr | None:
    having = select.args.get("having")
    return resolved([having.this], [], scope)[0] if having else None


def _order(select: exp.Select, outputs: list[tuple[str, exp.Expr]], scope: Scope) -> list[exp.Ordered]:
    """ORDER BY with aliases and positions resolved; an alias goes before a column of the same name."""
    if not select.args.get("order"):
        return []
    ordered = []
    aliases = {name.lower(): node for name, node in scope.aliases.items()}
    for each in select.args["order"].expressions:
        copy = each.copy()
        inner = copy.this
        if isinstance(inner, exp.Column) and not inner.table and inner.name.lower() in aliases:
            copy.set("this", aliases[inner.name.lower()].copy())
        else:
            copy.set("this", resolved([inner], outputs, scope)[0])
        ordered.append(copy)
    return ordered


def _group(keys: list[exp.Expr], asked: list[exp.Expr], scope: Scope, *, guarded: bool) -> None:
    """Group the rows; without GROUP BY, SQL gives one row even where there is none."""
    group = group_of(keys, asked, scope)
    stage = {"$group": {"_id": group.key, **group.fields}}
    if group.keyed or not guarded:
        scope.stages.append(stage)
    else:
        default = {"$ifNull": [{"$first": "$rows"}, {"$literal": group.defaults}]}
        scope.stages += [{"$facet": {"rows": [stage]}}, {"$replaceWith": default}]
    scope.replaced = group.replaced
    scope.closed = True


def _distinct(
    columns: dict[str, Typed], outputs: list[tuple[str, exp.Expr]], order: list[exp.Ordered], scope: Scope
) -> dict[str, Typed]:
    """Group by all outputs; ORDER BY may then ask for what is not among them, of any of the equal rows."""
    single = len(columns) == 1
    key: Any = {name: {"$ifNull": [each.mql, None]} if each.nullable else each.mql for name, each in columns.items()}
    if single:
        [only] = columns.values()
        key = {"$literal": only.constant} if only.is_constant else only.mql
    after = {name: each.at("$_id" if single else f"$_id.{name}") for name, each in columns.items()}
    replaced = {scope.key(node): after[name] for name, node in outputs}
    fields: dict[str, Any] = {}
    for each in order:
        known = scope.key(each.this)
        if known not in replaced:
            name = scope.hidden("order")
            found = value(each.this, scope)
            fields[name] = {"$first": found.mql}
            replaced[known] = found.at(f"${name}")
            scope.notes.add("order_outside_distinct")
    scope.stages.append({"$group": {"_id": key, **fields}})
    scope.replaced, scope.closed = replaced, True
    return after


def _sort(order: list[exp.Ordered], scope: Scope) -> None:
    """NULL comes first in both languages; a key that is no field is computed beside the row."""
    keys: dict[str, int] = {}
    computed: dict[str, Any] = {}
    for each in order:
        found = value(each.this, scope)
        if found.is_constant:
            continue
        if each.this.find(exp.Collate) is not None:
            raise UntranslatableSqlError("collation", "ORDER BY with COLLATE has no rule.")
        descending = bool(each.args.get("desc"))
        path = found.path
        if path is None:
            path = scope.hidden("order")
            computed[path] = found.mql
        if found.nullable and bool(each.args.get("nulls_first")) is descending:
            name = scope.hidden("null")
            computed[name] = {"$lte": [found.mql, None]}
            keys[name] = -1 if descending else 1
        keys.setdefault(path, -1 if descending else 1)
    if computed:
        scope.stages.append({"$addFields": computed})
    if keys:
        scope.stages.append({"$sort": keys})


def _limit(select: exp.Expr, scope: Scope) -> None:
    for name, stage in (("offset", "$skip"), ("limit", "$limit")):
        clause = select.args.get(name)
        if clause is None:
            continue
        number = value(clause.expression, Scope(schema=scope.schema, layout=scope.layout))
        if not number.is_constant or not isinstance(number.constant, int):
            raise UntranslatableSqlError("limit", "LIMIT and OFFSET take whole numbers that are written in the query.")
        if name == "offset" and number.constant > 0:
            scope.stages.append({stage: number.constant})
        if name == "limit" and number.constant >= 0:
            # MongoDB has no limit of 0.
            scope.stages.append({stage: number.constant} if number.constant else {"$match": {"$expr": False}})


def project(columns: dict[str, Typed], scope: Scope) -> Rows:
    """Append the projection to the columns of the answer."""
    shown: dict[str, Any] = {} if "_id" in columns else {"_id": 0}
    for name, column in columns.items():
        mql = column.mql
        if column.is_constant and isinstance(column.constant, int | float | type(None)):
            # In a projection a bare number would keep the field or drop it.
            mql = {"$literal": column.constant}
        shown[name] = 1 if mql == f"${name}" else mql
    scope.stages[:] = [*tidied(scope.stages, scope.presences), {"$project": shown}]
    after = {name: replace(each.at(f"${name}"), kind=each.kind or Kind.ANY) for name, each in columns.items()}
    return Rows(collection=scope.collection, stages=scope.stages, columns=after, variables=scope.variables)
