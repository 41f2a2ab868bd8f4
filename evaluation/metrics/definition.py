"""What a metric is: the score of an item, the reduction of scores, and how the board names it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from evaluation.stats import Estimate
from evaluation.types import Verdict

# The score of one item: between 0 and 1, or None where the item could not be judged for a reason on our side.
Score: TypeAlias = Callable[[Verdict], float | None]

# Scores and their databases, of equal length, to the estimate of their mean.
Reduction: TypeAlias = Callable[[Sequence[float], Sequence[str]], Estimate]


class Direction(StrEnum):
    """Which values of a metric are better."""

    HIGHER = "higher"
    LOWER = "lower"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric of the board.

    Args:
        name: stable snake_case identifier, as in a report.
        symbol: the head of its column.
        description: a sentence for visitors.
        direction: which values are better.
        score: the score of an item.
        headline: reduces all scored items of a track.
        cell: reduces the few items of a breakdown.
    """

    name: str
    symbol: str
    description: str
    direction: Direction
    score: Score
    headline: Reduction
    cell: Reduction
