"""Canonical keys of BSON values: two keys are equal exactly when the values are equal for scoring."""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from functools import partial
from math import isfinite
from typing import Any, TypeAlias
from uuid import UUID

from bson.binary import Binary
from bson.code import Code
from bson.datetime_ms import DatetimeMS
from bson.dbref import DBRef
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.max_key import MaxKey
from bson.min_key import MinKey
from bson.objectid import ObjectId
from bson.regex import Regex
from bson.timestamp import Timestamp

from benchmark_data.types import ArrayOrder
from evaluation.numbers import FRACTION_LIMIT, Number, is_integral, merged_numbers

Key: TypeAlias = Hashable

# Values of these types are their own keys. Python's numbers of all three types meet in equality and hash.
PLAIN_TYPES = frozenset({type(None), str, int, Int64, DatetimeMS, ObjectId, Timestamp, MinKey, MaxKey, bytes})
INTEGER_TYPES = frozenset({int, Int64})
NUMERIC_TYPES = INTEGER_TYPES | {float, Decimal128}
ARRAY_TYPES = frozenset({list, tuple})
# The types of values in most columns; a column with other ones is looked at type by type.
USUAL_LEAF_TYPES = PLAIN_TYPES | {bool, float, Decimal128, Binary, list}

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class _Mark:
    """A key that equals itself only."""

    __slots__ = ()


_NAN = _Mark()
# Python holds True == 1 (case "bool vs int").
_BOOLEANS = {True: _Mark(), False: _Mark()}
_ARRAY, _MULTISET, _DOCUMENT, _REGEX, _CODE = _Mark(), _Mark(), _Mark(), _Mark(), _Mark()


def is_document(kind: type) -> bool:
    """Whether values of a Python type are BSON sub-documents."""
    return kind is dict or kind is DBRef or issubclass(kind, Mapping)


def as_document(value: Any) -> Mapping[str, Any]:
    """The sub-document as a mapping; the driver reads `{$ref, $id}` as a `DBRef`, which is one too."""
    return value.as_doc() if isinstance(value, DBRef) else value


def decimal_number(value: Decimal128) -> Number | None:
    """The number of a Decimal128, or None for NaN; below 2**52 a fraction is as good as its double (1e-16)."""
    number = value.to_decimal()
    if number.is_nan():
        return None
    if number.is_infinite():
        return float(number)
    return number if is_integral(number) or abs(number) >= FRACTION_LIMIT else float(number)


class Canonicaliser:
    """Makes the keys of one comparison: both answers share the classes of numbers and the tokens of containers.

    Use: `observe` every column of both answers, then `freeze`, then ask for `keys`.

    Args:
        array_order: whether the order inside arrays counts.
    """

    def __init__(self, array_order: ArrayOrder) -> None:
        self._ordered = array_order is ArrayOrder.ORDERED
        self._fractional: list[Sequence[Number]] = []
        self._integral: list[Sequence[int]] = []
        self._merged: dict[Number, Number] = {}
        # Doubles are their own keys too, until one is NaN or has to change.
        self._plain_types = PLAIN_TYPES | {float}
        self._tokens: dict[Key, _Mark] = {}
        self._kinds: dict[type, Callable[[Any], Key]] = {
            bool: _BOOLEANS.__getitem__,
            float: self._float_key,
            Decimal128: self._decimal_key,
            datetime: _datetime_key,
            Binary: _binary_key,
            UUID: lambda value: Binary(value.bytes, 4),
            Regex: lambda value: self._token((_REGEX, value.pattern, value.flags)),
            re.Pattern: lambda value: self._token((_REGEX, value.pattern, Regex.from_native(value).flags)),
            Code: self._code_key,
            **dict.fromkeys(PLAIN_TYPES, lambda value: value),
        }

    def observe(self, cells: Sequence[Any], kinds: set[type]) -> None:
        """Note the numbers in a column; `kinds` are the Python types of its cells."""
        if not kinds.isdisjoint(NUMERIC_TYPES):
            self._observe_numbers(cells, kinds)
        if not kinds <= PLAIN_TYPES and any(map(_is_container, kinds)):
            leaves = [leaf for cell in cells if _is_container(type(cell)) for leaf in _leaves(cell)]
            self._observe_numbers(leaves, set(map(type, leaves)))

    def _observe_numbers(self, cells: Sequence[Any], kinds: set[type]) -> None:
        if not kinds.isdisjoint(INTEGER_TYPES):
            pure = kinds <= INTEGER_TYPES
            self._integral.append(cells if pure else [c for c in cells if type(c) in INTEGER_TYPES])
        if float in kinds:
            floats = cells if len(kinds) == 1 else [c for c in cells if type(c) is float]
            if not all(map(isfinite, floats)):
                self._plain_types = PLAIN_TYPES
                floats = list(filter(isfinite, floats))
            self._fractional.append(floats)
        if Decimal128 in kinds:
            numbers = [decimal_number(c) for c in cells if type(c) is Decimal128]
            self._fractional.append([n for n in numbers if n is not None and (type(n) is Decimal or isfinite(n))])

    def freeze(self) -> None:
        """Settle the classes of numbers."""
        self._merged = merged_numbers(self._fractional, self._integral)
        self._fractional, self._integral = [], []
        if self._merged:
            self._plain_types = PLAIN_TYPES

    def keys(self, cells: list[Any], kinds: set[type]) -> list[Key]:
        """The keys of a column's cells; the very same list where each value is its own key."""
        if kinds <= self._plain_types:
            return cells
        return [None if cell is None else self.key(cell) for cell in cells]

    def key(self, value: Any) -> Key:
        """The key of one value."""
        kind = type(value)
        convert = self._kinds.get(kind)
        if convert is None:
            convert = self._kinds[kind] = self._resolve(kind)
        return convert(value)

    def _resolve(self, kind: type) -> Callable[[Any], Key]:
        """The rule for a Python type that is met for the first time: containers, and subclasses of known types."""
        if _is_container(kind):
            return self._container_key
        for known in (bool, int, float, Code, str, Binary, bytes, datetime, re.Pattern):
            if issubclass(kind, known):
                # A subclass may have an equality of its own.
                return partial(self._key_as, known) if known in (int, float, str) else self._kinds[known]
        raise TypeError(f"{kind.__name__} is not a BSON value")

    def _key_as(self, kind: type, value: Any) -> Key:
        return self._kinds[kind](kind(value))

    def _float_key(self, value: float) -> Key:
        # NaN is unequal to itself in Python, and equal for scoring.
        return self._merged.get(value, value) if value == value else _NAN  # noqa: PLR0124

    def _decimal_key(self, value: Decimal128) -> Key:
        number = decimal_number(value)
        return _NAN if number is None else self._merged.get(number, number)

    def _code_key(self, value: Code) -> Key:
        scope = None if value.scope is None else self._container_key(value.scope)
        return self._token((_CODE, str(value), scope))

    def _token(self, content: Key) -> _Mark:
        """One object for equal contents: nested keys stay one level deep, so comparing them never recurses."""
        token = self._tokens.get(content)
        if token is None:
            token = self._tokens[content] = _Mark()
        return token

    def _container_key(self, value: Any) -> Key:
        """The key of an array or sub-document, children before parents without recursion (5,000 levels are real)."""
        names, children = _open(value)
        stack: list[tuple[list[str] | None, Iterator[Any], list[Key]]] = [(names, children, [])]
        while True:
            names, children, done = stack[-1]
            for child in children:
                if _is_container(type(child)):
                    stack.append((*_open(child), []))
                    break
                done.append(self.key(child))
            else:
                stack.pop()
                token = self._close(names, done)
                if not stack:
                    return token
                stack[-1][2].append(token)

    def _close(self, names: list[str] | None, done: list[Key]) -> _Mark:
        if names is not None:
            return self._token((_DOCUMENT, frozenset(zip(names, done, strict=True))))
        if self._ordered:
            return self._token((_ARRAY, *done))
        return self._token((_MULTISET, frozenset(Counter(done).items())))


def _is_container(kind: type) -> bool:
    return kind in ARRAY_TYPES or (kind not in PLAIN_TYPES and (is_document(kind) or issubclass(kind, list)))


def _open(value: Any) -> tuple[list[str] | None, Iterator[Any]]:
    """The names (None for an array) and the children of a container."""
    if isinstance(value, list | tuple):
        return None, iter(value)
    document = as_document(value)
    return list(document), iter(document.values())


def _leaves(value: Any) -> Iterator[Any]:
    """All scalars inside a container."""
    stack = [_open(value)[1]]
    while stack:
        for child in stack[-1]:
            if _is_container(type(child)):
                stack.append(_open(child)[1])
                break
            yield child
        else:
            stack.pop()


def _datetime_key(value: datetime) -> Key:
    """UTC milliseconds, rounded down as BSON stores them; a naive datetime is UTC."""
    aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
    return DatetimeMS((aware - _EPOCH) // _MILLISECOND)


def _binary_key(value: Binary) -> Key:
    # The driver decodes subtype 0 as plain bytes (case "binary subtype differs").
    return bytes(value) if value.subtype == 0 else value
