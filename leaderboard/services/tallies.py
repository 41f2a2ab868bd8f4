"""Adding up how many ranked entries solved each item; a run is counted once, when it is ranked first."""

from typing import Final

from django.db import connection
from django.db.models import Max, QuerySet

from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.standings import Standing
from leaderboard.models.tallies import ItemTally, TalliedRun


def tallies_refresh(release: Release, condition: Condition) -> None:
    """Count the runs that were ranked since the last time; all of them anew where a counted one is ranked no more.

    The caller holds the lock of the release's row, so that no run is counted twice.
    """
    counted = TalliedRun.objects.filter(run__submission__release=release, run__condition=condition)
    tallies = ItemTally.objects.filter(item__release=release, condition=condition)
    if _outdated(counted, tallies):
        counted.delete()
        tallies.delete()
    ranked = Standing.objects.filter(release=release, condition=condition, run__tallied=None)
    _count(list(ranked.values_list("run_id", flat=True)), condition)


def run_untally(run: Run) -> None:
    """Take a run out of the tallies before its verdicts are replaced; when it is ranked again it is counted anew.

    The caller holds the lock of the release's row.
    """
    if TalliedRun.objects.filter(run=run).delete()[0]:
        with connection.cursor() as cursor:
            cursor.execute(_SUBTRACT, [run.pk, run.condition])


def _outdated(counted: QuerySet[TalliedRun], tallies: QuerySet[ItemTally]) -> bool:
    """Whether a counted run has lost its rank, or was deleted and took its row here with it."""
    if counted.filter(run__standing=None).exists():
        return True
    # A ranked run was judged on every item that counts, so each item has been counted as often as there are runs.
    return (tallies.aggregate(most=Max("entries"))["most"] or 0) != counted.count()


def _count(run_ids: list[int], condition: Condition) -> None:
    if run_ids:
        with connection.cursor() as cursor:
            cursor.execute(_ADD, [condition, run_ids])
        TalliedRun.objects.bulk_create(TalliedRun(run_id=run_id) for run_id in run_ids)


_ADD: Final = """
INSERT INTO leaderboard_itemtally AS tally (item_id, condition, entries, solved)
SELECT score.item_id, %s, count(*), count(*) FILTER (WHERE score.strict)
  FROM leaderboard_itemscore score
  JOIN leaderboard_releaseitem item ON item.id = score.item_id AND item.set_aside = ''
 WHERE score.run_id = ANY(%s)
 GROUP BY score.item_id
ON CONFLICT (item_id, condition)
   DO UPDATE SET entries = tally.entries + excluded.entries, solved = tally.solved + excluded.solved
"""

_SUBTRACT: Final = """
UPDATE leaderboard_itemtally tally
   SET entries = tally.entries - 1, solved = tally.solved - CASE WHEN score.strict THEN 1 ELSE 0 END
  FROM leaderboard_itemscore score
 WHERE score.run_id = %s AND tally.item_id = score.item_id AND tally.condition = %s
"""
