"""Exec-Rate: the prediction ran."""

from evaluation.metrics.definition import Direction, Metric
from evaluation.metrics.reductions import cell_mean, clustered_mean
from evaluation.types import Verdict


def score(verdict: Verdict) -> float | None:
    """1 or 0; None where the item is unscored."""
    return None if verdict.executed is None else float(verdict.executed)


EXEC_RATE = Metric(
    name="exec_rate",
    symbol="Exec-Rate",
    description="Share of items whose prediction parsed, passed the read-only guard and ran inside the limits.",
    direction=Direction.HIGHER,
    score=score,
    headline=clustered_mean,
    cell=cell_mean,
)
