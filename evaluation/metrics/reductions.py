"""Reductions of item scores to estimates."""

from collections.abc import Sequence

from evaluation.stats import Estimate, clustered_estimate, wilson_estimate


def clustered_mean(scores: Sequence[float], databases: Sequence[str]) -> Estimate:
    """The mean, with an interval that allows items of one database to succeed and fail together."""
    return clustered_estimate(scores, databases)


def cell_mean(scores: Sequence[float], databases: Sequence[str]) -> Estimate:
    """The mean of a small cell with Wilson's interval; clusters are too few there."""
    del databases
    return wilson_estimate(scores)
