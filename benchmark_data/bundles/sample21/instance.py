"""Builds a sample database in SQLite from its schema and its rows, for any seed."""

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from benchmark_data.bundles.sample21.databases import DOCMAP, ROWS, SCHEMA, SampleDatabase, Tables
from benchmark_data.docmap.check import checked
from benchmark_data.docmap.source import iterate_rows, quoted, read_schema
from benchmark_data.docmap.types import Docmap
from benchmark_data.errors import FaultyBundleError
from benchmark_data.faults import FaultLog
from benchmark_data.load import raise_faults

_SHOWN = 5


def write_instance(database: SampleDatabase, path: Path, *, seed: int) -> None:
    """Write the instance of one seed to a new SQLite file.

    Raises:
        FaultyBundleError: the schema is refused, rows do not fit it, or a foreign key points at nothing.
        OSError: the schema cannot be read.
    """
    path.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = OFF").fetchall()
        connection.execute("PRAGMA synchronous = OFF")
        _create(database, connection)
        log = FaultLog(database.file(ROWS))
        tables = database.tables(database.dice(seed))
        _compare_tables(tables, connection, log)
        connection.execute("BEGIN")
        for name, rows in tables.items():
            _insert(connection, name, rows, log)
        connection.execute("COMMIT")
        _check_keys(connection, log, seed)
        raise_faults([log])


def checked_docmap(database: SampleDatabase, connection: sqlite3.Connection) -> Docmap:
    """The docmap of a sample database, under the database's name, checked against one of its instances.

    Raises:
        FaultyBundleError: with all its faults.
        OSError: it cannot be read.
    """
    text = (database.folder / DOCMAP).read_text(encoding="utf-8")
    found = checked(text, connection, FaultLog(database.file(DOCMAP)))
    if found.db_id != database.db_id:
        log = FaultLog(database.file(DOCMAP))
        log.add("wrong_name", f"the name must be {database.db_id!r}, as the folder's.", field="source.db_id")
        raise_faults([log])
    return found


def source_digest(connection: sqlite3.Connection) -> str:
    """Hex SHA-256 over the rows of all tables: the same whatever version of SQLite wrote the file."""
    digest = hashlib.sha256()
    for table in read_schema(connection).tables:
        digest.update(json.dumps([table.name, *table.column_names]).encode())
        for row in iterate_rows(connection, table.name, table.column_names):
            digest.update(json.dumps(row, default=bytes.hex).encode())
    return digest.hexdigest()


def _create(database: SampleDatabase, connection: sqlite3.Connection) -> None:
    try:
        connection.executescript((database.folder / SCHEMA).read_text(encoding="utf-8"))
    except sqlite3.Error as error:
        log = FaultLog(database.file(SCHEMA))
        log.add("bad_sql", f"SQLite refuses it: {error}.")
        raise FaultyBundleError(log.faults) from error


def _compare_tables(tables: Tables, connection: sqlite3.Connection, log: FaultLog) -> None:
    known = {table.name: len(table.column_names) for table in read_schema(connection).tables}
    for name in known.keys() - tables.keys():
        log.add("missing_table", "tables() makes no rows of this table.", field=name)
    for name, rows in tables.items():
        if name not in known:
            log.add("unknown_table", "the schema has no such table.", field=name)
        elif not rows:
            log.add("empty_table", "the table has no row.", field=name)
        odd = [number for number, row in enumerate(rows) if len(row) != known.get(name, len(row))]
        if odd:
            message = f"{len(odd):,} rows have not {known[name]} cells, the first is number {odd[0]}: {rows[odd[0]]!r}."
            log.add("wrong_width", message, field=name)
    raise_faults([log])


def _insert(connection: sqlite3.Connection, name: str, rows: Sequence[tuple[object, ...]], log: FaultLog) -> None:
    for row in rows:
        cells = ", ".join("?" * len(row))
        try:
            connection.execute(f"INSERT INTO {quoted(name)} VALUES ({cells})", row)  # noqa: S608 quoted
        except sqlite3.Error as error:
            log.add("refused_row", f"SQLite refuses the row {row!r}: {error}.", field=name)
            return


def _check_keys(connection: sqlite3.Connection, log: FaultLog, seed: int) -> None:
    found = connection.execute("PRAGMA foreign_key_check").fetchall()
    for table, rowid, parent, _ in found[:_SHOWN]:
        log.add("foreign_key", f"seed {seed}: the row with rowid {rowid} points at no row of {parent}.", field=table)
    if len(found) > _SHOWN:
        log.add("foreign_key", f"seed {seed}: … and {len(found) - _SHOWN:,} more rows that point at nothing.")
