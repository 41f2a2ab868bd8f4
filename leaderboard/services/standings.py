"""Publishing of the order: standings are computed here, stored, and only read by pages."""

import logging
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from django.db import DatabaseError, transaction
from django.db.models import QuerySet

from benchmark_data.errors import BenchmarkError
from evaluation.aggregate import ItemFacts
from evaluation.packing import order_digest
from evaluation.rank import PackedEntry, rank_packed
from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.standings import RunFigures, Standing
from leaderboard.models.states import RunState
from leaderboard.selectors.verdicts import track_items
from leaderboard.services.endings import run_ended
from leaderboard.services.figures import figures_fill
from leaderboard.services.measurements import measurements_refresh
from leaderboard.services.slices import slices_refresh
from leaderboard.services.tallies import tallies_refresh

logger = logging.getLogger(__name__)

MOST_ROUNDS: Final = 20
"""After so many in a row a worker goes back to its own work; the next run that finishes, or the sweep, goes on."""

METRICS: Final = ("exec_rate", "soft_ex", "strict_ex", "coverage", "n")
COLUMNS: Final = ("run_id", "rank", "position", "tie_group", *METRICS)


def boards_catch_up(run_id: int | None = None) -> int:
    """Rank the runs that have finished and that the boards do not know yet, and tell their owners; how many.

    Call it outside of transactions, after that of a run's end: a run is marked as unranked in the transaction that ends
    it, and the mark goes in the one that tells its owner. A board that is being ranked by another worker is left to
    that one, which looks again when it is done; so runs that finish together are ranked together, and none is left out.
    Where a worker dies in between, or a board cannot be ranked, the marks stay, and the sweep tries again.

    Args:
        run_id: look at the release of this run alone; None looks at all.
    """
    releases = Release.objects.filter(submissions__runs__unranked=True)
    if run_id is not None:
        releases = releases.filter(submissions__runs=run_id)
    published = 0
    for release in releases.order_by("pk").distinct():
        try:
            published += sum(_rounds(release))
        except (DatabaseError, BenchmarkError):
            # One board that cannot be ranked must not keep another one waiting.
            logger.exception("the board of %s cannot be ranked at the moment", release)
    return published


def _rounds(release: Release) -> Iterator[bool]:
    tried: set[int] = set()
    for _ in range(MOST_ROUNDS):
        unranked = Run.objects.filter(submission__release=release, unranked=True).exclude(pk__in=tried)
        runs = dict(unranked.values_list("pk", "condition"))
        if not runs or not _refreshed(release, {Condition(condition) for condition in runs.values()}, wait=False):
            return
        tried |= runs.keys()
        yield from map(_published_if_possible, runs)


def _published_if_possible(run_id: int) -> bool:
    try:
        return _published(run_id)
    except (DatabaseError, BenchmarkError):
        # One owner who cannot be told must not keep the others waiting.
        logger.exception("run %s is ranked, and its owner cannot be told at the moment", run_id)
        return False


@transaction.atomic
def _published(run_id: int) -> bool:
    """Take the mark of a run that has its place, and see to what follows; True where this call did."""
    changed = Run.objects.filter(pk=run_id, unranked=True).update(unranked=False)
    if changed:
        run_ended(run_id)
    return changed == 1


def standings_refresh(release: Release, condition: Condition) -> None:
    """Rank every finished run of one release and condition anew, once other workers are done with this release.

    Only finished runs rank: a run with an unscored item is incomplete and has no row here.
    """
    _refreshed(release, {condition}, wait=True)


def _refreshed(release: Release, conditions: Collection[Condition], *, wait: bool) -> bool:
    """Rank some boards of a release; False where another worker is at it and this one does not wait."""
    items = track_items(release)
    figures_fill(release, items)
    with transaction.atomic():
        # Two orders must not be written at once: the release row is the lock. Rows that point to it may still be added,
        # or nobody could submit meanwhile.
        lock = Release.objects.select_for_update(no_key=True, skip_locked=not wait)
        if lock.filter(pk=release.pk).first() is None:
            return False
        for condition in sorted(conditions):
            _rank(release, condition, items)
            tallies_refresh(release, condition)
            slices_refresh(release, condition)
        measurements_refresh(release, items)
    return True


def _rank(release: Release, condition: Condition, items: Sequence[ItemFacts]) -> None:
    figures = _figures(release, condition, items)
    ranked = rank_packed([_entry(row) for row in figures.values()], items=len(items)) if items else ()
    rows = (
        (row["run_id"], entry.rank, position, entry.tie_group, *(row[metric] for metric in METRICS))
        for position, (entry, row) in enumerate(((entry, figures[entry.key]) for entry in ranked), 1)
    )
    _write(release, condition, {row[0]: row for row in rows})


def _figures(release: Release, condition: Condition, items: Sequence[ItemFacts]) -> dict[str, dict[str, Any]]:
    rows: QuerySet[RunFigures, dict[str, Any]] = RunFigures.objects.filter(
        run__submission__release=release,
        run__condition=condition,
        run__state=RunState.FINISHED,
        order=order_digest(item.question_id for item in items),
    ).values("run_id", "strict", "run__submission__created_at", *METRICS)
    return {str(row["run_id"]): row for row in rows}


def _entry(row: dict[str, Any]) -> PackedEntry:
    return PackedEntry(
        key=str(row["run_id"]),
        strict=bytes(row["strict"]),
        soft_ex=row["soft_ex"],
        exec_rate=row["exec_rate"],
        submitted_at=row["run__submission__created_at"],
    )


def _write(release: Release, condition: Condition, rows: dict[int, tuple[Any, ...]]) -> None:
    """Store the rows that are not there already: a new entry leaves those above it as they are."""
    standings = Standing.objects.filter(release=release, condition=condition).order_by()
    kept = {row[0]: row for row in standings.values_list(*COLUMNS)}
    standings.filter(run__in=[run_id for run_id, row in kept.items() if rows.get(run_id) != row]).delete()
    Standing.objects.bulk_create(
        Standing(release=release, condition=condition, **dict(zip(COLUMNS, row, strict=True)))
        for run_id, row in rows.items()
        if kept.get(run_id) != row
    )
