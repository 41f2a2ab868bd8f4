"""Sub-queries in expressions: a $lookup puts their rows beside the row around them."""

from typing import Any

from sqlglot import exp

from benchmark_data.docmap.queries.conversion import comparable
from benchmark_data.docmap.queries.dispatch import test, test_rule, value, value_rule
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.predicates import IN_QUERY, all_of
from benchmark_data.docmap.queries.scope import Scope
from benchmark_data.docmap.queries.select import compile_query, scalar_default
from benchmark_data.docmap.queries.sources import Rows
from benchmark_data.docmap.queries.typed import Typed, expression, is_not_null


@value_rule(exp.Subquery)
def _scalar(node: exp.Subquery, scope: Scope) -> Typed:
    """The first column of the first row, NULL where there is none; computed once for equal sub-queries."""
    inner = scope.inner()
    default = scalar_default(node.this)
    rows = compile_query(node.this, inner, guarded=default.guarded)
    name, column = next(iter(rows.columns.items()))
    if not default.one_row:
        rows.stages.append({"$limit": 1})
    place = _looked_up(rows, inner, scope)
    first: Any = {"$first": f"${place}.{name}"}
    found = expression({"$ifNull": [first, default.value]}, column.kind, nullable=default.value is None)
    scope.replaced[scope.key(node)] = found
    return found


@test_rule(exp.Exists)
def _exists(node: exp.Exists, scope: Scope, wanted: bool) -> Any:
    inner = scope.inner()
    rows = compile_query(node.this, inner)
    rows.stages.append({"$limit": 1})
    place = _looked_up(rows, inner, scope)
    return {"$ne" if wanted else "$eq": [f"${place}", []]}


def _in_query(node: exp.In, scope: Scope, wanted: bool) -> Any:
    query = node.args["query"]
    query = query.this if isinstance(query, exp.Subquery) else query
    exists = semi_join(node, scope) if wanted else None
    if exists is not None:
        return test(exists, scope)
    inner = scope.inner()
    rows = compile_query(query, inner)
    [(name, column)] = rows.columns.items()
    operand = value(node.this, scope)
    left, right = comparable(operand, column)
    if right is not column:
        raise UntranslatableSqlError("in_query", "IN compares a number with the text of a sub-query.")
    if column.nullable:
        rows.stages.append({"$addFields": {name: {"$ifNull": [f"${name}", None]}}})
    place = _looked_up(rows, inner, scope)
    values = f"${place}.{name}"
    inside = {"$in": [left.mql, values]}
    if wanted:
        return all_of([*([is_not_null(left.mql)] if left.nullable else []), inside])
    tests = [{"$not": [inside]}]
    tests += [is_not_null(left.mql)] if left.nullable else []
    tests += [{"$not": [{"$in": [None, values]}]}] if column.nullable else []
    known = all_of(tests)
    return known if len(tests) == 1 else {"$or": [{"$eq": [f"${place}", []]}, known]}


IN_QUERY.append(_in_query)


def semi_join(node: exp.In, scope: Scope) -> exp.Exists | None:
    """`x IN (SELECT y …)` as `EXISTS (SELECT y … WHERE y = x)`, true for the same rows; None where that has no rule."""
    query = node.args["query"]
    query = query.this if isinstance(query, exp.Subquery) else query
    operand = _qualified(node.this, query, scope) if _is_plain(query) else None
    if operand is None:
        return None
    made = query.copy()
    made.set("distinct", None)
    made.set("order", None)
    equality = exp.EQ(this=made.expressions[0].unalias().copy(), expression=operand.copy())
    where = made.args.get("where")
    condition = exp.And(this=exp.Paren(this=where.this), expression=equality) if where else equality
    made.set("where", exp.Where(this=condition))
    return exp.Exists(this=made)


def _is_plain(query: exp.Expr) -> bool:
    """Whether each row of FROM and WHERE gives one value of the sub-query."""
    if not isinstance(query, exp.Select) or len(query.expressions) != 1:
        return False
    clauses = ("group", "having", "limit", "offset", "with_")
    if any(query.args.get(name) for name in clauses) or not query.args.get("from_"):
        return False
    return isinstance(query.expressions[0], exp.Column) and not isinstance(query.expressions[0].this, exp.Star)


def _qualified(node: exp.Expr, query: exp.Expr, scope: Scope) -> exp.Expr | None:
    """The column with its source's name, unless the sub-query would take that for a name of its own."""
    found = scope.find(node) if isinstance(node, exp.Column) and not scope.closed else None
    if found is None:
        return None
    inside = {table.alias_or_name.lower() for table in query.find_all(exp.Table)}
    return None if found[0].alias.lower() in inside else exp.column(node.name, table=found[0].alias)


def _looked_up(rows: Rows, inner: Scope, scope: Scope) -> str:
    """Append the $lookup; returns the field with the rows."""
    place = scope.hidden("sub")
    stage: dict[str, Any] = {"from": rows.collection}
    if inner.local is not None:
        stage |= {"localField": inner.local, "foreignField": inner.foreign}
    if rows.variables:
        stage["let"] = rows.variables
    scope.stages.append({"$lookup": {**stage, "pipeline": rows.stages, "as": place}})
    return place
