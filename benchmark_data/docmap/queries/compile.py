"""Compiles a SQL query for SQLite into a MongoDB query."""

import itertools
from dataclasses import dataclass
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

# These modules enter their rules when they are imported.
from benchmark_data.docmap.queries import element_match, functions, predicates, subqueries, values  # noqa: F401
from benchmark_data.docmap.queries.cost import Statistics, estimated_cost, statistics_of
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.layout import OneToOne
from benchmark_data.docmap.queries.reordering import reordered
from benchmark_data.docmap.queries.schema import Schema
from benchmark_data.docmap.queries.scope import Scope, TableLayout
from benchmark_data.docmap.queries.select import compile_query
from benchmark_data.docmap.queries.text import extended_json, shell_text
from benchmark_data.docmap.queries.tidying import tidied


@dataclass(frozen=True, slots=True, kw_only=True)
class CompiledQuery:
    """A SQL query as a MongoDB query.

    Args:
        collection: where the pipeline starts.
        pipeline: its stages.
        columns: the fields of the answer in the order of SELECT.
        ordered: whether the order of the rows is part of the answer.
        limited: whether the query keeps some of the rows only.
        notes: what a person should know: "bare_column", "cross_join", "extreme_row", "order_outside_distinct",
            "uses_now".
    """

    collection: str
    pipeline: tuple[dict[str, Any], ...]
    columns: tuple[str, ...]
    ordered: bool
    limited: bool
    notes: tuple[str, ...] = ()

    @property
    def lookups(self) -> int:
        """How many $lookup stages it has, those inside others included."""
        return self.extended_json.count('{"$lookup": ')

    def cost(self, statistics: Statistics) -> float:
        """See `cost.estimated_cost`."""
        return estimated_cost(self.collection, self.pipeline, statistics)

    @property
    def text(self) -> str:
        """In mongosh's syntax."""
        return shell_text(self.collection, list(self.pipeline))

    @property
    def extended_json(self) -> str:
        """As one Extended JSON object."""
        return extended_json(self.collection, list(self.pipeline))


def parse_sql(sql: str) -> exp.Expr:
    """Read one query.

    Raises:
        UntranslatableSqlError: "syntax": it is no single statement in SQLite's dialect.
    """
    try:
        found = [each for each in sqlglot.parse(sql, read="sqlite") if each is not None]
    except SqlglotError as error:
        raise UntranslatableSqlError("syntax", f"The SQL cannot be read: {str(error)[:200]}") from error
    if len(found) != 1:
        raise UntranslatableSqlError("syntax", f"{len(found)} statements stand where one is expected.")
    return _without_negated_likes(found[0])


def _without_negated_likes(tree: exp.Expr) -> exp.Expr:
    """NOT LIKE as NOT of LIKE, which the parser writes as a mark on LIKE."""
    for like in list(tree.find_all(exp.Like)):
        if like.args.get("negate"):
            like.set("negate", None)
            whole = like.parent if isinstance(like.parent, exp.Escape) else like
            whole.replace(exp.Not(this=whole.copy()))
    return tree


def compile_sql(sql: str, *, schema: Schema, layout: TableLayout | None = None) -> CompiledQuery:
    """The MongoDB query that gives the same rows.

    Args:
        sql: in SQLite's dialect.
        schema: the tables that it reads.
        layout: where they lie; by default each table is a collection and each column a field of the same name.

    Raises:
        UntranslatableSqlError: a part of the query has no rule.
    """
    tree = parse_sql(sql)
    place = layout or OneToOne(tuple(table.name for table in schema.tables.values()))
    return compile_tree(tree, schema=schema, layout=place)


def compile_tree(tree: exp.Expr, *, schema: Schema, layout: TableLayout) -> CompiledQuery:
    """`compile_sql` for a query that was read already.

    Of the orders of an inner join the one of least estimated cost is taken; under One-to-One the query's own.

    Raises:
        UntranslatableSqlError: a part of the query has no rule.
    """
    best = _compiled(tree, schema, layout)
    if isinstance(layout, OneToOne):
        return best
    statistics = statistics_of(schema, layout)
    for other in itertools.islice(reordered(tree), 1, None):
        try:
            found = _compiled(other, schema, layout)
        except UntranslatableSqlError:
            continue
        best = min(best, found, key=lambda each: each.cost(statistics))
    return best


def _compiled(tree: exp.Expr, schema: Schema, layout: TableLayout) -> CompiledQuery:
    scope = Scope(schema=schema, layout=layout)
    rows = compile_query(tree, scope)
    return CompiledQuery(
        collection=rows.collection,
        pipeline=tuple(tidied(rows.stages)),
        columns=tuple(rows.columns),
        ordered=bool(tree.args.get("order")),
        limited=bool(tree.args.get("limit") or tree.args.get("offset")),
        notes=tuple(sorted(scope.notes)),
    )
