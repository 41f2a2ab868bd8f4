"""Reads the parts of a docmap that name columns: transformations, `_id`, orders, constants."""

from typing import Any

from benchmark_data.docmap.links import suggestion
from benchmark_data.docmap.source import Table
from benchmark_data.docmap.text import Entry
from benchmark_data.docmap.types import ColumnField, Transform
from benchmark_data.docmap.vocabulary import BsonType, FailPolicy, NullPolicy, StorageClass

_COLUMN_KEYS = frozenset({"column", "type", "stored", "decode", "format", "null", "on_fail"})
_NATURAL = Transform()


def column_name(table: Table, name: str, entry: Entry) -> str | None:
    """The column if the table has it, else None after a fault."""
    if not name:
        return None
    if table.column(name) is not None:
        return name
    entry.fault("unknown_column", f"no column {name!r} in table {table.name}; {suggestion(name, table.column_names)}")
    return None


def read_column(entry: Entry, path: str, table: Table) -> ColumnField | None:
    """`{column: Name, type: …}`, or the column's name alone."""
    if not entry.is_mapping:
        column = column_name(table, entry.text(), entry)
        return None if column is None else ColumnField(path=path, line=entry.line, column=column)
    keys = entry.mapping(_COLUMN_KEYS, required=("column",))
    if "column" not in keys:
        return None
    column = column_name(table, keys["column"].text(), keys["column"])
    transform = read_transform(keys)
    if column is None:
        return None
    return ColumnField(path=path, line=entry.line, column=column, transform=transform)


def read_transform(keys: dict[str, Entry]) -> Transform:
    """The transformation among a field's keys."""
    kind = keys["type"].choice(BsonType) if "type" in keys else None
    stored = keys["stored"].choice(StorageClass) if "stored" in keys else None
    null = keys["null"].choice(NullPolicy) if "null" in keys else None
    on_fail = keys["on_fail"].choice(FailPolicy) if "on_fail" in keys else None
    form = keys["format"].text() if "format" in keys else ""
    decode = _decode(keys["decode"]) if "decode" in keys else ()
    if form and kind is not BsonType.DATE:
        keys["format"].fault("bad_transform", "`format` needs `type: date`.")
    return Transform(
        type=kind,
        stored=stored,
        decode=decode,
        format=form or _NATURAL.format,
        null=null or _NATURAL.null,
        on_fail=on_fail or _NATURAL.on_fail,
    )


def _decode(entry: Entry) -> tuple[tuple[Any, Any], ...]:
    pairs = [(cell, part.value()) for cell, part in entry.pairs()]
    seen: dict[str, Any] = {}
    for cell, value in pairs:
        if isinstance(value, list | dict) or value is None or cell is None:
            entry.fault("bad_decode", f"{cell!r} must be decoded to a text, number or boolean.")
        elif repr(value) in seen:
            entry.fault(
                "bad_decode", f"{seen[repr(value)]!r} and {cell!r} both become {value!r}: it could not be undone."
            )
        seen[repr(value)] = cell
    return tuple(pairs)


def read_id(entry: Entry, table: Table) -> tuple[ColumnField, ...]:
    """`_id`: a column, or `{columns: [a, b]}` or `{columns: {x: a, y: b}}` for an object."""
    keys = entry.mapping() if entry.is_mapping else {}
    if "columns" not in keys:
        field = read_column(entry, "_id", table)
        return () if field is None else (field,)
    for name in keys.keys() - {"columns"}:
        keys[name].fault("unknown_key", "is no key known here; known is columns.")
    return read_columns(keys["columns"], "_id.", table)


def read_columns(entry: Entry, prefix: str, table: Table) -> tuple[ColumnField, ...]:
    """A list of columns, or a mapping of names to columns, as fields at `prefix` and their names."""
    if entry.is_mapping:
        parts = [(name, part) for name, part in entry.mapping().items()]
    else:
        parts = [(part.text(), part) for part in entry.sequence()]
    fields = [read_column(part, f"{prefix}{name}", table) for name, part in parts]
    return tuple(field for field in fields if field is not None)


def read_order(entry: Entry, table: Table) -> tuple[tuple[str, bool], ...]:
    """Columns, each with a leading "-" for descending, as (column, descending) pairs."""
    found = []
    for name in entry.texts():
        descending = name.startswith("-") and table.column(name) is None
        column = column_name(table, name[1:] if descending else name, entry)
        if column is not None:
            found.append((column, descending))
    return tuple(found)
