"""A part that several processes share, with a small server of our own."""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path

import psutil
import pytest

from evaluation.embedded.errors import EmbeddedPartError
from evaluation.embedded.process import is_running, start_detached, stop, wait_until
from evaluation.embedded.shared_part import RunningPart, joined, running_part, stop_part

SLEEPER = "import time; time.sleep(120)"
SPAWN = multiprocessing.get_context("spawn")


class SleepingPart:
    """A server that does nothing; healthy while the file `sick` is not there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def start(self, previous: RunningPart | None, announce: Callable[[RunningPart], None]) -> None:
        with (self.folder / "starts").open("a") as stream:
            stream.write("x")
        time.sleep(0.1)
        (self.folder / "sick").unlink(missing_ok=True)
        process = start_detached([sys.executable, "-c", SLEEPER], log=self.folder / "log", environment=os.environ)
        announce(RunningPart(process=process, host="here", port=previous.port if previous else 7, version="1"))

    def is_healthy(self, running: RunningPart) -> bool:
        return not (self.folder / "sick").exists()

    def stop(self, running: RunningPart) -> None:
        stop(running.process, grace_seconds=2)

    @property
    def starts(self) -> int:
        return len((self.folder / "starts").read_text())


class BrokenPart(SleepingPart):
    """A server that cannot be started."""

    def start(self, previous: RunningPart | None, announce: Callable[[RunningPart], None]) -> None:
        raise EmbeddedPartError("not installed")


class InterruptedPart(SleepingPart):
    """A server that comes up, but Ctrl-C arrives before we know."""

    def start(self, previous: RunningPart | None, announce: Callable[[RunningPart], None]) -> None:
        super().start(previous, announce)
        raise KeyboardInterrupt


@pytest.fixture
def part(tmp_path: Path) -> Iterator[SleepingPart]:
    folder = tmp_path / "a part"
    folder.mkdir()
    made = SleepingPart(folder)
    yield made
    stop_part(made, folder)


def use(folder: str, seconds: float) -> None:
    """Run in another process: use the part for a while, and note which process it was."""
    with joined(SleepingPart(Path(folder)), Path(folder)) as running:
        (Path(folder) / f"used by {os.getpid()}").write_text(str(running.process.pid))
        time.sleep(seconds)


@contextlib.contextmanager
def another_user(part: SleepingPart, *, seconds: float = 60) -> Iterator[BaseProcess]:
    process = SPAWN.Process(target=use, args=(str(part.folder), seconds))
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


def used_by(part: SleepingPart, user: BaseProcess) -> int:
    note = part.folder / f"used by {user.pid}"
    assert wait_until(note.exists, seconds=20)
    assert wait_until(lambda: bool(note.read_text()), seconds=5)
    return int(note.read_text())


def test_the_last_user_stops_it(part: SleepingPart) -> None:
    with joined(part, part.folder) as first:
        with joined(part, part.folder) as second:
            assert first == second
        assert is_running(first.process)
    assert not is_running(first.process)
    assert running_part(part.folder) is None


def test_a_second_process_joins_what_runs(part: SleepingPart) -> None:
    with joined(part, part.folder) as running:
        with another_user(part) as user:
            assert used_by(part, user) == running.process.pid
        assert is_running(running.process)
    assert part.starts == 1


def test_it_outlives_the_process_that_started_it_while_another_uses_it(part: SleepingPart) -> None:
    with another_user(part, seconds=1.0) as starter:
        pid = used_by(part, starter)
        with joined(part, part.folder) as running:
            starter.join(20)
            assert running.process.pid == pid
            assert is_running(running.process)
    assert not is_running(running.process)


def test_two_that_start_at_once_share_one(part: SleepingPart) -> None:
    with another_user(part) as first, another_user(part) as second:
        assert used_by(part, first) == used_by(part, second)
    assert part.starts == 1


def test_threads_that_start_at_once_share_one(part: SleepingPart) -> None:
    found: list[int] = []
    barrier = threading.Barrier(4)

    def run() -> None:
        barrier.wait()
        with joined(part, part.folder) as running:
            found.append(running.process.pid)
            barrier.wait()

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(found) == 4
    assert len(set(found)) == 1
    assert running_part(part.folder) is None


def test_what_a_killed_user_left_running_is_joined_and_stopped_by_the_next(part: SleepingPart) -> None:
    with another_user(part) as user:
        pid = used_by(part, user)
    left = running_part(part.folder)
    assert left is not None

    with joined(part, part.folder) as running:
        assert running.process.pid == pid
    assert not is_running(left.process)
    assert part.starts == 1


def test_what_a_killed_user_left_unhealthy_is_replaced_at_the_same_port(part: SleepingPart) -> None:
    with another_user(part) as user:
        pid = used_by(part, user)
    left = running_part(part.folder)
    assert left is not None
    (part.folder / "sick").touch()

    with joined(part, part.folder) as running:
        assert running.process.pid != pid
        assert running.port == left.port
        assert not is_running(left.process)


def test_what_died_meanwhile_is_started_again(part: SleepingPart) -> None:
    with another_user(part) as user:
        killed = psutil.Process(used_by(part, user))
        killed.kill()
        # The signal is on its way only; what is still dying may be taken for what runs.
        psutil.wait_procs([killed], timeout=10)
    with joined(part, part.folder) as running:
        assert is_running(running.process)
    assert part.starts == 2


@pytest.mark.parametrize("text", ["", "{", "[]", '{"process": 5}', '{"process": {"pid": 1}, "host": ""}'])
def test_a_state_file_that_cannot_be_read_is_as_good_as_none(part: SleepingPart, text: str) -> None:
    (part.folder / "state.json").write_text(text)

    assert running_part(part.folder) is None
    with joined(part, part.folder) as running:
        assert is_running(running.process)


def test_a_part_that_cannot_start_says_so_and_holds_no_lock(part: SleepingPart) -> None:
    with pytest.raises(EmbeddedPartError, match="not installed"), joined(BrokenPart(part.folder), part.folder):
        pass
    with joined(part, part.folder) as running:
        assert is_running(running.process)


def test_a_start_that_is_interrupted_leaves_no_server_behind(part: SleepingPart) -> None:
    with pytest.raises(KeyboardInterrupt), joined(InterruptedPart(part.folder), part.folder):
        pass

    assert part.starts == 1
    assert running_part(part.folder) is None


def test_stopping_by_hand_stops_what_others_use(part: SleepingPart) -> None:
    with joined(part, part.folder) as running:
        assert stop_part(part, part.folder)
        assert not is_running(running.process)
        assert not stop_part(part, part.folder)


def test_a_child_forked_meanwhile_does_not_keep_it_alive_nor_stop_it(part: SleepingPart) -> None:
    with joined(part, part.folder) as running:
        with joined(part, part.folder):
            child = os.fork()
            if child == 0:
                time.sleep(60)
                os._exit(0)
        assert is_running(running.process)
    try:
        assert not is_running(running.process)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
