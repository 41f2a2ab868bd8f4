"""Turns cells into BSON values and back; a cell that would not come back exactly as it was is refused."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from bson.int64 import Int64

from benchmark_data.docmap.source import Cell
from benchmark_data.docmap.types import Transform
from benchmark_data.docmap.vocabulary import BsonType, FailPolicy, NullPolicy, StorageClass

NATURAL = {
    BsonType.INT: StorageClass.INTEGER,
    BsonType.LONG: StorageClass.INTEGER,
    BsonType.DOUBLE: StorageClass.REAL,
    BsonType.STRING: StorageClass.TEXT,
    BsonType.BOOL: StorageClass.INTEGER,
    BsonType.DATE: StorageClass.TEXT,
    BsonType.BINARY: StorageClass.BLOB,
}


class UnreadableError(ValueError):
    """A document's value cannot have come out of a transformation."""


def _blob(value: Any) -> bytes:
    # bytes(n) makes n zeros, as many as there is memory for.
    if not isinstance(value, bytes):
        raise UnreadableError("no blob")
    return value


_PYTHON: dict[StorageClass, Callable[[Any], Cell]] = {
    StorageClass.INTEGER: int,
    StorageClass.REAL: float,
    StorageClass.TEXT: str,
    StorageClass.BLOB: _blob,
}
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# What a conversion of any cell may raise: an odd date, a text that is no number, a number too large.
_FAILURES = (ValueError, TypeError, OverflowError)


class Missing:
    """The class of `MISSING`."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()
"""Stands for a field that is not there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A cell that its transformation would not bring back."""

    cell: Cell


def identical(left: object, right: object) -> bool:
    """Whether two cells are equal in storage class and in every bit."""
    return type(left) is type(right) and repr(left) == repr(right)


class CellTransform:
    """Forward and inverse of one column's transformation."""

    def __init__(self, transform: Transform) -> None:
        self.transform = transform
        self._stored = transform.stored or (NATURAL[transform.type] if transform.type else None)
        self._decoded = {repr(cell): value for cell, value in transform.decode}
        self._encoded = {repr(value): cell for cell, value in transform.decode}

    def forward(self, cell: Cell) -> Any:
        """The value to write: MISSING to leave the field out, `Refused` where the policy is not to keep the cell."""
        if cell is None:
            return MISSING if self.transform.null is NullPolicy.OMIT else None
        if self.transform.is_plain:
            return cell
        try:
            value = self._converted(cell)
            if identical(self.inverse(value), cell):
                return value
        except _FAILURES:
            pass
        return self._failed(cell)

    def _failed(self, cell: Cell) -> Any:
        policy = self.transform.on_fail
        if policy is FailPolicy.NULL:
            return None
        if policy is FailPolicy.KEEP and self._comes_back_raw(cell):
            return cell
        return Refused(cell=cell)

    def _comes_back_raw(self, cell: Cell) -> bool:
        try:
            return identical(self.inverse(cell), cell)
        except _FAILURES:
            return False

    def inverse(self, value: Any) -> Cell:
        """The cell that a document's value came from; a value of another kind than the transformation gives is a cell
        that was kept as it is.

        Raises:
            UnreadableError: no cell can have become this value.
        """
        if value is MISSING or value is None:
            return None
        if self._encoded and repr(value) in self._encoded:
            return self._encoded[repr(value)]  # type: ignore[no-any-return]
        if self.transform.type is None or not self._is_converted(value):
            return plain_cell(value)
        return self._restored(value)

    def _is_converted(self, value: Any) -> bool:
        kind = {
            BsonType.INT: int,
            BsonType.LONG: int,
            BsonType.DOUBLE: float,
            BsonType.STRING: str,
            BsonType.BOOL: bool,
            BsonType.DATE: datetime,
            BsonType.BINARY: bytes,
        }[self.transform.type or BsonType.STRING]
        return isinstance(value, kind) and isinstance(value, bool) == (kind is bool)

    def _converted(self, cell: Any) -> Any:
        if self._decoded:
            if repr(cell) not in self._decoded:
                raise UnreadableError("no value in `decode`")
            return self._decoded[repr(cell)]
        kind = self.transform.type
        if kind is BsonType.DATE:
            return self._date(cell)
        if kind is BsonType.LONG:
            return Int64(cell)
        if kind is BsonType.BOOL:
            return _boolean(int(cell))
        if kind is BsonType.BINARY:
            return cell.encode() if isinstance(cell, str) else _blob(cell)
        python: dict[BsonType | None, Callable[[Any], Any]] = {
            BsonType.INT: int,
            BsonType.DOUBLE: float,
            BsonType.STRING: str,
        }
        return python[kind](cell)

    def _date(self, cell: Any) -> datetime:
        if isinstance(cell, str):
            found = datetime.strptime(cell, self.transform.format).replace(tzinfo=UTC)
        else:
            found = _EPOCH + timedelta(seconds=cell)
        if found.microsecond % 1_000:
            raise UnreadableError("BSON dates have milliseconds")
        return found

    def _restored(self, value: Any) -> Cell:
        stored = self._stored or StorageClass.TEXT
        if isinstance(value, datetime):
            if stored is StorageClass.TEXT:
                return value.strftime(self.transform.format)
            value = (value - _EPOCH) / timedelta(seconds=1)
        if isinstance(value, bytes) and stored is StorageClass.TEXT:
            return value.decode()
        return _PYTHON[stored](value)


def _boolean(cell: int) -> bool:
    if cell not in {0, 1}:
        raise UnreadableError("neither 0 nor 1")
    return cell == 1


def plain_cell(value: Any) -> Cell:
    """A value that was written as it is, as the cell it was.

    Raises:
        UnreadableError: no cell is written like that.
    """
    if value is None or isinstance(value, str | float):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return int(value)
    if isinstance(value, bytes):
        return bytes(value)
    raise UnreadableError(f"{value!r} is no cell")
