"""Statistics, held against scipy and numpy."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as reference

from evaluation.stats import (
    Estimate,
    IntervalMethod,
    clustered_estimate,
    clustered_standard_error,
    compare_paired,
    exact_mcnemar,
    holm_adjusted,
    paired_gain,
    wilson_estimate,
    wilson_interval,
)

quick = settings(max_examples=60, deadline=None)


@quick
@given(st.integers(1, 3000), st.data())
def test_wilson_agrees_with_scipy(n: int, data: Any) -> None:
    successes = data.draw(st.integers(0, n))
    expected = reference.binomtest(successes, n).proportion_ci(method="wilson")
    assert wilson_interval(successes, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_without_observations_is_undefined() -> None:
    assert wilson_interval(0, 0) is None
    assert wilson_estimate([]) == Estimate(n=0)


@quick
@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=2, max_size=50))
def test_clusters_of_one_give_the_usual_standard_error(values: Any) -> None:
    expected = reference.sem(values)
    assert clustered_standard_error(values, range(len(values))) == pytest.approx(expected, abs=1e-12)


@quick
@given(st.lists(st.tuples(st.sampled_from([0.0, 1.0]), st.sampled_from("abcd")), min_size=4, max_size=60))
def test_clustered_errors_agree_with_the_sandwich_of_a_regression(pairs: Any) -> None:
    values, clusters = np.array([v for v, _ in pairs]), np.array([c for _, c in pairs])
    names = sorted(set(clusters))
    if len(names) < 2:
        assert clustered_standard_error(values, list(clusters)) is None
        return
    design = np.ones((len(values), 1))
    bread = np.linalg.inv(design.T @ design)
    residuals = values - design @ (bread @ design.T @ values)
    meat = sum(
        np.outer(design[clusters == c].T @ residuals[clusters == c], design[clusters == c].T @ residuals[clusters == c])
        for c in names
    )
    n, groups = len(values), len(names)
    variance = groups / (groups - 1) * (n - 1) / (n - 1) * (bread @ meat @ bread)
    assert clustered_standard_error(values, list(clusters)) == pytest.approx(math.sqrt(variance[0, 0]), abs=1e-12)


def test_the_interval_uses_t_with_one_degree_less_than_clusters() -> None:
    values, clusters = [1, 1, 0, 1, 0, 0, 1, 1], list("aabbccdd")
    estimate = clustered_estimate(values, clusters)
    error = clustered_standard_error(values, clusters)
    assert error is not None
    low, high = reference.t.interval(0.95, 3, loc=np.mean(values), scale=error)
    assert (estimate.low, estimate.high) == pytest.approx((max(0, low), min(1, high)))
    assert estimate.method is IntervalMethod.CLUSTERED


@pytest.mark.parametrize("value", [0, 1])
def test_all_alike_does_not_claim_certainty(value: Any) -> None:
    estimate = clustered_estimate([value] * 100, [number % 21 for number in range(100)])
    assert estimate.value == value
    assert estimate.method is IntervalMethod.WILSON
    assert (estimate.high or 0) - (estimate.low or 0) > 0.1


@pytest.mark.parametrize(
    ("estimate", "value"),
    [(clustered_estimate([], []), None), (clustered_estimate([1, 0], ["a", "a"]), 0.5)],
)
def test_what_is_undefined_is_none(estimate: Estimate, value: Any) -> None:
    assert (estimate.value, estimate.low, estimate.high) == (value, None, None)


@quick
@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 5)), max_size=20))
def test_estimates_survive_json_without_nan(pairs: Any) -> None:
    estimate = clustered_estimate([v for v, _ in pairs], [c for _, c in pairs])
    data = estimate.as_json()
    assert Estimate.from_json(data) == estimate
    assert not any(isinstance(v, float) and math.isnan(v) for v in data.values())


@quick
@given(st.integers(0, 200), st.integers(0, 200))
def test_exact_mcnemar_agrees_with_the_binomial_test(first_only: Any, second_only: Any) -> None:
    total = first_only + second_only
    expected = reference.binomtest(first_only, total, 0.5).pvalue if total else 1.0
    assert float(exact_mcnemar(first_only, second_only)) == pytest.approx(expected, rel=1e-9)


def test_only_items_that_both_were_judged_on_are_compared() -> None:
    comparison = compare_paired({"a": True, "b": True, "c": False}, {"a": False, "b": True, "z": True})
    assert (comparison.n, comparison.first_only, comparison.second_only) == (2, 1, 0)


@quick
@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_rejects_what_the_stepwise_procedure_rejects(p_values: Any) -> None:
    adjusted = holm_adjusted(p_values)
    rejected = set()
    for step, position in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        if p_values[position] * (len(p_values) - step) > 0.05:
            break
        rejected.add(position)
    assert {i for i, p in enumerate(adjusted) if p <= 0.05} == rejected


def test_holm_gives_the_textbook_values() -> None:
    assert holm_adjusted([0.01, 0.04, 0.03, 0.005]).tolist() == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_evidence_gain_is_paired() -> None:
    items = {f"q{number}": number for number in range(40)}
    without = {item: number % 4 == 0 for item, number in items.items()}
    with_evidence = {item: number % 2 == 0 for item, number in items.items()} | {"only here": True}
    gain = paired_gain(with_evidence, without, clusters={item: number % 7 for item, number in items.items()})
    assert gain.difference.n == 40
    assert gain.difference.value == pytest.approx(0.25)
    assert (gain.comparison.first_only, gain.comparison.second_only) == (10, 0)
    assert gain.comparison.p_value == pytest.approx(2 / 2**10)
    assert (gain.difference.low or 0) < 0.25 < (gain.difference.high or 0)


def test_equal_shares_in_every_database_do_not_claim_certainty() -> None:
    values = ([1.0] + [0.0] * 11) * 3
    estimate = clustered_estimate(values, [number // 12 for number in range(36)])
    assert estimate.method is IntervalMethod.WILSON
    assert estimate.low is not None
    assert estimate.high is not None
    assert estimate.low < 1 / 12 - 0.02
    assert estimate.high > 1 / 12 + 0.2
