"""Processes that are started, told apart and stopped."""

import os
import signal
import socket
import sys
from pathlib import Path

import pytest

from evaluation.embedded.process import (
    ProcessIdentity,
    free_port,
    identity_of,
    is_running,
    log_tail,
    port_is_free,
    start_detached,
    stop,
    wait_until,
)

SLEEPER = "import time; print('ready', flush=True); time.sleep(60)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('ready', flush=True); time.sleep(60)"
)
# Leads a group whose other member ignores SIGTERM.
PARENT = f"""
import signal, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {STUBBORN!r}])
print(child.pid, flush=True)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child.wait()
"""


def started(program: str, log: Path) -> ProcessIdentity:
    process = start_detached([sys.executable, "-c", program], log=log, environment=os.environ)
    assert wait_until(lambda: bool(log_tail(log)), seconds=10)
    return process


def test_a_detached_process_runs_in_its_own_session_and_writes_to_its_log(tmp_path: Path) -> None:
    process = started(SLEEPER, tmp_path / "log")

    assert is_running(process)
    assert os.getsid(process.pid) == process.pid
    assert "ready" in log_tail(tmp_path / "log")
    assert (tmp_path / "log").stat().st_mode & 0o077 == 0
    stop(process)
    assert not is_running(process)


def test_a_detached_process_keeps_no_pipe_of_ours_open(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.set_inheritable(writer, True)
    process = started(SLEEPER, tmp_path / "log")
    os.close(writer)

    assert os.read(reader, 1) == b""
    os.close(reader)
    stop(process)


def test_a_process_that_ignores_sigterm_is_killed(tmp_path: Path) -> None:
    process = started(STUBBORN, tmp_path / "log")

    stop(process, grace_seconds=0.2)

    assert not is_running(process)


def test_the_group_of_a_process_that_does_not_end_in_time_is_killed_with_it(tmp_path: Path) -> None:
    process = started(PARENT, tmp_path / "log")
    child = identity_of(int(log_tail(tmp_path / "log").splitlines()[0]))
    assert child is not None

    stop(process, grace_seconds=0.2)

    assert wait_until(lambda: not is_running(child), seconds=5)


def test_a_process_with_the_same_number_but_another_start_is_another_one() -> None:
    ourselves = identity_of(os.getpid())
    assert ourselves is not None
    earlier = ProcessIdentity(pid=ourselves.pid, started=ourselves.started - 1)

    assert is_running(ourselves)
    assert not is_running(earlier)
    stop(earlier)


def test_a_dead_process_that_nobody_waited_for_does_not_run(tmp_path: Path) -> None:
    process = started(SLEEPER, tmp_path / "log")
    os.kill(process.pid, signal.SIGKILL)

    assert wait_until(lambda: not is_running(process), seconds=5)
    assert Path(f"/proc/{process.pid}").exists()
    stop(process)
    assert not Path(f"/proc/{process.pid}").exists()


def test_a_program_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nowhere"):
        start_detached([str(tmp_path / "nowhere")], log=tmp_path / "log", environment={})


def test_a_port_in_use_is_not_given_out() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        taken = server.getsockname()[1]

        assert not port_is_free(taken)
        assert free_port(preferred=taken) != taken
    assert free_port(preferred=taken) == taken


def test_ports_are_not_among_those_of_outgoing_connections() -> None:
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])

    assert lowest < 11_025 or all(free_port() < lowest for _ in range(20))
