"""The task that takes submissions over to the release that corrects theirs."""

import time

from leaderboard.services.corrections import rescoring_due, submission_rescore
from workers.celery import app

ROUND_SECONDS = 30.0
"""A round ends after this time; beat begins the next one."""


@app.task
def rescore() -> None:
    """Queue new runs for the stored predictions of corrected releases, the oldest submissions first."""
    ends = time.monotonic() + ROUND_SECONDS
    while due := rescoring_due():
        for submission in due:
            submission_rescore(submission)
            if time.monotonic() >= ends:
                return
