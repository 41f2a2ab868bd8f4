"""The task that scores again: submissions to corrected releases, and runs that an earlier scorer judged."""

import time
from typing import Final

from leaderboard.selectors.workers import scorers_alive
from leaderboard.services.corrections import rescoring_due, submission_rescore
from leaderboard.services.rejudging import runs_rejudge
from workers.celery import app
from workers.scoring import SCORER

ROUND_SECONDS = 30.0
"""A round ends after this time; beat begins the next one."""

REJUDGED_AT_ONCE: Final = 8
"""Runs that a new scorer judges again at a time: whatever there are, the queue stays short."""


@app.task
def rescore() -> None:
    """Queue new runs for the stored predictions of corrected releases, the oldest submissions first."""
    take_over()
    # While a new version is rolled out, each would judge again what the other has judged.
    if scorers_alive() == {SCORER}:
        runs_rejudge(scorer=SCORER, at_once=REJUDGED_AT_ONCE)


def take_over() -> None:
    """One round of taking over submissions."""
    ends = time.monotonic() + ROUND_SECONDS
    while due := rescoring_due():
        for submission in due:
            submission_rescore(submission)
            if time.monotonic() >= ends:
                return
