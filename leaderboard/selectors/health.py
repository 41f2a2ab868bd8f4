"""Reading of the site's own state: how much is waiting, and whether anybody works on it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Max, Min, Q
from django.utils import timezone

from leaderboard.models.runs import Batch, Run
from leaderboard.models.states import BatchState, RunState


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteStatus:
    """The queue at one moment; `workers` have a batch on lease right now."""

    at: datetime
    queued: int
    scoring: int
    incomplete: int
    workers: int
    waiting_since: datetime | None
    last_finished: datetime | None
    finished_last_day: int

    @property
    def stalled(self) -> bool:
        """Whether runs have been waiting for longer than a sweep needs, and nobody works on any."""
        return self.workers == 0 and self.waiting_since is not None and self.at - self.waiting_since > STALLED_AFTER


STALLED_AFTER = timedelta(minutes=2)


def site_status() -> SiteStatus:
    """The state of the queue, in two queries."""
    now = timezone.now()
    runs = Run.objects.aggregate(
        queued=Count("pk", filter=Q(state=RunState.QUEUED)),
        scoring=Count("pk", filter=Q(state=RunState.SCORING)),
        incomplete=Count("pk", filter=Q(state=RunState.INCOMPLETE)),
        waiting_since=Min("created_at", filter=Q(state=RunState.QUEUED)),
        last_finished=Max("ended_at", filter=Q(state=RunState.FINISHED)),
        finished_last_day=Count("pk", filter=Q(state=RunState.FINISHED, ended_at__gt=now - timedelta(days=1))),
    )
    leased = Batch.objects.filter(state=BatchState.LEASED, leased_until__gt=now)
    return SiteStatus(at=now, workers=leased.values("worker").distinct().count(), **runs)
