"""All metrics, in the order in which the board shows them."""

from evaluation.metrics.coverage import COVERAGE
from evaluation.metrics.definition import Metric
from evaluation.metrics.exec_rate import EXEC_RATE
from evaluation.metrics.soft_ex import SOFT_EX
from evaluation.metrics.strict_ex import STRICT_EX

METRICS: tuple[Metric, ...] = (STRICT_EX, SOFT_EX, EXEC_RATE, COVERAGE)

# The metric that decides the rank.
HEADLINE: Metric = STRICT_EX


def metric_named(name: str) -> Metric:
    """The metric of this name.

    Raises:
        KeyError: there is none.
    """
    return {metric.name: metric for metric in METRICS}[name]
