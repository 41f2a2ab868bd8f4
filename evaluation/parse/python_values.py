"""Python literals and the value constructors of pymongo programs, on the pinned clock."""

import ast
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from bson.binary import Binary
from bson.int64 import Int64
from bson.regex import Regex

from evaluation.parse.constructors import CONSTRUCTORS, construct
from evaluation.parse.dates import date_from_iso, date_from_milliseconds
from evaluation.parse.documents import document_build, regex_build
from evaluation.parse.draft import RejectedValueError

_TIME_PARTS: Final = frozenset(["weeks", "days", "hours", "minutes", "seconds", "milliseconds"])
_CONSTANT_NAMES: Final[Mapping[str, Any]] = {
    "ASCENDING": 1,
    "DESCENDING": -1,
    "I": "i",
    "IGNORECASE": "i",
    "M": "m",
    "MULTILINE": "m",
    "S": "s",
    "DOTALL": "s",
    "X": "x",
    "VERBOSE": "x",
    "utc": UTC,
    "UTC": UTC,
}


def constant_value(value: Any) -> Any:
    """A constant of Python source as BSON; an integer outside int64 cannot be sent.

    Raises:
        RejectedValueError: reason "bad_value" or "unsupported_syntax".
    """
    if value is None or isinstance(value, bool | float | str):
        return value
    if isinstance(value, int):
        if not -(2**63) <= value < 2**63:
            raise RejectedValueError("bad_value", "The number is outside int64.")
        return value if -(2**31) <= value < 2**31 else Int64(value)
    if isinstance(value, bytes):
        return Binary(value)
    raise RejectedValueError("unsupported_syntax", f"{str(value)[:40]} is no value that can be sent.")


def known_name(name: str) -> Any:
    """The value of a name such as `pymongo.DESCENDING`; KeyError where it is none."""
    return _CONSTANT_NAMES[name]


def call_value(name: str, arguments: list[Any], named: dict[str, Any], *, now: datetime, flags: set[str]) -> Any:
    """The value of a constructor call, by the last part of its name.

    Raises:
        KeyError: there is no such constructor.
        RejectedValueError: it was given something that it cannot take.
    """
    build = _CALLS.get(name)
    if build is None:
        if name not in CONSTRUCTORS or named:
            raise KeyError(name)
        return construct(name, arguments)
    try:
        return build(arguments, named, now, flags)
    except (ValueError, TypeError, OverflowError, IndexError) as error:
        raise RejectedValueError("bad_value", f"{name}(…) is no value.") from error


def difference(operator: ast.operator, left: Any, right: Any) -> Any:
    """`+`, `-`, `*`, `/` between literals.

    Raises:
        RejectedValueError: reason "unsupported_syntax".
    """
    calculate = _OPERATORS.get(type(operator))
    plain = all(
        isinstance(side, int | float | datetime | timedelta) and not isinstance(side, bool) for side in (left, right)
    )
    texts = isinstance(left, str) and isinstance(right, str) and isinstance(operator, ast.Add)
    if calculate is None or not (plain or texts):
        raise RejectedValueError("unsupported_syntax", "The operator is not supported between these values.")
    try:
        value = calculate(left, right)
    except (TypeError, ArithmeticError, ValueError) as error:
        raise RejectedValueError("bad_value", "The calculation has no value.") from error
    return value if isinstance(value, datetime | timedelta | str) else constant_value(value)


_OPERATORS: Final[Mapping[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: lambda left, right: left + right,
    ast.Sub: lambda left, right: left - right,
    ast.Mult: lambda left, right: left * right,
    ast.Div: lambda left, right: left / right,
}


def _now(arguments: list[Any], named: dict[str, Any], now: datetime, flags: set[str]) -> Any:
    flags.add("uses_now")
    return date_from_milliseconds(int(now.timestamp() * 1000))


def _today(arguments: list[Any], named: dict[str, Any], now: datetime, flags: set[str]) -> Any:
    flags.add("uses_now")
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def _datetime(arguments: list[Any], named: dict[str, Any], now: datetime, flags: set[str]) -> Any:
    zone = named.get("tzinfo", UTC)
    parts = {key: value for key, value in named.items() if key != "tzinfo"}
    numbers = [argument for argument in arguments if argument is not UTC]
    date = datetime(*numbers, **{**parts, "tzinfo": zone})  # noqa: DTZ001 - the zone is among the parts
    return date.replace(microsecond=date.microsecond // 1000 * 1000)


def _timedelta(arguments: list[Any], named: dict[str, Any], now: datetime, flags: set[str]) -> Any:
    if set(named) - _TIME_PARTS:
        raise ValueError
    return timedelta(*arguments, **named)


def _iso(arguments: list[Any], named: dict[str, Any], now: datetime, flags: set[str]) -> Any:
    return date_from_iso(arguments[0])


def _parsed(arguments: list[Any], named: dict[str, Any], now: datetime, flags: set[str]) -> Any:
    text, layout = arguments
    if len(layout) > 64:
        raise ValueError
    date = datetime.strptime(text, layout)  # noqa: DTZ007 - made aware on the next line
    return date if date.tzinfo is not None else date.replace(tzinfo=UTC)


def _pattern(arguments: list[Any], named: dict[str, Any], now: datetime, flags: set[str]) -> Regex[str]:
    pattern, options = (*arguments, named.get("flags", ""))[:2]
    if not isinstance(pattern, str) or not isinstance(options, str):
        raise TypeError
    return regex_build(pattern, "".join(sorted(set(options))))


def _pairs(arguments: list[Any], named: dict[str, Any], now: datetime, flags: set[str]) -> Any:
    if not arguments:
        return dict(named)
    [value] = arguments
    if isinstance(value, dict):
        return value
    if not all(isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) for pair in value):
        raise TypeError
    return document_build(((pair[0], pair[1]) for pair in value), flags=flags, javascript=False)


def _escaped(arguments: list[Any], named: dict[str, Any], now: datetime, flags: set[str]) -> str:
    [text] = arguments
    return re.escape(str(text))


_CALLS: Final[Mapping[str, Callable[[list[Any], dict[str, Any], datetime, set[str]], Any]]] = {
    "datetime.now": _now,
    "datetime.utcnow": _now,
    "datetime.today": _now,
    "date.today": _today,
    "datetime": _datetime,
    "datetime.datetime": _datetime,
    "timedelta": _timedelta,
    "datetime.timedelta": _timedelta,
    "datetime.fromisoformat": _iso,
    "ISODate": _iso,
    "datetime.strptime": _parsed,
    "re.compile": _pattern,
    "Regex": _pattern,
    "re.escape": _escaped,
    "SON": _pairs,
    "OrderedDict": _pairs,
    "dict": _pairs,
}
