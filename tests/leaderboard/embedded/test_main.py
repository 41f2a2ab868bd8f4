"""The command line of the embedded parts."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.embedded.process import wait_until
from leaderboard.embedded.environment import VARIABLES, Part

pytestmark = [pytest.mark.site, pytest.mark.engine]

PROJECT = Path(__file__).resolve().parents[3]


class CommandLine:
    """Runs the command line with a home of its own."""

    def __init__(self, home: Path, **variables: str) -> None:
        self.home = home
        kept = {name: value for name, value in os.environ.items() if not name.endswith("_URL")}
        self.environment = {**kept, **variables, "APTBOARD_HOME": str(home), "PYTHONPATH": str(PROJECT)}

    def start(self, *arguments: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [sys.executable, "-m", "leaderboard.embedded", *arguments],
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        process = self.start(*arguments)
        output, errors = process.communicate(timeout=120)
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


@pytest.fixture
def command_line(tmp_path: Path) -> Iterator[CommandLine]:
    made = CommandLine(tmp_path / "a home")
    yield made
    made.run("remove")


def test_a_command_runs_with_all_parts_and_its_exit_code_is_ours(command_line: CommandLine) -> None:
    inside = "echo $DATABASE_URL $REDIS_URL $MONGO_URL $MONGO_LOADER_URL $APTBOARD_DEMO_ENGINE; exit 7"

    done = command_line.run("run", "--", "sh", "-c", inside)

    assert done.returncode == 7, done.stderr
    words = done.stdout.split()
    assert [word.partition("://")[0] for word in words] == ["postgresql", "redis", "mongodb", "mongodb", "1"]
    assert "not running" in command_line.run("status").stdout


def test_status_and_stop_tell_what_they_find(command_line: CommandLine) -> None:
    process = command_line.start("run", "--", "sh", "-c", "echo up; exec sleep 100")
    assert process.stdout is not None
    assert process.stdout.readline() == "up\n"

    status = command_line.run("status")
    assert status.returncode == 0
    assert status.stdout.count("running, version") == len(Part)
    stopped = command_line.run("stop")
    assert stopped.stdout.count(": stopped") == len(Part)
    assert command_line.run("status").returncode == 1

    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)


def test_a_signal_while_the_parts_start_leaves_none_behind(command_line: CommandLine) -> None:
    process = command_line.start("run", "--", "sleep", "100")
    assert wait_until((command_line.home / Part.POSTGRESQL).exists, seconds=20)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)

    assert process.returncode == 128 + signal.SIGTERM
    assert command_line.run("status").stdout.count("not running") == len(Part)


def test_remove_stops_all_and_leaves_no_data(command_line: CommandLine) -> None:
    command_line.run("run", "--", "true")
    server = command_line.home / Part.POSTGRESQL / "server"
    data = server.resolve()
    assert data.is_dir()

    removed = command_line.run("remove")

    assert removed.returncode == 0
    assert not data.exists()
    assert list(command_line.home.iterdir()) == []


@pytest.fixture
def without_parts(tmp_path: Path) -> CommandLine:
    """A command line whose servers are all elsewhere."""
    return CommandLine(tmp_path, **dict.fromkeys(VARIABLES.values(), "elsewhere"))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_goes_on_to_the_command(without_parts: CommandLine, number: signal.Signals) -> None:
    trap = "trap 'echo caught; exit 5' TERM INT HUP; echo up; while :; do sleep 0.1; done"
    process = without_parts.start("run", "--", "bash", "-c", trap)
    assert process.stdout is not None
    assert process.stdout.readline() == "up\n"

    process.send_signal(number)
    output, _ = process.communicate(timeout=60)

    assert (output, process.returncode) == ("caught\n", 5)


def test_a_command_that_a_signal_ended_is_reported_as_shells_do(without_parts: CommandLine) -> None:
    assert without_parts.run("run", "--", "sh", "-c", "kill -9 $$").returncode == 128 + signal.SIGKILL


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("run",), 2, "no command"),
        (("run", "--", "/nowhere/program"), 127, "No such file"),
        ((), 2, "action"),
        (("dance",), 2, "dance"),
    ],
)
def test_a_wrong_command_line_is_answered_clearly(
    without_parts: CommandLine, arguments: tuple[str, ...], code: int, message: str
) -> None:
    done = without_parts.run(*arguments)

    assert done.returncode == code
    assert message in done.stderr
