"""Reading of the site's own state: how much is waiting, for how long, and who works on it."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import connection
from django.db.models import Count, Min, Q

from leaderboard.clock import database_now
from leaderboard.models.runs import Batch, Run
from leaderboard.models.states import ACTIVE_RUN_STATES, BatchState, RunState
from leaderboard.selectors.workers import ReuseRate, reuse_rate, workers_alive

DAY: Final = timedelta(days=1)
STALLED_AFTER: Final = timedelta(minutes=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """How long the runs that began in the last day had waited, in seconds; None where none began."""

    runs: int
    median: float | None
    p95: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineUse:
    """An engine that judged runs in the last day, or the last one that ever did."""

    name: str
    demo: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteStatus:
    """The queue at one moment.

    Args:
        at: the moment.
        queued, generating, scoring, incomplete: runs in these states; incomplete ones are taken up again.
        busy: workers that have a batch on lease right now.
        workers, slots: workers that are alive, and batches that they can work on at a time.
        waiting_since: since when the oldest queued run has waited.
        last_finished, finished_last_day: runs that ended with a score.
        waits: of the last day.
        engines: what judged.
        reuse: work that the engine was spared in the last day.
    """

    at: datetime
    queued: int
    generating: int
    scoring: int
    incomplete: int
    busy: int
    workers: int
    slots: int
    waiting_since: datetime | None
    last_finished: datetime | None
    finished_last_day: int
    waits: Waits
    engines: tuple[EngineUse, ...]
    reuse: ReuseRate

    @property
    def stalled(self) -> bool:
        """Whether runs have been waiting for longer than a sweep needs, and nobody works on any."""
        return self.busy == 0 and self.waiting_since is not None and self.at - self.waiting_since > STALLED_AFTER


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulse:
    """What whatever watches the site asks every few seconds."""

    queued: int
    scoring: int
    workers: int


def site_pulse() -> Pulse:
    """The least that tells whether the site is alive, in three queries."""
    counted = Run.objects.filter(state__in=ACTIVE_RUN_STATES).aggregate(
        queued=Count("pk", filter=Q(state=RunState.QUEUED)), scoring=Count("pk", filter=Q(state=RunState.SCORING))
    )
    return Pulse(workers=len(workers_alive()), **counted)


def site_status() -> SiteStatus:
    """The state of the queue, in a number of queries that does not depend on its length; none reads all runs."""
    now = database_now()
    alive = workers_alive()
    runs = Run.objects.filter(state__in=(*ACTIVE_RUN_STATES, RunState.INCOMPLETE)).aggregate(
        queued=Count("pk", filter=Q(state=RunState.QUEUED)),
        generating=Count("pk", filter=Q(state=RunState.GENERATING)),
        scoring=Count("pk", filter=Q(state=RunState.SCORING)),
        incomplete=Count("pk", filter=Q(state=RunState.INCOMPLETE)),
        waiting_since=Min("created_at", filter=Q(state=RunState.QUEUED)),
    )
    finished = Run.objects.filter(state=RunState.FINISHED, ended_at__isnull=False).order_by("-ended_at")
    leased = Batch.objects.filter(state=BatchState.LEASED, leased_until__gt=now)
    return SiteStatus(
        at=now,
        busy=leased.values("worker").distinct().count(),
        workers=len(alive),
        slots=sum(node.slots for node in alive),
        waits=_waits(now - DAY),
        engines=_engines(now - DAY),
        reuse=reuse_rate(now - DAY),
        last_finished=finished.values_list("ended_at", flat=True).first(),
        finished_last_day=finished.filter(ended_at__gt=now - DAY).count(),
        **runs,
    )


def _waits(since: datetime) -> Waits:
    with connection.cursor() as cursor:
        cursor.execute(_WAITS, [since])
        runs, median, p95 = cursor.fetchone()
    return Waits(runs=runs, median=median, p95=p95)


# Runs that yield to others wait on purpose: what a submitter may expect is told by those that somebody waits for.
_WAITS: Final = """
SELECT count(*),
       percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM started_at - created_at)),
       percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM started_at - created_at))
  FROM leaderboard_run WHERE started_at >= %s AND NOT background
"""


def _engines(since: datetime) -> tuple[EngineUse, ...]:
    judged = Run.objects.exclude(engine="").exclude(ended_at=None)
    recent = judged.filter(ended_at__gte=since).order_by("engine").values_list("engine", "demo_engine").distinct()
    rows = list(recent) or list(judged.order_by("-ended_at").values_list("engine", "demo_engine")[:1])
    return tuple(EngineUse(name=name, demo=demo) for name, demo in rows)
