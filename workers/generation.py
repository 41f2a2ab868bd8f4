"""The tasks that ask models: each may run twice or never, and leaves its record in PostgreSQL."""

import logging
from collections.abc import Callable
from typing import Final

from django.db import DatabaseError

from benchmark_data.errors import InfrastructureError, SubmissionError
from evaluation.generation.types import Ending, GenerationReport
from leaderboard.redaction import redacted, secrets_withheld
from leaderboard.services.endpoints import keys_forget
from leaderboard.services.generation_sweeps import generations_sweep
from leaderboard.services.generations import (
    GenerationLease,
    GenerationLostError,
    generation_claim,
    generation_end,
    generation_hand_back,
    generation_pause,
)
from workers.celery import app
from workers.scoring import worker_name

logger = logging.getLogger(__name__)

TURN_SECONDS: Final = 600
"""After this time no further call is begun, so that others have their turn."""

TIME_LIMIT: Final = TURN_SECONDS + 300
"""A turn, and the longest call that is under way at its end."""


@app.task(time_limit=TIME_LIMIT)
def generate() -> None:
    """Ask the models whose turn it is, until nothing is due."""
    while generate_next():
        pass


@app.task
def sweep() -> None:
    """Move on whatever was left behind, and forget keys that are not needed any more."""
    generations_sweep()
    keys_forget()


def generate_next() -> bool:
    """Ask one model for a while; False where nothing is due, or the turn was used up."""
    lease = generation_claim(worker=worker_name())
    if lease is None:
        return False
    # The lent key is withheld until everything that went wrong with it has been told.
    with secrets_withheld() as withhold:
        try:
            return ask(lease, withhold)
        except GenerationLostError as error:
            logger.warning("run %s: %s", lease.run_id, error)
        except InfrastructureError as error:
            logger.warning("run %s: generation handed back: %s", lease.run_id, error)
            hand_back(lease, reason=redacted(str(error)))
        except DatabaseError as error:
            logger.warning("run %s: generation handed back: %s", lease.run_id, error)
            hand_back(lease, reason=f"the site's database failed: {type(error).__name__}")
        except Exception as error:
            logger.exception("run %s: fault in the worker", lease.run_id)
            hand_back(lease, reason=f"fault in the worker: {type(error).__name__}")
    return True


def ask(lease: GenerationLease, withhold: Callable[[str], None]) -> bool:
    """Ask for what a run still needs, and settle how that ended; False where the turn was used up."""
    from workers.asking import Asking  # noqa: PLC0415 - what it stands on takes seconds to import, and is an extra

    try:
        asked = Asking(lease, turn_seconds=TURN_SECONDS, withhold=withhold).run()
    except SubmissionError as error:
        refused = GenerationReport(ending=Ending.REFUSED, message=redacted(str(error)), replies=0, unanswered=0)
        generation_end(lease, refused, prompts_digest="")
        keys_forget()
        return True
    if asked.report.ending is Ending.PAUSED:
        generation_pause(lease)
        return False
    generation_end(lease, asked.report, prompts_digest=asked.prompts_digest)
    keys_forget()
    return True


def hand_back(lease: GenerationLease, *, reason: str) -> None:
    """Hand a generation back; where even that fails, its lease lapses."""
    try:
        generation_hand_back(lease, reason=reason)
    except DatabaseError as error:
        logger.warning("run %s: generation cannot be handed back: %s", lease.run_id, error)
