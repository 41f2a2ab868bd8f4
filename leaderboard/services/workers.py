"""The register of workers: each says now and then that it is alive."""

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from django.db.models import Q

from leaderboard.clock import database_now
from leaderboard.models.workers import WorkerNode

FORGOTTEN_AFTER: Final = timedelta(days=1)


def worker_seen(name: str, *, queues: Collection[str], slots: int, scorer: str = "") -> None:
    """Note that a worker is alive, what it takes, how many batches it can work on at a time, and by which scorer."""
    now = database_now()
    values = {"queues": ",".join(sorted(queues))[:200], "slots": slots, "scorer": scorer[:80], "seen_at": now}
    WorkerNode.objects.update_or_create(name=name[:200], defaults=values, create_defaults=values | {"started_at": now})


def worker_gone(name: str) -> None:
    """Note that a worker was stopped in order."""
    WorkerNode.objects.filter(name=name[:200]).delete()


def workers_forget() -> int:
    """Delete workers that have not been seen for a day; returns how many."""
    now = database_now()
    # What was seen in the future was, before the clock was set back; one that is alive says so again.
    gone = ~Q(seen_at__range=(now - FORGOTTEN_AFTER, now + FORGOTTEN_AFTER))
    deleted, _ = WorkerNode.objects.filter(gone).delete()
    return deleted
