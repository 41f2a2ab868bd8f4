"""Boards whose slices are given in numbers, without the work of scoring."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.contrib.auth.models import User
from django.utils import timezone

from evaluation.aggregate import Cell, Report
from evaluation.stats import Estimate, wilson_estimate
from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.standings import Standing
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.services.slices import slices_refresh

WITH: Final = Condition.WITH_EVIDENCE
DATABASES: Final = ("books", "heroes", "trains")


@dataclass(frozen=True, slots=True, kw_only=True)
class Right:
    """Of 4 items of a slice, how many came out right by each metric; None for a slice that was not judged."""

    strict: int
    soft: int
    executed: int


def right(strict: int, soft: int | None = None, executed: int = 4) -> Right:
    """The numbers of a slice; Soft-EX like Strict-EX, and every query executed, where nothing is said."""
    return Right(strict=strict, soft=strict if soft is None else soft, executed=executed)


def place_on_board(
    owner: User,
    release: Release,
    cells: Mapping[str, Right | None],
    *,
    entry: str = "Model",
    position: int = 1,
    minutes: int = 0,
    condition: Condition = WITH,
) -> Run:
    """A finished run that stands on the board with these cells by database, submitted some minutes ago."""
    submission = Submission.objects.create(
        owner=owner, release=release, entry=entry, file_name="p.jsonl", file_format="json_lines",
        file_sha256="ab" * 32, file_bytes=1, created_at=timezone.now() - timedelta(minutes=minutes),
    )  # fmt: skip
    report = _report(cells)
    run = Run.objects.create(
        submission=submission, condition=condition, state=RunState.FINISHED, deadline=timezone.now(),
        ended_at=timezone.now(), report=report.as_json(), scorer="aptboard 1", engine="MongoDB 8.0",
    )  # fmt: skip
    Standing.objects.create(
        release=release, condition=condition, run=run, rank=position, position=position, tie_group=1,
        exec_rate=1, soft_ex=report.strict_ex.value or 0, strict_ex=report.strict_ex.value or 0, coverage=1, n=report.n,
    )  # fmt: skip
    slices_refresh(release, condition)
    return run


def _report(cells: Mapping[str, Right | None]) -> Report:
    """By difficulty, the cells of the databases again under the names of difficulties."""
    judged = [cell for cell in cells.values() if cell is not None]
    names = dict(zip(cells, ("simple", "moderate", "challenging"), strict=False))
    whole = _estimate(sum(cell.strict for cell in judged), 4 * len(judged))
    return Report(
        n=4 * len(cells), scored=4 * len(judged), unscored=0, unscored_items=(), coverage=1.0, exec_rate=whole,
        soft_ex=whole, strict_ex=whole, outcomes={},
        per_database=tuple(_cell(name, cell) for name, cell in cells.items()),
        per_difficulty=tuple(_cell(names[name], cell) for name, cell in cells.items() if name in names),
    )  # fmt: skip


def _cell(name: str, cell: Right | None) -> Cell:
    if cell is None:
        nothing = Estimate(n=0)
        return Cell(name=name, n=4, scored=0, exec_rate=nothing, soft_ex=nothing, strict_ex=nothing)
    return Cell(
        name=name,
        n=4,
        scored=4,
        exec_rate=_estimate(cell.executed, 4),
        soft_ex=_estimate(cell.soft, 4),
        strict_ex=_estimate(cell.strict, 4),
    )


def _estimate(successes: int, n: int) -> Estimate:
    return wilson_estimate([1.0] * successes + [0.0] * (n - successes))
