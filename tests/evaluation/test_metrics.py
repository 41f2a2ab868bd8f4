"""Definitions of metrics."""

from typing import Any

import pytest

from evaluation.metrics.definition import Direction
from evaluation.metrics.registry import HEADLINE, METRICS, metric_named
from evaluation.types import Outcome, Verdict


def verdict(outcome: Outcome, executed: bool | None, soft: bool | None, strict: bool | None) -> Any:
    return Verdict(question_id="q", outcome=outcome, executed=executed, soft=soft, strict=strict)


SCORES = {
    Outcome.MISSING: ((False, False, False), (0, 0, 0, 0)),
    Outcome.FORBIDDEN: ((False, False, False), (0, 0, 0, 1)),
    Outcome.ROW_COUNT: ((True, False, False), (1, 0, 0, 1)),
    Outcome.EXTRA_COLUMNS: ((True, True, False), (1, 1, 0, 1)),
    Outcome.CORRECT: ((True, True, True), (1, 1, 1, 1)),
    Outcome.UNSCORED: ((None, None, None), (None, None, None, 1)),
}


@pytest.mark.parametrize("outcome", SCORES)
def test_each_metric_scores_each_kind_of_verdict(outcome: Outcome) -> None:
    levels, expected = SCORES[outcome]
    names = ("exec_rate", "soft_ex", "strict_ex", "coverage")
    assert tuple(metric_named(name).score(verdict(outcome, *levels)) for name in names) == expected


def test_the_board_shows_each_metric_once_with_its_direction() -> None:
    assert [metric.symbol for metric in METRICS] == ["Strict-EX", "Soft-EX", "Exec-Rate", "Coverage"]
    assert {metric.direction for metric in METRICS} == {Direction.HIGHER}
    assert HEADLINE is metric_named("strict_ex")
    assert all(metric.description.endswith(".") for metric in METRICS)


def test_an_unknown_metric_is_an_error() -> None:
    with pytest.raises(KeyError):
        metric_named("bleu")
