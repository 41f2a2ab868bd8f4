"""Reading of the board: the stored order, and nothing computed anew."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import Any, Final

from django.db.models import F, QuerySet
from django.db.models.expressions import CombinedExpression

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
    GAIN_UP = "gain"
    GAIN_DOWN = "-gain"
    COST_UP = "cost"
    COST_DOWN = "-cost"
    TOKENS_UP = "tokens"
    TOKENS_DOWN = "-tokens"
    LATENCY_UP = "latency"
    LATENCY_DOWN = "-latency"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A share from 0 to 1 with its 95 % interval; None where the report gives no interval."""

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingFigures:
    """What asking the model took, measured by this site; `cost` in US dollars, None where a price is not known."""

    cost: Decimal | None
    prompt_tokens: int
    completion_tokens: int
    tokens_estimated: bool
    median_milliseconds: float | None
    p95_milliseconds: float | None

    @property
    def tokens(self) -> int:
        """Of prompts and completions together."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedFacts:
    """What the submitter says of the model; nobody has checked it."""

    provider: str
    name: str
    version: str
    open_weights: bool | None
    parameters: str
    license: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardRow:
    """One ranked entry, with all that its numbers were measured on.

    `gain` is that of the submission, in both conditions the same: a difference of shares from -1 to 1. It is None where
    one condition was not scored, `asking` where the predictions came in a file, `facts` where nothing was said.

    In a slice, rank, position, n and the metrics are those among its items, and `overall_rank` is the rank on the whole
    board; all else tells of the whole run.
    """

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
    gain: Figure | None
    asking: AskingFigures | None
    facts: ClaimedFacts | None
    overall_rank: int | None = None


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
    ordered: QuerySet[Standing, Any] = _ordered(Standing.objects.filter(release=release, condition=condition), sort)

    def whole(keys: QuerySet[Standing, Any]) -> QuerySet[Standing, dict[str, Any]]:
        return _whole(ordered.filter(pk__in=keys))

    return Board(condition=condition, entries=cut(ordered, board_row, page=page, size=PAGE_SIZE, widen=whole))


def board_rows(
    release: Release, condition: Condition, *, sort: BoardSort = BoardSort.POSITION
) -> QuerySet[Standing, dict[str, Any]]:
    """All entries of a board as `board_row` takes them."""
    return _whole(_ordered(Standing.objects.filter(release=release, condition=condition), sort))


def _whole(standings: QuerySet[Standing]) -> QuerySet[Standing, dict[str, Any]]:
    rows: QuerySet[Standing, dict[str, Any]] = standings.values(*PLAIN, **COMPUTED)
    return rows


def _ordered(standings: QuerySet[Standing], sort: BoardSort) -> QuerySet[Standing]:
    column = sort.removeprefix("-")
    by = SORTED_BY.get(column, F(column))
    # What was not measured is neither the most nor the least.
    ordered = by.desc(nulls_last=True) if sort.startswith("-") else by.asc(nulls_last=True)
    return standings.order_by(ordered, "position")


SORTED_BY: Final[Mapping[str, F | CombinedExpression]] = {
    "date": F("run__ended_at"),
    "gain": F("run__submission__evidence_gain__value"),
    "cost": F("run__usage__cost"),
    "tokens": F("run__usage__prompt_tokens") + F("run__usage__completion_tokens"),
    "latency": F("run__usage__median_milliseconds"),
}
"""Columns that are no field of a standing."""


METRICS: Final = ("strict_ex", "soft_ex", "exec_rate")
PLAIN: Final = ("rank", "position", "tie_group", *METRICS, "coverage", "n")
GAIN: Final = tuple(field.name for field in fields(Figure))
ASKING: Final = tuple(field.name for field in fields(AskingFigures))
FACTS: Final = tuple(field.name for field in fields(ClaimedFacts))
COMPUTED: Final = {
    "entry": F("run__submission__entry"),
    "submission": F("run__submission_id"),
    "date": F("run__ended_at"),
    "scorer": F("run__scorer"),
    "engine": F("run__engine"),
    "demo_engine": F("run__demo_engine"),
    **{f"{metric}__{end}": F(f"run__report__{metric}__{end}") for metric in METRICS for end in ("low", "high")},
    **{f"gain__{name}": F(f"run__submission__evidence_gain__{name}") for name in GAIN},
    **{f"asking__{name}": F(f"run__usage__{name}") for name in ASKING},
    **{f"facts__{name}": F(f"run__submission__facts__{name}") for name in FACTS},
}


def board_row(row: dict[str, Any]) -> BoardRow:
    """A row of the columns `PLAIN` and `COMPUTED`."""
    figures = {
        metric: Figure(value=row[metric], low=row[f"{metric}__low"], high=row[f"{metric}__high"]) for metric in METRICS
    }
    gain, asking, facts = (_part(row, name) for name in ("gain", "asking", "facts"))
    said = any(value not in {None, ""} for value in facts.values())
    plain = {name: value for name, value in row.items() if "__" not in name}
    return BoardRow(
        **plain | figures,
        gain=None if gain["value"] is None else Figure(**gain),
        asking=None if asking["prompt_tokens"] is None else AskingFigures(**asking),
        facts=ClaimedFacts(**facts) if said else None,
    )


def _part(row: dict[str, Any], part: str) -> dict[str, Any]:
    """The columns of one part of a row, by the names of its record."""
    prefix = f"{part}__"
    return {name.removeprefix(prefix): value for name, value in row.items() if name.startswith(prefix)}
