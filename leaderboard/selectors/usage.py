"""Reading of what asking a model took, added up by run: replies, tokens, money and time."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.db.models import Aggregate, Count, FloatField, Q, Sum

from leaderboard.models.generations import StoredReply
from leaderboard.models.measurements import RunUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageView:
    """What asking a model for one run took so far.

    Args:
        items: with a final reply.
        usable: of them, those with a text.
        reasons: why the others have none, and how many each.
        calls: of the endpoint, failures included.
        prompt_tokens, completion_tokens, reasoning_tokens: of all replies, those that were repaired included.
        tokens_estimated: the endpoint did not report all of them.
        cost: in US dollars; None where the price of a reply is not known.
        median_milliseconds, p95_milliseconds: of a reply's last call; None where there was none.
        repairs: number of repairs → usable replies that took so many.
    """

    items: int = 0
    usable: int = 0
    reasons: Mapping[str, int]
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    tokens_estimated: bool = False
    cost: Decimal | None = Decimal(0)
    median_milliseconds: float | None = None
    p95_milliseconds: float | None = None
    repairs: Mapping[int, int]

    @property
    def tokens(self) -> int:
        """Of prompts and completions; reasoning is part of the latter."""
        return self.prompt_tokens + self.completion_tokens


NOTHING_ASKED: Final = UsageView(reasons={}, repairs={})


class Percentile(Aggregate):
    """A percentile of the values, as `evaluation.generation.tally` takes it: the middle of two for a median."""

    function = "PERCENTILE_CONT"
    template = "%(function)s(%(fraction)s) WITHIN GROUP (ORDER BY %(expressions)s)"
    output_field = FloatField()


class Quantile(Percentile):
    """The smallest value that this share of all does not exceed."""

    function = "PERCENTILE_DISC"


_MEASURED: Final = Q(milliseconds__gt=0)

SUMS: Final[Mapping[str, Aggregate]] = {
    "items": Count("pk", filter=Q(is_final=True)),
    "usable": Count("pk", filter=Q(is_final=True, reason="")),
    "calls": Sum("calls"),
    "prompt_tokens": Sum("prompt_tokens"),
    "completion_tokens": Sum("completion_tokens"),
    "reasoning_tokens": Sum("reasoning_tokens"),
    "estimated": Count("pk", filter=Q(tokens_estimated=True)),
    "priceless": Count("pk", filter=Q(cost=None)),
    "cost": Sum("cost"),
    "median_milliseconds": Percentile("milliseconds", fraction=0.5, filter=_MEASURED),
    "p95_milliseconds": Quantile("milliseconds", fraction=0.95, filter=_MEASURED),
}


KEPT: Final = (
    "items", "usable", "reasons", "calls", "prompt_tokens", "completion_tokens", "reasoning_tokens", "tokens_estimated",
    "cost", "median_milliseconds", "p95_milliseconds",
)  # fmt: skip
"""What `RunUsage` holds under the same name."""


def runs_usage(run_ids: Collection[int]) -> dict[int, UsageView]:
    """What each of these runs took, kept or added up; runs of which nothing was asked are left out.

    Three queries, however many replies there are.
    """
    kept = {row.run_id: kept_usage(row) for row in RunUsage.objects.filter(run__in=run_ids)}
    missing = [run_id for run_id in run_ids if run_id not in kept]
    return kept | (replies_usage(missing) if missing else {})


def kept_usage(row: RunUsage) -> UsageView:
    """A kept row as the pages show it."""
    repairs = {int(number): count for number, count in row.repairs.items()}
    return UsageView(**{name: getattr(row, name) for name in KEPT}, repairs=repairs)


def replies_usage(run_ids: Collection[int]) -> dict[int, UsageView]:
    """What the stored replies of each of these runs took together, in two queries."""
    replies = StoredReply.objects.filter(run__in=run_ids).order_by()
    reasons: dict[int, dict[str, int]] = defaultdict(dict)
    repairs: dict[int, dict[int, int]] = defaultdict(dict)
    kinds = replies.filter(is_final=True).values_list("run_id", "reason", "number").annotate(count=Count("pk"))
    for run_id, reason, number, count in kinds.order_by("reason", "number"):
        if reason:
            reasons[run_id] = dict(Counter(reasons[run_id]) + Counter({reason: count}))
        else:
            repairs[run_id][number] = count
    rows: Iterable[dict[str, Any]] = replies.values("run_id").annotate(**SUMS)  # type: ignore[assignment]  # no record
    return {row["run_id"]: _view(row, reasons=reasons[row["run_id"]], repairs=repairs[row["run_id"]]) for row in rows}


def _view(row: dict[str, Any], *, reasons: Mapping[str, int], repairs: Mapping[int, int]) -> UsageView:
    plain = {name: value for name, value in row.items() if name not in {"run_id", "estimated", "priceless", "cost"}}
    return UsageView(
        **plain,
        tokens_estimated=row["estimated"] > 0,
        cost=None if row["priceless"] else row["cost"],
        reasons=reasons,
        repairs=repairs,
    )
