"""Reads rows for a whole batch at a time: one query for each embedding and batch, never one for each row."""

import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmark_data.docmap.source import TEXT, Row, Schema, SourceError, Table, connect_read_only, quoted, read_schema
from benchmark_data.docmap.types import ComputedField, Link
from benchmark_data.docmap.vocabulary import Operation

_NUMBER = '"__docmap_number"'
_KEYS = '"__docmap_keys"'
_CACHE_KIBIBYTES = 65_536


@contextmanager
def working_copy(path: Path, links: Sequence[Link]) -> "Iterator[Fetcher]":
    """A private copy of a source, indexed on every column that a join needs; the source itself is only read.

    Raises:
        SourceError: the source cannot be read.
        OSError: the disk refused.
    """
    with tempfile.TemporaryDirectory(prefix="docmap-") as folder:
        source = connect_read_only(path)
        copy = sqlite3.connect(Path(folder) / "copy.sqlite", isolation_level=None)
        try:
            source.backup(copy)
            copy.text_factory = TEXT
            fetcher = Fetcher(copy)
            fetcher.prepare(links)
            yield fetcher
        except sqlite3.Error as error:
            # A damaged page, an expression that overflows: known only when the row is reached.
            raise SourceError(f"{path.name}: SQLite gave up: {error}.") from error
        finally:
            source.close()
            copy.close()


class Fetcher:
    """Answers batched key joins on a writable copy of the source."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.schema: Schema = read_schema(connection)

    def prepare(self, links: Sequence[Link]) -> None:
        """Build the indexes and the tables of keys."""
        for pragma in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{_CACHE_KIBIBYTES}"):
            self.connection.execute(f"PRAGMA {pragma}").fetchall()
        sides = {(link.child, link.child_columns) for link in links}
        sides |= {(link.parent, link.parent_columns) for link in links}
        for number, (table, columns) in enumerate(sorted(sides)):
            if not self._is_indexed(table, columns):
                names = ", ".join(map(quoted, columns))
                self.connection.execute(f'CREATE INDEX "__docmap_index_{number}" ON {quoted(table)} ({names})')
        for width in {len(columns) for _, columns in sides}:
            cells = ", ".join(f"c{place}" for place in range(width))
            self.connection.execute(f'CREATE TEMP TABLE "__docmap_keys_{width}" ({_NUMBER} INTEGER, {cells})')

    def _is_indexed(self, table: str, columns: tuple[str, ...]) -> bool:
        found = self.connection.execute(f"PRAGMA index_list({quoted(table)})").fetchall()
        indexes = [
            tuple(row[2] for row in self.connection.execute(f"PRAGMA index_info({quoted(index)})"))
            for _, index, _, _, partial in found
            if not partial
        ]
        record = self.table(table)
        if len(record.primary_key) == 1:
            # A rowid key has no index of its own in that list.
            indexes.append(record.primary_key)
        return any(index[: len(columns)] == columns for index in indexes)

    def table(self, name: str) -> Table:
        """The record of a table that is known to be there."""
        found = self.schema.table(name)
        if found is None:
            raise KeyError(name)
        return found

    def roots(
        self, table: str, expressions: Sequence[str], order: Sequence[tuple[str, bool]], size: int
    ) -> Iterator[list[Row]]:
        """All rows of a table, `size` at a time: its columns, then the expressions; in a total order."""
        record = self.table(table)
        sql = (
            f"SELECT {_columns(record, expressions)} FROM {quoted(table)} "  # noqa: S608 quoted
            f"ORDER BY {_order(record, order)}"
        )
        cursor = self.connection.execute(sql)
        while rows := cursor.fetchmany(size):
            yield rows

    def orphans(self, link: Link, *, upwards: bool, expressions: Sequence[str], size: int) -> Iterator[list[Row]]:
        """The rows that no embedding along the link holds: children without parent, or (upwards) the reverse."""
        held, holder = (link.parent, link.child) if upwards else (link.child, link.parent)
        held_columns, holder_columns = link.parent_columns, link.child_columns
        if not upwards:
            held_columns, holder_columns = holder_columns, held_columns
        record = self.table(held)
        match = _match("held", held_columns, "holder", holder_columns)
        sql = (
            f"SELECT {_columns(record, expressions, 'held')} FROM {quoted(held)} AS held WHERE NOT EXISTS "  # noqa: S608
            f"(SELECT 1 FROM {quoted(holder)} AS holder WHERE {match}) ORDER BY {_order(record, (), 'held')}"
        )
        cursor = self.connection.execute(sql)
        while rows := cursor.fetchmany(size):
            yield rows

    def related(
        self,
        table: str,
        columns: Sequence[str],
        keys: Sequence[Row],
        *,
        expressions: Sequence[str] = (),
        order: Sequence[tuple[str, bool]] = (),
        where: str = "",
        limit: int | None = None,
    ) -> Iterator[tuple[int, Row]]:
        """The rows whose `columns` equal a key, each with the key's position; keys with NULL find none."""
        record = self.table(table)
        self._set_keys(keys, len(columns))
        source = (
            f"FROM temp.{self._keys_table(len(columns))} AS {_KEYS} CROSS JOIN {quoted(table)} "
            f"WHERE {_key_match(table, columns)}{f' AND ({where})' if where else ''}"
        )
        selected = f"{_KEYS}.{_NUMBER}, {_columns(record, expressions, table)}"
        ordered = _order(record, order, table)
        if limit is None:
            sql = f"SELECT {selected} {source} ORDER BY {_KEYS}.{_NUMBER}, {ordered}"
        else:
            place = f'row_number() OVER (PARTITION BY {_KEYS}.{_NUMBER} ORDER BY {ordered}) AS "__docmap_place"'
            sql = (
                f'SELECT * FROM (SELECT {selected}, {place} {source}) WHERE "__docmap_place" <= {limit} '  # noqa: S608
                f'ORDER BY {_NUMBER}, "__docmap_place"'
            )
        cursor = self.connection.execute(sql)
        while rows := cursor.fetchmany(1_000):
            for row in rows:
                yield row[0], row[1 : 1 + len(record.columns) + len(expressions)]

    def aggregated(self, field: ComputedField, keys: Sequence[Row]) -> Iterator[tuple[int, Row]]:
        """The aggregate of each key that has rows: (position, (value,)); for a list, one row for each element."""
        first, last = field.links[0], field.links[-1]
        self._set_keys(keys, len(first.parent_columns))
        joins = "".join(
            f" JOIN {quoted(link.child)} AS t{place} ON "
            + _match(f"t{place}", link.child_columns, f"t{place - 1}", link.parent_columns)
            for place, link in enumerate(field.links[1:], start=1)
        )
        final = f"t{len(field.links) - 1}"
        matched = " AND ".join(f"t0.{quoted(c)} = +{_KEYS}.c{n}" for n, c in enumerate(first.child_columns))
        # The expression sees the last child alone under its own name, so that its columns need no qualification.
        inner = (
            f"SELECT {_KEYS}.{_NUMBER} AS {_NUMBER}, {final}.* FROM temp.{self._keys_table(len(first.parent_columns))} "  # noqa: S608
            f"AS {_KEYS} CROSS JOIN {quoted(first.child)} AS t0{joins} WHERE {matched}"
        )
        condition = f" WHERE {field.where}" if field.where else ""
        order = f" ORDER BY {_NUMBER}"
        if field.operation is Operation.LIST:
            # One row an element, in the order of values, so that a list is the same at each run.
            sql = f"SELECT {_NUMBER}, ({field.expression}) FROM ({inner}) AS {quoted(last.child)}{condition}{order}, 2"  # noqa: S608
        else:
            value = f"{field.operation.value}({field.expression or '*'})"
            if field.digits is not None:
                value = f"round({value}, {field.digits})"
            sql = (
                f"SELECT {_NUMBER}, {value} FROM ({inner}) AS {quoted(last.child)}{condition} GROUP BY {_NUMBER}{order}"  # noqa: S608
            )
        for number, value in self.connection.execute(sql):
            yield number, (value,)

    def _set_keys(self, keys: Sequence[Row], width: int) -> None:
        table = self._keys_table(width)
        self.connection.execute(f"DELETE FROM temp.{table}")  # noqa: S608 our own name
        marks = ", ".join("?" * (width + 1))
        rows = ((number, *key) for number, key in enumerate(keys) if None not in key)
        self.connection.execute("BEGIN")
        try:
            self.connection.executemany(f"INSERT INTO temp.{table} VALUES ({marks})", rows)  # noqa: S608 our own name
        except UnicodeEncodeError as error:
            raise SourceError(f"a key is no UTF-8 text: {error.object!r}.") from error
        finally:
            self.connection.execute("COMMIT")

    @staticmethod
    def _keys_table(width: int) -> str:
        return f'"__docmap_keys_{width}"'


def _key_match(table: str, columns: Sequence[str]) -> str:
    """The condition that a row has a key; the sign lets the key take the column's affinity, as foreign keys do."""
    return " AND ".join(f"{quoted(table)}.{quoted(c)} = +{_KEYS}.c{n}" for n, c in enumerate(columns))


def _match(left: str, left_columns: Sequence[str], right: str, right_columns: Sequence[str]) -> str:
    pairs = zip(left_columns, right_columns, strict=True)
    return " AND ".join(f"{left}.{quoted(one)} = {right}.{quoted(other)}" for one, other in pairs)


def _columns(table: Table, expressions: Sequence[str], alias: str = "") -> str:
    prefix = f"{quoted(alias)}." if alias else ""
    return ", ".join(
        [f"{prefix}{quoted(column.name)}" for column in table.columns] + [f"({text})" for text in expressions]
    )


def _order(table: Table, order: Sequence[tuple[str, bool]], alias: str = "") -> str:
    """The order asked for, made total by the rowid or the primary key."""
    prefix = f"{quoted(alias)}." if alias else ""
    parts = [f"{prefix}{quoted(column)}{' DESC' if descending else ''}" for column, descending in order]
    if table.primary_key:
        parts += [f"{prefix}{quoted(column)}" for column in table.primary_key]
    if table.has_rowid:
        parts.append(f"{prefix}{rowid_name(table)}")
    return ", ".join(parts)


def rowid_name(table: Table) -> str:
    """The name under which a table's rowid can be read: a column may have taken any of the three."""
    taken = {column.name.lower() for column in table.columns}
    return next((name for name in ("rowid", "_rowid_", "oid") if name not in taken), "rowid")
