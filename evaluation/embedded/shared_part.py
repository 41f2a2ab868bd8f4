"""A server process that several processes use at once: the first one starts it and the last one stops it.

Every user holds a shared lock on `users.lock`; the system drops it when the user ends, however it ends. Starting and
leaving happen under `start.lock`, so a user that leaves finds out whether it was the last without a race. What a
killed last user left behind is joined by the next one if it is healthy, else replaced.
"""

import contextlib
import fcntl
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from evaluation.embedded.errors import EmbeddedPartError
from evaluation.embedded.home import private_folder
from evaluation.embedded.process import ProcessIdentity, is_running


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningPart:
    """A part that was started; its passwords are elsewhere.

    Args:
        process: the process that leads the part.
        host: address or folder of sockets that it listens on.
        port: its port, 0 where there is none.
        version: for people.
    """

    process: ProcessIdentity
    host: str
    port: int
    version: str


class Part(Protocol):
    """What a kind of server has to be able to do; all three are called under the part's start lock."""

    def start(self, previous: RunningPart | None, announce: Callable[[RunningPart], None]) -> None:
        """Start the server and return when it answers.

        Args:
            previous: what ran here before and does no more.
            announce: to be called as soon as there is a process, and again if another one replaces it: should we be
                killed while it starts, the next user finds it.

        Raises:
            EmbeddedPartError: it is not installed or does not start.
        """
        ...

    def is_healthy(self, running: RunningPart) -> bool:
        """Whether the server answers; only called while its process is alive."""
        ...

    def stop(self, running: RunningPart) -> None:
        """Stop the server, by force if it must be; does nothing if it is gone."""
        ...


@contextlib.contextmanager
def joined(part: Part, folder: Path) -> Iterator[RunningPart]:
    """Use the part whose data lie in `folder`, starting it if nobody else has.

    Raises:
        EmbeddedPartError: it could not be started.
    """
    private_folder(folder)
    owner = os.getpid()
    with _opened(folder / "users.lock") as users:
        with _locked(folder / "start.lock"):
            try:
                running = _join_or_start(part, folder)
                fcntl.flock(users, fcntl.LOCK_SH)
            except BaseException:
                # Interrupted, by Ctrl-C say, or failed: what came up so far is nobody's.
                _leave(part, folder, users)
                raise
        try:
            yield running
        finally:
            # A child that was forked inside the block does not leave in its parent's name.
            if os.getpid() == owner:
                with _locked(folder / "start.lock"):
                    _leave(part, folder, users)


def running_part(folder: Path) -> RunningPart | None:
    """What runs in `folder` now, without joining it."""
    state = _read_state(folder)
    return state if state is not None and is_running(state.process) else None


def stop_part(part: Part, folder: Path) -> bool:
    """Stop what runs in `folder` whoever uses it; False if nothing ran."""
    if not folder.is_dir():
        return False
    with _locked(folder / "start.lock"):
        running = running_part(folder)
        if running is not None:
            part.stop(running)
        _state_file(folder).unlink(missing_ok=True)
    return running is not None


def _join_or_start(part: Part, folder: Path) -> RunningPart:
    previous = _read_state(folder)
    if previous is not None:
        if is_running(previous.process) and part.is_healthy(previous):
            return previous
        part.stop(previous)
    part.start(previous, lambda running: _write_state(folder, running))
    started = _read_state(folder)
    if started is None:
        raise EmbeddedPartError(f"the file with the state of the part in {folder} disappeared")
    return started


def _leave(part: Part, folder: Path, users: int) -> None:
    try:
        fcntl.flock(users, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        fcntl.flock(users, fcntl.LOCK_UN)
        return
    current = _read_state(folder)
    if current is not None:
        part.stop(current)
        # The state stays: its port is taken again at the next start, so that addresses noted elsewhere stay right.
    fcntl.flock(users, fcntl.LOCK_UN)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with _opened(path) as descriptor:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        try:
            yield
        finally:
            # Unlocked by name: a child forked meanwhile shares the lock, and closing our copy alone would keep it.
            fcntl.flock(descriptor, fcntl.LOCK_UN)


def _state_file(folder: Path) -> Path:
    return folder / "state.json"


def _read_state(folder: Path) -> RunningPart | None:
    try:
        fields = json.loads(_state_file(folder).read_text(encoding="utf-8"))
        process = ProcessIdentity(**fields.pop("process"))
        return RunningPart(process=process, **fields)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError, AttributeError):
        # Written by another version or cut off by a full disk: as good as absent, a start then replaces it.
        return None


def _write_state(folder: Path, running: RunningPart) -> None:
    fresh = folder / "state.json.new"
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as stream:
        json.dump(asdict(running), stream)
    fresh.replace(_state_file(folder))
