"""The task that computes failed gold again, so that a passing fault leaves no run incomplete for ever."""

import logging
import time

from evaluation.gold import UnusableGoldError, gold_compute
from evaluation.types import Executor
from leaderboard.selectors.gold import gold_source
from leaderboard.services.gold_checks import failed_gold_claim, runs_reopen
from leaderboard.services.releases import gold_store
from workers.celery import app
from workers.scoring import executor

logger = logging.getLogger(__name__)

ROUND_SECONDS = 60.0
"""A round ends after this time: gold that is slow to fail must not keep a worker from scoring."""


@app.task
def recheck_gold() -> None:
    """Compute what is due again, then reopen the runs that waited for it."""
    recheck(executor())


def recheck(engine: Executor) -> None:
    """One round on one engine.

    Raises:
        EngineUnavailableError: the document database went away; what was claimed is due again later.
    """
    label = f"{engine.identity.name} {engine.identity.version}"
    ends = time.monotonic() + ROUND_SECONDS
    while time.monotonic() < ends and (answer := failed_gold_claim(engine=label)) is not None:
        item = answer.item
        try:
            gold = gold_compute(gold_source(item, item.database), executor=engine)
        except UnusableGoldError as error:
            gold_store(item_id=item.pk, engine=label, gold=error)
        else:
            gold_store(item_id=item.pk, engine=label, gold=gold)
            logger.info("the gold of item %s works again", item.question_id)
    runs_reopen(engine=label)
