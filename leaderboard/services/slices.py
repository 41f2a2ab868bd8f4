"""Keeping of what ranked runs reached inside each database and each difficulty, as their reports tell it."""

from collections.abc import Iterator
from typing import Final

from django.db import transaction
from django.db.models import Exists, OuterRef

from benchmark_data.errors import BenchmarkError
from evaluation.aggregate import Cell, Report
from evaluation.stats import Estimate
from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.slices import SliceKind, SliceScore

METRICS: Final = ("strict_ex", "soft_ex", "exec_rate")
ROWS_AT_ONCE: Final = 2000
RUNS_AT_ONCE: Final = 100


@transaction.atomic
def slices_refresh(release: Release, condition: Condition) -> None:
    """Take in the cells of the runs on a board that have none here yet.

    The report of a finished run does not change, so each is read once. A run that leaves the board keeps its rows:
    who reads them asks for its standing.
    """
    known = SliceScore.objects.filter(run=OuterRef("pk"))
    runs = Run.objects.filter(~Exists(known), standing__release=release, standing__condition=condition)
    rows = (
        row
        for run in runs.select_related("submission").iterator(chunk_size=RUNS_AT_ONCE)
        for row in _slices(run, release)
    )
    SliceScore.objects.bulk_create(rows, batch_size=ROWS_AT_ONCE)


def _slices(run: Run, release: Release) -> Iterator[SliceScore]:
    if run.report is None:
        raise BenchmarkError(f"{run} is finished and has no report")
    report = Report.from_json(run.report)
    for kind, cells in ((SliceKind.DATABASE, report.per_database), (SliceKind.DIFFICULTY, report.per_difficulty)):
        for cell in cells:
            if cell.n and cell.scored == cell.n:
                yield _slice(run, release, kind=kind, cell=cell)


def _slice(run: Run, release: Release, *, kind: SliceKind, cell: Cell) -> SliceScore:
    figures: dict[str, float | None] = {}
    for metric in METRICS:
        estimate: Estimate = getattr(cell, metric)
        figures |= {metric: estimate.value, f"{metric}_low": estimate.low, f"{metric}_high": estimate.high}
    return SliceScore(
        release=release,
        condition=run.condition,
        run=run,
        submitted_at=run.submission.created_at,
        kind=kind,
        name=cell.name,
        n=cell.n,
        **figures,
    )
