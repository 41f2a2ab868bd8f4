"""A slow matcher that follows the definitions word by word, to hold the fast one against.

It shares no code with the package: values are compared pairwise by rule (its tables hold no numbers within the
tolerance of each other unless they are meant to be equal), columns are assigned in every possible way, and rows are
paired off one by one.
"""

import itertools
from decimal import Decimal
from typing import Any

from bson.decimal128 import Decimal128
from bson.int64 import Int64


def number(value: Any) -> Any:
    """The exact number of a value, or None if it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, Decimal128):
        return value.to_decimal()
    return Decimal(value) if isinstance(value, int | float | Int64) else None


def equal(first: Any, second: Any) -> Any:
    """Whether two BSON values are equal for scoring."""
    ours, theirs = number(first), number(second)
    if ours is not None and theirs is not None:
        return numbers_equal(ours, theirs)
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(equal(first[key], second[key]) for key in first)
    if isinstance(first, list) and isinstance(second, list):
        return len(first) == len(second) and all(map(equal, first, second))
    if isinstance(first, dict | list) or isinstance(second, dict | list):
        return False
    return type(first) is type(second) and first == second


def numbers_equal(first: Any, second: Any) -> Any:
    if first.is_nan() or second.is_nan():
        return first.is_nan() and second.is_nan()
    if first.is_infinite() or second.is_infinite():
        return first == second
    if first == first.to_integral_value() and second == second.to_integral_value():
        return first == second
    return abs(first - second) <= max(Decimal("1e-9") * max(abs(first), abs(second)), Decimal("1e-12"))


def leaves(document: Any, path: Any = ()) -> Any:
    for key, value in document.items():
        if isinstance(value, dict) and value:
            yield from leaves(value, (*path, key))
        else:
            yield (*path, key), value


def columns(rows: Any) -> Any:
    """The table as a list of columns; a missing field is null."""
    flat = [dict(leaves(row)) for row in rows]
    paths = dict.fromkeys(path for row in flat for path in row)
    return [[row.get(path) for row in flat] for path in paths]


def same_row_multiset(first: Any, second: Any) -> Any:
    left = list(second)
    for row in first:
        for position, other in enumerate(left):
            if all(map(equal, row, other)):
                del left[position]
                break
        else:
            return False
    return not left


def rows_of(chosen: Any, height: int) -> Any:
    return [[column[row] for column in chosen] for row in range(height)]


def is_null(column: Any) -> Any:
    return all(value is None for value in column)


def brute_force(gold_rows: Any, predicted_rows: Any) -> Any:
    """(strict, soft) by trying every assignment."""
    if len(gold_rows) != len(predicted_rows):
        return False, False
    height = len(gold_rows)
    gold_all, predicted_all = columns(gold_rows), columns(predicted_rows)
    gold = [column for column in gold_all if not is_null(column)]
    predicted = [column for column in predicted_all if not is_null(column)]
    if not gold:
        soft = not predicted or len(predicted) < len(predicted_all)
        return not predicted, soft
    target = rows_of(gold, height)
    # Every assignment that has a chance column by column.
    candidates = [
        [
            number
            for number, column in enumerate(predicted)
            if same_row_multiset([[v] for v in wanted], [[v] for v in column])
        ]
        for wanted in gold
    ]
    strict = soft = False
    for chosen in itertools.product(*candidates):
        bijection = len(gold) == len(predicted) and len(set(chosen)) == len(chosen)
        if (bijection or not soft) and same_row_multiset(target, rows_of([predicted[i] for i in chosen], height)):
            soft, strict = True, strict or bijection
        if strict:
            break
    return strict, soft
