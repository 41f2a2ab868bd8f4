"""Verdicts that are known: a text that was judged before under equal circumstances is not judged again."""

from collections.abc import Iterator
from typing import Final

from django.db import connection, transaction

from evaluation.judgement import Circumstances, judgement_key
from evaluation.score import GOLD_FAILED, SET_ASIDE
from evaluation.types import Outcome
from leaderboard.clock import database_now
from leaderboard.models.runs import Batch, Run
from leaderboard.models.states import BatchState, RunState
from leaderboard.models.submissions import Prediction
from leaderboard.selectors.batches import SHELF


@transaction.atomic
def verdicts_reuse(run_id: int, *, circumstances: Circumstances, scorer: str, demo_engine: bool) -> int:
    """Give the items of a run that has just begun the verdicts that their texts had before, and close full batches.

    Args:
        run_id: the run.
        circumstances: under which its texts would be judged now.
        scorer, demo_engine: what would judge them.

    Returns:
        How many items were given a verdict.
    """
    run = Run.every.select_for_update(of=("self",), no_key=True).filter(pk=run_id, state=RunState.SCORING).first()
    if run is None:
        return 0
    # Batches that a worker has taken meanwhile are left to it.
    batches = {
        batch.database_id: batch
        for batch in run.batches.select_for_update(skip_locked=True).filter(state=BatchState.QUEUED, judged=0)
    }
    keys = dict(_keys(run, batches, circumstances))
    reused = _copied(run, keys)
    if not reused:
        return 0
    aside = _set_aside(run, batches)
    _close_full(run, batches)
    Run.every.filter(pk=run_id).update(
        reused_verdicts=reused, scorer=scorer, engine=circumstances.engine, demo_engine=demo_engine
    )
    return reused + aside


def _keys(run: Run, batches: dict[int, Batch], circumstances: Circumstances) -> Iterator[tuple[int, str]]:
    predictions = Prediction.objects.filter(submission=run.submission_id, condition=run.condition)
    texts = dict(predictions.values_list("item_id", "text"))
    for item_id, item in SHELF.items(batches).items():
        yield item_id, judgement_key(texts.get(item_id), item=item.digest, circumstances=circumstances)


def _copied(run: Run, keys: dict[int, str]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_COPY, [run.pk, database_now(), list(keys.keys()), list(keys.values())])
        return int(cursor.rowcount)


# An item that the organisers set aside has no verdict to be copied, and must not get one. A copy has no key: of each
# verdict one row is enough to be found.
_COPY: Final = """
INSERT INTO leaderboard_itemscore
    (run_id, item_id, outcome, executed, soft, strict, reason, message, milliseconds, diagnostics, judgement, scored_at)
SELECT %s, wanted.item_id, known.outcome, known.executed, known.soft, known.strict, known.reason, known.message,
       known.milliseconds, known.diagnostics, '', %s
  FROM unnest(%s::bigint[], %s::text[]) AS wanted (item_id, judgement)
  JOIN leaderboard_releaseitem item ON item.id = wanted.item_id AND item.set_aside = ''
 CROSS JOIN LATERAL (
    SELECT * FROM leaderboard_itemscore score
     WHERE score.judgement = wanted.judgement AND score.judgement <> ''
     LIMIT 1
 ) known
ON CONFLICT (run_id, item_id) DO NOTHING
"""


def _set_aside(run: Run, batches: dict[int, Batch]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(_ASIDE, [run.pk, Outcome.UNSCORED, GOLD_FAILED, SET_ASIDE, database_now(), list(batches.keys())])
        return int(cursor.rowcount)


_ASIDE: Final = """
INSERT INTO leaderboard_itemscore (run_id, item_id, outcome, reason, message, diagnostics, judgement, scored_at)
SELECT %s, item.id, %s, %s, %s, '{}', '', %s
  FROM leaderboard_releaseitem item WHERE item.database_id = ANY(%s) AND item.set_aside <> ''
ON CONFLICT (run_id, item_id) DO NOTHING
"""


def _close_full(run: Run, batches: dict[int, Batch]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, [run.pk, [batch.pk for batch in batches.values()]])
        cursor.execute(_CLOSE, [database_now(), [batch.pk for batch in batches.values()]])


_COUNT: Final = """
UPDATE leaderboard_batch batch SET judged = counted.n
  FROM (
    SELECT item.database_id, count(*) AS n
      FROM leaderboard_itemscore score JOIN leaderboard_releaseitem item ON item.id = score.item_id
     WHERE score.run_id = %s GROUP BY item.database_id
  ) counted
 WHERE batch.database_id = counted.database_id AND batch.id = ANY(%s)
"""

_CLOSE: Final = """
UPDATE leaderboard_batch SET state = 'done', ended_at = %s WHERE id = ANY(%s) AND judged = items AND state = 'queued'
"""
