"""Conditions on parts of stored dates as ranges of dates, which an index can answer."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlglot import exp

from benchmark_data.docmap.queries.dispatch import value
from benchmark_data.docmap.queries.place import Place
from benchmark_data.docmap.queries.scope import Scope

DAY: Final = "%Y-%m-%d"
_FORMS: Final = {"%Y": 1, "%Y-%m": 2, DAY: 3}
_LENGTHS: Final = {4: 1, 7: 2, 10: 3}
_PERIOD: Final = re.compile(r"^([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2}))?)?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The head of a date's text: year, month or day of a stored date."""

    place: Place
    numbers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """From the first moment to the one after the last."""

    start: datetime
    end: datetime


def date_range(operator: str, left: exp.Expr, right: exp.Expr, scope: Scope) -> dict[str, Any] | None:
    """A comparison of a part of a stored date with a text as a $match document, None where it is none.

    `STRFTIME('%Y-%m', day) = '2014-07'` asks for the days of July 2014; texts of one form sort as the dates do.
    """
    part = _part(left, scope)
    period = _period(_text(right), part.numbers) if part is not None else None
    if part is None or period is None:
        return None
    limits = {
        "$eq": {"$gte": period.start, "$lt": period.end},
        "$lt": {"$lt": period.start},
        "$lte": {"$lt": period.end},
        "$gt": {"$gte": period.end},
        "$gte": {"$gte": period.start},
    }.get(operator)
    return None if limits is None else {part.place.path: limits}


def date_prefix(node: exp.Like, scope: Scope) -> dict[str, Any] | None:
    """`day LIKE '2014-08%'` on a stored date as a $match document, None where it is something else."""
    place = _stored_day(node.this, scope)
    pattern = _text(node.expression)
    if place is None or pattern is None or not pattern.endswith("%"):
        return None
    head = pattern.rstrip("%")
    # A day is the whole text, so that nothing follows it.
    heads = {1: head.removesuffix("-"), 2: head.removesuffix("-"), 3: head}
    period = next(filter(None, (_period(text, numbers) for numbers, text in heads.items())), None)
    return None if period is None else {place.path: {"$gte": period.start, "$lt": period.end}}


def _part(node: exp.Expr, scope: Scope) -> Part | None:
    numbers: int | None = None
    if isinstance(node, exp.TimeToStr):
        numbers = _FORMS.get(_text(node.args["format"]) or "")
    elif isinstance(node, exp.Date) and not node.expressions:
        numbers = 3
    elif isinstance(node, exp.Substring) and str(node.args["start"]) == "1":
        numbers = _LENGTHS.get(int(text)) if (text := str(node.args.get("length"))).isdecimal() else None
    if numbers is None:
        return None
    operand = node.this
    while isinstance(operand, exp.TsOrDsToTimestamp | exp.TsOrDsToDate):
        operand = operand.this
    place = _stored_day(operand, scope)
    return None if place is None else Part(place=place, numbers=numbers)


def _stored_day(node: exp.Expr, scope: Scope) -> Place | None:
    place = value(node, scope).place if isinstance(node, exp.Column) else None
    return place if place is not None and place.date_format == DAY and place.is_uniform else None


def _text(node: exp.Expr) -> str | None:
    return str(node.this) if isinstance(node, exp.Literal) and node.is_string else None


def _period(text: str | None, numbers: int) -> Period | None:
    """The period that a text of so many numbers names; None where there is no such text or no such date."""
    found = _PERIOD.match(text or "")
    given = [int(part) for part in found.groups() if part] if found else []
    if len(given) != numbers:
        return None
    year, month, day = (*given, 1, 1)[:3]
    after = {1: (year + 1, 1), 2: (year + month // 12, month % 12 + 1)}
    try:
        start = datetime(year, month, day, tzinfo=UTC)
        end = datetime(*after[numbers], 1, tzinfo=UTC) if numbers in after else start + timedelta(days=1)
    except (ValueError, OverflowError):
        return None
    return Period(start=start, end=end)


def moment_of(text: Any) -> datetime | None:
    """The start of a day that there is; other text is not compared as a date."""
    period = _period(text, 3) if isinstance(text, str) else None
    return period.start if period is not None else None
