"""Numbers, dates and documents are what the shell would send."""

import math
from datetime import UTC, datetime
from typing import Any

import pytest
from bson.datetime_ms import DatetimeMS
from bson.int64 import Int64
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.errors import UnparsableTextError
from evaluation.parse.dates import date_from_fields, date_from_iso, date_from_javascript, milliseconds_of
from evaluation.parse.documents import document_build
from evaluation.parse.draft import RejectedValueError
from evaluation.parse.numbers import number_from_float, number_from_literal, number_text
from tests.evaluation.parse.reading import query_of


@pytest.mark.parametrize(
    ("literal", "value"),
    [
        ("0", 0),
        ("5.0", 5),
        ("1e3", 1000),
        ("0x10", 16),
        ("0b11", 3),
        ("0o17", 15),
        ("1_000", 1000),
        (".5", 0.5),
        ("2147483647", 2147483647),
        ("2147483648", 2147483648.0),
        ("9007199254740993", 9007199254740992.0),
        ("5n", Int64(5)),
        ("1e400", math.inf),
        ("017", None),
        ("1__0", None),
        ("1_", None),
        ("99999999999999999999n", None),
    ],
)
def test_number_literals_follow_js_bson(literal: str, value: Any) -> None:
    found = number_from_literal(literal)
    assert found == value
    assert type(found) is type(value)


def test_minus_zero_stays_a_double() -> None:
    zero = number_from_float(-0.0)
    assert isinstance(zero, float)
    assert math.copysign(1, zero) == -1


@given(st.floats(allow_nan=False))
@settings(max_examples=200, deadline=None)
def test_the_text_of_a_number_is_that_number(number: float) -> None:
    assert float(number_text(number).replace("Infinity", "inf")) == number


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("2020-01-01", 1577836800000),
        ("2020-01-01T02:00:00+02:00", 1577836800000),
        ("2020-01-01T00:00:00.123Z", 1577836800123),
        ("2020-01-01T00:00:00.123456Z", 1577836800123),
        ("20200101", 1577836800000),
        ("2020-01-01T24:00:00Z", 1577923200000),
        ("1969-12-31T23:59:59Z", -1000),
    ],
)
def test_iso_dates_are_read_on_utc(text: str, milliseconds: int) -> None:
    assert milliseconds_of(date_from_iso(text)) == milliseconds


@pytest.mark.parametrize("text", ["", "yesterday", "2020-13-01", "2020-02-30", "2020-01-01T25:00", "2020-01-01T10:61"])
def test_what_is_no_iso_date_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        date_from_iso(text or "x")


@pytest.mark.parametrize(
    ("text", "expected", "local"),
    [
        ("2020-01-01", datetime(2020, 1, 1, tzinfo=UTC), False),
        ("2020-01-01T10:00:00", datetime(2020, 1, 1, 10, tzinfo=UTC), True),
        ("2020-01-01T10:00:00Z", datetime(2020, 1, 1, 10, tzinfo=UTC), False),
        ("Jan 5, 2020", datetime(2020, 1, 5, tzinfo=UTC), True),
        ("5 January 2020 10:30 GMT", datetime(2020, 1, 5, 10, 30, tzinfo=UTC), False),
        ("01/05/2020", datetime(2020, 1, 5, tzinfo=UTC), True),
        ("2020", datetime(2020, 1, 1, tzinfo=UTC), False),
    ],
)
def test_javascript_dates_tell_whether_the_local_zone_was_used(text: str, expected: datetime, local: bool) -> None:
    assert date_from_javascript(text) == (expected, local)


@given(st.datetimes(min_value=datetime(1, 1, 1), max_value=datetime(9999, 12, 31)))  # noqa: DTZ001
@settings(max_examples=100, deadline=None)
def test_fields_of_a_date_make_that_date(date: datetime) -> None:
    whole = date.replace(microsecond=date.microsecond // 1000 * 1000, tzinfo=UTC)
    fields = [date.year, date.month - 1, date.day, date.hour, date.minute, date.second, date.microsecond // 1000]
    if date.year > 99:
        assert date_from_fields(fields) == whole


def test_fields_of_a_date_carry_over() -> None:
    assert date_from_fields([2020, 12, 32, -1]) == datetime(2021, 1, 31, 23, tzinfo=UTC)


def test_a_date_outside_the_years_of_python_keeps_its_milliseconds() -> None:
    date = query_of("db.t.find({ a: new Date(8640000000000000) })").arguments["filter"]["a"]
    assert date == DatetimeMS(8640000000000000)


def test_integer_like_keys_come_first_and_the_last_duplicate_wins() -> None:
    flags: set[str] = set()
    pairs = [("b", 1), ("2", 2), ("01", 3), ("1", 4), ("b", 5), ("4294967295", 6)]
    assert list(document_build(pairs, flags=flags).items()) == [
        ("1", 4),
        ("2", 2),
        ("b", 5),
        ("01", 3),
        ("4294967295", 6),
    ]
    assert flags == {"duplicate_key"}


@pytest.mark.parametrize("key", ["__proto__", "a\0b"])
def test_keys_that_hide_something_are_refused(key: str) -> None:
    with pytest.raises(UnparsableTextError) as caught:
        document_build([(key, 1)], flags=set())
    assert caught.value.reason == "unsupported_syntax"


@pytest.mark.parametrize(
    "wrapper",
    [
        {"$oid": "xyz"},
        {"$oid": 5},
        {"$date": "yesterday"},
        {"$numberLong": "9223372036854775808"},
        {"$numberInt": "1.5"},
        {"$numberDecimal": "abc"},
        {"$uuid": "1"},
        {"$binary": {"base64": "?", "subType": "00"}},
        {"$regularExpression": {"pattern": "a", "options": "g"}},
        {"$timestamp": {"t": -1, "i": 1}},
    ],
)
def test_a_wrapper_that_holds_something_else_is_refused(wrapper: dict[str, Any]) -> None:
    with pytest.raises(RejectedValueError) as caught:
        document_build(list(wrapper.items()), flags=set())
    assert caught.value.reason == "bad_value"


def test_the_place_of_a_fault_is_told_in_characters() -> None:
    text = "Hier — die Abfrage:\n```js\ndb.t.find({ é: unknown })\n```"
    with pytest.raises(UnparsableTextError) as caught:
        query_of(text)
    assert caught.value.position == text.index("unknown")
