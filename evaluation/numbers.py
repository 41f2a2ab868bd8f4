"""Equivalence classes of numbers under the tolerance of scoring.

Two integral values compare exactly. Otherwise two numbers are equal within a relative 1e-9 or an absolute 1e-12. That
relation alone is not transitive, so it could serve neither hashing nor multisets; it is therefore applied to all
numbers of both answers together: sort the distinct values, join neighbours that are within the tolerance, and take the
chains as classes. A class never holds two integral values: between two integral members of one chain, every other
member goes with the nearer one (with the smaller one when it is exactly between).
"""

from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import chain, pairwise
from math import isfinite
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Number: TypeAlias = int | float | Decimal

RELATIVE_TOLERANCE = 1e-9
ABSOLUTE_TOLERANCE = 1e-12

# Doubles from here on are all integral, so a larger number with a fraction is a Decimal128.
FRACTION_LIMIT = 2.0**52

# Below this many numbers Python's exact sort is quicker than the set-up of numpy arrays.
_FEW = 400


def merged_numbers(fractional: Sequence[Sequence[Number]], integral: Sequence[Sequence[int]]) -> dict[Number, Number]:
    """Map each number that is not the representative of its class to that representative.

    Args:
        fractional: groups of finite doubles and Decimal128 values (as `Decimal`); integral ones may be among them.
        integral: groups of int32 and int64 values.

    Returns:
        Only the numbers that have to change. An integral number is always the representative of its class, otherwise
        the smallest member is. Keys of different Python types meet, since equal numbers have equal hashes.
    """
    size = sum(map(len, fractional)) + sum(map(len, integral))
    if size == 0 or not fractional:
        return {}
    if size <= _FEW or _has_large_fraction(fractional):
        return _merged(_chains(set(chain.from_iterable(chain(fractional, integral)))))
    return _merged(_array_chains(fractional, integral))


def is_integral(number: Number) -> bool:
    """Whether a finite number has no fraction."""
    if isinstance(number, float):
        return number.is_integer()
    return isinstance(number, int) or number == number.to_integral_value()


def _has_large_fraction(groups: Sequence[Sequence[Number]]) -> bool:
    """Whether a number with a fraction is too large for a double to hold the fraction."""
    decimals = (number for group in groups for number in group if type(number) is Decimal)
    return any(abs(number) >= FRACTION_LIMIT and not is_integral(number) for number in decimals)


def _chains(numbers: set[Number]) -> Iterator[list[Number]]:
    """Runs of two or more distinct numbers whose neighbours are within the tolerance."""
    ordered = sorted(numbers)
    run: list[Number] = []
    for position, (low, high) in enumerate(pairwise(map(float, ordered))):
        # The larger magnitude of two ascending numbers is `high` or `-low`.
        gap = high - low
        near = gap <= ABSOLUTE_TOLERANCE or gap <= RELATIVE_TOLERANCE * max(high, -low)
        if near and _may_join(ordered[position], ordered[position + 1], gap):
            run = run or [ordered[position]]
            run.append(ordered[position + 1])
        elif run:
            yield run
            run = []
    if run:
        yield run


def _may_join(low: Number, high: Number, gap: float) -> bool:
    """Whether near neighbours may share a class.

    A Decimal128 beyond the doubles makes the gap infinite, and has no partner with a fraction.
    """
    return isfinite(gap) and not (is_integral(low) and is_integral(high))


def _array_chains(fractional: Sequence[Sequence[Number]], integral: Sequence[Sequence[int]]) -> Iterator[list[Number]]:
    """The same runs for long answers: a number with a fraction is below 2**52, where doubles hold integers exactly."""
    parts = [_distinct(group) for group in fractional]
    if all(np.all(part == np.rint(part)) for part in parts):
        return
    parts.extend(_distinct(group) for group in integral)
    values = np.unique(np.concatenate(parts))
    del parts
    whole = values == np.rint(values)
    magnitude = np.abs(values)
    allowed = np.maximum(RELATIVE_TOLERANCE * np.maximum(magnitude[:-1], magnitude[1:]), ABSOLUTE_TOLERANCE)
    joined = (np.diff(values) <= allowed) & ~(whole[:-1] & whole[1:])
    edges = np.diff(np.concatenate(([False], joined, [False])).astype(np.int8))
    for start, stop in zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True):
        yield values[start : stop + 1].tolist()


def _distinct(group: Sequence[Number]) -> NDArray[np.float64]:
    values = np.unique(np.fromiter(group, dtype=np.float64, count=len(group)))
    # Larger numbers are integral and never have a partner with a fraction in reach.
    return values[np.abs(values) <= 2 * FRACTION_LIMIT]


def _merged(chains: Iterable[list[Number]]) -> dict[Number, Number]:
    """The representative of each member of each chain that is not one itself."""
    merged: dict[Number, Number] = {}
    for run in chains:
        anchors = [number for number in run if is_integral(number)] or run[:1]
        position = 0
        for number in run:
            while position + 1 < len(anchors) and _is_nearer(number, anchors[position + 1], anchors[position]):
                position += 1
            if number != anchors[position]:
                merged[number] = anchors[position]
    return merged


def _is_nearer(number: Number, anchor: Number, other: Number) -> bool:
    """Whether a number is nearer to `anchor` than to `other`, exactly."""
    exact = Fraction(number)
    return abs(Fraction(anchor) - exact) < abs(exact - Fraction(other))
