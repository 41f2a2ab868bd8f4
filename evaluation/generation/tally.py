"""Adds up what replies took: tokens, money and time."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from statistics import median

from evaluation.generation.types import Reply, Usage


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What some replies took together.

    Args:
        items: with a final reply.
        usable: of them, those with a text.
        reasons: how many final replies have which reason.
        calls: of the endpoint, failures included.
        usage: tokens and cost of all replies, earlier ones that were repaired included; cost None where one is unknown.
        median_milliseconds, p95_milliseconds: of a reply's last call; None where there is none.
        solved_at: of final replies whose query ran or was not tried, how many took so many repairs.
    """

    items: int
    usable: int
    reasons: Mapping[str, int]
    calls: int
    usage: Usage
    median_milliseconds: float | None
    p95_milliseconds: float | None
    solved_at: Mapping[int, int]


def tally(replies: Iterable[Reply]) -> Tally:
    """Add replies up; both orders of them give the same."""
    known = list(replies)
    final = [reply for reply in known if reply.is_final]
    times = [reply.milliseconds for reply in known if reply.milliseconds > 0]
    return Tally(
        items=len(final),
        usable=sum(reply.reason is None for reply in final),
        reasons=dict(sorted(Counter(reply.reason.value for reply in final if reply.reason).items())),
        calls=sum(reply.calls for reply in known),
        usage=total_usage(reply.usage for reply in known),
        median_milliseconds=median(times) if times else None,
        p95_milliseconds=percentile_95(times),
        solved_at=dict(
            sorted(Counter(reply.number for reply in final if reply.reason is None and not reply.error).items())
        ),
    )


def total_usage(usages: Iterable[Usage]) -> Usage:
    """The sum; its cost is None where one part's is."""
    prompt = completion = reasoning = 0
    cost: Decimal | None = Decimal(0)
    estimated = False
    for usage in usages:
        prompt += usage.prompt_tokens
        completion += usage.completion_tokens
        reasoning += usage.reasoning_tokens
        cost = None if cost is None or usage.cost is None else cost + usage.cost
        estimated = estimated or usage.estimated
    return Usage(
        prompt_tokens=prompt, completion_tokens=completion, reasoning_tokens=reasoning, cost=cost, estimated=estimated
    )


def percentile_95(values: Sequence[float]) -> float | None:
    """The smallest value that 95 of 100 do not exceed; None where there is none."""
    return sorted(values)[ceil(0.95 * len(values)) - 1] if values else None
