"""What goes wrong in a chaos trial, when, and to whom: drawn from a seed, done to real processes."""

import contextlib
import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
import psycopg

from evaluation.embedded.process import ProcessIdentity
from evaluation.embedded.shared_part import RunningPart, running_part
from leaderboard.embedded.redis import HOST, RedisPart
from leaderboard.embedded.redis import url as redis_url

SHORTEST_GAP, LONGEST_GAP = 0.3, 2.5
SHORTEST_PAUSE, LONGEST_PAUSE = 0.2, 5.0


class KeptRedis:
    """A Redis server that is started again when it was killed, on the same port.

    Args:
        folder: where its password lies.
        port: a port that it had before.
    """

    def __init__(self, folder: Path, *, port: int = 0) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.part = RedisPart(folder)
        self.running: RunningPart | None = None
        nobody = ProcessIdentity(pid=0, started=0)
        self.part.start(RunningPart(process=nobody, host=HOST, port=port, version=""), self._announced)

    @property
    def url(self) -> str:
        """The value for `REDIS_URL`."""
        if self.running is None:
            raise RuntimeError("Redis has not been started")
        return redis_url(self.running, self.part.folder)

    def start(self) -> None:
        """Start it, again on its port."""
        previous = self.running
        self.part.start(previous, self._announced)

    def _announced(self, running: RunningPart) -> None:
        self.running = running

    def stop(self) -> None:
        """Stop it."""
        if self.running is not None:
            self.part.stop(self.running)


@dataclass(frozen=True, slots=True, kw_only=True)
class Victims:
    """What can be hurt.

    Args:
        redis: the broker.
        mongo: folder of the embedded document database; its keeper starts the engine again.
        postgresql: connection string of the site's database.
        workers: tells the processes that lead a Celery worker each; they are started again by their keeper.
    """

    redis: KeptRedis
    mongo: Path
    postgresql: str
    workers: Callable[[], Sequence[int]]


class Chaos:
    """Does one fault after the other until it is told to stop; the same seed draws the same faults and gaps."""

    def __init__(self, victims: Victims, *, seed: int) -> None:
        self.done: Counter[str] = Counter()
        self.faults: Mapping[str, Callable[[], None]] = {
            "worker killed": self.kill_worker,
            "worker process killed": self.kill_child,
            "worker process paused": self.pause_child,
            "worker paused": self.pause_worker,
            "Redis killed": self.kill_redis,
            "Redis paused": self.pause_redis,
            "connections cut": self.cut_connections,
            "a connection's server process paused": self.pause_backend,
            "engine killed": self.kill_engine,
            "engine paused": self.pause_engine,
        }
        self._victims = victims
        self._chance = random.Random(seed)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="chaos", daemon=True)

    @contextlib.contextmanager
    def raging(self) -> Iterator[None]:
        """Do faults while the body runs."""
        self._thread.start()
        try:
            yield
        finally:
            self._stop.set()
            self._thread.join()

    def _run(self) -> None:
        # Each fault comes before any comes again, in an order of the seed's.
        waiting: list[str] = []
        while not self._stop.wait(self._chance.uniform(SHORTEST_GAP, LONGEST_GAP)):
            if not waiting:
                waiting = self._chance.sample(sorted(self.faults), k=len(self.faults))
            name = waiting.pop()
            with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError, psycopg.OperationalError):
                self.faults[name]()
                self.done[name] += 1

    def kill_worker(self) -> None:
        """The whole of a worker, as when its machine loses power."""
        leader = psutil.Process(self._chance.choice(list(self._victims.workers())))
        for process in (*leader.children(recursive=True), leader):
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()

    def kill_child(self) -> None:
        """A process that may be in the middle of a batch, as when memory runs out."""
        self._child().kill()

    def pause_child(self) -> None:
        """Long enough, at times, for its lease to lapse: it must not store anything when it wakes up."""
        self._paused(self._child().pid)

    def pause_worker(self) -> None:
        """The process that takes messages."""
        self._paused(self._chance.choice(list(self._victims.workers())))

    def _child(self) -> psutil.Process:
        leader = psutil.Process(self._chance.choice(list(self._victims.workers())))
        children = leader.children()
        return self._chance.choice(children) if children else leader

    def kill_redis(self) -> None:
        """It keeps nothing: every message is lost."""
        running = self._victims.redis.running
        if running is not None:
            os.kill(running.process.pid, signal.SIGKILL)
            time.sleep(self._chance.uniform(0, LONGEST_PAUSE / 2))
            self._victims.redis.start()

    def pause_redis(self) -> None:
        """It neither answers nor refuses."""
        running = self._victims.redis.running
        if running is not None:
            self._paused(running.process.pid)

    def cut_connections(self) -> None:
        """Some or all connections of the site to its database."""
        with psycopg.connect(self._victims.postgresql, autocommit=True) as connection:
            share = self._chance.choice([0.3, 1.0])
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < %s",
                [share],
            )

    def pause_backend(self) -> None:
        """One connection hangs, with whatever it has locked."""
        with psycopg.connect(self._victims.postgresql, autocommit=True) as connection:
            rows = connection.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                " AND backend_type = 'client backend' ORDER BY pid"
            ).fetchall()
        if rows:
            self._paused(self._chance.choice(rows)[0])

    def kill_engine(self) -> None:
        """The document database; its keeper starts it again."""
        self._engine().kill()

    def pause_engine(self) -> None:
        """The document database answers nobody for a while."""
        self._paused(self._engine().pid)

    def _engine(self) -> psutil.Process:
        running = running_part(self._victims.mongo)
        if running is None:
            raise ProcessLookupError
        children = psutil.Process(running.process.pid).children()
        if not children:
            raise ProcessLookupError
        return children[0]

    def _paused(self, pid: int) -> None:
        os.kill(pid, signal.SIGSTOP)
        try:
            time.sleep(self._chance.uniform(SHORTEST_PAUSE, LONGEST_PAUSE))
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
