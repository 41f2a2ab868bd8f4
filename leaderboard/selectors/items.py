"""Reading of the verdicts on single items, for a submission's owner and staff."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, F, OuterRef, QuerySet, Subquery, TextField, Value, When

from benchmark_data.types import Split
from evaluation.types import Condition, Outcome
from leaderboard.models.runs import ItemScore
from leaderboard.models.submissions import Prediction, Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFilter:
    """Which items to show; None and "" mean all."""

    condition: Condition | None = None
    outcome: Outcome | None = None
    database: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemView:
    """One item of one run; `gold_query` is None for hidden items, whose gold never leaves the site."""

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


def item_rows(submission: Submission, wanted: ItemFilter) -> QuerySet[ItemScore, dict[str, Any]]:
    """The rows behind `item_view`, to be cut into pages by the caller; one query a page.

    Gold is taken from the table for items of the public split only, so that hidden gold is not even read.
    """
    rows = ItemScore.objects.filter(run__submission=submission)
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
}


def item_view(row: dict[str, Any]) -> ItemView:
    """The record of one row of `item_rows`."""
    fields = row | {
        "condition": Condition(row["condition"]),
        "outcome": Outcome(row["outcome"]),
        "split": Split(row["split"]),
        "predicted": row["predicted"] or "",
    }
    return ItemView(**fields)


def item_databases(submission: Submission) -> tuple[str, ...]:
    """The databases that a submission's items can be filtered by."""
    return tuple(submission.release.databases.values_list("db_id", flat=True))
