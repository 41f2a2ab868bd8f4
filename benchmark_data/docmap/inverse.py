"""Reads the source's rows back out of documents: the left inverse of the migration."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchmark_data.docmap.build import QUARANTINE
from benchmark_data.docmap.paths import get
from benchmark_data.docmap.placement import CollectionHome, FromHead, FromHolder, Home, Keyed, Recovery, Stored
from benchmark_data.docmap.source import Cell, Row, Schema, Table
from benchmark_data.docmap.transform import MISSING, CellTransform, UnreadableError
from benchmark_data.docmap.types import EmbedOneField
from benchmark_data.docmap.vocabulary import FailPolicy

# What undoing a transformation may raise on a value that was tampered with.
_UNREADABLE = (ValueError, TypeError, OverflowError, AttributeError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A row that was read back: the table, and the cells of the columns that the proof looks at, in their order."""

    table: str
    cells: Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A place in a document that no migration writes."""

    table: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """A container with what surrounds it."""

    container: Any
    document: Mapping[str, Any]
    key: str | None
    holder: Mapping[str, Cell]


class Inverse:
    """Reads rows out of the documents of one collection.

    Args:
        home: how the collection is read back.
        columns: of each table, the columns that count.
    """

    def __init__(self, home: CollectionHome, schema: Schema, columns: Mapping[str, tuple[str, ...]]) -> None:
        self._home = home
        self._readers = {id(one): _RowReader(one, schema, columns) for _, one in home.homes}
        self._values = {repr(value): self._readers[id(one)] for value, one in home.homes}

    def rows(self, document: Mapping[str, Any]) -> Iterator[Found | Unreadable]:
        """All rows that have their home in a document, outer before inner."""
        value = None if self._home.discriminator is None else get(document, self._home.discriminator)
        reader = self._values.get(repr(value))
        if reader is None:
            tables = ", ".join(one.table for _, one in self._home.homes)
            yield Unreadable(table=tables, message=f"the discriminator is {value!r}")
            return
        yield from reader.read(document, document, {})


class _RowReader:
    def __init__(self, home: Home, schema: Schema, columns: Mapping[str, tuple[str, ...]]) -> None:
        self._home = home
        table = schema.table(home.table)
        if table is None:
            raise KeyError(home.table)
        self._columns = columns[home.table]
        self._getters = {column: _getter(column, recovery, table) for column, recovery in home.columns.items()}
        self._inner = [_RowReader(one, schema, columns) for one in home.inner]

    def read(
        self, container: Mapping[str, Any], document: Mapping[str, Any], holder: Mapping[str, Cell]
    ) -> Iterator[Found | Unreadable]:
        """The rows at this home's path of the container, and those inside of them."""
        value = get(container, self._home.path) if self._home.path else container
        for key, part in self._parts(value):
            if isinstance(part, Unreadable):
                yield part
                continue
            place = _Place(container=part, document=document, key=key, holder=holder)
            try:
                row = {column: getter(place) for column, getter in self._getters.items()}
            except _UNREADABLE as error:
                yield Unreadable(table=self._home.table, message=str(error))
                continue
            yield Found(table=self._home.table, cells=tuple(row.get(column) for column in self._columns))
            for inner in self._inner:
                yield from inner.read(part, document, row)

    def _parts(self, value: Any) -> Iterator[tuple[str | None, Any]]:
        """The containers of rows in a value, each with its key: none where nothing is embedded."""
        field = self._home.field
        if field is None and not self._home.path:
            yield None, value
            return
        if isinstance(field, EmbedOneField):
            members = [] if value is MISSING or value is None else [(None, value)]
        elif isinstance(value, list):
            members = [(None, one) for one in value]
        elif field is not None and field.key_by is not None and isinstance(value, Mapping):
            members = list(value.items())
        else:
            yield None, Unreadable(table=self._home.table, message=f"{'.'.join(self._home.path)} holds no elements")
            return
        for key, member in members:
            if field is not None and field.scalar:
                yield key, {"": member}
            elif isinstance(member, Mapping):
                yield key, member
            else:
                yield None, Unreadable(table=self._home.table, message=f"{member!r} is no object")


def _getter(column: str, recovery: Recovery, table: Table) -> Callable[[_Place], Cell]:
    if isinstance(recovery, FromHolder):
        holder_column = recovery.column
        return lambda place: place.holder.get(holder_column)
    if isinstance(recovery, Keyed):
        record = table.column(column)
        numeric = record is not None and record.affinity in {"INTEGER", "NUMERIC"}
        return lambda place: _key_cell(place.key, numeric=numeric)
    return _stored(column, recovery)


def _stored(column: str, recovery: Stored | FromHead) -> Callable[[_Place], Cell]:
    path, head = recovery.path, isinstance(recovery, FromHead)
    inverse = CellTransform(recovery.transform).inverse
    if recovery.transform.on_fail is not FailPolicy.QUARANTINE:
        if head:
            return lambda place: inverse(get(place.document, path))
        return lambda place: inverse(get(place.container, path))

    def quarantined(place: _Place) -> Cell:
        container = place.document if head else place.container
        kept = get(container, (QUARANTINE, column))
        # What was quarantined is the cell itself.
        return inverse(get(container, path)) if kept is MISSING else _checked(kept)

    return quarantined


def _checked(value: Any) -> Cell:
    if value is None or isinstance(value, int | float | str | bytes):
        return value
    raise UnreadableError(f"{value!r} is no cell")


def _key_cell(key: str | None, *, numeric: bool) -> Cell:
    """A map's key as the cell it was: a number in a column that turns texts of digits into numbers."""
    if key is not None and numeric and key.removeprefix("-").isdecimal() and str(int(key)) == key:
        return int(key)
    return key
