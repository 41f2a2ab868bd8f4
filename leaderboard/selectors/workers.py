"""Reading of workers: who is alive, how fast they are, and how much work they were spared."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import Sum
from django.db.models.functions import Now

from leaderboard.clock import database_now
from leaderboard.models.runs import Batch, Run
from leaderboard.models.workers import WorkerNode
from leaderboard.queue import SCORING

SEEN_WITHIN_SWEEPS: Final = 4
RECENT_BATCHES: Final = 200
USUAL_ITEM_SECONDS: Final = 0.05
"""Of an item, where none was judged lately."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReuseRate:
    """Items of some runs, by what they cost.

    Args:
        executed: queries that the engine ran.
        cached: queries whose answer was known from another item or run.
        reused: items whose very text had been judged before.
    """

    executed: int
    cached: int
    reused: int

    @property
    def share(self) -> float | None:
        """The share that the engine was spared; None where nothing was asked."""
        total = self.executed + self.cached + self.reused
        return (self.cached + self.reused) / total if total else None


def workers_alive() -> tuple[WorkerNode, ...]:
    """The workers that were seen lately, by name."""
    now, lately = database_now(), timedelta(seconds=SEEN_WITHIN_SWEEPS * settings.SWEEP_SECONDS)
    # Those that seem to have been seen in the future were, before the clock was set back: nobody knows when.
    return tuple(WorkerNode.objects.filter(seen_at__range=(now - lately, now + lately)).order_by("name"))


def scoring_slots() -> int:
    """How many batches can be scored at a time now."""
    return sum(node.slots for node in workers_alive() if SCORING in node.queues.split(","))


def scorers_alive() -> frozenset[str]:
    """The scorers that workers judge by now: more than one while a new version is rolled out."""
    return frozenset(node.scorer for node in workers_alive() if SCORING in node.queues.split(","))


def item_seconds() -> float:
    """How long a worker has lately been at an item, on average."""
    recent = Batch.objects.filter(ended_at__lte=Now(), service_milliseconds__gt=0).order_by("-ended_at")
    rows = list(recent.values_list("service_milliseconds", "items")[:RECENT_BATCHES])
    items = sum(count for _, count in rows)
    return sum(milliseconds for milliseconds, _ in rows) / items / 1000 if items else USUAL_ITEM_SECONDS


def reuse_rate(since: datetime) -> ReuseRate:
    """How much of the work of the runs made since then the engine was spared."""
    totals = Run.every.filter(created_at__gte=since).aggregate(
        executed=Sum("executed_queries", default=0),
        cached=Sum("cached_answers", default=0),
        reused=Sum("reused_verdicts", default=0),
    )
    return ReuseRate(**totals)
