"""Compares what a site says of an asked model with what the practice endpoint counted itself."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from evaluation.generation.budget import Prices


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that must be so, in words that hold both figures."""

    words: str
    holds: bool


def endpoint_checks(submission: Mapping[str, Any], counted: Mapping[str, int], prices: Prices) -> Iterator[Check]:
    """What must be so after a model was asked for every item.

    Args:
        submission: as the API gives it, with all replies in.
        counted: of the endpoint, asked for nothing else.
        prices: as they were stated.
    """
    askings = [run["generation"] for run in submission["runs"]]
    usages = [asking["usage"] for asking in askings]
    replies, total = _sum(askings, "replies"), _sum(askings, "total")
    usable = _sum(usages, "usable")
    reasons = sum(sum(usage["reasons"].values()) for usage in usages)
    yield Check(
        words=f"{total:,} items: {usable:,} replies with a text, {reasons:,} with a named reason",
        holds=replies == total == usable + reasons,
    )
    for name in ("prompt_tokens", "completion_tokens"):
        ours, theirs = _sum(usages, name), counted[name]
        words = f"{name.replace('_', ' ')}: {ours:,} here, {theirs:,} counted by the endpoint"
        yield Check(words=words, holds=ours == theirs)
    ours_cost = sum((Decimal(usage["cost_usd"] or "NaN") for usage in usages), Decimal(0))
    theirs_cost = prices.cost(counted["prompt_tokens"], counted["completion_tokens"])
    yield Check(
        words=f"cost: {ours_cost:f} US dollars here, {theirs_cost:f} by the endpoint's count",
        holds=ours_cost == theirs_cost,
    )
    yield Check(
        words=f"{counted['answered']:,} answers billed for {usable:,} replies: none was billed twice "
        f"({counted['replayed']:,} were asked for again and given from before)",
        holds=counted["answered"] == usable,
    )


def _sum(records: Sequence[Mapping[str, Any]], name: str) -> int:
    return sum(int(record[name]) for record in records)
