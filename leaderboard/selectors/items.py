"""Reading of the verdicts on single items, for a submission's owner and staff."""

from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Case, Exists, F, OuterRef, QuerySet, Subquery, TextField, Value, When
from django.db.models.functions import Cast, JSONObject

from benchmark_data.types import Split
from evaluation.gold_check import AMBIGUOUS_KINDS
from evaluation.types import Condition, Outcome
from leaderboard.models.generations import StoredReply
from leaderboard.models.gold_checks import GoldCheck, GoldFinding
from leaderboard.models.runs import ItemScore
from leaderboard.models.submissions import Prediction, Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter:
    """Which items to show; None and "" mean all."""

    condition: Condition | None = None
    outcome: Outcome | None = None
    database: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyFacts:
    """The model's last reply to an item, without its text; `reason` says why it holds no query.

    `number` counts the repairs before it; tokens, cost and calls are of it alone.
    """

    number: int
    reason: str
    message: str
    calls: int
    model: str
    finish_reason: str
    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int
    cost: Decimal | None
    milliseconds: float
    prompt_digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemView:
    """One item of one run; `gold_query` is None for hidden items, whose gold never leaves the site.

    `gold_ambiguous` says that gold's answer owes something to the engine's order; it moves no score.
    `reply` is None where the predictions came in a file.
    """

    condition: Condition
    question_id: str
    db_id: str
    difficulty: str
    split: Split
    question: str
    outcome: Outcome
    executed: bool | None
    soft: bool | None
    strict: bool | None
    reason: str
    message: str
    milliseconds: float | None
    diagnostics: dict[str, Any]
    scored_at: datetime
    predicted: str
    gold_query: str | None
    gold_ambiguous: bool
    reply: ReplyFacts | None


def item_rows(submission: Submission, wanted: ItemFilter) -> QuerySet[ItemScore, dict[str, Any]]:
    """The rows behind `item_view`, to be cut into pages by the caller; one query a page.

    Gold is taken from the table for items of the public split only, so that hidden gold is not even read.
    """
    rows = ItemScore.objects.filter(run__submission=submission, run__replaces=None)
    if wanted.condition is not None:
        rows = rows.filter(run__condition=wanted.condition)
    if wanted.outcome is not None:
        rows = rows.filter(outcome=wanted.outcome)
    if wanted.database:
        rows = rows.filter(item__database__db_id=wanted.database)
    found: QuerySet[ItemScore, dict[str, Any]] = rows.values(*PLAIN, **COMPUTED)
    return found.order_by("item__position", "run__condition")


PLAIN = (
    "outcome", "executed", "soft", "strict", "reason", "message", "milliseconds", "diagnostics", "scored_at",
)  # fmt: skip

PREDICTED = Prediction.objects.filter(
    submission=OuterRef("run__submission"), condition=OuterRef("run__condition"), item=OuterRef("item")
).values("text")

PLAIN_REPLY = tuple(field.name for field in fields(ReplyFacts) if field.name != "cost")
REPLY = (
    StoredReply.objects.filter(run=OuterRef("run"), item=OuterRef("item"), is_final=True)
    .order_by()
    # As a text: a JSON number would be read as a float, and money is counted to the unit.
    .values(content=JSONObject(**{name: F(name) for name in PLAIN_REPLY}, cost=Cast("cost", TextField())))[:1]
)

NEWEST_CHECK = GoldCheck.objects.filter(release=OuterRef("item__release")).order_by("-id").values("pk")[:1]
AMBIGUOUS = GoldFinding.objects.filter(
    item=OuterRef("item"), kind__in=AMBIGUOUS_KINDS, check_run=Subquery(NEWEST_CHECK)
)

COMPUTED = {
    "condition": F("run__condition"),
    "question_id": F("item__question_id"),
    "db_id": F("item__database__db_id"),
    "difficulty": F("item__difficulty"),
    "split": F("item__split"),
    "question": F("item__question"),
    "predicted": Subquery(PREDICTED),
    "gold_query": Case(
        When(item__split=Split.PUBLIC, then=F("item__gold_query")), default=Value(None), output_field=TextField()
    ),
    "gold_ambiguous": Exists(AMBIGUOUS),
    "reply": Subquery(REPLY),
}


def item_view(row: dict[str, Any]) -> ItemView:
    """The record of one row of `item_rows`."""
    known = row | {
        "condition": Condition(row["condition"]),
        "outcome": Outcome(row["outcome"]),
        "split": Split(row["split"]),
        "predicted": row["predicted"] or "",
        "reply": None if row["reply"] is None else _reply(row["reply"]),
    }
    return ItemView(**known)


def _reply(content: dict[str, Any]) -> ReplyFacts:
    cost = content["cost"]
    return ReplyFacts(**content | {"cost": None if cost is None else Decimal(cost)})


def item_databases(submission: Submission) -> tuple[str, ...]:
    """The databases that a submission's items can be filtered by."""
    return tuple(submission.release.databases.values_list("db_id", flat=True))
