"""Intervals, paired tests and corrections for the board; undefined values are None, never NaN."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import bdtr, ndtri, stdtrit

CONFIDENCE = 0.95
# A standard error below this is the rounding of a sum that is 0.
_NO_VARIATION = 1e-12


class IntervalMethod(StrEnum):
    """How an interval was made."""

    CLUSTERED = "clustered_t"
    WILSON = "wilson"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean with its interval.

    Args:
        n: number of observations.
        value: their mean, None without observations.
        low, high: ends of the interval within [0, 1] for a share, [-1, 1] for a difference of shares.
        standard_error: None where it is undefined or the method has none.
        method: how the interval was made.
    """

    n: int
    value: float | None = None
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    method: IntervalMethod | None = None

    def as_json(self) -> dict[str, float | int | str | None]:
        """Plain values."""
        return {
            "n": self.n,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "standard_error": self.standard_error,
            "method": None if self.method is None else self.method.value,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, float | int | str | None]) -> "Estimate":
        """What `as_json` wrote."""

        def number(name: str) -> float | None:
            value = data.get(name)
            return None if value is None else float(value)

        method = data.get("method")
        return cls(
            n=int(data["n"] or 0),
            value=number("value"),
            low=number("low"),
            high=number("high"),
            standard_error=number("standard_error"),
            method=None if method is None else IntervalMethod(str(method)),
        )


def wilson_interval(successes: float, n: int, *, confidence: float = CONFIDENCE) -> tuple[float, float] | None:
    """The score interval of a share.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927) 209–212.

    Returns:
        The ends, or None when n is 0.
    """
    if n == 0:
        return None
    z = float(ndtri(0.5 + confidence / 2))
    share = successes / n
    centre = share + z * z / (2 * n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    # The ends are exact where all or nothing succeeded; rounding would leave 1e-17.
    low = 0.0 if successes == 0 else max(0.0, (centre - half) / scale)
    high = 1.0 if successes == n else min(1.0, (centre + half) / scale)
    return low, high


def wilson_estimate(values: Sequence[float], *, confidence: float = CONFIDENCE) -> Estimate:
    """The mean of 0/1 values with Wilson's interval, for cells too small for clusters."""
    n, total = len(values), float(sum(values))
    interval = wilson_interval(total, n, confidence=confidence)
    if interval is None:
        return Estimate(n=0)
    return Estimate(n=n, value=total / n, low=interval[0], high=interval[1], method=IntervalMethod.WILSON)


def clustered_standard_error(values: ArrayLike, clusters: Sequence[Hashable]) -> float | None:
    """Standard error of a mean whose observations depend on each other within clusters.

    With residuals e, clusters c = 1…G and n observations: sqrt(G / (G - 1) · Σ_c (Σ_{i in c} e_i)²) / n. This is the
    sandwich estimator of a regression on a constant with the usual small-sample factor. Source: Cameron and Miller,
    "A practitioner's guide to cluster-robust inference", J. Human Resources 50 (2015) 317–372, eq. 11 and section VI.

    Returns:
        None with fewer than two clusters.
    """
    observed = np.asarray(values, dtype=np.float64)
    numbers = {cluster: number for number, cluster in enumerate(dict.fromkeys(clusters))}
    if len(numbers) < 2:
        return None
    place = np.fromiter((numbers[cluster] for cluster in clusters), dtype=np.int64, count=len(observed))
    sums = np.bincount(place, weights=observed - observed.mean())
    groups = len(numbers)
    return float(np.sqrt(groups / (groups - 1) * np.sum(sums**2)) / len(observed))


def clustered_estimate(
    values: ArrayLike, clusters: Sequence[Hashable], *, confidence: float = CONFIDENCE, lowest: float = 0.0
) -> Estimate:
    """The mean with an interval of clustered standard errors and Student's t with clusters - 1 degrees of freedom.

    Args:
        values: shape (n,), between `lowest` and 1.
        clusters: the cluster (database) of each value.
        lowest: the least possible mean: 0 for a share, -1 for a difference of shares.

    With one cluster the interval is undefined. Where the clusters do not vary (all right, all wrong, or by chance the
    same share in each) the clustered error is 0 and would claim certainty; a share then gets Wilson's interval with one
    observation a cluster.
    """
    observed = np.asarray(values, dtype=np.float64)
    if len(observed) == 0:
        return Estimate(n=0)
    mean = float(observed.mean())
    error = clustered_standard_error(observed, clusters)
    if error is None:
        return Estimate(n=len(observed), value=mean)
    groups = len(set(clusters))
    if error < _NO_VARIATION and lowest == 0:
        low, high = wilson_interval(mean * groups, groups, confidence=confidence) or (0.0, 1.0)
        return Estimate(n=len(observed), value=mean, low=low, high=high, method=IntervalMethod.WILSON)
    half = float(stdtrit(groups - 1, 0.5 + confidence / 2)) * error
    return Estimate(
        n=len(observed),
        value=mean,
        low=max(lowest, mean - half),
        high=min(1.0, mean + half),
        standard_error=error,
        method=IntervalMethod.CLUSTERED,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedComparison:
    """Two systems on the same items.

    Args:
        n: items that both were judged on.
        first_only, second_only: items that only one of them has right.
        p_value: of the exact McNemar test, two-sided.
    """

    n: int
    first_only: int
    second_only: int
    p_value: float


def exact_mcnemar(first_only: ArrayLike, second_only: ArrayLike) -> NDArray[np.float64]:
    """Two-sided p-values of the exact McNemar test; 1 where the systems never differ.

    Under the null hypothesis each item that only one system has right is a fair coin:
    p = min(1, 2 · P(X <= min(b, c))), X ~ Binomial(b + c, 1/2).
    Source: McNemar, Psychometrika 12 (1947) 153–157, with the exact binomial tail.

    Args:
        first_only, second_only: counts of equal shape.
    """
    first, second = np.asarray(first_only, dtype=np.int64), np.asarray(second_only, dtype=np.int64)
    tail = bdtr(np.minimum(first, second).astype(np.float64), first + second, 0.5)
    p_values: NDArray[np.float64] = np.where(first + second == 0, 1.0, np.minimum(1.0, 2 * tail))
    return p_values


def compare_paired(first: Mapping[str, bool], second: Mapping[str, bool]) -> PairedComparison:
    """Compare two systems on the items that both were judged on."""
    shared = [item for item in first if item in second]
    first_only = sum(first[item] and not second[item] for item in shared)
    second_only = sum(second[item] and not first[item] for item in shared)
    p_value = float(exact_mcnemar(first_only, second_only))
    return PairedComparison(n=len(shared), first_only=first_only, second_only=second_only, p_value=p_value)


def holm_adjusted(p_values: ArrayLike) -> NDArray[np.float64]:
    """P-values adjusted for all comparisons of a family, shape (m,): reject those at most alpha.

    Sorted ascending, the k-th (from 1) becomes max over j <= k of min(1, (m - j + 1) · p_j).
    Source: Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Statistics 6 (1979) 65–70.
    """
    raw = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(raw, kind="stable")
    factors = len(raw) - np.arange(len(raw))
    adjusted = np.empty_like(raw)
    adjusted[order] = np.maximum.accumulate(np.minimum(1.0, factors * raw[order]))
    return adjusted


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """What a condition adds: the mean paired difference (with minus without) and its test."""

    difference: Estimate
    comparison: PairedComparison


def paired_gain(
    with_condition: Mapping[str, bool], without_condition: Mapping[str, bool], *, clusters: Mapping[str, Hashable]
) -> Gain:
    """The gain over the items that were judged in both conditions, clustered by `clusters[item]`."""
    shared = [item for item in with_condition if item in without_condition]
    return gain_between(
        np.array([with_condition[item] for item in shared], dtype=np.bool_),
        np.array([without_condition[item] for item in shared], dtype=np.bool_),
        clusters=[clusters[item] for item in shared],
    )


def gain_between(first: NDArray[np.bool_], second: NDArray[np.bool_], *, clusters: Sequence[Hashable]) -> Gain:
    """The gain of the first over the second: shape (n,) each, on the same n items, with the cluster of each item."""
    first_only, second_only = int(np.count_nonzero(first & ~second)), int(np.count_nonzero(second & ~first))
    return Gain(
        difference=clustered_estimate(first.astype(np.float64) - second, clusters, lowest=-1.0),
        comparison=PairedComparison(
            n=len(first),
            first_only=first_only,
            second_only=second_only,
            p_value=float(exact_mcnemar(first_only, second_only)),
        ),
    )
