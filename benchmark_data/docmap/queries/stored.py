"""From a docmap's transformation to the expression that undoes it."""

import re
from dataclasses import replace
from typing import Final

from benchmark_data.docmap.build import QUARANTINE
from benchmark_data.docmap.placement import Recovery, Stored
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.place import Conversion, Place, joined
from benchmark_data.docmap.transform import NATURAL
from benchmark_data.docmap.types import Transform
from benchmark_data.docmap.vocabulary import BsonType, FailPolicy, StorageClass

# Directives that mean the same to strftime and to $dateToString.
_DATE_FORMAT: Final = re.compile(r"^([^%]|%[dmYHMSjGVu%])*$")
_NUMBERS: Final = {BsonType.INT, BsonType.LONG, BsonType.DOUBLE}
_TYPE_NAMES: Final = {BsonType.DATE: "date", BsonType.STRING: "string"}
_CONVERSIONS: Final = {
    (BsonType.INT, StorageClass.TEXT): Conversion.STRING,
    (BsonType.LONG, StorageClass.TEXT): Conversion.STRING,
    (BsonType.STRING, StorageClass.INTEGER): Conversion.LONG,
    (BsonType.STRING, StorageClass.REAL): Conversion.DOUBLE,
    (BsonType.DATE, StorageClass.INTEGER): Conversion.SECONDS,
    (BsonType.DATE, StorageClass.REAL): Conversion.SECONDS,
}


def stored_place(column: str, path: tuple[str, ...], transform: Transform) -> Place:
    """Where a column is and how its value is restored; the path is relative to the row's object.

    Raises:
        UntranslatableSqlError: "no_place": no expression restores it.
    """
    place = _transformed(column, ".".join(part for part in path if part), transform)
    if transform.is_plain or transform.on_fail is FailPolicy.ERROR:
        return place
    if transform.on_fail is FailPolicy.NULL:
        raise _no_place(column, "cells that its transformation refuses were replaced by null")
    if transform.on_fail is FailPolicy.QUARANTINE:
        if "." in column:
            raise _no_place(column, "its quarantined cells have a dot in their name")
        return replace(place, quarantine=joined(QUARANTINE, column))
    if place.is_plain:
        # A cell that was kept is told from a number by its own type.
        return place
    if not place.codes and transform.type not in _TYPE_NAMES:
        raise _no_place(column, "cells that its transformation refuses were kept beside numbers")
    return replace(place, stored_type="any" if place.codes else _TYPE_NAMES[transform.type or BsonType.STRING])


def recovered_place(column: str, recovery: Recovery) -> Place | None:
    """The place of a column that its own container tells; None where another one does.

    Raises:
        UntranslatableSqlError: see `stored_place`.
    """
    return stored_place(column, recovery.path, recovery.transform) if isinstance(recovery, Stored) else None


def _transformed(column: str, path: str, transform: Transform) -> Place:
    kind = transform.type
    if transform.decode:
        return Place(path=path, codes=transform.decode)
    if kind is None:
        return Place(path=path)
    stored = transform.stored or NATURAL[kind]
    if kind is BsonType.BOOL:
        if stored is StorageClass.TEXT:
            raise _no_place(column, "texts are stored as Booleans")
        return Place(path=path, codes=((1, True), (0, False)))
    if kind is BsonType.DATE and stored is StorageClass.TEXT:
        if not _DATE_FORMAT.match(transform.format):
            raise _no_place(column, f"$dateToString does not know the format {transform.format!r}")
        return Place(path=path, date_format=transform.format)
    conversion = _CONVERSIONS.get((kind, stored))
    # Numbers of all types compare by value.
    numeric = kind in _NUMBERS and stored in {StorageClass.INTEGER, StorageClass.REAL}
    if conversion is None and not numeric and stored is not NATURAL[kind]:
        raise _no_place(column, f"{stored.value} is stored as {kind.value}")
    return Place(path=path, conversion=conversion)


def _no_place(column: str, reason: str) -> UntranslatableSqlError:
    return UntranslatableSqlError("no_place", f"The column {column} cannot be read: {reason}.")
