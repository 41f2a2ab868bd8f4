"""Reading of the items on which compared entries differ, for those who may read the items of all of them."""

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from django.contrib.postgres.aggregates import BoolOr
from django.db.models import Aggregate, Count, F, Max, Q, QuerySet

from evaluation.types import Condition, Outcome
from leaderboard.models.runs import ItemScore, Run
from leaderboard.models.states import RunState
from leaderboard.selectors.comparison import ComparedEntry, Comparison
from leaderboard.selectors.pages import Page, cut


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferenceFilter:
    """Which differences to show; None and "" mean all.

    Args:
        condition, database: where.
        right, wrong: an entry that is right, and one that is wrong: an item that went from the one to the other.
    """

    condition: Condition | None = None
    database: str = ""
    right: ComparedEntry | None = None
    wrong: ComparedEntry | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DifferingItem:
    """An item of one condition that some entries have right and some wrong; `outcomes` are in the order of entries.

    An outcome is None where the entry was not judged on the item in this condition.
    """

    condition: Condition
    question_id: str
    db_id: str
    difficulty: str
    question: str
    outcomes: tuple[Outcome | None, ...]


def differing_items(comparison: Comparison, wanted: DifferenceFilter, *, page: int = 1) -> Page[DifferingItem]:
    """One page of the differences, in the release's order and in two queries.

    The caller has made sure that the reader may see them: `comparison.readable`.
    """
    return cut(_rows(comparison, wanted), partial(_item, entries=len(comparison.entries)), page=page)


def _rows(comparison: Comparison, wanted: DifferenceFilter) -> QuerySet[ItemScore, dict[str, Any]]:
    compared = [entry.submission for entry in comparison.entries]
    runs = Run.objects.filter(submission__in=compared, state=RunState.FINISHED)
    scores = ItemScore.objects.filter(run__in=runs, item__set_aside="")
    if wanted.condition is not None:
        scores = scores.filter(run__condition=wanted.condition)
    if wanted.database:
        scores = scores.filter(item__database__db_id=wanted.database)
    outcomes: dict[str, Aggregate] = {}
    for entry in comparison.entries:
        mine = Q(run__submission=entry.submission)
        outcomes[f"outcome_{entry.place}"] = Max("outcome", filter=mine)
        outcomes[f"strict_{entry.place}"] = BoolOr("strict", filter=mine)
    rows: QuerySet[ItemScore, dict[str, Any]] = scores.values(*ORDER, **GROUPED)
    sides: dict[str, Any] = {"rights__gt": 0, "wrongs__gt": 0}
    if wanted.right is not None:
        sides[f"strict_{wanted.right.place}"] = True
    if wanted.wrong is not None:
        sides[f"strict_{wanted.wrong.place}"] = False
    return rows.annotate(**outcomes, **SIDES).filter(**sides).order_by(*ORDER)


GROUPED: Final = {
    "question_id": F("item__question_id"),
    "db_id": F("item__database__db_id"),
    "difficulty": F("item__difficulty"),
    "question": F("item__question"),
}
"""What one row, an item in a condition, is grouped by, beside its order."""

ORDER: Final[tuple[str, ...]] = ("item__position", "run__condition")

SIDES: Final = {"rights": Count("pk", filter=Q(strict=True)), "wrongs": Count("pk", filter=Q(strict=False))}


def _item(row: dict[str, Any], *, entries: int) -> DifferingItem:
    outcomes = (row[f"outcome_{place}"] for place in range(entries))
    return DifferingItem(
        condition=Condition(row["run__condition"]),
        question_id=row["question_id"],
        db_id=row["db_id"],
        difficulty=row["difficulty"],
        question=row["question"],
        outcomes=tuple(None if outcome is None else Outcome(outcome) for outcome in outcomes),
    )
