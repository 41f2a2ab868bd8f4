"""Reading of the board as a table of entries by databases, or by difficulties."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, F, FilteredRelation, OuterRef, Q, QuerySet, Subquery

from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.slices import SliceKind, SliceScore
from leaderboard.models.standings import Standing
from leaderboard.selectors.board import COMPUTED, METRICS, Figure
from leaderboard.selectors.pages import Page, cut
from leaderboard.selectors.slices import ORDER, Columns, Slice

PAGE_SIZE: Final = 50
ROWS_AT_ONCE: Final = 5000

CELL_MARK: Final = "cell:"
"""Stands before the name of a slice in what a table is sorted by: a database may have the name of another column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakdownSort:
    """What the table is sorted by: the board's order, Strict-EX over all items, or that of one slice (`name`)."""

    column: str = "position"
    name: str = ""
    largest_first: bool = True

    @property
    def text(self) -> str:
        """How an address says it."""
        column = f"{CELL_MARK}{self.name}" if self.column == "cell" else self.column
        return f"-{column}" if self.largest_first and column != "position" else column

    @classmethod
    def read(cls, text: str, parts: Iterable[Slice]) -> "BreakdownSort":
        """What `text` asks for, such as "-strict_ex" or "-cell:clinic"; what cannot be read is the board's order."""
        column, largest_first = text.removeprefix("-"), text.startswith("-")
        name = column.removeprefix(CELL_MARK)
        if column.startswith(CELL_MARK) and any(part.name == name for part in parts):
            return cls(column="cell", name=name, largest_first=largest_first)
        return cls(column=column, largest_first=largest_first) if column == "strict_ex" else cls()


BOARD_ORDER: Final = BreakdownSort()


@dataclass(frozen=True, slots=True, kw_only=True)
class SliceCell:
    """An entry's figures on the `n` items of one slice; `best`: it has some Strict-EX there, and no entry has more."""

    name: str
    n: int
    strict_ex: Figure
    soft_ex: Figure
    exec_rate: Figure
    best: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakdownRow:
    """One ranked entry over all its `n` items, with a cell for each slice; None where a slice has no figures."""

    rank: int
    position: int
    entry: str
    submission: UUID
    strict_ex: Figure
    n: int
    date: datetime
    scorer: str
    engine: str
    demo_engine: bool
    cells: tuple[SliceCell | None, ...]

    @property
    def measured(self) -> tuple[SliceCell, ...]:
        """The cells that there are."""
        return tuple(cell for cell in self.cells if cell is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Breakdown:
    """One page of the table of one condition."""

    condition: Condition
    entries: Page[BreakdownRow]


def breakdown(
    release: Release, condition: Condition, columns: Columns, *, sort: BreakdownSort = BOARD_ORDER, page: int = 1
) -> Breakdown:
    """One page of the table, in five queries however long and wide it is."""
    standings = Standing.objects.filter(release=release, condition=condition)
    found = cut(_ordered(standings, columns.kind, sort).values_list("run", flat=True), int, page=page, size=PAGE_SIZE)
    facts = {row["run"]: row for row in standings.filter(run__in=found.items).values("run", *FACTS, **FACTS_COMPUTED)}
    cells: dict[int, list[dict[str, Any]]] = {run: [] for run in found.items}
    for cell in SliceScore.objects.filter(run__in=found.items, kind=columns.kind).values("run", *CELL):
        cells[cell["run"]].append(cell)
    best = slices_best(release, condition, columns)
    # A run may have left the board since its place was read.
    items = tuple(_row(facts[run], cells[run], columns, best) for run in found.items if run in facts)
    return Breakdown(
        condition=condition, entries=Page(total=found.total, page=found.page, pages=found.pages, items=items)
    )


def breakdown_stream(release: Release, condition: Condition, columns: Columns) -> Iterator[BreakdownRow]:
    """Every row of the table in the board's order, from one query, of which a few thousand cells are held at a time."""
    best = slices_best(release, condition, columns)
    standings = Standing.objects.filter(release=release, condition=condition).annotate(
        part=FilteredRelation("run__slices", condition=Q(run__slices__kind=columns.kind))
    )
    cells = {f"{CELL_PREFIX}{name}": F(f"part__{name}") for name in CELL}
    rows = standings.order_by("position").values("run", *FACTS, **FACTS_COMPUTED, **cells)
    for _, group in groupby(rows.iterator(chunk_size=ROWS_AT_ONCE), key=itemgetter("run")):
        members = list(group)
        found = [{name: member[f"{CELL_PREFIX}{name}"] for name in CELL} for member in members]
        yield _row(members[0], [cell for cell in found if cell["name"] is not None], columns, best)


def slices_best(release: Release, condition: Condition, columns: Columns) -> Mapping[str, float]:
    """The largest Strict-EX above 0 that any entry has in each slice, each from the first row of the index."""
    scores = SliceScore.objects.filter(
        Exists(Standing.objects.filter(run=OuterRef("run"))), release=release, condition=condition, kind=columns.kind
    )
    wanted = {
        f"best_{number}": Subquery(scores.filter(name=part.name).order_by(*ORDER).values("strict_ex")[:1])
        for number, part in enumerate(columns.parts)
    }
    found = Release.objects.filter(pk=release.pk).annotate(**wanted)
    values = found.values_list(*wanted).get() if wanted else ()
    return {part.name: value for part, value in zip(columns.parts, values, strict=True) if value}


def _ordered(standings: QuerySet[Standing], kind: SliceKind, sort: BreakdownSort) -> QuerySet[Standing]:
    if sort.column == "position":
        return standings.order_by("position")
    if sort.column == "strict_ex":
        return standings.order_by("-strict_ex" if sort.largest_first else "strict_ex", "position")
    part = FilteredRelation("run__slices", condition=Q(run__slices__kind=kind, run__slices__name=sort.name))
    by = [F(f"part__{metric}").desc(nulls_last=True) for metric in METRICS]
    # Largest first is the order of the slice's own board; an entry without figures there is neither most nor least.
    if not sort.largest_first:
        by = [F("part__strict_ex").asc(nulls_last=True)]
    return standings.annotate(part=part).order_by(*by, F("part__submitted_at").asc(nulls_last=True), "run_id")


BOUNDS: Final = tuple(f"{metric}_{end}" for metric in METRICS for end in ("low", "high"))
CELL: Final = ("name", "n", *METRICS, *BOUNDS)
CELL_PREFIX: Final = "cell__"
FACTS: Final = ("rank", "position", "strict_ex", "n")
FACTS_COMPUTED: Final = {
    name: COMPUTED[name]
    for name in (
        "entry", "submission", "date", "scorer", "engine", "demo_engine", "strict_ex__low", "strict_ex__high",
    )
}  # fmt: skip


def _row(
    row: Mapping[str, Any], cells: Iterable[Mapping[str, Any]], columns: Columns, best: Mapping[str, float]
) -> BreakdownRow:
    found = {cell["name"]: _cell(cell, best) for cell in cells}
    plain = {name: row[name] for name in ("rank", "position", "n", *FACTS_COMPUTED) if "__" not in name}
    return BreakdownRow(
        **plain,
        strict_ex=Figure(value=row["strict_ex"], low=row["strict_ex__low"], high=row["strict_ex__high"]),
        cells=tuple(found.get(part.name) for part in columns.parts),
    )


def _cell(cell: Mapping[str, Any], best: Mapping[str, float]) -> SliceCell:
    figures = {
        metric: Figure(value=cell[metric], low=cell[f"{metric}_low"], high=cell[f"{metric}_high"]) for metric in METRICS
    }
    return SliceCell(name=cell["name"], n=cell["n"], best=cell["strict_ex"] == best.get(cell["name"]), **figures)
