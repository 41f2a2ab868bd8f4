"""Other orders of the same inner joins: where rows are embedded, one order needs fewer $lookup stages than another."""

from collections.abc import Iterator

from sqlglot import exp

from benchmark_data.docmap.queries.sources import conjuncts


def reordered(tree: exp.Expr) -> Iterator[exp.Expr]:
    """The query as it stands, then with each other table in front; the same rows for inner joins only.

    Tables follow that a condition ties to one before, in the order of the query.
    """
    yield tree
    if not isinstance(tree, exp.Select) or not _is_reorderable(tree):
        return
    tables = [tree.args["from_"].this, *(join.this for join in tree.args["joins"])]
    where = tree.args.get("where")
    conditions = [each for join in tree.args["joins"] for each in conjuncts(join.args.get("on"))]
    conditions += conjuncts(where.this if where else None)
    ties = [_names(condition) for condition in conditions if isinstance(condition, exp.EQ)]
    for first in tables[1:]:
        order = _order(first, tables, ties)
        made = tree.copy()
        made.set("from_", exp.From(this=order[0].copy()))
        made.set("joins", [exp.Join(this=table.copy(), kind="CROSS") for table in order[1:]])
        made.set("where", exp.Where(this=exp.and_(*(each.copy() for each in conditions), copy=False)))
        yield made


def _is_reorderable(select: exp.Select) -> bool:
    joins = select.args.get("joins") or []
    inner = all(
        not join.side and not join.method and not join.args.get("using") and isinstance(join.this, exp.Table)
        for join in joins
    )
    start = select.args.get("from_")
    starred = any(each.is_star for each in select.expressions)
    tied = any(join.args.get("on") for join in joins) or select.args.get("where")
    return bool(joins and inner and tied and not starred and start and isinstance(start.this, exp.Table))


def _names(condition: exp.Expr) -> set[str]:
    return {column.table.lower() for column in condition.find_all(exp.Column) if column.table}


def _order(first: exp.Table, tables: list[exp.Table], ties: list[set[str]]) -> list[exp.Table]:
    order, rest = [first], [table for table in tables if table is not first]
    while rest:
        known = {table.alias_or_name.lower() for table in order}
        tied = (
            table for table in rest if any(table.alias_or_name.lower() in names and names & known for names in ties)
        )
        chosen = next(tied, rest[0])
        order.append(chosen)
        rest = [table for table in rest if table is not chosen]
    return order
