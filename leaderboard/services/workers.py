"""The register of workers: each says now and then that it is alive."""

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from django.db.models import Q

from leaderboard.clock import database_now
from leaderboard.models.workers import WorkerNode

FORGOTTEN_AFTER: Final = timedelta(days=1)


def worker_seen(name: str, *, queues: Collection[str], slots: int) -> None:
    """Note that a worker is alive, with what it takes and how many batches it can work on at a time."""
    now = database_now()
    taken = ",".join(sorted(queues))[:200]
    WorkerNode.objects.update_or_create(
        name=name[:200],
        defaults={"queues": taken, "slots": slots, "seen_at": now},
        create_defaults={"queues": taken, "slots": slots, "seen_at": now, "started_at": now},
    )


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
