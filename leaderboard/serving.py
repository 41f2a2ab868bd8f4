"""The site's own processes on one machine: the web server and one worker, restarted when they die."""

import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from evaluation.embedded.home import private_folder

STOP_SECONDS: Final = 10
GROUP_SECONDS: Final = 3.0
WATCH_SECONDS: Final = 1.0
LOADER_VARIABLE: Final = "MONGO_LOADER_URL"
"""Neither the web server nor a worker may know the user that can write to the benchmark databases."""

WORKER_OPTIONS: Final = ("--without-gossip", "--without-mingle")
"""Workers need nothing of each other: what they share is in PostgreSQL."""


@dataclass(slots=True, kw_only=True)
class SiteProcess:
    """One process that is kept running until it is told to stop; its output goes to `log`."""

    name: str
    command: Sequence[str]
    log: Path
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self) -> None:
        """Start the process in a group of its own, so that Ctrl-C reaches us first."""
        private_folder(self.log.parent)
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command,
                env={name: value for name, value in os.environ.items() if name != LOADER_VARIABLE},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def has_died(self) -> bool:
        """Whether it was started and has ended."""
        return self.process is not None and self.process.poll() is not None

    def stop(self) -> None:
        """Ask the group to end, then end it."""
        if self.process is None:
            return
        for sent, patience in ((signal.SIGTERM, STOP_SECONDS), (signal.SIGKILL, STOP_SECONDS)):
            try:
                os.killpg(self.process.pid, sent)
                self.process.wait(patience)
            except ProcessLookupError:
                break
            except subprocess.TimeoutExpired:
                continue
            break
        end_rest_of_group(self.process.pid)
        self.process = None


def end_rest_of_group(group: int, *, seconds: float = GROUP_SECONDS) -> None:
    """Wait for the children that a stopped process left in its group, and end those that do not go by themselves."""
    deadline = time.monotonic() + seconds
    try:
        while time.monotonic() < deadline:
            os.killpg(group, 0)
            time.sleep(0.05)
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def web_process(*, port: int, logs: Path) -> SiteProcess:
    """The web server on loopback."""
    command = [
        sys.executable, "-m", "gunicorn", "leaderboard.wsgi", "--bind", f"127.0.0.1:{port}",
        "--worker-class", "gthread", "--workers", "1", "--threads", "8", "--timeout", "120", "--graceful-timeout", "5",
    ]  # fmt: skip
    return SiteProcess(name="web", command=command, log=logs / "web.log")


def worker_process(*, logs: Path) -> SiteProcess:
    """One Celery worker, with beat in it."""
    command = [
        sys.executable, "-m", "celery", "--app", "workers.celery", "worker", "--beat",
        "--schedule", str(logs / "beat-schedule"), "--concurrency", "2", "--loglevel", "INFO",
        *WORKER_OPTIONS,
    ]  # fmt: skip
    return SiteProcess(name="worker", command=command, log=logs / "worker.log")


@contextmanager
def running(*processes: SiteProcess) -> Iterator[None]:
    """Keep the processes running while the body does; stop them in reverse order."""
    done = threading.Event()
    watcher = threading.Thread(target=_watch, args=(processes, done), name="site-watcher", daemon=True)
    try:
        for process in processes:
            process.start()
        watcher.start()
        yield
    finally:
        done.set()
        if watcher.is_alive():
            watcher.join()
        for process in reversed(processes):
            process.stop()


def _watch(processes: Sequence[SiteProcess], done: threading.Event) -> None:
    while not done.wait(WATCH_SECONDS):
        for process in processes:
            if process.has_died():
                process.start()


def wait_until_answering(url: str, *, seconds: float = 60) -> None:
    """Wait until a page answers with 200.

    Raises:
        TimeoutError: it did not, in time.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(url, timeout=5):  # noqa: S310 (our own address)
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.2)
    raise TimeoutError(f"{url} did not answer within {seconds:.0f} s")
