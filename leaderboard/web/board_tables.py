"""The board's tables as they are written to CSV files: their columns, and rows that are read while they are sent."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.selectors.board import METRICS, board_row, board_rows
from leaderboard.selectors.breakdowns import BreakdownRow, SliceCell, breakdown_stream
from leaderboard.selectors.slices import Columns, Slice, slice_rows
from leaderboard.web.csv_text import Value

ROWS_AT_ONCE: Final = 2000

Paths = Mapping[str, str]
"""Names of columns, and where in a row their values are; the value is None where a step of the path is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileTable:
    """A table of any length."""

    head: tuple[str, ...]
    rows: Iterable[Sequence[Value]]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryCell:
    """One cell with the entry that it belongs to."""

    entry: BreakdownRow
    cell: SliceCell


def _bounded(*names: str) -> Paths:
    """The columns of figures with intervals."""
    return {
        column: f"{name}.{end}"
        for name in names
        for column, end in ((name, "value"), (f"{name}_low", "low"), (f"{name}_high", "high"))
    }


def _same(*names: str, of: str = "") -> Paths:
    return {name: f"{of}{name}" for name in names}


MEASURED: Final = ("date", "scorer", "engine", "demo_engine")

BOARD: Final[Paths] = {
    **_same("rank", "position", "tie_group", "entry", "submission"),
    **_bounded(*METRICS),
    **_same("coverage", "n", *MEASURED),
    **{name.replace("gain", "evidence_gain"): path for name, path in _bounded("gain").items()},
    "cost_usd": "asking.cost",
    **_same(
        "prompt_tokens", "completion_tokens", "tokens_estimated", "median_milliseconds", "p95_milliseconds",
        of="asking.",
    ),
    **{"model_provider": "facts.provider", "model": "facts.name", "model_version": "facts.version"},
    **_same("open_weights", "parameters", "license", of="facts."),
}  # fmt: skip

SLICE: Final[Paths] = {
    "rank": "rank",
    "position": "position",
    "rank_overall": "overall_rank",
    **_same("entry", "submission"),
    **_bounded(*METRICS),
    **_same("n", *MEASURED),
}

BREAKDOWN: Final[Paths] = {
    **_same("rank", "position", "entry", "submission"),
    **_bounded("strict_ex"),
    **_same("n", *MEASURED),
}

CELLS: Final[Paths] = {
    "rank_overall": "entry.rank",
    **_same("entry", "submission", of="entry."),
    **{column: f"cell.{path}" for column, path in _bounded(*METRICS).items()},
    "n": "cell.n",
    **_same(*MEASURED, of="entry."),
}


def board_table(release: Release, conditions: Sequence[Condition]) -> FileTable:
    """The whole board: a row for each entry and condition, in the board's order."""

    def rows(condition: Condition) -> Iterator[Sequence[Value]]:
        found = board_rows(release, condition).iterator(chunk_size=ROWS_AT_ONCE)
        return _values(map(board_row, found), BOARD)

    return _table(release, conditions, names=tuple(BOARD), rows=rows)


def slice_table(release: Release, conditions: Sequence[Condition], part: Slice) -> FileTable:
    """The board of a slice: a row for each entry and condition, in the slice's order."""

    def rows(condition: Condition) -> Iterator[Sequence[Value]]:
        found = slice_rows(release, condition, part).iterator(chunk_size=ROWS_AT_ONCE)
        return ((part.name, *values) for values in _values(map(board_row, found), SLICE))

    return _table(release, conditions, names=(part.kind.value, *SLICE), rows=rows)


def breakdown_table(release: Release, conditions: Sequence[Condition], columns: Columns) -> FileTable:
    """The table as a page shows it: a row for each entry and condition, Strict-EX and n of each slice side by side."""

    def rows(condition: Condition) -> Iterator[Sequence[Value]]:
        for row in breakdown_stream(release, condition, columns):
            (values,) = _values([row], BREAKDOWN)
            pairs = ((None, None) if cell is None else (cell.strict_ex.value, cell.n) for cell in row.cells)
            yield (*values, *(value for pair in pairs for value in pair))

    names = [f"{column}:{part.name}" for part in columns.parts for column in ("strict_ex", "n")]
    return _table(release, conditions, names=(*BREAKDOWN, *names), rows=rows)


def cells_table(release: Release, conditions: Sequence[Condition], columns: Columns) -> FileTable:
    """Every cell of the table with all metrics and intervals: a row for each entry, condition and slice."""

    def rows(condition: Condition) -> Iterator[Sequence[Value]]:
        for row in breakdown_stream(release, condition, columns):
            cells = [EntryCell(entry=row, cell=cell) for cell in row.measured]
            for cell, values in zip(row.measured, _values(cells, CELLS), strict=True):
                yield (cell.name, *values)

    return _table(release, conditions, names=(columns.kind.value, *CELLS), rows=rows)


def _table(
    release: Release,
    conditions: Sequence[Condition],
    *,
    names: tuple[str, ...],
    rows: Callable[[Condition], Iterable[Sequence[Value]]],
) -> FileTable:
    """Every row says what it was measured on, so that rows of several files can be put together."""
    return FileTable(
        head=("release", "digest", "condition", *names),
        rows=(
            (str(release), release.digest, condition.value, *row) for condition in conditions for row in rows(condition)
        ),
    )


def _values(rows: Iterable[object], paths: Paths) -> Iterator[tuple[Value, ...]]:
    steps = [tuple(path.split(".")) for path in paths.values()]
    for row in rows:
        yield tuple(_value(row, path) for path in steps)


def _value(row: Any, path: tuple[str, ...]) -> Value:
    for step in path:
        if row is None:
            return None
        row = getattr(row, step)
    found: Value = row
    return found
