"""What a check expects, and how an answer compares with it.

Expectations marked `note="unsure"` in the checks are a reading of the manual that no real mongod has confirmed yet.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Any

from bson import Binary, Decimal128, Int64, Regex


class Level(IntEnum):
    """How far an answer is from the expected one; NUMBER_TYPE also stands for another order of fields."""

    EQUAL = 0
    NUMBER_TYPE = 1
    DIFFERENT = 2


@dataclass(frozen=True, slots=True)
class Difference:
    """How an answer compares: the level, and where and why."""

    level: Level
    why: str = ""


EQUAL = Difference(Level.EQUAL)


class Missing:
    """The absence of a field."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


class Refused:
    """An error is expected, with one of these codes."""

    def __init__(self, *codes: int) -> None:
        self.codes = frozenset(codes)

    def __repr__(self) -> str:
        return f"Refused{sorted(self.codes)}"


class AnyOf:
    """Any one of several answers."""

    def __init__(self, *alternatives: Any) -> None:
        self.alternatives = alternatives

    def __repr__(self) -> str:
        return f"AnyOf{self.alternatives!r}"


@dataclass(frozen=True)
class Number:
    """A number of any numeric type."""

    value: Any


class AnyOrder:
    """An array whose order does not matter."""

    def __init__(self, items: Sequence[Any]) -> None:
        self.items = list(items)

    def __repr__(self) -> str:
        return f"AnyOrder({self.items!r})"


@dataclass(frozen=True)
class Fulfils:
    """An answer that a predicate accepts."""

    predicate: Callable[[Any], bool]
    text: str


def moment(*fields: int) -> datetime:
    """A date in UTC, without a time zone as `bson` decodes it."""
    return datetime(*fields)  # type: ignore[arg-type]  # noqa: DTZ001


def compare(expected: Any, got: Any, path: str = "") -> Difference:
    """How `got` compares with what is expected, at the dotted path `path` of the answer."""
    for kind, comparer in _COMPARERS:
        if isinstance(expected, kind):
            return comparer(expected, got, path)
    if got is MISSING:
        return _different(expected, got, path)
    return EQUAL if expected == got and isinstance(got, type(expected)) else _different(expected, got, path)


def _different(expected: Any, got: Any, path: str) -> Difference:
    return Difference(Level.DIFFERENT, f"{path}: {got!r}, expected {expected!r}")


def _fulfils(expected: Fulfils, got: Any, path: str) -> Difference:
    try:
        accepted = expected.predicate(got)
    except (TypeError, KeyError, IndexError, AttributeError, ValueError) as error:
        return Difference(Level.DIFFERENT, f"{path}: {expected.text} raised {error!r} on {got!r}")
    return EQUAL if accepted else Difference(Level.DIFFERENT, f"{path}: {got!r} fails {expected.text}")


def _any_of(expected: AnyOf, got: Any, path: str) -> Difference:
    return min((compare(each, got, path) for each in expected.alternatives), key=lambda found: found.level)


def _missing(expected: Missing, got: Any, path: str) -> Difference:
    return EQUAL if got is MISSING else _different(expected, got, path)


def _number(expected: Number, got: Any, path: str) -> Difference:
    return EQUAL if _equal_numbers(expected.value, got) else _different(expected, got, path)


def _any_order(expected: AnyOrder, got: Any, path: str) -> Difference:
    if not isinstance(got, list) or len(got) != len(expected.items):
        return _different(expected, got, path)
    left, worst = list(got), EQUAL
    for item in expected.items:
        found = [compare(item, candidate, path) for candidate in left]
        best = min(range(len(left)), key=lambda index: found[index].level)
        if found[best].level is Level.DIFFERENT:
            return Difference(Level.DIFFERENT, f"{path}: nothing equals {item!r} in {got!r}")
        worst = max(worst, found[best], key=lambda each: each.level)
        left.pop(best)
    return worst


def _boolean(expected: bool, got: Any, path: str) -> Difference:
    return EQUAL if got is expected else _different(expected, got, path)


def _numeric(expected: Any, got: Any, path: str) -> Difference:
    if not _equal_numbers(expected, got):
        return _different(expected, got, path)
    if _number_type(expected) != _number_type(got):
        why = f"{path}: {got!r} is {_number_type(got)}, mongod gives {_number_type(expected)}"
        return Difference(Level.NUMBER_TYPE, why)
    if isinstance(expected, Decimal128) and str(expected) != str(got):
        return Difference(Level.NUMBER_TYPE, f"{path}: decimal {got}, mongod gives {expected}")
    return EQUAL


def _document(expected: Mapping[str, Any], got: Any, path: str) -> Difference:
    if not isinstance(got, Mapping) or set(expected) != set(got):
        return _different(expected, got, path)
    worst = EQUAL
    for key in expected:
        found = compare(expected[key], got[key], f"{path}.{key}")
        worst = max(worst, found, key=lambda each: each.level)
    if worst is EQUAL and list(expected) != list(got):
        return Difference(Level.NUMBER_TYPE, f"{path}: field order {list(got)}, mongod gives {list(expected)}")
    return worst


def _array(expected: Sequence[Any], got: Any, path: str) -> Difference:
    if not isinstance(got, list) or len(got) != len(expected):
        return _different(expected, got, path)
    worst = EQUAL
    for index, item in enumerate(expected):
        worst = max(worst, compare(item, got[index], f"{path}[{index}]"), key=lambda each: each.level)
    return worst


def _regex(expected: Any, got: Any, path: str) -> Difference:
    return EQUAL if getattr(got, "pattern", None) == expected.pattern else _different(expected, got, path)


def _bytes(expected: bytes, got: Any, path: str) -> Difference:
    same = isinstance(got, bytes | Binary) and bytes(got) == bytes(expected)
    return EQUAL if same else _different(expected, got, path)


_COMPARERS: tuple[tuple[Any, Callable[[Any, Any, str], Difference]], ...] = (
    (Fulfils, _fulfils),
    (AnyOf, _any_of),
    (Missing, _missing),
    (Number, _number),
    (AnyOrder, _any_order),
    (bool, _boolean),
    ((int, float, Decimal128), _numeric),
    (Mapping, _document),
    (list, _array),
    ((Regex, re.Pattern), _regex),
    ((bytes, Binary), _bytes),
)


def _as_number(value: Any) -> Any:
    if isinstance(value, Decimal128):
        return value.to_decimal()
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _number_type(value: Any) -> str:
    if isinstance(value, Decimal128):
        return "decimal"
    if isinstance(value, float):
        return "double"
    return "long" if isinstance(value, Int64) or not -(2**31) <= value < 2**31 else "int"


def _equal_numbers(expected: Any, got: Any) -> bool:
    left, right = _as_number(expected), _as_number(got)
    if left is None or right is None:
        return False
    first, second = float(left), float(right)
    if math.isnan(first) or math.isnan(second):
        return math.isnan(first) and math.isnan(second)
    return first == second or math.isclose(first, second, rel_tol=1e-11, abs_tol=1e-13)
