"""Finds cells in rows, and tells of rows in messages."""

from collections.abc import Sequence

from benchmark_data.docmap.source import Row, Table


def described(table: Table, row: Row) -> str:
    """A row by its key, for messages, e.g. "(id=3)"; by its first columns where there is no key."""
    names = table.primary_key or tuple(column.name for column in table.columns[:3])
    return f"({', '.join(f'{name}={row[place_of(table, name)]!r}' for name in names)})"


def key_name(cell: object) -> str | None:
    """A cell as a field name, or None where it cannot be one: NULL, floats and blobs, "$…", dots, NUL."""
    if isinstance(cell, int):
        return str(cell)
    if not isinstance(cell, str) or not cell or cell.startswith("$") or "\0" in cell or "." in cell:
        return None
    return cell


def keys_of(table: Table, columns: Sequence[str], rows: Sequence[Row]) -> list[Row]:
    """The named cells of each row."""
    places = [place_of(table, column) for column in columns]
    return [tuple(row[place] for place in places) for row in rows]


def place_of(table: Table, name: str) -> int:
    """The position of a column in a table\'s rows."""
    return next(place for place, column in enumerate(table.columns) if column.name == name)
