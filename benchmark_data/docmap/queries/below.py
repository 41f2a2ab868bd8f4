"""Takes a SELECT over inner joins apart, and finds in it the rows below a row that documents have aggregates of."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from benchmark_data.docmap.queries.schema import Schema, TableSchema
from benchmark_data.docmap.queries.sources import conjuncts
from benchmark_data.docmap.queries.summaries import Summary
from benchmark_data.docmap.types import Link
from benchmark_data.docmap.vocabulary import Operation


class NoSummaryError(Exception):
    """The query asks for something else than the aggregates at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedQuery:
    """A SELECT over inner joins.

    Args:
        select: the tree; its parts are copied before they are changed.
        tables: by alias in lower case.
        conditions: of WHERE and of all joins.
    """

    select: exp.Select
    tables: dict[str, TableSchema]
    conditions: tuple[exp.Expr, ...]

    def owner(self, column: exp.Column) -> str:
        """The alias of a column's table.

        Raises:
            NoSummaryError: no table, or several have it.
        """
        wanted = column.table.lower()
        owners = [alias for alias, table in self.tables.items() if wanted in {"", alias} and table.column(column.name)]
        if len(owners) != 1:
            raise NoSummaryError
        return owners[0]

    def owners(self, node: exp.Expr) -> set[str]:
        """The aliases of all columns in an expression."""
        return {self.owner(column) for column in node.find_all(exp.Column)}

    def equality(self, left: tuple[str, str], right: tuple[str, str]) -> exp.Expr:
        """The condition that two columns are equal, each named by alias and name.

        Raises:
            NoSummaryError: there is none.
        """
        wanted = {(alias, name.lower()) for alias, name in (left, right)}
        for node in self.conditions:
            if isinstance(node, exp.EQ) and isinstance(node.left, exp.Column) and isinstance(node.right, exp.Column):
                sides = (node.left, node.right)
                if {(self.owner(side), side.name.lower()) for side in sides} == wanted:
                    return node
        raise NoSummaryError


@dataclass(frozen=True, slots=True, kw_only=True)
class RowsBelow:
    """The rows below a row, found in a query.

    Args:
        parent: alias of the table that has the aggregates.
        table: that table.
        key: the column that the first link points at.
        below: aliases of the tables along the links.
        used: the equalities that join them.
        foreign_key: alias and column below that equal the parent's key.
        summaries: the aggregates over these links.
    """

    parent: str
    table: TableSchema
    key: str
    below: tuple[str, ...]
    used: tuple[exp.Expr, ...]
    foreign_key: tuple[str, str]
    summaries: tuple[Summary, ...]

    def find(self, operation: Operation, operand: str | None, digits: int | None = None) -> Summary:
        """The aggregate that answers a question.

        Raises:
            NoSummaryError: there is none.
        """
        for each in self.summaries:
            if (each.operation, each.operand, each.digits) == (operation, operand, digits):
                return each
        raise NoSummaryError


def joined_query(select: exp.Select, schema: Schema) -> JoinedQuery | None:
    """A SELECT taken apart; None unless it reads tables by inner joins alone, names its columns and has no window."""
    source, joins = select.args.get("from_"), select.args.get("joins") or []
    entries = [source.this, *(join.this for join in joins)] if source else []
    plain = all(not join.side and not join.method and not join.args.get("using") for join in joins)
    starred = any(each.is_star for each in select.expressions)
    if not plain or starred or not all(isinstance(each, exp.Table) for each in entries):
        return None
    tables = {each.alias_or_name.lower(): schema.table(each.name) for each in entries}
    known = {alias: table for alias, table in tables.items() if table is not None}
    if not known or len(known) != len(entries) or select.find(exp.Window) is not None:
        return None
    where = select.args.get("where")
    conditions = [each for join in joins for each in conjuncts(join.args.get("on"))]
    conditions += conjuncts(where.this if where else None)
    return JoinedQuery(select=select, tables=known, conditions=tuple(conditions))


def rows_below(query: JoinedQuery, summaries: Sequence[Summary], schema: Schema) -> RowsBelow:
    """Find the tables of the aggregates' links in FROM, joined as the links say.

    The parent may be absent where the query knows it by its key alone. Other tables may only stand above the parent,
    so that each row of it is there once.

    Args:
        query: the SELECT.
        summaries: aggregates of one table over the same links.
        schema: all tables.

    Raises:
        NoSummaryError: they are not there, or joined in another way.
    """
    links = summaries[0].links
    aliases = {record.name: alias for alias, record in query.tables.items()}
    table = schema.table(summaries[0].table)
    if table is None or len(aliases) != len(query.tables) or any(link.child not in aliases for link in links):
        raise NoSummaryError
    below = tuple(aliases[link.child] for link in links)
    parent = aliases.get(table.name, "")
    if not parent and (len(query.tables) != len(below) or table.name.lower() in query.tables):
        raise NoSummaryError
    found = RowsBelow(
        parent=parent or table.name.lower(),
        table=table,
        key=links[0].parent_columns[0].lower(),
        below=below,
        used=tuple(_joins(query, aliases, links if parent else links[1:])),
        foreign_key=(below[0], links[0].child_columns[0].lower()),
        summaries=tuple(summaries),
    )
    _check_others(query, found)
    return found


def _joins(query: JoinedQuery, aliases: dict[str, str], links: Sequence[Link]) -> list[exp.Expr]:
    return [
        query.equality(
            (aliases[link.child], link.child_columns[0]),
            (aliases[link.parent], link.parent_columns[0]),
        )
        for link in links
    ]


def _check_others(query: JoinedQuery, found: RowsBelow) -> None:
    """Each other table is reached by its key from the parent, or from another one that is."""
    above = {found.parent}
    waiting = [alias for alias in query.tables if alias not in {found.parent, *found.below}]
    while waiting:
        reached = next((alias for alias in waiting if _is_above(query, alias, above)), None)
        if reached is None:
            raise NoSummaryError
        above.add(reached)
        waiting.remove(reached)


def _is_above(query: JoinedQuery, alias: str, above: set[str]) -> bool:
    key = query.tables[alias].primary_key
    for node in query.conditions:
        if len(key) == 1 and isinstance(node, exp.EQ):
            for one, other in ((node.left, node.right), (node.right, node.left)):
                if isinstance(one, exp.Column) and isinstance(other, exp.Column):
                    is_key = query.owner(one) == alias and one.name.lower() == key[0].lower()
                    if is_key and query.owner(other) in above:
                        return True
    return False
