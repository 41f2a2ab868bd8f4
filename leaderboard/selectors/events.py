"""Reading of what happened to the runs of a submission."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet

from evaluation.types import Condition
from leaderboard.models.events import EventKind, RunEvent
from leaderboard.models.submissions import Submission

SHOWN: Final = 10
"""Events on the submission's own page; the page of events has them all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventView:
    """One event; `detail` and `data` are "" and empty for those who may not read what happened inside."""

    id: int
    at: datetime
    condition: Condition
    kind: EventKind
    detail: str
    data: dict[str, Any]

    @property
    def label(self) -> str:
        """What happened, in words."""
        return str(self.kind.label)

    @property
    def facts(self) -> str:
        """The data in words: "database: beer_factory, items: 30"."""
        return ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in self.data.items())


def event_rows(submission: Submission) -> QuerySet[RunEvent, dict[str, Any]]:
    """The rows behind `event_view`, the newest first, to be cut by the caller."""
    rows: QuerySet[RunEvent, dict[str, Any]] = RunEvent.objects.filter(
        run__submission=submission, run__replaces=None
    ).values(*FIELDS)
    return rows.order_by("-id")


FIELDS: Final[tuple[str, ...]] = ("id", "at", "kind", "detail", "data", "run__condition")


def event_view(row: dict[str, Any], *, owned: bool) -> EventView:
    """The record of one row, as its reader may see it."""
    return EventView(
        id=row["id"],
        at=row["at"],
        condition=Condition(row["run__condition"]),
        kind=EventKind(row["kind"]),
        # A detail may name a server or a worker of ours.
        detail=row["detail"] if owned else "",
        data=row["data"] if owned else {},
    )


def newest_events(submission: Submission, *, owned: bool) -> tuple[EventView, ...]:
    """The newest events of a submission, the newest first; one query."""
    return tuple(event_view(row, owned=owned) for row in event_rows(submission)[:SHOWN])
