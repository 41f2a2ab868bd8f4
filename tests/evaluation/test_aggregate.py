"""Reports."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.aggregate import ItemFacts, Report, UnscoredItem, aggregate
from evaluation.stats import IntervalMethod
from evaluation.types import Outcome, Verdict

LEVELS = {
    Outcome.MISSING: (False, False, False),
    Outcome.UNPARSABLE: (False, False, False),
    Outcome.MISALIGNED: (True, False, False),
    Outcome.EXTRA_COLUMNS: (True, True, False),
    Outcome.CORRECT: (True, True, True),
    Outcome.UNSCORED: (None, None, None),
}


def verdict(number: int, outcome: Outcome) -> Any:
    executed, soft, strict = LEVELS[outcome]
    reason = "gold_failed" if outcome is Outcome.UNSCORED else ""
    return Verdict(
        question_id=f"q{number}", outcome=outcome, executed=executed, soft=soft, strict=strict, reason=reason
    )


def facts(n: int, databases: Any = 3) -> Any:
    return [
        ItemFacts(question_id=f"q{i}", db_id=f"db{i % databases}", difficulty=("simple", "moderate")[i % 2])
        for i in range(n)
    ]


def test_means_are_over_all_scored_items_and_missing_predictions_are_zero() -> None:
    outcomes = [Outcome.CORRECT, Outcome.EXTRA_COLUMNS, Outcome.MISALIGNED, Outcome.MISSING]
    report = aggregate([verdict(i, outcome) for i, outcome in enumerate(outcomes)], items=facts(4))
    assert (report.n, report.scored, report.unscored, report.coverage) == (4, 4, 0, 0.75)
    assert (report.exec_rate.value, report.soft_ex.value, report.strict_ex.value) == (0.75, 0.5, 0.25)
    assert report.complete
    assert report.strict_ex.method is IntervalMethod.CLUSTERED


def test_unscored_items_and_items_without_a_verdict_are_left_out_and_counted() -> None:
    report = aggregate([verdict(0, Outcome.CORRECT), verdict(1, Outcome.UNSCORED)], items=facts(3))
    assert (report.n, report.scored, report.unscored) == (3, 1, 2)
    assert report.unscored_items == (
        UnscoredItem(question_id="q1", reason="gold_failed"),
        UnscoredItem(question_id="q2", reason="not_judged"),
    )
    assert report.strict_ex.value == 1.0
    assert not report.complete
    assert report.outcomes == {"correct": 1, "unscored": 2}


@pytest.mark.parametrize("items", [0, 5])
def test_without_scored_items_all_values_are_none(items: Any) -> None:
    report = aggregate([], items=facts(items))
    assert [e.value for e in (report.exec_rate, report.soft_ex, report.strict_ex)] == [None] * 3
    assert report.coverage == (1.0 if items else None)


def test_breakdowns_have_wilson_intervals_and_their_own_counts() -> None:
    outcomes = [Outcome.CORRECT, Outcome.MISSING, Outcome.UNSCORED, Outcome.CORRECT, Outcome.CORRECT]
    report = aggregate([verdict(i, outcome) for i, outcome in enumerate(outcomes)], items=facts(5))
    assert [(c.name, c.n, c.scored, c.strict_ex.value) for c in report.per_database] == [
        ("db0", 2, 2, 1.0),
        ("db1", 2, 2, 0.5),
        ("db2", 1, 0, None),
    ]
    assert [(c.name, c.n, c.scored) for c in report.per_difficulty] == [("simple", 3, 2), ("moderate", 2, 2)]
    assert report.per_database[0].strict_ex.method is IntervalMethod.WILSON


@pytest.mark.parametrize(("numbers", "message"), [([9], "no item of the track"), ([1, 1], "two verdicts")])
def test_verdicts_that_do_not_fit_the_track_are_refused(numbers: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        aggregate([verdict(number, Outcome.CORRECT) for number in numbers], items=facts(3))


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(list(LEVELS)), max_size=30))
def test_metrics_are_nested_outcomes_add_up_and_the_report_survives_json(outcomes: Any) -> None:
    report = aggregate([verdict(i, outcome) for i, outcome in enumerate(outcomes)], items=facts(len(outcomes)))
    data = json.loads(json.dumps(report.as_json(), allow_nan=False))
    assert Report.from_json(data) == report
    assert sum(report.outcomes.values()) == report.n == report.scored + report.unscored
    assert sum(cell.n for cell in report.per_database) == sum(cell.n for cell in report.per_difficulty) == report.n
    means = [metric.value for metric in (report.strict_ex, report.soft_ex, report.exec_rate)]
    assert means == sorted(mean for mean in means if mean is not None) or report.scored == 0
