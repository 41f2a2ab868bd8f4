"""Coverage: the submitter gave a prediction."""

from evaluation.metrics.definition import Direction, Metric
from evaluation.metrics.reductions import cell_mean, clustered_mean
from evaluation.types import Outcome, Verdict


def score(verdict: Verdict) -> float | None:
    """0 for a missing prediction, otherwise 1, also where the item is unscored for a reason on our side."""
    return float(verdict.outcome is not Outcome.MISSING)


COVERAGE = Metric(
    name="coverage",
    symbol="Coverage",
    description="Share of items with a prediction; an item without one scores 0 in every metric.",
    direction=Direction.HIGHER,
    score=score,
    headline=clustered_mean,
    cell=cell_mean,
)
