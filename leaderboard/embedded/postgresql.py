"""The embedded PostgreSQL, reached through a Unix socket that only its user (and root) can open."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import psycopg

from evaluation.embedded.errors import EmbeddedPartError
from evaluation.embedded.process import (
    as_account,
    identity_of,
    is_running,
    log_tail,
    start_detached,
    stop,
    wait_until,
)
from evaluation.embedded.shared_part import RunningPart
from leaderboard.embedded.postgresql_files import Files, provided_files

USER = DATABASE = "aptboard"
# Part of the socket's name, and no port of the machine; always said, or the variable PGPORT would be heeded.
PORT = 5432
START_SECONDS = 60.0
ANSWER_SECONDS = 15.0
STOP_SECONDS = 30.0
INITDB_SECONDS = 120
READY_LINE = 7
LEFTOVER, LEFTOVER_SECONDS, LEFTOVER_PAUSE_SECONDS = "pre-existing shared memory block", 30.0, 0.3


class PostgresqlPart:
    """See `evaluation.embedded.shared_part.Part`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "postgresql.log"

    def start(self, previous: RunningPart | None, announce: Callable[[RunningPart], None]) -> None:
        """Make the cluster if there is none, and start its server."""
        files = provided_files(self.folder)
        _stop_forgotten(files)
        if not files.data.is_dir():
            _make_cluster(files)
        deadline = time.monotonic() + LEFTOVER_SECONDS
        while (running := self._started(files, announce)) is None:
            # The children of a server that was killed hold its memory until they have noticed; that is soon.
            if LEFTOVER not in log_tail(self.log) or time.monotonic() > deadline:
                raise EmbeddedPartError(f"PostgreSQL did not start; {self.log} ends:\n{log_tail(self.log)}")
            time.sleep(LEFTOVER_PAUSE_SECONDS)
        _make_database(running)

    def _started(self, files: Files, announce: Callable[[RunningPart], None]) -> RunningPart | None:
        self.log.unlink(missing_ok=True)
        process = start_detached(as_account(_command(files), files.account), log=self.log, environment=_environment())
        running = RunningPart(process=process, host=str(files.sockets), port=0, version=files.version)
        announce(running)
        # Not asked before it says that it is ready: each refusal would be a line in the log that we show if it fails.
        came_up = wait_until(
            lambda: not is_running(process) or (_is_ready(files) and _answers(running)), seconds=START_SECONDS
        )
        if came_up and is_running(process):
            return running
        stop(process, sign=signal.SIGINT, grace_seconds=STOP_SECONDS)
        return None

    def is_healthy(self, running: RunningPart) -> bool:
        """Whether the server answers; waits while it may still be starting."""
        return wait_until(lambda: _answers(running), seconds=ANSWER_SECONDS)

    def stop(self, running: RunningPart) -> None:
        """Stop the server; SIGINT ends its clients' connections instead of waiting for them."""
        stop(running.process, sign=signal.SIGINT, grace_seconds=STOP_SECONDS)
        # A server that was killed leaves its socket behind.
        shutil.rmtree(running.host, ignore_errors=True)


def url(running: RunningPart) -> str:
    """The value for `DATABASE_URL`."""
    return f"postgresql://{USER}@/{DATABASE}?host={quote(running.host, safe='')}&port={PORT}"


def _command(files: Files) -> list[str]:
    command = [str(files.programs / "postgres"), "-D", str(files.data), "-k", str(files.sockets)]
    command += ["-p", str(PORT)]
    return [*command, "-c", "listen_addresses=", "-c", "unix_socket_permissions=0700", "-c", "max_connections=200"]


def _environment() -> dict[str, str]:
    # Variables such as PGPORT or PGDATA of somebody who uses another PostgreSQL would change ours.
    return {name: value for name, value in os.environ.items() if not name.startswith("PG")}


def _make_cluster(files: Files) -> None:
    """Run initdb; the cluster gets its name only when it is complete."""
    fresh = files.work / "data.new"
    shutil.rmtree(fresh, ignore_errors=True)
    command = [str(files.programs / "initdb"), "-D", str(fresh), "--username", USER, "--auth", "trust"]
    command += ["--encoding", "UTF8", "--locale", "C", "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8"]
    done = subprocess.run(
        as_account(command, files.account),
        cwd="/",
        env=_environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=INITDB_SECONDS,
        check=False,
    )
    if done.returncode:
        raise EmbeddedPartError(f"PostgreSQL's initdb failed: {done.stderr.strip()}")
    fresh.rename(files.data)


def _stop_forgotten(files: Files) -> None:
    """Stop a server on this very cluster that our notes do not know, because they were lost."""
    try:
        lines = (files.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        process = identity_of(int(lines[0]))
    except (FileNotFoundError, ValueError, IndexError):
        return
    # The number may belong to another program by now.
    if process is not None and str(files.data) in _command_line(process.pid):
        stop(process, sign=signal.SIGINT, grace_seconds=STOP_SECONDS)


def _is_ready(files: Files) -> bool:
    """Whether the server's own note says so, as `pg_ctl` reads it: the last of its lines is the state."""
    try:
        lines = (files.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return False
    return len(lines) > READY_LINE and lines[READY_LINE].strip() == "ready"


def _command_line(pid: int) -> list[str]:
    try:
        return os.fsdecode(Path(f"/proc/{pid}/cmdline").read_bytes()).split("\0")
    except (FileNotFoundError, ProcessLookupError):
        return []


def _make_database(running: RunningPart) -> None:
    with psycopg.connect(host=running.host, port=PORT, user=USER, dbname="postgres", autocommit=True) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
            connection.execute(f"CREATE DATABASE {DATABASE}")


def _answers(running: RunningPart) -> bool:
    try:
        with psycopg.connect(
            host=running.host, port=PORT, user=USER, dbname="postgres", connect_timeout=3
        ) as connection:
            return connection.execute("SELECT 1").fetchone() == (1,)
    except psycopg.Error:
        return False
