"""The gate on the document database, and the rules by which it judges."""

from datetime import datetime
from typing import Any

import pytest
from bson import Decimal128, Int64, Regex

from evaluation.embedded.document_database import DocumentDatabaseUrls
from tests.conformance.__main__ import BASELINE, LEAST_CORE_CORRECT, core_correct, run_battery, shortfalls
from tests.conformance.battery import NOT_CORE, battery
from tests.conformance.expectations import (
    MISSING,
    AnyOf,
    AnyOrder,
    Fulfils,
    Level,
    Number,
    Refused,
    compare,
    moment,
)
from tests.conformance.running import Outcome, Verdict


@pytest.mark.engine
def test_the_document_database_is_as_good_as_the_baseline(document_database: DocumentDatabaseUrls) -> None:
    outcomes = run_battery(document_database.loader)

    assert shortfalls(outcomes, BASELINE) == []


def test_the_battery_is_complete_and_numbered() -> None:
    checks = battery()

    assert [check.number for check in checks] == list(range(1, 673))
    assert sum(check.group not in NOT_CORE for check in checks) == 610
    assert set(BASELINE) == {check.group for check in checks}
    assert sum(least for group, least in BASELINE.items() if group not in NOT_CORE) >= LEAST_CORE_CORRECT


def outcomes(verdict: Verdict) -> list[Outcome]:
    return [Outcome(check=check, verdict=verdict) for check in battery()]


def test_all_checks_passed_is_no_shortfall() -> None:
    assert core_correct(outcomes(Verdict.PASS)) == core_correct(outcomes(Verdict.SOFT)) == 610
    assert shortfalls(outcomes(Verdict.PASS), BASELINE) == []


@pytest.mark.parametrize("verdict", [Verdict.WRONG, Verdict.ERROR, Verdict.TIMEOUT])
def test_one_group_that_falls_is_a_shortfall(verdict: Verdict) -> None:
    fallen = [
        Outcome(check=each.check, verdict=verdict) if each.check.group == "distinct" else each
        for each in outcomes(Verdict.PASS)
    ]

    assert shortfalls(fallen, BASELINE) == ["conformance: group distinct fell from 6 to 0 correct"]


def test_too_few_correct_checks_are_a_shortfall() -> None:
    assert shortfalls(outcomes(Verdict.WRONG), {}) == [
        f"conformance: 0 core checks are correct, at least {LEAST_CORE_CORRECT} have to be"
    ]


@pytest.mark.parametrize(
    ("expected", "got", "level"),
    [
        (1, 1, Level.EQUAL),
        (1, 1.0, Level.NUMBER_TYPE),
        (1, Int64(1), Level.NUMBER_TYPE),
        (Int64(1), Int64(1), Level.EQUAL),
        (1, True, Level.DIFFERENT),
        (True, 1, Level.DIFFERENT),
        (1, 2, Level.DIFFERENT),
        (0.1 + 0.2, 0.3, Level.EQUAL),
        (float("nan"), float("nan"), Level.EQUAL),
        (Decimal128("1.10"), Decimal128("1.10"), Level.EQUAL),
        (Decimal128("1.10"), Decimal128("1.1"), Level.NUMBER_TYPE),
        ("a", "a", Level.EQUAL),
        ("a", "A", Level.DIFFERENT),
        (None, None, Level.EQUAL),
        (None, MISSING, Level.DIFFERENT),
        (MISSING, MISSING, Level.EQUAL),
        (MISSING, None, Level.DIFFERENT),
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}, Level.EQUAL),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, Level.NUMBER_TYPE),
        ({"a": 1}, {"a": 1, "b": 2}, Level.DIFFERENT),
        ({"a": {"b": 1}}, {"a": {"b": 1.0}}, Level.NUMBER_TYPE),
        ([1, 2], [1, 2], Level.EQUAL),
        ([1, 2], [2, 1], Level.DIFFERENT),
        ([1, 2], [1, 2, 3], Level.DIFFERENT),
        ([1, [2]], [1, [3]], Level.DIFFERENT),
        (AnyOrder([1, 2]), [2, 1], Level.EQUAL),
        (AnyOrder([1, 1]), [1, 2], Level.DIFFERENT),
        (AnyOrder([1]), None, Level.DIFFERENT),
        (Number(1), 1.0, Level.EQUAL),
        (Number(1), "1", Level.DIFFERENT),
        (AnyOf(1, 2.0), 2.0, Level.EQUAL),
        (AnyOf(1, 2), 3, Level.DIFFERENT),
        (Fulfils(lambda value: value > 1, "above 1"), 2, Level.EQUAL),
        (Fulfils(lambda value: value > 1, "above 1"), 1, Level.DIFFERENT),
        (Fulfils(lambda value: value > 1, "above 1"), None, Level.DIFFERENT),
        (moment(2024, 1, 1), datetime.fromisoformat("2024-01-01"), Level.EQUAL),
        (moment(2024, 1, 1), moment(2024, 1, 2), Level.DIFFERENT),
        (Regex("a"), Regex("a"), Level.EQUAL),
        (b"a", b"a", Level.EQUAL),
        (b"a", "a", Level.DIFFERENT),
    ],
)
def test_answers_are_compared_by_value_type_and_order(expected: Any, got: Any, level: Level) -> None:
    assert compare(expected, got).level is level


def test_what_is_expected_can_be_read() -> None:
    assert repr(Refused(2, 1)) == "Refused[1, 2]"
