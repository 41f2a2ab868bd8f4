"""Decides whether a document query gave the rows of a SQL query, with ties and declared normalisation of values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from bson.datetime_ms import DatetimeMS
from bson.decimal128 import Decimal128

RELATIVE_TOLERANCE: Final = 1e-9
"""Sums and means of doubles differ in the last digits with the order of their terms."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
Row = tuple[Any, ...]


class Verdict(StrEnum):
    """What one comparison found."""

    EQUAL = "equal"
    TIED = "tied"
    DIFFERENT = "different"


@dataclass(frozen=True, slots=True, kw_only=True)
class TieGroup:
    """Rows that the query's order does not tell apart.

    Args:
        rows: all of them, whether LIMIT keeps them or not.
        kept: how many of them the answer has.
    """

    rows: tuple[Row, ...]
    kept: int

    @property
    def is_open(self) -> bool:
        """Whether the query leaves open which rows the answer has."""
        return self.kept < len(self.rows) and any(not same_row(self.rows[0], row) for row in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """What a SQL query may answer: one group after another; a query without ORDER BY has one group."""

    groups: tuple[TieGroup, ...]

    @property
    def size(self) -> int:
        """The number of rows."""
        return sum(group.kept for group in self.groups)


def compare_rows(reference: Reference, rows: Sequence[Row]) -> tuple[Verdict, str]:
    """Compare the rows of a document query with what the SQL query may answer.

    Values are equal as SQLite sees them: numbers by value within `RELATIVE_TOLERANCE`, text byte by byte, a missing
    field as NULL; a date is its text. Booleans equal no number.

    Returns:
        "equal", "tied" (a right answer, and there are others) or "different", and a sentence on the difference.
    """
    if reference.size != len(rows):
        return Verdict.DIFFERENT, f"{len(rows)} rows where SQL gives {reference.size}"
    plain = [tuple(map(normalised, row)) for row in rows]
    position = 0
    for group in reference.groups:
        part = plain[position : position + group.kept]
        expected = [tuple(map(normalised, row)) for row in group.rows]
        stray = _stray_row(expected, part)
        if stray is not None:
            return Verdict.DIFFERENT, f"the row {stray!r:.200} is none of SQL's at its place"
        position += group.kept
    tied = any(group.is_open for group in reference.groups)
    return (Verdict.TIED, "SQL leaves open which rows of a tie it gives") if tied else (Verdict.EQUAL, "")


def normalised(value: Any) -> Any:
    """A value in the form in which both sides are compared."""
    if isinstance(value, Decimal128):
        return float(value.to_decimal())
    if isinstance(value, DatetimeMS):
        return _date_text(_EPOCH + timedelta(milliseconds=int(value)))
    if isinstance(value, datetime):
        return _date_text(value if value.tzinfo else value.replace(tzinfo=UTC))
    return value


def _date_text(value: datetime) -> str:
    """As SQLite databases write dates: without the time where that is midnight."""
    midnight = (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0)
    return value.strftime("%Y-%m-%d" if midnight else "%Y-%m-%d %H:%M:%S")


def same_row(left: Row, right: Row) -> bool:
    """Whether two rows have the same values."""
    return len(left) == len(right) and all(map(same_value, left, right))


def same_value(left: Any, right: Any) -> bool:
    """Whether two normalised values are the same."""
    if _is_number(left) and _is_number(right):
        return bool(left == right) or math.isclose(left, right, rel_tol=RELATIVE_TOLERANCE)
    return type(left) is type(right) and bool(left == right)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _stray_row(expected: Sequence[Row], found: Sequence[Row]) -> Row | None:
    """A found row without a partner of its own among the expected ones, or None."""
    left, right = sorted(expected, key=_order), sorted(found, key=_order)
    if len(left) == len(right) and all(map(same_row, left, right)):
        return None
    # Rounding may have put near numbers in another order, or more rows are expected than found.
    for row in right:
        partner = next((index for index, other in enumerate(left) if same_row(row, other)), None)
        if partner is None:
            return row
        del left[partner]
    return None


def _order(row: Row) -> tuple[tuple[int, Any], ...]:
    return tuple(map(_value_order, row))


def _value_order(value: Any) -> tuple[int, Any]:
    if value is None:
        return 0, 0
    if _is_number(value):
        return 1, float(f"{value:.8g}")
    if isinstance(value, str):
        return 2, value
    return (3, bytes(value)) if isinstance(value, bytes) else (4, repr(value))
