"""Reading of the board by slices: the entries ranked inside one database or one difficulty."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Window
from django.db.models.functions import Rank, RowNumber

from benchmark_data.types import Difficulty
from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.slices import SliceKind, SliceScore
from leaderboard.models.standings import Standing
from leaderboard.selectors.board import COMPUTED, METRICS, PAGE_SIZE, Board, board_row
from leaderboard.selectors.pages import Page, cut


class SliceSort(StrEnum):
    """What the board of a slice can be sorted by; "-" puts the largest first. `POSITION` is the order of the slice."""

    POSITION = "position"
    STRICT_UP = "strict_ex"
    STRICT_DOWN = "-strict_ex"
    SOFT_UP = "soft_ex"
    SOFT_DOWN = "-soft_ex"
    EXEC_UP = "exec_rate"
    EXEC_DOWN = "-exec_rate"
    DATE_UP = "date"
    DATE_DOWN = "-date"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """One database or one difficulty of a release; `items` counts those of the track."""

    kind: SliceKind
    name: str
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The slices that stand side by side: all of one kind, in order."""

    kind: SliceKind
    parts: tuple[Slice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Slices:
    """By what a release can be divided: databases in order of name, difficulties from easy to hard."""

    databases: tuple[Slice, ...]
    difficulties: tuple[Slice, ...]

    @property
    def items(self) -> int:
        """All items of the track."""
        return sum(part.items for part in self.databases)

    def columns(self, kind: SliceKind) -> Columns:
        """The slices of one kind."""
        return Columns(kind=kind, parts=self.databases if kind == SliceKind.DATABASE else self.difficulties)

    def named(self, kind: SliceKind, name: str) -> Slice | None:
        """The slice of this name, if there is one."""
        return next((part for part in self.columns(kind).parts if part.name == name), None)


def slices(release: Release) -> Slices:
    """The slices that have items in the track, in one query."""
    items = release.items.filter(set_aside="").order_by()
    rows = list(items.values_list("database__db_id", "difficulty").annotate(n=Count("pk")))
    databases, difficulties = (_summed((row[part], row[2]) for row in rows) for part in (0, 1))
    return Slices(
        databases=tuple(Slice(kind=SliceKind.DATABASE, name=name, items=databases[name]) for name in sorted(databases)),
        difficulties=tuple(
            Slice(kind=SliceKind.DIFFICULTY, name=level, items=difficulties[level])
            for level in Difficulty
            if level in difficulties
        ),
    )


def _summed(counts: Iterable[tuple[str, int]]) -> dict[str, int]:
    sums: dict[str, int] = {}
    for name, n in counts:
        sums[name] = sums.get(name, 0) + n
    return sums


def slice_board(
    release: Release, condition: Condition, part: Slice, *, sort: SliceSort = SliceSort.POSITION, page: int = 1
) -> Board:
    """One page of the board of a slice, in three queries however long it is."""
    scores = _scores(release, condition, part)
    column = sort.removeprefix("-")
    by = F("run__ended_at" if column == "date" else column)
    first = () if sort == SliceSort.POSITION else (by.desc() if sort.startswith("-") else by.asc(),)
    # The index alone gives places; all else is read of the rows that are shown.
    found = cut(scores.order_by(*first, *ORDER).values("run", **PLACE), dict, page=page, size=PAGE_SIZE)
    shown = scores.filter(run__in=[place["run"] for place in found.items])
    rows = {row.pop("run"): row for row in shown.values("run", *FIGURES, **FACTS)}
    # A run may have left the board since its place was read.
    entries = tuple(board_row(rows[run] | place) for place in found.items if (run := place.pop("run")) in rows)
    return Board(
        condition=condition, entries=Page(total=found.total, page=found.page, pages=found.pages, items=entries)
    )


def slice_rows(release: Release, condition: Condition, part: Slice) -> QuerySet[SliceScore, dict[str, Any]]:
    """All entries of a slice in its order, as `board_row` takes them."""
    rows: QuerySet[SliceScore, dict[str, Any]] = (
        _scores(release, condition, part).order_by(*ORDER).values(*FIGURES, **PLACE, **FACTS)
    )
    return rows


def _scores(release: Release, condition: Condition, part: Slice) -> QuerySet[SliceScore]:
    """Who stands on the whole board stands here, and nobody else."""
    standing = Standing.objects.filter(run=OuterRef("run"))
    scores = SliceScore.objects.filter(release=release, condition=condition, kind=part.kind, name=part.name)
    return scores.filter(Exists(standing))


ORDER: Final = (*(F(metric).desc() for metric in METRICS), F("submitted_at").asc(), F("run_id").asc())
"""That of evaluation.rank; the index on the table has it."""

PLACE: Final = {
    "rank": Window(Rank(), order_by=ORDER[:1]),
    "position": Window(RowNumber(), order_by=ORDER),
}
"""Strict-EX alone gives the rank (1, 1, 3)."""

FIGURES: Final = ("n", *METRICS)
FACTS: Final = COMPUTED | {
    **{f"{metric}__{end}": F(f"{metric}_{end}") for metric in METRICS for end in ("low", "high")},
    "overall_rank": F("run__standing__rank"),
    "tie_group": F("run__standing__tie_group"),
    "coverage": F("run__standing__coverage"),
}
