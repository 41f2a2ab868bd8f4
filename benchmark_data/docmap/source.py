"""Reads a SQLite database: its schema as records, and its rows one after another."""

import functools
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from benchmark_data.docmap.types import Link
from benchmark_data.errors import BenchmarkError

Cell = None | int | float | str | bytes
Row = tuple[Cell, ...]

# Bytes that are no UTF-8 come as half surrogates, so that a row can be read and its fault be told with its place.
TEXT = functools.partial(str, encoding="utf-8", errors="surrogateescape")


class SourceError(BenchmarkError):
    """A file is no SQLite database, or cannot be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a table.

    Args:
        name: as the schema spells it.
        declared_type: as the schema spells it, "" for none.
        affinity: TEXT, NUMERIC, INTEGER, REAL or BLOB, by SQLite's rule.
        not_null: whether NOT NULL is declared.
        generated: computed by SQLite from other columns; needs no home.
    """

    name: str
    declared_type: str
    affinity: str
    not_null: bool = False
    generated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table.

    Args:
        name: as the schema spells it.
        columns: in order.
        primary_key: names of its columns in the key's order, () for none.
        unique_keys: column lists of all UNIQUE constraints and indexes, the primary key among them.
        links: its declared foreign keys whose table and columns exist.
        broken_links: a sentence on each declared foreign key whose table or columns do not exist.
        has_rowid: False for WITHOUT ROWID.
    """

    name: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    unique_keys: tuple[tuple[str, ...], ...] = ()
    links: tuple[Link, ...] = ()
    broken_links: tuple[str, ...] = ()
    has_rowid: bool = True

    @property
    def column_names(self) -> tuple[str, ...]:
        """Names of the columns that hold data of their own."""
        return tuple(column.name for column in self.columns if not column.generated)

    def column(self, name: str) -> Column | None:
        """The column of that exact name, or None."""
        return next((column for column in self.columns if column.name == name), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """The tables of a database, in order of name."""

    tables: tuple[Table, ...]

    def table(self, name: str) -> Table | None:
        """The table of that exact name, or None."""
        return next((table for table in self.tables if table.name == name), None)

    @property
    def links(self) -> tuple[Link, ...]:
        """All declared foreign keys, table by table."""
        return tuple(link for table in self.tables for link in table.links)


def quoted(name: str) -> str:
    """A name as a SQL identifier, whatever is in it."""
    return '"' + name.replace('"', '""') + '"'


def connect_read_only(path: Path) -> sqlite3.Connection:
    """Open a database file without ever writing to it or beside it.

    Raises:
        SourceError: there is no such file, or it is no SQLite database.
    """
    if not path.is_file():
        raise SourceError(f"{path.name}: there is no such file.")
    # Without a write-ahead log the file is all there is, and may lie in a folder that nobody can write to.
    has_log = path.with_name(f"{path.name}-wal").exists()
    address = f"file:{quote(str(path.resolve()))}?mode=ro{'' if has_log else '&immutable=1'}"
    try:
        connection = sqlite3.connect(address, uri=True, isolation_level=None)
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error as error:
        raise SourceError(f"{path.name}: not a SQLite database that can be read: {error}.") from error
    connection.text_factory = TEXT
    return connection


def read_schema(connection: sqlite3.Connection) -> Schema:
    """The schema of a connected database; SQLite's own tables are left out.

    Raises:
        SourceError: the file is damaged.
    """
    try:
        return _schema(connection)
    except sqlite3.Error as error:
        raise SourceError(f"the schema cannot be read: {error}.") from error


def _schema(connection: sqlite3.Connection) -> Schema:
    found = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
        "ORDER BY name"
    ).fetchall()
    plain = {name: _table(connection, name, sql or "") for name, sql in found}
    return Schema(tables=tuple(_linked(connection, table, plain) for table in plain.values()))


def count_rows(connection: sqlite3.Connection, table: str) -> int:
    """How many rows a table has."""
    (count,) = connection.execute(f"SELECT count(*) FROM {quoted(table)}").fetchone()  # noqa: S608 quoted
    return int(count)


def iterate_rows(
    connection: sqlite3.Connection, table: str, columns: Sequence[str], *, order_by: Sequence[str] = ()
) -> Iterator[Row]:
    """The rows of a table, the named columns of each, in the order of `order_by`, else as they lie."""
    order = f" ORDER BY {', '.join(map(quoted, order_by))}" if order_by else ""
    sql = f"SELECT {', '.join(map(quoted, columns))} FROM {quoted(table)}{order}"  # noqa: S608 quoted
    cursor = connection.execute(sql)
    while rows := cursor.fetchmany(1_000):
        yield from rows


def affinity_of(declared_type: str) -> str:
    """A column's affinity. Source: "Datatypes In SQLite", section 3.1."""
    declared = declared_type.upper()
    for affinity, parts in (
        ("INTEGER", ("INT",)),
        ("TEXT", ("CHAR", "CLOB", "TEXT")),
        ("BLOB", ("BLOB",)),
        ("REAL", ("REAL", "FLOA", "DOUB")),
    ):
        if any(part in declared for part in parts):
            return affinity
    return "NUMERIC" if declared else "BLOB"


def _table(connection: sqlite3.Connection, name: str, sql: str) -> Table:
    columns, keyed = [], []
    for _, column, declared, not_null, _, key, hidden in connection.execute(f"PRAGMA table_xinfo({quoted(name)})"):
        columns.append(
            Column(
                name=column,
                declared_type=declared,
                affinity=affinity_of(declared),
                not_null=bool(not_null),
                generated=hidden != 0,
            )
        )
        if key:
            keyed.append((key, column))
    primary_key = tuple(column for _, column in sorted(keyed))
    return Table(
        name=name,
        columns=tuple(columns),
        primary_key=primary_key,
        unique_keys=tuple(dict.fromkeys((*((primary_key,) if primary_key else ()), *_unique_keys(connection, name)))),
        has_rowid="WITHOUT" not in sql.rpartition(")")[2].upper(),
    )


def _unique_keys(connection: sqlite3.Connection, name: str) -> Iterator[tuple[str, ...]]:
    for _, index, unique, _, partial in connection.execute(f"PRAGMA index_list({quoted(name)})").fetchall():
        columns = tuple(row[2] for row in connection.execute(f"PRAGMA index_info({quoted(index)})"))
        # An index on an expression has no column name there.
        if unique and not partial and None not in columns:
            yield columns


def _linked(connection: sqlite3.Connection, table: Table, tables: dict[str, Table]) -> Table:
    spelled = {name.lower(): name for name in tables}
    keys: dict[int, list[tuple[str, str | None]]] = {}
    parents: dict[int, str] = {}
    for number, _, parent, column, target, *_ in connection.execute(f"PRAGMA foreign_key_list({quoted(table.name)})"):
        keys.setdefault(number, []).append((column, target))
        parents[number] = parent
    links, broken = [], []
    # SQLite lists the keys from the last declared to the first.
    for number in sorted(keys, reverse=True):
        parent = tables.get(spelled.get(parents[number].lower(), ""))
        link = None if parent is None else _link(table, parent, keys[number])
        if link is None:
            broken.append(
                f"the foreign key {table.name}.{keys[number][0][0]} points at {parents[number]}, which lacks it."
            )
        elif link not in links:
            links.append(link)
    return Table(
        name=table.name,
        columns=table.columns,
        primary_key=table.primary_key,
        unique_keys=table.unique_keys,
        links=tuple(links),
        broken_links=tuple(broken),
        has_rowid=table.has_rowid,
    )


def _link(child: Table, parent: Table, pairs: list[tuple[str, str | None]]) -> Link | None:
    """A foreign key as a link, names spelled as the tables spell them; without target columns the key is meant."""
    targets = [target for _, target in pairs if target is not None] or list(parent.primary_key)
    columns = [_spelled(child, column) for column, _ in pairs]
    parent_columns = [_spelled(parent, target) for target in targets]
    if len(columns) != len(parent_columns) or None in columns or None in parent_columns:
        return None
    child_columns = tuple(column for column in columns if column is not None)
    return Link(
        name=link_name(child.name, child_columns),
        child=child.name,
        child_columns=child_columns,
        parent=parent.name,
        parent_columns=tuple(column for column in parent_columns if column is not None),
    )


def link_name(child: str, columns: Sequence[str]) -> str:
    """How a foreign key is named where the docmap gives it no name."""
    return f"{child}.{columns[0]}" if len(columns) == 1 else f"{child}.({', '.join(columns)})"


def _spelled(table: Table, name: str) -> str | None:
    return next((column.name for column in table.columns if column.name.lower() == name.lower()), None)
