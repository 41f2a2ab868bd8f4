"""Keeps the embedded document database alive: starts it, pings it, kills and restarts it on the same port and data.

One query can freeze the engine (a long computation in C code holds the interpreter, and with it every connection),
and nothing but SIGKILL ends that. Run as `python -m evaluation.embedded.engine_keeper`; SIGTERM ends both.
"""

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from evaluation.embedded.process import wait_until
from evaluation.embedded.wire_ping import answers_ping

LAUNCHER = Path(__file__).with_name("engine_launcher.py")
HOST = "127.0.0.1"
START_SECONDS = 60.0
STOP_SECONDS = 15.0
INTERVAL_SECONDS = 1.0
SHORTEST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 0.1, 5.0
MEMORY_MIB = "3000"
LOG, LARGEST_LOG_BYTES = "engine.log", 16 * 1024 * 1024


class StoppedError(Exception):
    """SIGTERM or SIGINT arrived."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What to keep alive.

    Args:
        folder: where data, users and the engine's state lie.
        port: the port on 127.0.0.1.
        patience_seconds: how long the engine may leave pings unanswered before it counts as frozen.
    """

    folder: Path
    port: int
    patience_seconds: float


def main(arguments: Sequence[str]) -> int:
    """Keep the engine until told to stop; 1 if it did not come up the first time."""
    settings = _settings(arguments)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _raise_stopped)
    try:
        _keep(settings)
    except StoppedError:
        return 0
    return 1


def _settings(arguments: Sequence[str]) -> Settings:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--patience", type=float, default=10.0)
    parsed = parser.parse_args(arguments)
    return Settings(folder=parsed.folder, port=parsed.port, patience_seconds=parsed.patience)


def _raise_stopped(_number: int, _frame: FrameType | None) -> None:
    # A second signal must not break off the orderly end that the first one began.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    raise StoppedError


def _keep(settings: Settings) -> None:
    """Run the engine again and again; returns only if its very first start fails."""
    starts, pause = 0, SHORTEST_PAUSE_SECONDS
    while True:
        with _engine(settings) as engine:
            if _comes_up(engine, settings):
                starts, pause = starts + 1, SHORTEST_PAUSE_SECONDS
                _note(settings, engine, starts)
                _watch(engine, settings)
            elif not starts:
                return
        _log(f"the engine ended with status {engine.returncode}; starting it again on port {settings.port}")
        time.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_SECONDS)


@contextlib.contextmanager
def _engine(settings: Settings) -> Iterator["subprocess.Popen[bytes]"]:
    command = [sys.executable, "-P", str(LAUNCHER), "--host", HOST, "--port", str(settings.port), "--auth"]
    command += ["--storage-path", str(settings.folder / "data"), "--users", str(settings.folder / "users.json")]
    command += ["--parent", str(os.getpid())]
    # The memory limit counts address space: two allocation arenas instead of one a thread keep that near what is used.
    environment = {"LAUNCHER_MEM_MIB": MEMORY_MIB, "MALLOC_ARENA_MAX": "2"} | os.environ
    # In its own session: a signal to the keeper's group must not end the engine while the keeper still restarts it.
    engine = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)
    try:
        yield engine
    finally:
        _end(engine)


def _comes_up(engine: "subprocess.Popen[bytes]", settings: Settings) -> bool:
    def decided() -> bool:
        return engine.poll() is not None or answers_ping(host=HOST, port=settings.port, seconds=1.0)

    # An engine that has ended while the port answers means that a stranger listens there.
    return wait_until(decided, seconds=START_SECONDS) and engine.poll() is None


def _watch(engine: "subprocess.Popen[bytes]", settings: Settings) -> None:
    """Return when the engine has ended, or is to be killed because it left pings unanswered too long."""
    answered = time.monotonic()
    while engine.poll() is None:
        if answers_ping(host=HOST, port=settings.port, seconds=settings.patience_seconds / 2):
            answered = time.monotonic()
        elif time.monotonic() - answered >= settings.patience_seconds:
            _log(f"no answer for {settings.patience_seconds:g} s: killing process {engine.pid}")
            engine.kill()
            engine.wait()
            return
        _bound_log(settings.folder / LOG)
        with contextlib.suppress(subprocess.TimeoutExpired):
            engine.wait(INTERVAL_SECONDS)


def _bound_log(log: Path) -> None:
    """Empty a log that has grown large: the engine writes a stack for each query that it has no answer for."""
    with contextlib.suppress(FileNotFoundError):
        if log.stat().st_size > LARGEST_LOG_BYTES:
            # Whoever has it open appends, so writing goes on at the new end.
            os.truncate(log, 0)


def _end(engine: "subprocess.Popen[bytes]") -> None:
    engine.terminate()
    try:
        engine.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        engine.kill()
        engine.wait()


def _note(settings: Settings, engine: "subprocess.Popen[bytes]", starts: int) -> None:
    fresh = settings.folder / "engine.json.new"
    fresh.write_text(json.dumps({"pid": engine.pid, "starts": starts}), encoding="utf-8")
    fresh.replace(settings.folder / "engine.json")


def _log(text: str) -> None:
    sys.stderr.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} keeper: {text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
