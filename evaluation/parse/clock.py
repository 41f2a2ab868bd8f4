"""JavaScript dates on the pinned clock: `new Date(…)`, `ISODate(…)`, `Date.now()`, and their methods."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from bson.datetime_ms import DatetimeMS

from evaluation.parse.dates import (
    Date,
    date_from_fields,
    date_from_iso,
    date_from_javascript,
    date_from_milliseconds,
    milliseconds_of,
)
from evaluation.parse.draft import RejectedValueError
from evaluation.parse.numbers import number_from_float
from evaluation.parse.script import Script

_FIELDS: Final = ("FullYear", "Month", "Date", "Hours", "Minutes", "Seconds", "Milliseconds")


def _now(script: Script) -> Date:
    script.flags.add("uses_now")
    return date_from_milliseconds(milliseconds_of(script.context.now))


def new_date(arguments: list[Any], script: Script) -> Date:
    """`new Date(…)`."""
    if not arguments:
        return _now(script)
    if len(arguments) == 1:
        return _from_one(arguments[0], script)
    script.flags.add("local_time_assumed_utc")
    return date_from_fields([_whole(argument) for argument in arguments[:7]])


def _from_one(value: Any, script: Script) -> Date:
    if isinstance(value, datetime | DatetimeMS):
        return value
    if isinstance(value, str):
        date, local = date_from_javascript(value)
        if local:
            script.flags.add("local_time_assumed_utc")
        return date
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    return date_from_milliseconds(value)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    return int(value)


def _spoken_now(arguments: list[Any], script: Script) -> str:
    """`Date()` without `new` ignores its arguments and gives text, as in the shell."""
    return f"{script.context.now:%a %b %d %Y %H:%M:%S} GMT+0000 (Coordinated Universal Time)" if _now(script) else ""


def _iso_date(arguments: list[Any], script: Script) -> Date:
    if not arguments:
        return _now(script)
    [value] = arguments
    return date_from_iso(value) if isinstance(value, str) else _from_one(value, script)


def _date_now(arguments: list[Any], script: Script) -> Any:
    return number_from_float(float(milliseconds_of(_now(script))))


def _date_utc(arguments: list[Any], script: Script) -> Any:
    return number_from_float(float(milliseconds_of(date_from_fields([_whole(argument) for argument in arguments[:7]]))))


def _date_parse(arguments: list[Any], script: Script) -> Any:
    [value] = arguments
    return number_from_float(float(milliseconds_of(_from_one(str(value), script))))


_CALLS: Final[Mapping[str, Callable[[list[Any], Script], Any]]] = {
    "new Date": new_date,
    "Date": _spoken_now,
    "ISODate": _iso_date,
    "new ISODate": _iso_date,
    "Date.now": _date_now,
    "Date.UTC": _date_utc,
    "Date.parse": _date_parse,
}
CLOCK_NAMES: Final = frozenset(_CALLS)


def clock_call(name: str, arguments: list[Any], script: Script) -> Any:
    """The value of a call that makes a date or reads the clock.

    Raises:
        RejectedValueError: reason "bad_value": JavaScript would give an invalid date.
    """
    try:
        return _CALLS[name](arguments, script)
    except (ValueError, TypeError, OverflowError) as error:
        raise RejectedValueError("bad_value", f"{name}({', '.join(map(str, arguments))[:60]}) is no date.") from error


def date_method(date: Date, method: str, arguments: list[Any]) -> tuple[Any, Date]:
    """The value of a method of a date, and the date after it (the `set…` methods change it).

    Raises:
        RejectedValueError: reason "unsupported_syntax" or "bad_value".
    """
    if method in {"getTime", "valueOf"}:
        return number_from_float(float(milliseconds_of(date))), date
    if not isinstance(date, datetime):
        raise RejectedValueError("unsupported_syntax", f"{method}() is not supported on a date this far away.")
    if method in {"toISOString", "toJSON"}:
        return f"{date:%Y-%m-%dT%H:%M:%S}.{date.microsecond // 1000:03d}Z".rjust(24, "0"), date
    verb, field = method[:3], method[3:].removeprefix("UTC")
    if verb == "get" and field == "Day" and not arguments:
        return (date.weekday() + 1) % 7, date
    if verb == "get" and field == "TimezoneOffset":
        return 0, date
    if field in _FIELDS and verb in {"get", "set"}:
        return _field(date, verb, _FIELDS.index(field), arguments)
    if method == "setTime":
        return _changed(arguments, lambda numbers: date_from_milliseconds(numbers[0]))
    raise RejectedValueError("unsupported_syntax", f"{method}() is not supported on a date.")


def _field(date: datetime, verb: str, place: int, arguments: list[Any]) -> tuple[Any, Date]:
    fields = [date.year, date.month - 1, date.day, date.hour, date.minute, date.second, date.microsecond // 1000]
    if verb == "get":
        return fields[place], date
    return _changed(
        arguments, lambda numbers: date_from_fields([*fields[:place], *numbers, *fields[place + len(numbers) :]][:7])
    )


def _changed(arguments: list[Any], build: Callable[[list[int]], Date]) -> tuple[Any, Date]:
    try:
        changed = build([_whole(argument) for argument in arguments])
    except (ValueError, TypeError, OverflowError, IndexError) as error:
        raise RejectedValueError("bad_value", "This is no date.") from error
    return number_from_float(float(milliseconds_of(changed))), changed
