"""Tells whether the engine, and this very process, were awake while a query ran: a frozen clock proves no slow query.

A machine that is suspended, swaps, or is short of processors stops the engine or the scorer for seconds. The clock goes
on, and a query that would have taken a moment is "timed out". So while a query takes its time, a thread pings the
engine; where no ping was answered for a good part of that time, the time-out is nobody's proof.
"""

import contextlib
import itertools
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

from evaluation.types import Limits

POLL_SECONDS: Final = 0.25
SHORTEST_FREEZE_SECONDS: Final = 1.0
FROZEN_SHARE: Final = 0.25
"""Of a query's time: silence for longer than this share makes its time-out void."""


@dataclass(slots=True, kw_only=True)
class Watch:
    """One query that is being watched, by the monotonic clock.

    Args:
        limits: of the query.
        started: when it was sent.
        heard: when a ping that was sent after that was answered, ascending.
    """

    limits: Limits
    started: float
    heard: list[float] = field(default_factory=list)

    @property
    def longest_silence(self) -> float:
        """Seconds for which nothing may be heard before the query counts as frozen."""
        return max(SHORTEST_FREEZE_SECONDS, FROZEN_SHARE * self.limits.milliseconds / 1000)

    def was_frozen(self) -> bool:
        """Whether nothing was heard for so long that the query's time proves nothing."""
        marks = [self.started, *self.heard, time.monotonic()]
        return max(after - before for before, after in itertools.pairwise(marks)) > self.longest_silence


class Pulse:
    """Watches queries of any number of threads; its own thread starts with the first query of a process.

    Args:
        ping: asks the engine for an answer; False where there is none within a few seconds.
    """

    def __init__(self, ping: Callable[[], bool]) -> None:
        self._ping = ping
        self._lock = threading.Lock()
        self._watches: dict[int, Watch] = {}
        self._process = 0

    @contextlib.contextmanager
    def watching(self, limits: Limits) -> Iterator[Watch]:
        """Watch the query that the body sends."""
        watch = Watch(limits=limits, started=time.monotonic())
        with self._lock:
            self._watches[id(watch)] = watch
            self._start()
        try:
            yield watch
        finally:
            with self._lock:
                self._watches.pop(id(watch), None)

    def _start(self) -> None:
        # A thread does not live through a fork.
        if self._process != os.getpid():
            self._process = os.getpid()
            threading.Thread(target=self._run, name="pulse", daemon=True).start()

    def _run(self) -> None:
        while True:
            time.sleep(POLL_SECONDS)
            waiting = self._due()
            if waiting and self._ping():
                now = time.monotonic()
                for watch in waiting:
                    watch.heard.append(now)

    def _due(self) -> list[Watch]:
        """The queries that take so long that one should listen again."""
        now = time.monotonic()
        with self._lock:
            watches = list(self._watches.values())
        return [watch for watch in watches if now - _last(watch) > watch.longest_silence / 4]


def _last(watch: Watch) -> float:
    return watch.heard[-1] if watch.heard else watch.started
