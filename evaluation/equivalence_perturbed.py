"""Altered copies of a source on which queries that are equal by accident differ."""

import sqlite3
from collections.abc import Collection, Sequence

from benchmark_data.docmap.source import Table, quoted
from benchmark_data.docmap.source import read_schema as read_tables
from benchmark_data.docmap.types import Docmap, EmbedManyField, Link
from benchmark_data.docmap.walk import all_shapes, links_of

Place = tuple[str, str]
"""A table and a column of it."""


def perturbed(connection: sqlite3.Connection, *, seed: int, docmap: Docmap | None = None) -> sqlite3.Connection:
    """A copy in memory in which rows are missing and cells are NULL, the same at each call.

    About one row in five is gone, and about one nullable cell in nine is NULL. Without a docmap keys are left to
    dangle. With one, the copy is a database that the docmap can be meant for: links that hold in the source hold in
    the copy, keys that are never NULL in the source are not NULL in it, and neither is what `_id` and maps' keys need.
    """
    copy = sqlite3.connect(":memory:", isolation_level=None)
    connection.backup(copy)
    copy.execute("PRAGMA foreign_keys = OFF")
    links = () if docmap is None else _sound_links(copy, links_of(docmap))
    fixed = set() if docmap is None else {*_keys(docmap), *_never_null(copy, links)}
    for number, table in enumerate(read_tables(copy).tables):
        if table.has_rowid:
            _perturb(copy, table, seed * 1_000_003 + number * 7_919, fixed)
    while sum(_drop_dangling(copy, link) for link in links):
        pass
    return copy


def _perturb(copy: sqlite3.Connection, table: Table, salt: int, fixed: Collection[Place]) -> None:
    name = quoted(table.name)
    copy.execute(f"DELETE FROM {name} WHERE ((rowid * 40503 + {salt}) / 8) % 5 = 0")  # noqa: S608 quoted
    for place, column in enumerate(table.columns):
        if column.not_null or column.generated or column.name in table.primary_key:
            continue
        if (table.name, column.name) in fixed:
            continue
        cell = f"((rowid * 30011 + {salt + place * 613}) / 8) % 9 = 0"
        copy.execute(f"UPDATE OR IGNORE {name} SET {quoted(column.name)} = NULL WHERE {cell}")  # noqa: S608 quoted


def _keys(docmap: Docmap) -> set[Place]:
    """The columns that `_id` and the keys of maps are made of."""
    roots = [root for collection in docmap.collections for root in collection.roots]
    found = {(root.table, field.column) for root in roots for field in root.id_fields}
    fields = [field for shape in all_shapes(docmap) for field in shape.fields]
    return found | {field.key_by for field in fields if isinstance(field, EmbedManyField) and field.key_by is not None}


def _never_null(copy: sqlite3.Connection, links: Sequence[Link]) -> set[Place]:
    """The columns of both sides of links that have no NULL."""
    sides = {(link.child, column) for link in links for column in link.child_columns}
    sides |= {(link.parent, column) for link in links for column in link.parent_columns}
    return {(table, column) for table, column in sides if not _any(copy, table, f"{quoted(column)} IS NULL")}


def _sound_links(copy: sqlite3.Connection, links: Sequence[Link]) -> tuple[Link, ...]:
    return tuple(link for link in links if not _any(copy, link.child, _dangles(link)))


def _any(copy: sqlite3.Connection, table: str, condition: str) -> bool:
    return bool(copy.execute(f"SELECT 1 FROM {quoted(table)} AS row WHERE {condition} LIMIT 1").fetchone())  # noqa: S608


def _drop_dangling(copy: sqlite3.Connection, link: Link) -> int:
    cursor = copy.execute(f"DELETE FROM {quoted(link.child)} AS row WHERE {_dangles(link)}")  # noqa: S608 quoted
    return cursor.rowcount


def _dangles(link: Link) -> str:
    """The condition that a row's key is there and points at nothing."""
    pairs = list(zip(link.child_columns, link.parent_columns, strict=True))
    match = " AND ".join(f"parent.{quoted(parent)} = row.{quoted(child)}" for child, parent in pairs)
    given = " AND ".join(f"row.{quoted(child)} IS NOT NULL" for child, _ in pairs)
    return f"{given} AND NOT EXISTS (SELECT 1 FROM {quoted(link.parent)} AS parent WHERE {match})"  # noqa: S608 quoted
