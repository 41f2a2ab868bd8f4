"""Runs a measurement in a site of its own: PostgreSQL, Redis and document database under a folder that is removed."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

from tests.bench.measurement import Measurement

ROOT = Path(__file__).resolve().parents[2]
MARK = "measured "
INSIDE = "tests.bench.inside"


def measured_in_site(module: str, *arguments: str) -> list[Measurement]:
    """Run a module of this folder with servers of its own; it tells its figures by `tell`.

    Raises:
        RuntimeError: it failed, with the end of what it said.
    """
    with tempfile.TemporaryDirectory(prefix="aptboard-bench-") as home:
        Path(home).chmod(0o711)
        environment = {
            **os.environ,
            "APTBOARD_HOME": home,
            "APTBOARD_LOCAL": "1",
            "APTBOARD_LOG_LEVEL": "WARNING",
            "APTBOARD_QUOTA_SUBMISSIONS": "0",
        }
        command = [
            sys.executable,
            "-m",
            "leaderboard.embedded",
            "run",
            "--",
            sys.executable,
            "-m",
            INSIDE,
            module,
            *arguments,
        ]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    lines = [line.removeprefix(MARK) for line in done.stdout.splitlines() if line.startswith(MARK)]
    if done.returncode or not lines:
        raise RuntimeError(f"{module} failed:\n{done.stdout[-3000:]}\n{done.stderr[-5000:]}")
    return [Measurement(**record) for record in json.loads(lines[-1])]


def tell(measurements: Sequence[Measurement]) -> None:
    """Hand figures to the process that started this one."""
    sys.stdout.write(f"{MARK}{json.dumps([asdict(one) for one in measurements])}\n")


def in_turns(
    first: Callable[[], float], second: Callable[[], float], *, rounds: int
) -> tuple[list[float], list[float]]:
    """Measure two things in turns, so that a busy machine slows both; which comes first changes each round."""
    one, other = [], []
    for number in range(rounds):
        if number % 2:
            other.append(second())
            one.append(first())
        else:
            one.append(first())
            other.append(second())
    return one, other
