"""One worker process of a measurement: scores what is due when it is told to, on an engine that sleeps."""

import sys
import time

from evaluation.types import Answer, AnswerKind, EngineIdentity, Limits, Query
from leaderboard.models.runs import Run
from leaderboard.models.states import ACTIVE_RUN_STATES
from workers import scoring

QUERY_SECONDS = 0.005
POLL_SECONDS = 0.005


class SleepingExecutor:
    """Answers each query after the same time."""

    @property
    def identity(self) -> EngineIdentity:
        """A made engine."""
        return EngineIdentity(name="Sleeping", version="1", demo=True)

    def execute(self, query: Query, *, database: str, limits: Limits) -> Answer:
        """One row."""
        time.sleep(QUERY_SECONDS)
        return Answer(kind=AnswerKind.DOCUMENTS, rows=({"n": 1},), milliseconds=QUERY_SECONDS * 1000)


def main() -> None:
    """Serve until the input ends."""
    engine = SleepingExecutor()
    scoring.executor = lambda: engine  # type: ignore[assignment]
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for _ in sys.stdin:
        while Run.objects.filter(state__in=ACTIVE_RUN_STATES).exists():
            if not scoring.score_next():
                time.sleep(POLL_SECONDS)
        sys.stdout.write("done\n")
        sys.stdout.flush()
