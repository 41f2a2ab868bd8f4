"""Dates as the shell builds them, on UTC."""

import math
import re
from datetime import UTC, datetime, timedelta
from typing import Final

from bson.datetime_ms import DatetimeMS

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LARGEST: Final = 8.64e15
_ISO: Final = re.compile(
    r"(?P<year>[+-]\d{6}|\d{4})(?:-?(?P<month>\d{2})(?:-?(?P<day>\d{2}))?)?"
    r"(?:[T ](?P<hour>\d{2})(?::?(?P<minute>\d{2})(?::?(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?)?"
    r" ?(?P<zone>Z|z|[+-]\d{2}(?::?\d{2})?)?)?",
    re.ASCII,
)
_MONTHS: Final = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
_CLOCK: Final = (
    r"(?:,? +(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?)?(?: *(?P<zone>Z|UTC|GMT|[+-]\d{4}))?"
)
_SPOKEN: Final = (
    re.compile(
        r"(?:[A-Za-z]{3,9},? +)?(?P<month>[A-Za-z]{3,9})\.? +(?P<day>\d{1,2}),? +(?P<year>\d{4})" + _CLOCK, re.ASCII
    ),
    re.compile(
        r"(?:[A-Za-z]{3,9},? +)?(?P<day>\d{1,2}) +(?P<month>[A-Za-z]{3,9})\.?,? +(?P<year>\d{4})" + _CLOCK, re.ASCII
    ),
    re.compile(r"(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4})" + _CLOCK, re.ASCII),
    re.compile(r"(?P<year>\d{4})[/-](?P<month>\d{1,2})[/-](?P<day>\d{1,2})" + _CLOCK, re.ASCII),
)

Date = datetime | DatetimeMS


def date_from_milliseconds(value: float) -> Date:
    """The date that many milliseconds after 1970: a datetime, or DatetimeMS outside the years 1–9999.

    Raises:
        ValueError: not a number, or outside what JavaScript can hold.
    """
    if math.isnan(value) or abs(value) > _LARGEST:
        raise ValueError(value)
    milliseconds = int(value)
    try:
        return EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return DatetimeMS(milliseconds)


def milliseconds_of(date: Date) -> int:
    """Whole milliseconds since 1970."""
    if isinstance(date, DatetimeMS):
        return int(date)
    return (date - EPOCH) // timedelta(milliseconds=1)


def date_from_iso(text: str) -> Date:
    """The date of ISO 8601 text; without a zone it is UTC, as in `ISODate` and `$date`.

    Raises:
        ValueError: the text is no such date.
    """
    found = _ISO.fullmatch(text.strip())
    if found is None:
        raise ValueError(text)
    return _from_parts(found.groupdict())


def date_from_javascript(text: str) -> tuple[Date, bool]:
    """What `new Date(text)` gives, with UTC as the local zone, and whether the local zone was used.

    A date alone is UTC; a date with a time and without a zone is local (case T065); so is a spoken date.

    Raises:
        ValueError: JavaScript would give an invalid date.
    """
    found = _ISO.fullmatch(text.strip())
    if found is not None and ("-" in text or len(text.strip()) == 4):
        parts = found.groupdict()
        return _from_parts(parts), parts["hour"] is not None and parts["zone"] is None
    for pattern in _SPOKEN:
        found = pattern.fullmatch(text.strip())
        if found is not None:
            parts = found.groupdict()
            return _from_parts(parts), parts["zone"] is None
    raise ValueError(text)


def date_from_fields(fields: list[int]) -> Date:
    """`new Date(year, month from 0, day, hours, minutes, seconds, milliseconds)` on UTC; fields carry over."""
    year, month, day, hour, minute, second, millisecond = (*fields, *(0, 0, 1, 0, 0, 0, 0)[len(fields) :])
    if any(abs(field) > 400_000_000_000 for field in fields):
        raise ValueError(fields)
    if 0 <= year <= 99:
        year += 1900
    year, month = year + month // 12, month % 12
    days = _days_from_civil(year, month + 1) + day - 1
    return date_from_milliseconds(((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + millisecond)


def _days_from_civil(year: int, month: int) -> int:
    """Days from 1970-01-01 to the first of a month in the proleptic Gregorian calendar."""
    shifted = year - 1 if month <= 2 else year
    era, year_of_era = divmod(shifted, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5
    return era * 146_097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719_468


def _from_parts(parts: dict[str, str | None]) -> Date:
    year, day = int(parts["year"] or 0), int(parts["day"] or 1)
    month = _month(parts["month"] or "1")
    hour, minute, second = (int(parts[name] or 0) for name in ("hour", "minute", "second"))
    last = _days_from_civil(year + month // 12, month % 12 + 1) - _days_from_civil(year, month)
    if not (1 <= day <= last and minute < 60 and second < 60 and (hour < 24 or (hour == 24 and minute == second == 0))):
        raise ValueError(parts)
    milliseconds = int((parts.get("fraction") or "0").ljust(3, "0")[:3])
    days = _days_from_civil(year, month) + day - 1
    total = ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1000 + milliseconds
    return date_from_milliseconds(total - _zone_minutes(parts["zone"]) * 60_000)


def _month(text: str) -> int:
    month = int(text) if text.isdigit() else _MONTHS.get(text[:3].lower(), 0)
    if not 1 <= month <= 12:
        raise ValueError(text)
    return month


def _zone_minutes(zone: str | None) -> int:
    if zone is None or zone[0] not in "+-":
        return 0
    digits = zone[1:].replace(":", "").ljust(4, "0")
    minutes = int(digits[:2]) * 60 + int(digits[2:])
    return -minutes if zone[0] == "-" else minutes
