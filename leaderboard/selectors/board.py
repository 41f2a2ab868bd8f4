"""Reading of the board: the stored order, and nothing computed anew."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final

from django.db.models import F, QuerySet

from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.standings import Standing
from leaderboard.selectors.pages import Page, cut

PAGE_SIZE: Final = 100


class BoardSort(StrEnum):
    """What a board can be sorted by; "-" puts the largest first. The headline order is that of `POSITION`."""

    POSITION = "position"
    STRICT_UP = "strict_ex"
    STRICT_DOWN = "-strict_ex"
    SOFT_UP = "soft_ex"
    SOFT_DOWN = "-soft_ex"
    EXEC_UP = "exec_rate"
    EXEC_DOWN = "-exec_rate"
    COVERAGE_UP = "coverage"
    COVERAGE_DOWN = "-coverage"
    DATE_UP = "date"
    DATE_DOWN = "-date"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A share from 0 to 1 with its 95 % interval; None where the report gives no interval."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRow:
    """One ranked entry, with all that its numbers were measured on."""

    rank: int
    position: int
    tie_group: int
    entry: str
    submission: uuid.UUID
    strict_ex: Figure
    soft_ex: Figure
    exec_rate: Figure
    coverage: float
    n: int
    date: datetime
    scorer: str
    engine: str
    demo_engine: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One page of the board of one condition."""

    condition: Condition
    entries: Page[BoardRow]

    @property
    def measured_by(self) -> BoardRow | None:
        """A row that speaks for all where one scorer and one engine judged all entries of the page."""
        rows = self.entries.items
        return rows[0] if len({(row.scorer, row.engine, row.demo_engine) for row in rows}) == 1 else None


def board(release: Release, condition: Condition, *, sort: BoardSort = BoardSort.POSITION, page: int = 1) -> Board:
    """One page of a board, in two queries however long it is."""
    standings = Standing.objects.filter(release=release, condition=condition)
    rows = _ordered(standings, sort).values(*PLAIN, **COMPUTED)
    return Board(condition=condition, entries=cut(rows, _row, page=page, size=PAGE_SIZE))


def _ordered(standings: QuerySet[Standing], sort: BoardSort) -> QuerySet[Standing]:
    column = sort.removeprefix("-").replace("date", "run__ended_at")
    ordered = F(column).desc() if sort.startswith("-") else F(column).asc()
    return standings.order_by(ordered, "position")


METRICS: Final = ("strict_ex", "soft_ex", "exec_rate")
PLAIN: Final = ("rank", "position", "tie_group", *METRICS, "coverage", "n")
COMPUTED: Final = {
    "entry": F("run__submission__entry"),
    "submission": F("run__submission_id"),
    "date": F("run__ended_at"),
    "scorer": F("run__scorer"),
    "engine": F("run__engine"),
    "demo_engine": F("run__demo_engine"),
    **{f"{metric}_{end}": F(f"run__report__{metric}__{end}") for metric in METRICS for end in ("low", "high")},
}


def _row(row: dict[str, Any]) -> BoardRow:
    fields = {name: value for name, value in row.items() if not name.endswith(("_low", "_high"))}
    figures = {
        metric: Figure(value=row[metric], low=row[f"{metric}_low"], high=row[f"{metric}_high"]) for metric in METRICS
    }
    return BoardRow(**fields | figures)
