"""Noting what happens to a run, in the same transaction as the change itself."""

from collections.abc import Mapping
from typing import Final

from django.utils import timezone

from leaderboard.models.events import ENDS, EventKind, RunEvent
from leaderboard.services.endings import run_ended

DETAIL_CHARACTERS: Final = 500


def event_record(run_id: int, *, kind: EventKind, detail: str = "", data: Mapping[str, object] | None = None) -> None:
    """Note one event of a run; where it ends the run, see to all that follows from that.

    Call it inside the transaction of the change that it tells of, after the run's row was changed: a change that is
    rolled back leaves no event, no refund and no notice, and none of them is seen before its change.

    Args:
        run_id: the run.
        kind: what happened.
        detail: a sentence for the owner and staff; never a predicted text, never gold.
        data: plain JSON values, e.g. `{"database": "beer_factory", "items": 30}`.
    """
    RunEvent.objects.create(
        run_id=run_id, at=timezone.now(), kind=kind, detail=detail[:DETAIL_CHARACTERS], data=dict(data or {})
    )
    if kind in ENDS:
        run_ended(run_id)
