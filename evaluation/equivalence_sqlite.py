"""The SQL side of the equivalence harness: schema and cells, answers with their ties."""

import re
import sqlite3
import time
from collections.abc import Iterator
from itertools import groupby

from sqlglot import exp

from benchmark_data.docmap.queries.compile import parse_sql
from benchmark_data.docmap.queries.schema import Column, Schema, TableSchema, schema_from
from benchmark_data.docmap.source import Table, count_rows, quoted
from benchmark_data.docmap.source import read_schema as read_tables
from evaluation.equivalence import Reference, Row, TieGroup

_COLLATION = re.compile(r"\bCOLLATE\b", re.IGNORECASE)
_PROGRESS_STEPS = 20_000


class SqlFailedError(Exception):
    """SQLite refuses a query, or it takes too long."""


def schema_of(connection: sqlite3.Connection) -> Schema:
    """The schema for the compiler, with the storage classes that the cells of each column have."""
    declared = dict(connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'"))
    return schema_from(
        tuple(_table(connection, table, declared.get(table.name) or "") for table in read_tables(connection).tables)
    )


def _table(connection: sqlite3.Connection, table: Table, sql: str) -> TableSchema:
    collation = "DECLARED" if _COLLATION.search(sql) else "BINARY"
    columns = []
    for column in table.columns:
        name = quoted(column.name)
        found = connection.execute(f"SELECT DISTINCT typeof({name}) FROM {quoted(table.name)}")  # noqa: S608 quoted
        key = table.primary_key == (column.name,) and column.declared_type.upper() == "INTEGER" and table.has_rowid
        columns.append(
            Column(
                name=column.name,
                declared=column.declared_type,
                nullable=not (column.not_null or key),
                classes=frozenset(kind for (kind,) in found) - {"null"},
                collation=collation if column.affinity == "TEXT" else "BINARY",
            )
        )
    rows = count_rows(connection, table.name)
    return TableSchema(name=table.name, columns=tuple(columns), primary_key=table.primary_key, rows=rows)


def run_sql(connection: sqlite3.Connection, sql: str, *, seconds: float) -> list[Row]:
    """The rows of a query.

    Raises:
        SqlFailedError: SQLite refuses it, or it takes longer than `seconds`.
    """
    deadline = time.monotonic() + seconds
    connection.set_progress_handler(lambda: time.monotonic() > deadline, _PROGRESS_STEPS)
    try:
        return connection.execute(sql).fetchall()
    except sqlite3.Error as error:
        raise SqlFailedError(str(error)) from error
    finally:
        connection.set_progress_handler(None, 0)


def reference_of(connection: sqlite3.Connection, sql: str, *, seconds: float = 30.0) -> Reference:
    """What a query may answer, by running it without its LIMIT and with the keys of its ORDER BY.

    Raises:
        SqlFailedError: see `run_sql`.
        UntranslatableSqlError: the SQL cannot be read.
    """
    tree = parse_sql(sql)
    offset, limit = _number(tree, "offset") or 0, _number(tree, "limit")
    probe = _probe(tree)
    if probe is None:
        rows = run_sql(connection, sql, seconds=seconds)
        ordered = bool(tree.args.get("order"))
        groups = [TieGroup(rows=(row,), kept=1) for row in rows] if ordered else [_whole(rows)]
        return Reference(groups=tuple(groups))
    query, keys = probe
    rows = run_sql(connection, query, seconds=seconds)
    width = len(rows[0]) - keys if rows else 0
    return Reference(groups=tuple(_groups(rows, width, offset, limit)))


def _whole(rows: list[Row]) -> TieGroup:
    return TieGroup(rows=tuple(rows), kept=len(rows))


def _groups(rows: list[Row], width: int, offset: int, limit: int | None) -> Iterator[TieGroup]:
    end = len(rows) if limit is None or limit < 0 else offset + limit
    position = 0
    for _, members in groupby(rows, key=lambda row: row[width:]):
        group = tuple(row[:width] for row in members)
        kept = max(0, min(end, position + len(group)) - max(offset, position))
        position += len(group)
        if kept:
            yield TieGroup(rows=group, kept=kept)


def _number(tree: exp.Expr, clause: str) -> int | None:
    found = tree.args.get(clause)
    if found is None:
        return None
    try:
        return int(found.expression.sql(dialect="sqlite"))
    except ValueError as error:
        raise SqlFailedError(f"{clause.upper()} is no number that is written in the query") from error


def _probe(tree: exp.Expr) -> tuple[str, int] | None:
    """The query without LIMIT and with its sort keys as last columns, and their number; None where that changes it."""
    if not isinstance(tree, exp.Select) or (tree.args.get("distinct") and tree.args.get("order")):
        return None
    made = tree.copy()
    order = made.args.get("order")
    aliases = {each.alias.lower(): each.this for each in _aliased(made)}
    keys = []
    for each in order.expressions if order else []:
        key = each.this
        if isinstance(key, exp.Literal) and not key.is_string:
            key = tree.expressions[int(key.this) - 1].unalias()
        elif isinstance(key, exp.Column) and not key.table and key.name.lower() in aliases:
            key = aliases[key.name.lower()]
        keys.append(key.copy())
    made.set("limit", None)
    made.set("offset", None)
    made.set("expressions", [*made.expressions, *(exp.alias_(key, f"_key{n}") for n, key in enumerate(keys))])
    return made.sql(dialect="sqlite"), len(keys)


def _aliased(select: exp.Select) -> list[exp.Alias]:
    """The outputs of SELECT that have an alias."""
    return [each for each in select.expressions if isinstance(each, exp.Alias)]
