"""Sub-queries that do not depend on the row: they are computed once, in front of the rows that need them."""

import itertools

from sqlglot import exp

from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.grouping import aggregates_in
from benchmark_data.docmap.queries.scope import Scope
from benchmark_data.docmap.queries.sources import HOISTED, QueryRule, conjuncts

_STRICT = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)
_TRANSPARENT = (exp.Paren, exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Neg, exp.Cast)


def hoisted(select: exp.Select, scope: Scope, compiled: QueryRule) -> exp.Select:
    """The same query with such sub-queries of WHERE as first entries of FROM.

    A comparison with a scalar sub-query is never TRUE where that has no row, so a join with its one row keeps the same
    rows; so does a join with the distinct values of an IN.
    """
    where, source = select.args.get("where"), select.args.get("from_")
    if where is None or source is None or where.find(exp.Query) is None:
        return select
    made = select.copy()
    entries: list[exp.Expr] = []
    conditions = []
    numbers = itertools.count(1)
    for condition in conjuncts(made.args["where"].this):
        replaced = _from_in(condition, scope, compiled, f"{HOISTED}{next(numbers)}", entries)
        if replaced is None:
            _from_scalars(condition, scope, compiled, numbers, entries)
        conditions.append(condition if replaced is None else replaced)
    if not entries:
        return select
    made.set("where", exp.Where(this=exp.and_(*conditions, copy=False)))
    joins = [exp.Join(this=each, kind="CROSS") for each in [*entries[1:], made.args["from_"].this]]
    made.set("joins", [*joins, *(made.args.get("joins") or [])])
    made.set("from_", exp.From(this=entries[0]))
    return made


def _from_in(
    condition: exp.Expr, scope: Scope, compiled: QueryRule, alias: str, entries: list[exp.Expr]
) -> exp.Expr | None:
    """`x IN (SELECT y … GROUP BY …)` as an equality with a distinct y; plain sub-queries are looked up by key."""
    query = condition.args.get("query") if isinstance(condition, exp.In) else None
    query = query.this if isinstance(query, exp.Subquery) else query
    if not isinstance(query, exp.Select) or not any(query.args.get(name) for name in ("group", "having", "limit")):
        return None
    name = _single_name(query, scope, compiled)
    if name is None:
        return None
    inner = query.copy().subquery(alias=f"{alias}_values", copy=False)
    column = exp.column(name, table=f"{alias}_values", quoted=True)
    distinct = exp.select(exp.alias_(column, alias)).from_(inner, copy=False).distinct(copy=False)
    entries.append(distinct.subquery(alias=alias, copy=False))
    return exp.EQ(this=condition.this.copy(), expression=exp.column(alias, table=alias))


def _from_scalars(
    condition: exp.Expr,
    scope: Scope,
    compiled: QueryRule,
    numbers: "itertools.count[int]",
    entries: list[exp.Expr],
) -> None:
    if not isinstance(condition, _STRICT):
        return
    for side in (condition.this, condition.expression):
        for found in _scalars(side):
            name = _single_name(found.this, scope, compiled)
            if name is None:
                continue
            alias = f"{HOISTED}{next(numbers)}"
            entries.append(_one_row(found.this.copy(), name, alias).subquery(alias=alias, copy=False))
            found.replace(exp.column(alias, table=alias))


def _one_row(query: exp.Query, name: str, alias: str) -> exp.Select:
    """At most one row of a query, its one column under a name that nothing else has."""
    if not isinstance(query, exp.Select) or isinstance(query.expressions[0], exp.Alias | exp.Star):
        inside = query.subquery(alias=f"{alias}_rows", copy=False)
        column = exp.column(name, table=f"{alias}_rows", quoted=True)
        query = exp.select(exp.alias_(column, alias)).from_(inside, copy=False)
    else:
        query.set("expressions", [exp.alias_(query.expressions[0], alias)])
    whole = not query.args.get("group") and aggregates_in(query.expressions)
    return query if whole or query.args.get("limit") else query.limit(1, copy=False)


def _scalars(node: exp.Expr) -> list[exp.Subquery]:
    """Scalar sub-queries whose NULL makes the whole expression NULL."""
    if isinstance(node, exp.Subquery):
        return [node]
    if not isinstance(node, _TRANSPARENT):
        return []
    inside = [node.this] + ([node.expression] if isinstance(node, exp.Binary) else [])
    return [found for each in inside for found in _scalars(each)]


def _single_name(query: exp.Expr, scope: Scope, compiled: QueryRule) -> str | None:
    """The name of the one column of a query that stands on its own; None where it needs the row around it."""
    alone = Scope(schema=scope.schema, layout=scope.layout, tables=dict(scope.tables))
    try:
        rows = compiled(query.copy(), alone)
    except UntranslatableSqlError:
        return None
    return next(iter(rows.columns)) if len(rows.columns) == 1 else None
