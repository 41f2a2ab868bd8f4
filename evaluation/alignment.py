"""Whether one bijection of rows makes paired columns equal, decided exactly."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from evaluation.coding import Codes
from evaluation.columns import ColumnClass

Pair: TypeAlias = tuple[ColumnClass, ColumnClass]

_PACKED_LIMIT = 2**62


def rows_align(pairs: Sequence[Pair], height: int) -> bool:
    """Whether both answers hold the same multiset of rows over the paired columns.

    Args:
        pairs: gold classes with their predicted partners of the same profile.
        height: the number of rows of both answers.
    """
    if all(isinstance(gold.codes, tuple) for gold, _ in pairs):
        return sorted(zip(*(gold.codes for gold, _ in pairs), strict=True)) == sorted(
            zip(*(predicted.codes for _, predicted in pairs), strict=True)
        )
    columns = [
        (np.asarray(gold.codes), np.asarray(predicted.codes), gold.span)
        for gold, predicted in pairs
        if gold.rows is None
    ]
    sparse = [pair for pair in pairs if pair[0].rows is not None]
    if sparse:
        columns.append(_joined_sparse(sparse, height))
    return _same_packed(columns, height)


def _same_packed(columns: list[tuple[Codes, Codes, int]], height: int) -> bool:
    """Compare multisets of rows of dense codes: codes are packed into one integer a row while they fit into 62 bits."""
    gold, predicted = np.zeros(height, dtype=np.int64), np.zeros(height, dtype=np.int64)
    reach = 1
    # Columns with many values first: they tell rows apart, and later ones then cost no further sort.
    for gold_codes, predicted_codes, span in sorted(columns, key=lambda column: -column[2]):
        if reach * span >= _PACKED_LIMIT:
            numbers, packed = np.unique(np.concatenate((gold, predicted)), return_inverse=True)
            gold, predicted, reach = packed[:height], packed[height:], len(numbers)
        gold *= span
        gold += gold_codes
        predicted *= span
        predicted += predicted_codes
        reach *= span
    gold.sort()
    predicted.sort()
    return bool(np.array_equal(gold, predicted))


def _joined_sparse(pairs: Sequence[Pair], height: int) -> tuple[Codes, Codes, int]:
    """All sparse columns as one dense column: rows with the same cells in the same columns share a code."""
    book: dict[tuple[tuple[int, int], ...], int] = {(): 0}
    sides = []
    for side in (0, 1):
        cells: dict[int, list[tuple[int, int]]] = {}
        for number, pair in enumerate(pairs):
            rows, codes = pair[side].rows, np.asarray(pair[side].codes)
            for row, code in zip([] if rows is None else rows.tolist(), codes.tolist(), strict=True):
                cells.setdefault(row, []).append((number, code))
        joined = np.zeros(height, dtype=np.int64)
        for row, found in cells.items():
            joined[row] = book.setdefault(tuple(found), len(book))
        sides.append(joined)
    return sides[0], sides[1], len(book)
