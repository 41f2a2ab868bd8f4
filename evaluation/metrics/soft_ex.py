"""Soft-EX: gold is contained in the prediction."""

from evaluation.metrics.definition import Direction, Metric
from evaluation.metrics.reductions import cell_mean, clustered_mean
from evaluation.types import Verdict


def score(verdict: Verdict) -> float | None:
    """1 or 0; None where the item is unscored."""
    return None if verdict.soft is None else float(verdict.soft)


SOFT_EX = Metric(
    name="soft_ex",
    symbol="Soft-EX",
    description="Share of items whose predicted answer has the gold rows and every gold column; extra fields are fine.",
    direction=Direction.HIGHER,
    score=score,
    headline=clustered_mean,
    cell=cell_mean,
)
