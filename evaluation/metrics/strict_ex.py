"""Strict-EX: the answers are equal."""

from evaluation.metrics.definition import Direction, Metric
from evaluation.metrics.reductions import cell_mean, clustered_mean
from evaluation.types import Verdict


def score(verdict: Verdict) -> float | None:
    """1 or 0; None where the item is unscored."""
    return None if verdict.strict is None else float(verdict.strict)


STRICT_EX = Metric(
    name="strict_ex",
    symbol="Strict-EX",
    description="Share of items whose predicted answer equals gold up to the names of fields and the order of rows.",
    direction=Direction.HIGHER,
    score=score,
    headline=clustered_mean,
    cell=cell_mean,
)
