"""Remembers the _id of each document of a collection, in little memory however many there are."""

import hashlib
import sqlite3
import weakref
from collections.abc import Mapping
from decimal import Context, Decimal
from typing import Any

import bson
from bson.decimal128 import Decimal128

_IN_MEMORY = 500_000
_CACHE_KIB = 32 * 1024
_KEY_BYTES = 64
# A double has at most 767 significant digits, a Decimal128 has 34.
_EXACT = Context(prec=1_000, Emax=999_999, Emin=-999_999)


class Identities:
    """Where each _id was seen first.

    The first ones are held in memory, about 150 bytes each; where they become many, all of them go into a temporary
    file of SQLite, which goes away with this object: ten million documents would else take more than a gigabyte.

    Args:
        in_memory: how many are held in memory.
    """

    def __init__(self, *, in_memory: int = _IN_MEMORY) -> None:
        self._in_memory = in_memory
        self._places: dict[bytes, int] = {}
        self._file: sqlite3.Connection | None = None

    def first(self, value: Any, place: int) -> int:
        """The place where an equal _id was seen first; this place, if it is the first of them.

        Equal is what MongoDB's index on _id finds equal: 1, 1.0 and NumberLong(1) are.
        """
        key = identity(value)
        if len(key) > _KEY_BYTES:
            key = hashlib.sha256(key).digest()
        if self._file is None:
            first = self._places.setdefault(key, place)
            if len(self._places) > self._in_memory:
                self._file = self._moved()
            return first
        if self._file.execute("INSERT OR IGNORE INTO seen VALUES (?, ?)", (key, place)).rowcount:
            return place
        ((first,),) = self._file.execute("SELECT place FROM seen WHERE key = ?", (key,))
        return int(first)

    def _moved(self) -> sqlite3.Connection:
        # An empty name is a file that SQLite makes and unlinks by itself: it is not to last, so nothing is synced.
        file = sqlite3.connect("", isolation_level=None)
        file.execute("PRAGMA journal_mode = OFF")
        file.execute("PRAGMA synchronous = OFF")
        file.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        file.execute("CREATE TABLE seen (key BLOB PRIMARY KEY, place INTEGER) WITHOUT ROWID")
        file.execute("BEGIN")
        file.executemany("INSERT INTO seen VALUES (?, ?)", self._places.items())
        self._places.clear()
        weakref.finalize(self, file.close)
        return file


def identity(value: Any) -> bytes:
    """Bytes that are equal exactly where MongoDB's index on _id finds two values equal."""
    if isinstance(value, bool):
        return b"b1" if value else b"b0"
    if isinstance(value, int | float | Decimal128):
        return b"n" + _number(value)
    if isinstance(value, Mapping):
        parts = [part for key, member in value.items() for part in (key.encode(), identity(member))]
        return b"d" + _joined(parts)
    if isinstance(value, list):
        return b"a" + _joined(list(map(identity, value)))
    return b"v" + bson.encode({"": value})


def _number(value: int | float | Decimal128) -> bytes:
    exact = value.to_decimal() if isinstance(value, Decimal128) else Decimal(value)
    if exact.is_nan():
        return b"nan"
    # Minus zero is zero; 1E+2, 100 and 100.0 are one number.
    return str(_EXACT.normalize(exact)).encode() if exact else b"0"


def _joined(parts: list[bytes]) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)
