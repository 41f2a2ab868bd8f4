"""Proposes relationships that a database does not declare, for a person to approve."""

import re
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from benchmark_data.docmap.source import Column, Schema, Table, quoted

_FEWEST: Final = 2
_NUMERIC: Final = frozenset({"INTEGER", "NUMERIC", "REAL"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedLink:
    """A column whose values all stand in a key of another table.

    Args:
        child: table and column that would point.
        parent: table and key that it would point at.
        values: how many different values there are.
    """

    child: tuple[str, str]
    parent: tuple[str, str]
    values: int

    @property
    def name(self) -> str:
        """The name under which a docmap would know it."""
        plain = "_".join((*self.child, self.parent[0]))
        return re.sub(r"\W+", "_", plain).strip("_").lower() or "link"


def proposed_links(connection: sqlite3.Connection, schema: Schema) -> tuple[ProposedLink, ...]:
    """Undeclared links, in order of table and column.

    A column is proposed where it has at least two different values, all of them among the values of another table's
    key of one column, of like affinity. Small numbers are found in every key, so that a column of numbers must also
    be named like the key or like its table.
    """
    found = []
    for child, column in _columns(schema):
        for parent, key in _keys(schema):
            if parent.name != child.name and _may_point(column, parent, key):
                values = _included(connection, child, column, parent, key)
                if values >= _FEWEST:
                    pair = ((child.name, column.name), (parent.name, key.name))
                    found.append(ProposedLink(child=pair[0], parent=pair[1], values=values))
    return tuple(found)


def proposal_comment(links: tuple[ProposedLink, ...]) -> str:
    """The proposals as comments at the head of a docmap, "" where there are none."""
    if not links:
        return ""
    lines = [
        "# The database does not declare these relationships; all values of the column are found in the key.",
        "# Keep under `relationships` those that are meant:",
    ]
    lines += [
        f"#   {link.name}: {{from: [{'.'.join(link.child)}], to: [{'.'.join(link.parent)}], declared: false}}  "
        f"# {link.values:,} values"
        for link in links
    ]
    return "\n".join(lines) + "\n"


def _columns(schema: Schema) -> Iterator[tuple[Table, Column]]:
    """The columns that no declared foreign key holds."""
    for table in schema.tables:
        declared = {column for link in table.links for column in link.child_columns}
        for column in table.columns:
            if column.name not in declared and not column.generated and "." not in table.name + column.name:
                yield table, column


def _keys(schema: Schema) -> Iterator[tuple[Table, Column]]:
    for table in schema.tables:
        keys = {key[0] for key in (table.primary_key, *table.unique_keys) if len(key) == 1}
        yield from ((table, column) for column in table.columns if column.name in keys and "." not in column.name)


def _may_point(column: Column, parent: Table, key: Column) -> bool:
    numeric = column.affinity in _NUMERIC
    if numeric is not (key.affinity in _NUMERIC):
        return False
    if not numeric:
        return True
    name, plain = _letters(column.name), _letters(parent.name)
    # "id" is the name of every key and says nothing.
    named_alike = name == _letters(key.name) and name != "id"
    return named_alike or (len(plain) > 1 and name != "id" and (plain in name or plain.removesuffix("s") in name))


def _letters(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _included(connection: sqlite3.Connection, child: Table, column: Column, parent: Table, key: Column) -> int:
    """How many different values the column has, 0 where one of them is not in the key."""
    mine, theirs = quoted(column.name), quoted(key.name)
    stray = (
        f"SELECT 1 FROM {quoted(child.name)} WHERE {mine} IS NOT NULL "  # noqa: S608 quoted
        f"AND {mine} NOT IN (SELECT {theirs} FROM {quoted(parent.name)} WHERE {theirs} IS NOT NULL) LIMIT 1"
    )
    if connection.execute(stray).fetchone() is not None:
        return 0
    (count,) = connection.execute(f"SELECT count(DISTINCT {mine}) FROM {quoted(child.name)}").fetchone()  # noqa: S608
    return int(count)
