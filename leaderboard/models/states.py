"""The states of runs and batches, and every way out of each."""

from collections.abc import Mapping
from typing import Final

from django.db import models


class RunState(models.TextChoices):
    """Where a run is; the last four end it, but an incomplete run is taken up again when our fault is gone."""

    QUEUED = "queued", "Queued"
    GENERATING = "generating", "Generating"
    SCORING = "scoring", "Scoring"
    FINISHED = "finished", "Finished"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"
    INCOMPLETE = "incomplete", "Incomplete"


class BatchState(models.TextChoices):
    """Where a batch (the items of one database of one run) is."""

    QUEUED = "queued", "Queued"
    LEASED = "leased", "Leased"
    DONE = "done", "Done"
    ABANDONED = "abandoned", "Abandoned"


_ENDS: Final = frozenset({RunState.FAILED, RunState.CANCELLED, RunState.INCOMPLETE})

RUN_TRANSITIONS: Final[Mapping[RunState, frozenset[RunState]]] = {
    RunState.QUEUED: _ENDS | {RunState.GENERATING, RunState.SCORING, RunState.FINISHED},
    RunState.GENERATING: _ENDS | {RunState.SCORING},
    RunState.SCORING: _ENDS | {RunState.FINISHED},
    RunState.INCOMPLETE: frozenset({RunState.GENERATING, RunState.SCORING, RunState.FAILED, RunState.CANCELLED}),
    RunState.FINISHED: frozenset(),
    RunState.FAILED: frozenset(),
    RunState.CANCELLED: frozenset(),
}
"""A queued run finishes without a worker where each of its texts was judged before."""

BATCH_TRANSITIONS: Final[Mapping[BatchState, frozenset[BatchState]]] = {
    BatchState.QUEUED: frozenset({BatchState.LEASED, BatchState.DONE, BatchState.ABANDONED}),
    BatchState.LEASED: frozenset({BatchState.DONE, BatchState.QUEUED, BatchState.ABANDONED}),
    BatchState.DONE: frozenset({BatchState.QUEUED}),
    BatchState.ABANDONED: frozenset({BatchState.QUEUED}),
}
"""A batch that is done is queued again only when its incomplete run is reopened because gold was computed anew."""

ACTIVE_RUN_STATES: Final = (RunState.QUEUED, RunState.GENERATING, RunState.SCORING)
SCORABLE_RUN_STATES: Final = (RunState.QUEUED, RunState.SCORING)
OPEN_BATCH_STATES: Final = (BatchState.QUEUED, BatchState.LEASED)


def sources(state: RunState) -> tuple[RunState, ...]:
    """The states from which a run may enter `state`, for a conditional UPDATE."""
    return tuple(source for source, targets in RUN_TRANSITIONS.items() if state in targets)
