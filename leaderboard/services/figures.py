"""Keeping of what boards are made from: the figures and packed verdicts of finished runs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from django.contrib.postgres.aggregates import StringAgg
from django.db.models import Case, Q, QuerySet, Value, When
from numpy.typing import NDArray

from benchmark_data.errors import BenchmarkError
from evaluation.aggregate import ItemFacts, Report
from evaluation.packing import order_digest, verdicts_pack
from evaluation.types import Verdict
from leaderboard.models.releases import Release
from leaderboard.models.runs import ItemScore, Run
from leaderboard.models.standings import RunFigures
from leaderboard.models.states import RunState

FILLED_AT_ONCE: Final = 50

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRun:
    """A finished run with its strict verdicts on the items that count, in their order, and the report of them."""

    run: Run
    strict: Sequence[bool] | NDArray[np.bool_]
    report: Report


def figures_store(run: Run, verdicts: Sequence[Verdict], report: Report) -> None:
    """Keep the figures of a run that finishes, in the transaction of its end; nothing where no item counts.

    Args:
        run: every item that counts was judged.
        verdicts: on these items, in the order of the release.
        report: of these verdicts.
    """
    if verdicts:
        strict = [verdict.strict is True for verdict in verdicts]
        order = order_digest(verdict.question_id for verdict in verdicts)
        _keep([JudgedRun(run=run, strict=strict, report=report)], order=order)


def figures_fill(release: Release, items: Sequence[ItemFacts]) -> int:
    """Make the figures of finished runs that have none, or whose verdicts were packed in another order; how many.

    Runs that finished before figures were kept have none, and items that were set aside since make another order. A
    run that was not judged on an item that counts now gets none, and so no rank.

    Args:
        release: the release.
        items: those that count, in their order.
    """
    filled = 0
    order = order_digest(item.question_id for item in items)
    lacking = list(_lacking(release, order).values_list("pk", flat=True)) if items else []
    for start in range(0, len(lacking), FILLED_AT_ONCE):
        some = Run.objects.in_bulk(lacking[start : start + FILLED_AT_ONCE])
        judged = [
            JudgedRun(run=some[run_id], strict=strict, report=_report(some[run_id]))
            for run_id, strict in _judged(some)
            if len(strict) == len(items)
        ]
        _keep(judged, order=order)
        filled += len(judged)
    return filled


def _lacking(release: Release, order: str) -> QuerySet[Run]:
    finished = Run.objects.filter(submission__release=release, state=RunState.FINISHED)
    return finished.filter(Q(figures=None) | ~Q(figures__order=order)).order_by("pk")


def _judged(run_ids: Iterable[int]) -> Iterator[tuple[int, NDArray[np.bool_]]]:
    """By run: the strict verdicts on the items that count, in their order."""
    bit = Case(When(strict=True, then=Value("1")), default=Value("0"))
    scores = ItemScore.objects.filter(run__in=run_ids, item__set_aside="", strict__isnull=False).order_by()
    rows = scores.values_list("run_id").annotate(bits=StringAgg(bit, delimiter="", order_by="item__position"))
    # In one order, so that of two workers that do this at once none waits for one that waits for it.
    for run_id, bits in rows.values_list("run_id", "bits").order_by("run_id"):
        yield run_id, np.frombuffer(bits.encode(), dtype=np.uint8) == ord("1")


def _keep(judged: Sequence[JudgedRun], *, order: str) -> None:
    """Store all that a board needs of some runs: each run comes by here once, with its report at hand."""
    RunFigures.objects.bulk_create(
        (_figures(one, order) for one in judged),
        update_conflicts=True,
        unique_fields=["run"],
        update_fields=["order", "strict", "exec_rate", "soft_ex", "strict_ex", "coverage", "n"],
    )


def _figures(judged: JudgedRun, order: str) -> RunFigures:
    report = judged.report
    return RunFigures(
        run=judged.run,
        order=order,
        strict=verdicts_pack(judged.strict),
        exec_rate=_present(report.exec_rate.value),
        soft_ex=_present(report.soft_ex.value),
        strict_ex=_present(report.strict_ex.value),
        coverage=_present(report.coverage),
        n=report.n,
    )


def _present(value: Number | None) -> Number:
    if value is None:
        raise BenchmarkError("a run that was judged has every metric")
    return value


def _report(run: Run) -> Report:
    """The report of a finished run; the database sees to it that there is one."""
    if run.report is None:
        raise BenchmarkError(f"{run} is finished and has no report")
    return Report.from_json(run.report)
