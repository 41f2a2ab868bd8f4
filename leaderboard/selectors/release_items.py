"""Reading of a release's items: which there are, and how many ranked entries solved each."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, Final

from django.db.models import Count, F, FilteredRelation, Q, QuerySet

from benchmark_data.types import Difficulty, Split
from evaluation.types import Condition
from leaderboard.models.releases import Release, ReleaseItem
from leaderboard.models.standings import Standing
from leaderboard.selectors.pages import Page, cut

FEWEST_ENTRIES: Final = 3
"""Ranked entries below which nothing is told of single items: a count over one entry would be its verdict."""


class ItemSort(StrEnum):
    """What items can be sorted by; a condition means the share that solved them there, "-" puts the easiest first."""

    POSITION = "position"
    POSITION_DOWN = "-position"
    WITH_HARDEST = "with_evidence"
    WITH_EASIEST = "-with_evidence"
    WITHOUT_HARDEST = "without_evidence"
    WITHOUT_EASIEST = "-without_evidence"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseItemFilter:
    """Which items to show; None and "" mean all. `text` is looked for in questions, whatever its case."""

    database: str = ""
    difficulty: Difficulty | None = None
    split: Split | None = None
    evidence: bool | None = None
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Solved:
    """How many of the ranked entries solved an item by Strict-EX."""

    solved: int
    entries: int

    @property
    def share(self) -> float:
        """From 0 to 1."""
        return self.solved / self.entries


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseItemRow:
    """One item of the track; conditions in which too few entries are ranked are None in `solved`."""

    question_id: str
    question: str
    evidence: str
    db_id: str
    difficulty: Difficulty
    split: Split
    solved: Mapping[Condition, Solved | None]


def ranked_entries(release: Release) -> dict[Condition, int]:
    """How many entries are ranked in each condition; those where they are too few to be told of are left out."""
    rows = Standing.objects.filter(release=release).order_by().values_list("condition").annotate(n=Count("pk"))
    return {Condition(condition): n for condition, n in rows.values_list("condition", "n") if n >= FEWEST_ENTRIES}


def release_items(
    release: Release, wanted: ReleaseItemFilter, *, sort: ItemSort = ItemSort.POSITION, page: int = 1
) -> Page[ReleaseItemRow]:
    """One page of the items that count, in three queries whatever their number; items set aside are left out."""
    told = ranked_entries(release)
    items = _filtered(release.items.filter(set_aside=""), wanted)
    tallies = {condition: FilteredRelation("tallies", condition=_of(condition)) for condition in Condition}
    items = items.annotate(**tallies).order_by(*_order(sort, told))
    rows: QuerySet[ReleaseItem, dict[str, Any]] = items.values(*PLAIN, **COMPUTED)
    return cut(rows, partial(_row, told=told), page=page)


def _of(condition: Condition) -> Q:
    return Q(tallies__condition=condition)


def _filtered(items: QuerySet[ReleaseItem], wanted: ReleaseItemFilter) -> QuerySet[ReleaseItem]:
    lookups: dict[str, Any] = {
        "database__db_id": wanted.database or None,
        "difficulty": wanted.difficulty,
        "split": wanted.split,
        "question__icontains": wanted.text or None,
    }
    items = items.filter(**{name: value for name, value in lookups.items() if value is not None})
    if wanted.evidence is None:
        return items
    return items.exclude(evidence="") if wanted.evidence else items.filter(evidence="")


def _order(sort: ItemSort, told: Mapping[Condition, int]) -> tuple[Any, ...]:
    column = sort.removeprefix("-")
    if column == ItemSort.POSITION:
        return (sort.value,)
    if column not in told:
        return ("position",)
    # Every item was counted over the same entries, so the order of counts is that of shares.
    solved = F(f"{column}__solved")
    order = solved.desc(nulls_last=True) if sort.startswith("-") else solved.asc(nulls_last=True)
    return order, "position"


PLAIN: Final[tuple[str, ...]] = ("question_id", "question", "evidence", "difficulty", "split")
COMPUTED: Final = {
    "db_id": F("database__db_id"),
    **{f"{condition}_{name}": F(f"{condition}__{name}") for condition in Condition for name in ("solved", "entries")},
}


def _row(row: dict[str, Any], *, told: Mapping[Condition, int]) -> ReleaseItemRow:
    return ReleaseItemRow(
        question_id=row["question_id"],
        question=row["question"],
        evidence=row["evidence"],
        db_id=row["db_id"],
        difficulty=Difficulty(row["difficulty"]),
        split=Split(row["split"]),
        solved={condition: _solved(row, condition) if condition in told else None for condition in Condition},
    )


def _solved(row: dict[str, Any], condition: Condition) -> Solved | None:
    solved, entries = row[f"{condition}_solved"], row[f"{condition}_entries"]
    return None if not entries else Solved(solved=solved, entries=entries)
