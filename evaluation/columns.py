"""Columns of both answers as integer codes, equal columns collapsed into classes."""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np

from benchmark_data.types import ArrayOrder
from evaluation.coding import Codes, KeyedColumn, code_book, dense_keys, joint_codes, profile
from evaluation.table import Path, Table
from evaluation.values import Canonicaliser, Key

# Up to this height lists in Python are quicker than arrays.
SMALL_HEIGHT = 64

# In a taller table, a column with fewer values than one in so many rows keeps its values only: 4,000 rows with 25 keys
# of their own each would be 400 million cells.
_SPARSE_SHARE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnClass:
    """Informative columns of one answer that are equal row by row.

    Args:
        members: positions among the answer's keyed columns, ascending.
        profile: number of the column multiset; only classes of one profile can be partners.
        rows: row numbers of the codes, or None for a code in every row.
        codes: what stands in each row, comparable within a profile; 0 is null.
        span: all codes of the profile are below it.
    """

    members: tuple[int, ...]
    profile: int
    rows: Codes | None
    codes: Codes | tuple[int, ...]
    span: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassedColumns:
    """Both answers' classes.

    Args:
        gold, predicted: classes in order of their first member.
        lone_gold: gold columns whose multiset no predicted column has; where there are any, no classes are made.
        lone_predicted: informative predicted columns whose multiset no gold column has.
    """

    gold: tuple[ColumnClass, ...]
    predicted: tuple[ColumnClass, ...]
    lone_gold: tuple[int, ...]
    lone_predicted: tuple[int, ...]


def keyed_columns(
    gold: Table, predicted: Table, array_order: ArrayOrder
) -> tuple[tuple[KeyedColumn, ...], tuple[KeyedColumn, ...]]:
    """The canonical keys of both tables, numbers in classes over both."""
    canonicaliser = Canonicaliser(array_order)
    for table in (gold, predicted):
        for column in table.columns:
            canonicaliser.observe(column.cells, column.kinds)
    canonicaliser.freeze()
    return _keyed(gold, canonicaliser), _keyed(predicted, canonicaliser)


def _keyed(table: Table, canonicaliser: Canonicaliser) -> tuple[KeyedColumn, ...]:
    return tuple(
        _shaped(
            column.path,
            column.rows,
            canonicaliser.keys(column.cells, column.kinds),
            table.height,
            may_be_null=type(None) in column.kinds,
        )
        for column in table.columns
    )


def _shaped(path: Path, rows: list[int] | None, keys: list[Key], height: int, *, may_be_null: bool) -> KeyedColumn:
    """One form for equal columns, whether nulls were written or missing."""
    values = len(keys) - keys.count(None) if may_be_null else len(keys)
    sparse = height > SMALL_HEIGHT and values * _SPARSE_SHARE < height
    if not sparse:
        dense = keys if rows is None else dense_keys(rows, keys, height)
        return KeyedColumn(path=path, rows=None, keys=dense, values=values)
    numbers: Sequence[int] = rows if rows is not None else range(height)
    if values < len(keys):
        numbers = [row for row, key in zip(numbers, keys, strict=True) if key is not None]
        keys = [key for key in keys if key is not None]
    return KeyedColumn(path=path, rows=list(numbers), keys=keys, values=values)


@dataclass(frozen=True, slots=True, kw_only=True)
class _CodedColumn:
    """One informative column with its profile's number, its codes and their bound."""

    position: int
    profile: int
    rows: list[int] | None
    codes: Codes | tuple[int, ...]
    span: int


def classed_columns(gold: Sequence[KeyedColumn], predicted: Sequence[KeyedColumn], height: int) -> ClassedColumns:
    """Collapse the informative columns of both answers into classes with comparable codes."""
    code = _coded_small if height <= SMALL_HEIGHT else _coded_tall
    coded_gold, coded_predicted = code(gold, predicted)
    wanted = {column.profile for column in coded_gold}
    offered = {column.profile for column in coded_predicted}
    found = {column.position for column in coded_gold if column.profile in offered}
    needed = {column.position for column in coded_predicted if column.profile in wanted}
    lone_gold = tuple(i for i, column in enumerate(gold) if column.values and i not in found)
    return ClassedColumns(
        gold=() if lone_gold else _classes(coded_gold),
        predicted=() if lone_gold else _classes(column for column in coded_predicted if column.profile in wanted),
        lone_gold=lone_gold,
        lone_predicted=tuple(i for i, column in enumerate(predicted) if column.values and i not in needed),
    )


def _coded_small(
    gold: Sequence[KeyedColumn], predicted: Sequence[KeyedColumn]
) -> tuple[list[_CodedColumn], list[_CodedColumn]]:
    """Short columns: one code book serves all of them, and sorted codes are the profile."""
    book = code_book()
    profiles: defaultdict[Hashable, int] = defaultdict(count().__next__)
    sides = [
        [(i, tuple(map(book.__getitem__, column.keys))) for i, column in enumerate(columns) if column.values]
        for columns in (gold, predicted)
    ]
    span = len(book)
    first, second = (
        [
            _CodedColumn(position=i, profile=profiles[tuple(sorted(codes))], rows=None, codes=codes, span=span)
            for i, codes in side
        ]
        for side in sides
    )
    return first, second


def _coded_tall(
    gold: Sequence[KeyedColumn], predicted: Sequence[KeyedColumn]
) -> tuple[list[_CodedColumn], list[_CodedColumn]]:
    """Long columns, grouped by a sum of hashes before the counts of their codes decide exactly.

    Only groups with columns of both answers get codes, from a code book that is dropped after the group: memory stays
    near the distinct values of one column.
    """
    groups: dict[Hashable, tuple[list[int], list[int]]] = {}
    for side, columns in enumerate((gold, predicted)):
        for position, column in enumerate(columns):
            if column.values:
                groups.setdefault(profile(column), ([], []))[side].append(position)
    coded: tuple[list[_CodedColumn], list[_CodedColumn]] = ([], [])
    numbers = count()
    for members in groups.values():
        if members[0] and members[1]:
            _code_group((gold, predicted), members, numbers, coded)
    for side_columns in coded:
        side_columns.sort(key=lambda column: column.position)
    return coded


def _code_group(
    sides: tuple[Sequence[KeyedColumn], Sequence[KeyedColumn]],
    members: tuple[list[int], list[int]],
    profile_numbers: Iterator[int],
    coded: tuple[list[_CodedColumn], list[_CodedColumn]],
) -> None:
    """Give codes to the columns of one group, and one profile number to each column multiset in it."""
    places = [(side, position) for side in (0, 1) for position in members[side]]
    arrays, span = joint_codes([sides[side][position].keys for side, position in places])
    numbers: dict[bytes, int] = {}
    for (side, position), codes in zip(places, arrays, strict=True):
        counts = np.bincount(codes, minlength=span).tobytes()
        number = numbers[counts] if counts in numbers else numbers.setdefault(counts, next(profile_numbers))
        rows = sides[side][position].rows
        coded[side].append(_CodedColumn(position=position, profile=number, rows=rows, codes=codes, span=span))


def _classes(columns: Iterable[_CodedColumn]) -> tuple[ColumnClass, ...]:
    """Collapse columns that are equal row by row."""
    found: dict[Hashable, list[_CodedColumn]] = {}
    for column in columns:
        found.setdefault(row_content(column), []).append(column)
    return tuple(
        ColumnClass(
            members=tuple(column.position for column in group),
            profile=group[0].profile,
            rows=None if group[0].rows is None else np.asarray(group[0].rows, dtype=np.int64),
            codes=group[0].codes,
            span=group[0].span,
        )
        for group in found.values()
    )


def row_content(column: _CodedColumn | ColumnClass) -> Hashable:
    """Equal for columns that are equal row by row, in the order in which the answers came."""
    rows = None if column.rows is None else np.asarray(column.rows, dtype=np.int64).tobytes()
    return column.profile, rows, column.codes if isinstance(column.codes, tuple) else column.codes.tobytes()
