"""Retries a query that lost the engine once, alone; a query that takes it down twice has used up its time.

A time-out counts as such a loss where engine or scorer were frozen meanwhile, for whatever reason (see `pulse`).

The embedded engine is killed and restarted when a query freezes it, and every query that ran beside is lost with it.
Were each of them simply retried together, the one would take the others down again. So queries pass a turnstile, a
lock shared by all processes of this machine: normally many are inside, a retry waits until it is alone.
"""

import contextlib
import time
from typing import Protocol

from evaluation.errors import EngineUnavailableError
from evaluation.executors.errors import EngineLostError
from evaluation.executors.pulse import Pulse
from evaluation.executors.turnstile import Turnstile
from evaluation.types import Answer, EngineIdentity, ExecutionFailure, Executor, FailureKind, Limits, Query

RECOVERY_SECONDS = 60.0
POLL_SECONDS = 0.25


class WatchableExecutor(Executor, Protocol):
    """An executor that can tell whether its engine answers."""

    def is_healthy(self) -> bool:
        """Whether the engine answers promptly."""
        ...


class PatientExecutor:
    """An `evaluation.types.Executor` around another one.

    Args:
        executor: runs the queries.
        turnstile: shared by everybody who uses that engine.
        recovery_seconds: how long to wait for the engine to come back.
    """

    def __init__(
        self, executor: WatchableExecutor, *, turnstile: Turnstile, recovery_seconds: float = RECOVERY_SECONDS
    ) -> None:
        self._executor = executor
        self._turnstile = turnstile
        self._recovery_seconds = recovery_seconds
        self._pulse = Pulse(executor.is_healthy)

    @property
    def identity(self) -> EngineIdentity:
        """The engine behind this executor."""
        return self._executor.identity

    def execute(self, query: Query, *, database: str, limits: Limits) -> Answer | ExecutionFailure:
        """See `evaluation.types.Executor.execute`.

        Raises:
            EngineUnavailableError: the engine cannot be reached, or did not come back.
        """
        with contextlib.suppress(EngineLostError), self._turnstile.passed(), self._pulse.watching(limits) as watch:
            result = self._executor.execute(query, database=database, limits=limits)
            if not (_timed_out(result) and watch.was_frozen()):
                return result
        with self._turnstile.passed(alone=True):
            self._wait_until_healthy()
            try:
                return self._executor.execute(query, database=database, limits=limits)
            except EngineLostError:
                # Judged only once the engine is back: a server that stays away was not lost to the query.
                self._wait_until_healthy()
        return ExecutionFailure(
            kind=FailureKind.TIMED_OUT,
            code=None,
            message="the query took the engine down twice, the second time while it ran alone",
            milliseconds=float(limits.milliseconds),
        )

    def _wait_until_healthy(self) -> None:
        deadline = time.monotonic() + self._recovery_seconds
        while not self._executor.is_healthy():
            if time.monotonic() >= deadline:
                raise EngineUnavailableError(
                    f"the document database did not come back within {self._recovery_seconds:g} s"
                )
            time.sleep(POLL_SECONDS)


def _timed_out(result: Answer | ExecutionFailure) -> bool:
    return isinstance(result, ExecutionFailure) and result.kind is FailureKind.TIMED_OUT
