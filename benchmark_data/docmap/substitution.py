"""Chooses fresh key values for copies of rows, so that copies of a child point at copies of its parent."""

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from benchmark_data.docmap.source import Cell, Schema, SourceError, Table, quoted
from benchmark_data.docmap.types import Link

Place = tuple[str, str]
"""A table and one of its columns."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_NUMBERED = re.compile(r"(?s)(.*?)([0-9]+)")
_FAR = 10**20
_INT64 = range(-(2**63), 2**63)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyGroup:
    """Columns that links join: they get fresh values by the same rule, so that each link stays what it was.

    Args:
        places: the columns.
        fresh: the value that stands in copy number j (from 1) for a value; different for all values and copies.
    """

    places: tuple[Place, ...]
    fresh: Callable[[Cell, int], Cell]


class Extent:
    """What the values of a group are like, and from where to where they reach."""

    def __init__(self) -> None:
        self._readers: dict[str, Callable[[Cell], float | int | None]] = {
            "integer": _as_integer,
            "date": _as_day,
            "real": lambda cell: cell if isinstance(cell, int | float) else None,
            "numbered": _as_numbered,
        }
        self._reach: dict[str, tuple[float, float]] = {}

    def add(self, cell: Cell) -> None:
        """Take in one value."""
        for kind in list(self._readers):
            found = self._readers[kind](cell)
            if found is None:
                del self._readers[kind]
                self._reach.pop(kind, None)
            else:
                least, most = self._reach.get(kind, (found, found))
                self._reach[kind] = (min(least, found), max(most, found))

    def rules(self) -> Iterator[tuple[str, Callable[[Cell, int], Cell]]]:
        """Rules for fresh values with their kinds, the most natural one first; the last one fits every value."""
        makers: dict[str, Callable[[int], Callable[[Cell, int], Cell]]] = {
            "integer": _later_integer,
            "date": _later_day,
            "real": _later_real,
            "numbered": _later_number,
        }
        for kind, (least, most) in self._reach.items():
            yield kind, makers[kind](int(most - least) + 1)
        yield "other", _suffixed


def key_groups(connection: sqlite3.Connection, schema: Schema, links: Sequence[Link]) -> tuple[KeyGroup, ...]:
    """The groups of columns that need fresh values in copies: linked keys, and one column of each other unique key."""
    groups = _joined(links)
    fresh = {place for group in groups for place in group}
    for table in schema.tables:
        for key in table.unique_keys:
            if not any((table.name, column) in fresh for column in key):
                chosen = (table.name, _most_movable(connection, table, key))
                groups.append({chosen})
                fresh.add(chosen)
    return tuple(_group(connection, sorted(group)) for group in groups)


def _joined(links: Sequence[Link]) -> list[set[Place]]:
    groups: list[set[Place]] = []
    for link in links:
        for child, parent in zip(link.child_columns, link.parent_columns, strict=True):
            pair = {(link.child, child), (link.parent, parent)}
            touched = [group for group in groups if group & pair]
            groups = [group for group in groups if not group & pair] + [pair.union(*touched)]
    return groups


def _most_movable(connection: sqlite3.Connection, table: Table, key: Sequence[str]) -> str:
    """The column of a key to change: dates before integers before all else, so that codes stay those that exist."""
    ranks = {"date": 0, "integer": 1, "numbered": 2}

    def rank(column: str) -> tuple[int, int]:
        kind, _ = next(_extent(connection, [(table.name, column)]).rules())
        return ranks.get(kind, 3), key.index(column)

    return min(key, key=rank)


def _extent(connection: sqlite3.Connection, places: Sequence[Place]) -> Extent:
    extent = Extent()
    for table, column in places:
        sql = f"SELECT DISTINCT {quoted(column)} FROM {quoted(table)} WHERE {quoted(column)} IS NOT NULL"  # noqa: S608
        for (cell,) in connection.execute(sql):
            extent.add(cell)
    return extent


def _group(connection: sqlite3.Connection, places: list[Place]) -> KeyGroup:
    for kind, rule in _extent(connection, places).rules():
        # A1 and A01 part ways at first, and meet where the width of both is used up: the far copy sees that.
        copies = (1, _FAR) if kind == "numbered" else (1,)
        if all(_is_injective(connection, place, rule, copy) for place in places for copy in copies):
            return KeyGroup(places=tuple(places), fresh=_null_safe(rule))
    names = ", ".join(f"{table}.{column}" for table, column in places)
    raise SourceError(f"no rule gives fresh values to {names}.")


def _is_injective(connection: sqlite3.Connection, place: Place, rule: Callable[[Cell, int], Cell], copy: int) -> bool:
    """Whether a copy's values are all different, and none is there already."""
    table, column = quoted(place[0]), quoted(place[1])
    values = f"SELECT DISTINCT {column} AS v FROM {table} WHERE {column} IS NOT NULL"  # noqa: S608 quoted
    connection.create_function("docmap_fresh", 1, lambda cell: rule(cell, copy), deterministic=True)
    sql = f"SELECT count(*), count(DISTINCT docmap_fresh(v)), sum(docmap_fresh(v) IN ({values})) FROM ({values})"  # noqa: S608
    try:
        count, different, taken = connection.execute(sql).fetchone()
    except sqlite3.OperationalError:
        return False
    return bool(count == different and not taken)


def _null_safe(rule: Callable[[Cell, int], Cell]) -> Callable[[Cell, int], Cell]:
    return lambda cell, copy: None if cell is None else rule(cell, copy)


def _as_integer(cell: Cell) -> int | None:
    if isinstance(cell, int):
        return cell
    if isinstance(cell, str) and cell.removeprefix("-").isdecimal() and str(int(cell)) == cell:
        # A key of text that points at one of integers.
        return int(cell)
    return None


def _as_day(cell: Cell) -> int | None:
    if not isinstance(cell, str) or not _DATE.match(cell):
        return None
    try:
        return date.fromisoformat(cell[:10]).toordinal()
    except ValueError:
        return None


def _as_numbered(cell: Cell) -> int | None:
    found = _NUMBERED.fullmatch(cell) if isinstance(cell, str) else None
    return None if found is None or len(found[2]) > 18 else int(found[2])


def _later_integer(span: int) -> Callable[[Cell, int], Cell]:
    def later(cell: Cell, copy: int) -> Cell:
        moved = int(cell or 0) + copy * span
        if moved not in _INT64:
            raise SourceError(f"a fresh key for {cell!r} would not fit 64 bits.")
        return str(moved) if isinstance(cell, str) else moved

    return later


def _later_real(span: int) -> Callable[[Cell, int], Cell]:
    return lambda cell, copy: float(cell or 0) + copy * span


def _later_day(span: int) -> Callable[[Cell, int], Cell]:
    """Days after the last one that is there, whatever follows the day (a time) left as it is."""

    def later(cell: Cell, copy: int) -> Cell:
        text = str(cell)
        try:
            return (date.fromisoformat(text[:10]) + timedelta(days=copy * span)).isoformat() + text[10:]
        except OverflowError as error:
            raise SourceError(f"a fresh day for {text!r} would lie behind the year 9999.") from error

    return later


def _later_number(span: int) -> Callable[[Cell, int], Cell]:
    """AB001 becomes AB101: the same pattern, the same width while it lasts."""

    def later(cell: Cell, copy: int) -> Cell:
        found = _NUMBERED.fullmatch(str(cell))
        if found is None:
            raise SourceError(f"{cell!r} does not end in a number.")
        return f"{found[1]}{int(found[2]) + copy * span:0{len(found[2])}d}"

    return later


def _suffixed(cell: Cell, copy: int) -> Cell:
    if isinstance(cell, bytes):
        return cell + b"-" + str(copy).encode()
    return f"{cell}-{copy}"
