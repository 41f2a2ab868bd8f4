"""Command line of the embedded parts: run a command with them, say what runs, stop or remove all."""

import argparse
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from benchmark_data.errors import AptBoardError
from evaluation.embedded.document_database import DocumentDatabasePart
from evaluation.embedded.home import home
from evaluation.embedded.shared_part import Part as Server
from evaluation.embedded.shared_part import running_part, stop_part
from leaderboard.embedded.environment import VARIABLES, Part, provided
from leaderboard.embedded.postgresql import PostgresqlPart
from leaderboard.embedded.postgresql_files import remove_files
from leaderboard.embedded.redis import RedisPart

FORWARDED = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
CANNOT_START = 127
TITLES = {Part.POSTGRESQL: "PostgreSQL", Part.REDIS: "Redis", Part.DOCUMENT_DATABASE: "document database"}


def main(arguments: Sequence[str]) -> int:
    """Do what the arguments ask for; the exit code is the command's for `run`, 0 or 1 for the others."""
    parser = argparse.ArgumentParser(prog="python -m leaderboard.embedded", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    run = actions.add_parser("run", help="provide the parts that the environment does not name, and run a command")
    run.add_argument("command", nargs=argparse.REMAINDER, metavar="-- COMMAND …")
    actions.add_parser("status", help="say which parts run")
    actions.add_parser("stop", help="stop all parts of this home, whoever uses them")
    actions.add_parser("remove", help="stop all parts of this home and delete their data")
    parsed = parser.parse_args(arguments)
    simple = {"status": status, "stop": stop, "remove": remove}
    if parsed.action in simple:
        return simple[parsed.action]()
    command = parsed.command[1:] if parsed.command[:1] == ["--"] else parsed.command
    if not command:
        run.error("there is no command to run")
    return run_with_parts(command)


class Forwarder:
    """Handles signals: before there is a command they end us, afterwards they go on to it.

    One that arrives while the command is being started waits until there is somebody to send it to.
    """

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None
        self._starting = False
        self._waiting: list[int] = []

    def __call__(self, number: int, _frame: FrameType | None) -> None:
        """Handle one signal."""
        if self._child is not None:
            # A terminal sends Ctrl-C to the command by itself.
            if number != signal.SIGINT or not sys.stdin.isatty():
                self._child.send_signal(number)
        elif self._starting:
            self._waiting.append(number)
        else:
            raise SystemExit(128 + number)

    def start(self, command: Sequence[str]) -> "subprocess.Popen[bytes]":
        """Start the command.

        Raises:
            OSError: it cannot be started.
        """
        self._starting = True
        self._child = subprocess.Popen(command)
        for number in self._waiting:
            self._child.send_signal(number)
        return self._child


def run_with_parts(command: Sequence[str]) -> int:
    """Run a command with all parts; signals to us go on to it. Its exit code, or 128 + signal as shells count."""
    forwarder = Forwarder()
    for number in FORWARDED:
        signal.signal(number, forwarder)
    with provided():
        try:
            code = forwarder.start(command).wait()
        except OSError as error:
            sys.stderr.write(f"{command[0]}: {error.strerror}\n")
            code = CANNOT_START
        for number in FORWARDED:
            # Stopping the parts takes a moment; it is not to be broken off half way.
            signal.signal(number, signal.SIG_IGN)
    return code if code >= 0 else 128 - code


def status() -> int:
    """Print one line a part; 0 if all run that are to be embedded."""
    folder = home()
    lines, complete = [f"embedded parts in {folder}"], True
    for part in Part:
        running = running_part(folder / part)
        if os.environ.get(VARIABLES[part]):
            text = f"elsewhere, as {VARIABLES[part]} says"
        elif running is None:
            text, complete = "not running", False
        else:
            place = f"{running.host}:{running.port}" if running.port else running.host
            text = f"running, version {running.version}, process {running.process.pid}, at {place}"
        lines.append(f"  {TITLES[part]:<18} {text}")
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if complete else 1


def stop() -> int:
    """Stop all parts of this home; 0 in any case."""
    folder = home()
    for part in Part:
        stopped = stop_part(_server(part, folder / part), folder / part)
        sys.stdout.write(f"{TITLES[part]}: {'stopped' if stopped else 'was not running'}\n")
    return 0


def remove() -> int:
    """Stop all parts of this home and delete what they keep; 0 in any case."""
    stop()
    for part in Part:
        remove_files(home() / part)
    sys.stdout.write(f"removed the embedded parts of {home()}\n")
    return 0


def _server(part: Part, folder: Path) -> Server:
    makers: dict[Part, type[PostgresqlPart] | type[RedisPart] | type[DocumentDatabasePart]] = {
        Part.POSTGRESQL: PostgresqlPart,
        Part.REDIS: RedisPart,
        Part.DOCUMENT_DATABASE: DocumentDatabasePart,
    }
    return makers[part](folder)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except AptBoardError as error:
        sys.exit(f"error: {error}")
