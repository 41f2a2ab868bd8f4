"""Makes a database of the same shape with more or fewer rows: the same keys, fan-outs, links and distributions."""

import hashlib
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from benchmark_data.docmap.source import (
    Cell,
    Schema,
    SourceError,
    Table,
    connect_read_only,
    count_rows,
    quoted,
    read_schema,
)
from benchmark_data.docmap.substitution import KeyGroup, key_groups
from benchmark_data.docmap.types import Link

_GRAIN = 2**32


@dataclass(frozen=True, slots=True, kw_only=True)
class ScaleReport:
    """What scaling did.

    Args:
        rows: by table, rows before and after.
        violations: foreign keys that point nowhere, before and after.
    """

    rows: Mapping[str, tuple[int, int]]
    violations: tuple[int, int]


def scale_database(
    source: Path, destination: Path, *, factor: float, seed: int = 0, links: Sequence[Link] = ()
) -> ScaleReport:
    """Write a copy of a database with `factor` times the rows.

    Copy number j of a row has the row's cells, but for keys: a key is moved behind all keys that are there, and a
    foreign key moves with the key that it points at, so each copy of the data hangs together as the data does. A
    fraction is a random part of the rows, with all rows that they point at. The same arguments give the same bytes.

    Args:
        source: the SQLite file; it is only read.
        destination: the file to write, replaced when the new one is whole.
        factor: above 0.
        seed: chooses the rows of a fraction.
        links: links that the database does not declare.

    Raises:
        SourceError: the source cannot be read, or its constraints refuse a copy; nothing is written.
        OSError: the disk refused.
    """
    if not 0 < factor <= 100_000:
        raise SourceError(f"the factor must be above 0 and at most 100,000, not {factor:g}.")
    with closing(connect_read_only(source)) as original:
        schema = read_schema(original)
        linked = (*schema.links, *(link for link in links if link not in schema.links))
        groups = key_groups(original, schema, linked) if factor > 1 else ()
    with tempfile.TemporaryDirectory(prefix=f".{destination.name}-", dir=destination.parent) as folder:
        path = Path(folder) / "scaled.sqlite"
        with _copied(source, path) as connection:
            _scale(connection, schema, linked, groups, factor=factor, seed=seed)
            report = _report(connection, source, schema, factor)
        path.replace(destination)
    return report


@contextmanager
def _copied(source: Path, path: Path) -> Iterator[sqlite3.Connection]:
    """A writable copy, with the source attached as `original`."""
    with closing(connect_read_only(source)) as original:
        connection = sqlite3.connect(path, isolation_level=None, uri=True)
        original.backup(connection)
    try:
        connection.text_factory = bytes
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA synchronous = OFF").fetchall()
        connection.execute("PRAGMA journal_mode = OFF").fetchall()
        immutable = "" if source.with_name(f"{source.name}-wal").exists() else "&immutable=1"
        connection.execute("ATTACH ? AS original", (f"file:{quote(str(source.resolve()))}?mode=ro{immutable}",))
        yield connection
    except sqlite3.Error as error:
        raise SourceError(f"{source.name} cannot be scaled: {error}.") from error
    finally:
        connection.close()


def _scale(
    connection: sqlite3.Connection,
    schema: Schema,
    links: Sequence[Link],
    groups: Sequence[KeyGroup],
    *,
    factor: float,
    seed: int,
) -> None:
    triggers = connection.execute("SELECT name, sql FROM main.sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {quoted(name.decode())}")
    whole, fraction = int(factor), factor - int(factor)
    connection.execute("BEGIN")
    for copy in range(1, whole):
        for table in schema.tables:
            _add_copy(connection, table, groups, copy, chosen=False)
    if fraction > 1 / _GRAIN:
        _choose(connection, schema, links, fraction, seed)
        for table in schema.tables:
            if whole:
                _add_copy(connection, table, groups, whole, chosen=True)
            else:
                _keep_chosen(connection, table)
    connection.execute("COMMIT")
    for _, sql in triggers:
        connection.execute(sql.decode())


def _add_copy(
    connection: sqlite3.Connection, table: Table, groups: Sequence[KeyGroup], copy: int, *, chosen: bool
) -> None:
    rules = {place: group.fresh for group in groups for place in group.places}
    selected = []
    for number, column in enumerate(table.column_names):
        rule = rules.get((table.name, column))
        if rule is None:
            selected.append(quoted(column))
            continue
        connection.create_function(f"docmap_fresh_{number}", 1, _fresh(rule, copy))
        selected.append(f"docmap_fresh_{number}({quoted(column)})")
    names = ", ".join(map(quoted, table.column_names))
    condition = f" WHERE {_is_chosen(table)}" if chosen else ""
    order = ", ".join(_identity(table))
    connection.execute(
        f"INSERT INTO main.{quoted(table.name)} ({names}) SELECT {', '.join(selected)} "  # noqa: S608 quoted
        f"FROM original.{quoted(table.name)} AS row{condition} ORDER BY {order}"
    )


def _fresh(rule: Callable[[Cell, int], Cell], copy: int) -> Callable[[Cell], Cell]:
    return lambda cell: rule(cell, copy)


def _identity(table: Table) -> tuple[str, ...]:
    return ("rowid",) if table.has_rowid else tuple(map(quoted, table.primary_key))


def _chosen_table(table: Table) -> str:
    return f"temp.{quoted(f'chosen {table.name}')}"


def _is_chosen(table: Table, alias: str = "row") -> str:
    places = enumerate(_identity(table))
    # The sign takes the column's affinity away, which would keep SQLite from using the key's index.
    match = " AND ".join(f"chosen.k{place} = +{alias}.{name}" for place, name in places)
    return f"EXISTS (SELECT 1 FROM {_chosen_table(table)} AS chosen WHERE {match})"  # noqa: S608 quoted


def _choose(connection: sqlite3.Connection, schema: Schema, links: Sequence[Link], fraction: float, seed: int) -> None:
    """Choose rows by a hash of seed and key, then, until nothing changes, the rows that chosen ones point at."""
    for table in schema.tables:
        identity = _identity(table)
        keys = ", ".join(f"k{place}" for place in range(len(identity)))
        connection.execute(f"CREATE TABLE {_chosen_table(table)} ({keys}, PRIMARY KEY ({keys}))")
        connection.create_function("docmap_chance", -1, _chance(seed, table.name), deterministic=True)
        connection.execute(
            f"INSERT INTO {_chosen_table(table)} SELECT {', '.join(identity)} FROM original.{quoted(table.name)} "  # noqa: S608
            f"WHERE docmap_chance({', '.join(identity)}) < {fraction!r}"
        )
    tables = {table.name: table for table in schema.tables}
    while any(_follow(connection, tables, link) for link in links):
        pass


def _follow(connection: sqlite3.Connection, tables: Mapping[str, Table], link: Link) -> bool:
    child, parent = tables[link.child], tables[link.parent]
    pairs = zip(link.child_columns, link.parent_columns, strict=True)
    match = " AND ".join(f"row.{quoted(one)} = parent.{quoted(other)}" for one, other in pairs)
    selected = ", ".join(f"parent.{name}" for name in _identity(parent))
    cursor = connection.execute(
        f"INSERT OR IGNORE INTO {_chosen_table(parent)} SELECT {selected} FROM original.{quoted(child.name)} AS row "  # noqa: S608
        f"JOIN original.{quoted(parent.name)} AS parent ON {match} WHERE {_is_chosen(child)}"
    )
    return cursor.rowcount > 0


def _chance(seed: int, table: str) -> Callable[..., float]:
    def chance(*key: Cell) -> float:
        digest = hashlib.sha256(repr((seed, table, key)).encode("utf-8", "surrogatepass")).digest()
        return int.from_bytes(digest[:4]) / _GRAIN

    return chance


def _keep_chosen(connection: sqlite3.Connection, table: Table) -> None:
    connection.execute(f"DELETE FROM main.{quoted(table.name)} AS row WHERE NOT {_is_chosen(table)}")  # noqa: S608 quoted


def _report(connection: sqlite3.Connection, source: Path, schema: Schema, factor: float) -> ScaleReport:
    """Check what was made: whole, as many rows as asked for, and no foreign key broken that was not.

    Raises:
        SourceError: a check fails.
    """
    (state,) = connection.execute("PRAGMA main.integrity_check").fetchone()
    if state != b"ok":
        raise SourceError(f"{source.name} cannot be scaled: the copy is not sound: {state.decode()}.")
    with closing(connect_read_only(source)) as original:
        rows = {
            table.name: (count_rows(original, table.name), count_rows(connection, table.name))
            for table in schema.tables
        }
        before = len(original.execute("PRAGMA foreign_key_check").fetchall())
    after = len(connection.execute("PRAGMA main.foreign_key_check").fetchall())
    if float(factor).is_integer():
        wrong = [name for name, (old, new) in rows.items() if new != old * int(factor)]
        if wrong or after != before * int(factor):
            raise SourceError(f"{source.name} cannot be scaled: rows or keys are not {factor:g} times as many.")
    elif after > before * (int(factor) + 1):
        raise SourceError(f"{source.name} cannot be scaled: foreign keys of the copy point nowhere.")
    return ScaleReport(rows=rows, violations=(before, after))
