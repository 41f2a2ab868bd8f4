"""The tasks: each takes an id, may run twice, and leaves its record in PostgreSQL."""

from leaderboard.services.sweeps import sweep as sweep_once
from workers.celery import app
from workers.scoring import score_next_batch


@app.task
def score_batch(run_id: int) -> None:
    """Claim and score the next open batch of a run."""
    score_next_batch(run_id)


@app.task
def sweep() -> None:
    """Move on whatever was left behind."""
    sweep_once()
