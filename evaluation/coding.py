"""Columns of keys as arrays of integers."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import count
from typing import TypeAlias

import numpy as np
from bson.int64 import Int64
from numpy.typing import NDArray

from evaluation.table import Path
from evaluation.values import Key

Codes: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]

# Doubles below here hold every integer, and 2**53 + 1 rounds to it (case "integers beyond doubles compare exactly").
_EXACT_LIMIT = 2.0**53
_NUMERIC_KEYS = frozenset({int, Int64, float, Decimal, type(None)})


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedColumn:
    """A column of canonical keys; None is null.

    Args:
        path: the column's leaf path.
        rows: ascending row numbers of the keys, or None where there is a key for every row.
        keys: canonical keys; in a column with `rows` none is null.
        values: how many keys are not null; the column is informative if there are any.
    """

    path: Path
    rows: list[int] | None
    keys: list[Key]
    values: int

    def dense(self, height: int) -> list[Key]:
        """A key for every row."""
        return self.keys if self.rows is None else dense_keys(self.rows, self.keys, height)


def dense_keys(rows: Sequence[int], keys: Sequence[Key], height: int) -> list[Key]:
    """Keys at their rows, null elsewhere."""
    dense: list[Key] = [None] * height
    for row, key in zip(rows, keys, strict=True):
        dense[row] = key
    return dense


def code_book() -> defaultdict[Key, int]:
    """Codes in order of first use; null is 0."""
    book: defaultdict[Key, int] = defaultdict(count(1).__next__)
    book[None] = 0
    return book


def joint_codes(columns: Sequence[list[Key]]) -> tuple[list[Codes], int]:
    """Codes of some columns, equal exactly where the keys are, and the bound that all of them are below; null is 0."""
    numbers = [exact_doubles(keys) for keys in columns]
    doubles = [array for array in numbers if array is not None]
    if len(doubles) == len(columns):
        return _ranked(doubles)
    book = code_book()
    codes = [np.fromiter(map(book.__getitem__, keys), dtype=np.int64, count=len(keys)) for keys in columns]
    return codes, len(book)


def _ranked(columns: Sequence[NDArray[np.float64]]) -> tuple[list[Codes], int]:
    """The codes of numbers are their ranks: sorting doubles is quicker than looking up objects all over memory."""
    distinct, ranks = np.unique(np.concatenate(columns), return_inverse=True)
    codes = ranks.astype(np.int64) + 1
    if np.isnan(distinct[-1:]).any():
        codes[codes == len(distinct)] = 0
    return np.split(codes, np.cumsum([len(column) for column in columns])[:-1]), len(distinct) + 1


def exact_doubles(keys: list[Key]) -> NDArray[np.float64] | None:
    """The keys as doubles, null as NaN, or None where a key is no number or a double may not be exact.

    Whether there is an array depends on the values alone, not on their Python types: equal columns go the same way.
    """
    if not _NUMERIC_KEYS.issuperset(map(type, keys)):
        return None
    numbers = np.array(keys, dtype=np.float64)
    return numbers + 0.0 if np.all(~(np.abs(numbers) >= _EXACT_LIMIT)) else None


def profile(column: KeyedColumn) -> Hashable:
    """Equal for equal multisets of keys; others may share it, with a chance of 2**-64.

    The sum of mixed words over the values does not depend on their order.
    """
    numbers = exact_doubles(column.keys)
    if numbers is None:
        hashes = np.fromiter(map(hash, column.keys), dtype=np.int64, count=len(column.keys)).view(np.uint64)
        null = int(mixed(np.array([hash(None)], dtype=np.int64).view(np.uint64))[0])
        return column.values, (word_sum(hashes) - (len(column.keys) - column.values) * null) % 2**64
    return column.values, "numbers", word_sum(numbers[~np.isnan(numbers)].view(np.uint64))


def word_sum(words: Words) -> int:
    """The sum of mixed words, modulo 2**64."""
    return int(mixed(words).sum(dtype=np.uint64))


def mixed(words: Words) -> Words:
    """The finaliser of SplitMix64 (Steele, Lea and Flood, 2014): a bijection that spreads bits and keeps zero."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
