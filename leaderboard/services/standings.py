"""Publishing of the order: standings are computed here, stored, and only read by pages."""

from collections import defaultdict
from typing import TypeVar

from django.db import transaction

from benchmark_data.errors import BenchmarkError
from evaluation.aggregate import Report
from evaluation.rank import RankedEntry, RankingEntry, rank_results
from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.runs import ItemScore, Run
from leaderboard.models.standings import Standing
from leaderboard.models.states import RunState
from leaderboard.services.measurements import measurements_refresh
from leaderboard.services.slices import slices_refresh
from leaderboard.services.tallies import tallies_refresh

Number = TypeVar("Number", int, float)


@transaction.atomic
def standings_refresh(release: Release, condition: Condition) -> None:
    """Rank every finished run of one release and condition anew.

    Only finished runs rank: a run with an unscored item is incomplete and has no row here.
    """
    # Two runs that finish together must not write two orders: the release row is the lock.
    Release.objects.select_for_update().get(pk=release.pk)
    runs = {
        str(run.pk): run
        for run in Run.objects.filter(
            submission__release=release, condition=condition, state=RunState.FINISHED
        ).select_related("submission")
    }
    reports = {key: _report(run) for key, run in runs.items()}
    ranked = rank_results(_entries(runs, reports))
    Standing.objects.filter(release=release, condition=condition).delete()
    Standing.objects.bulk_create(
        _standing(release, condition, runs[entry.key], reports[entry.key], entry=entry, position=position)
        for position, entry in enumerate(ranked, 1)
        if entry.rank is not None
    )
    tallies_refresh(release, condition)
    slices_refresh(release, condition)
    measurements_refresh(release)


def _entries(runs: dict[str, Run], reports: dict[str, Report]) -> list[RankingEntry]:
    strict: dict[str, dict[str, bool]] = defaultdict(dict)
    rows = ItemScore.objects.filter(run__in=runs.values(), item__set_aside="").values_list(
        "run_id", "item__question_id", "strict"
    )
    for run_id, question_id, value in rows.iterator(chunk_size=20_000):
        strict[str(run_id)][question_id] = bool(value)
    return [
        RankingEntry(
            key=key,
            strict=strict[key],
            soft_ex=reports[key].soft_ex.value,
            exec_rate=reports[key].exec_rate.value,
            submitted_at=run.submission.created_at,
        )
        for key, run in runs.items()
    ]


def _standing(
    release: Release, condition: Condition, run: Run, report: Report, *, entry: RankedEntry, position: int
) -> Standing:
    return Standing(
        release=release,
        condition=condition,
        run=run,
        rank=_present(entry.rank),
        position=position,
        tie_group=_present(entry.tie_group),
        exec_rate=_present(report.exec_rate.value),
        soft_ex=_present(report.soft_ex.value),
        strict_ex=_present(report.strict_ex.value),
        coverage=_present(report.coverage),
        n=report.n,
    )


def _present(value: Number | None) -> Number:
    if value is None:
        raise BenchmarkError("a ranked run has a rank, a group and every metric")
    return value


def _report(run: Run) -> Report:
    """The report of a finished run; the database sees to it that there is one."""
    if run.report is None:
        raise BenchmarkError(f"{run} is finished and has no report")
    return Report.from_json(run.report)
