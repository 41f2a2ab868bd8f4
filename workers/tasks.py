"""The tasks: each may run twice or never, and leaves its record in PostgreSQL."""

import logging
import time
from typing import Final

from django.db import DatabaseError

from leaderboard.queue import wake_scorers
from leaderboard.services.sweeps import sweep as sweep_once
from workers.celery import app
from workers.scoring import score_next

logger = logging.getLogger(__name__)

WORK_SECONDS: Final = 30.0
"""After this time a task makes room for others that wait for the same worker, and asks to be called again."""


@app.task
def score_batch() -> None:
    """Score whatever is due, in turns, until nothing is."""
    ends = time.monotonic() + WORK_SECONDS
    try:
        while score_next():
            if time.monotonic() >= ends:
                wake_scorers(1)
                return
    except DatabaseError as error:
        logger.warning("the site's database cannot be asked, the sweep will find the work: %s", error)


@app.task
def sweep() -> None:
    """Move on whatever was left behind."""
    sweep_once()
