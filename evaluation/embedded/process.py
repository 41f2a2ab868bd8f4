"""Processes that outlive the call that started them, told apart by process id plus start time (Linux, /proc)."""

import contextlib
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

POLL_SECONDS = 0.05
KILLED_SECONDS = 5.0
STANDARD_ERROR = 2
PORTS_TRIED, PORTS_CONSIDERED = 50, 10_000
USUAL_LOWEST_OUTGOING_PORT = 32_768


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessIdentity:
    """One process, never mistaken for a later one with the same number.

    Args:
        pid: the process id.
        started: when it was started, in clock ticks since boot (field 22 of /proc/PID/stat).
    """

    pid: int
    started: int


def identity_of(pid: int) -> ProcessIdentity | None:
    """The live process with this number, or None; a dead process that nobody has waited for is not live."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name in parentheses may itself hold blanks and parentheses, so fields are counted from the last one.
    fields = text.rpartition(")")[2].split()
    if fields[0] in {"Z", "X"}:
        return None
    return ProcessIdentity(pid=pid, started=int(fields[19]))


def is_running(process: ProcessIdentity) -> bool:
    """Whether this very process is still alive."""
    return identity_of(process.pid) == process


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A system user that a program is to run as."""

    name: str
    user_id: int
    group_id: int


# Run by the interpreter in isolated mode as `python -c … USER GROUP PROGRAM ARGUMENTS…`.
CHANGE_USER = """
import os, sys
user, group, *command = sys.argv[1:]
os.setgroups([]); os.setgid(int(group)); os.setuid(int(user))
os.chdir("/")
os.execv(command[0], command)
"""


def as_account(command: Sequence[str], account: Account | None) -> list[str]:
    """The command that gives up our rights for those of `account` and then becomes `command`."""
    if account is None:
        return list(command)
    change = [sys.executable, "-I", "-S", "-c", CHANGE_USER, str(account.user_id), str(account.group_id)]
    return [*change, *command]


def start_detached(command: Sequence[str], *, log: Path, environment: Mapping[str, str]) -> ProcessIdentity:
    """Start a process in its own session, its output appended to `log`, so that a Ctrl-C here does not reach it.

    Args:
        command: the path of the program and its arguments.
        log: made readable by this user only if it does not exist.
        environment: all of the process's environment.

    Raises:
        OSError: the program cannot be started.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    pid = os.posix_spawn(
        command[0],
        list(command),
        dict(environment),
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, str(log), flags, 0o600),
            (os.POSIX_SPAWN_DUP2, 1, 2),
            *((os.POSIX_SPAWN_CLOSE, descriptor) for descriptor in _inheritable_descriptors()),
        ],
        setsid=True,
    )
    # A process that is already gone is reported as one that is not running, by a start time that none has.
    return identity_of(pid) or ProcessIdentity(pid=pid, started=-1)


def _inheritable_descriptors() -> list[int]:
    """Open files that a new process would get from us; one that lived on with a pipe would keep its reader waiting."""
    inheritable = []
    for entry in Path("/proc/self/fd").iterdir():
        number = int(entry.name)
        # The listing's own descriptor is gone by now.
        with contextlib.suppress(OSError):
            if number > STANDARD_ERROR and os.get_inheritable(number):
                inheritable.append(number)
    return inheritable


def stop(process: ProcessIdentity, *, sign: signal.Signals = signal.SIGTERM, grace_seconds: float = 10.0) -> None:
    """Ask the process to end, wait, then kill the process group that it leads (or it alone where it leads none)."""
    if is_running(process):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, sign)
        if not wait_until(lambda: not is_running(process), seconds=grace_seconds):
            _kill(process)
            wait_until(lambda: not is_running(process), seconds=KILLED_SECONDS)
    _reap(process)


def _kill(process: ProcessIdentity) -> None:
    with contextlib.suppress(ProcessLookupError):
        if os.getpgid(process.pid) == process.pid:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            os.kill(process.pid, signal.SIGKILL)


def _reap(process: ProcessIdentity) -> None:
    # Only the process that started it can; anyone else is told so, and init does it.
    with contextlib.suppress(ChildProcessError):
        os.waitpid(process.pid, os.WNOHANG)


def wait_until(condition: Callable[[], bool], *, seconds: float) -> bool:
    """Poll until `condition()` holds; False if it does not within `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() >= deadline:
            return False
        time.sleep(POLL_SECONDS)
    return True


def port_is_free(port: int) -> bool:
    """Whether a server could listen on this port of 127.0.0.1 now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def free_port(*, preferred: int = 0) -> int:
    """A port of 127.0.0.1 that nobody listens on: the preferred one if it is free, else one of our choice.

    Ours lie below those that the system gives to outgoing connections: one of these could hold a server's port just
    when the server is restarted on it.
    """
    if preferred and port_is_free(preferred):
        return preferred
    for _ in range(PORTS_TRIED):
        port = _lowest_outgoing_port() - 1 - secrets.randbelow(PORTS_CONSIDERED)
        if port_is_free(port):
            return port
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _lowest_outgoing_port() -> int:
    try:
        lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError, IndexError):
        return USUAL_LOWEST_OUTGOING_PORT
    # A machine that gives out nearly all ports leaves no room below them.
    return lowest if lowest > PORTS_CONSIDERED + 1024 else USUAL_LOWEST_OUTGOING_PORT


def log_tail(log: Path, *, lines: int = 15) -> str:
    """The last lines of a log file for an error message, "" if there is none."""
    try:
        text = log.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    return "\n".join(text.splitlines()[-lines:])
