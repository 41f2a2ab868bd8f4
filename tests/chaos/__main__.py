"""Run a chaos trial: `python -m tests.chaos [--runs N] [--seed N] [--seconds N]`."""

import argparse
import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.chaos.faults import KeptRedis

ROOT = Path(__file__).resolve().parents[2]
SERVERS = frozenset({"DATABASE_URL", "MONGO_URL", "MONGO_LOADER_URL", "REDIS_URL"})
"""A trial hurts its servers: it has embedded ones of its own, whatever the environment names."""

SETTINGS = {
    "APTBOARD_LOCAL": "1",
    "APTBOARD_ACTIVE_RUNS": "4",
    "APTBOARD_BATCH_LEASE_SECONDS": "3",
    "APTBOARD_CHORES_SECONDS": "5",
    "APTBOARD_QUERY_MILLISECONDS": "2000",
    "APTBOARD_QUOTA_SUBMISSIONS": "0",
    "APTBOARD_RESUME_SECONDS": "2",
    "APTBOARD_SWEEP_SECONDS": "1",
}
"""Short times: a lease lapses within the longest pause, and so does the time of a query."""


def main() -> int:
    """Start servers, run the trial among them, remove all; the exit code is the trial's."""
    parser = argparse.ArgumentParser(prog="python -m tests.chaos", description=__doc__)
    parser.add_argument("--runs", type=int, default=200, help="small runs to submit (default 200)")
    parser.add_argument("--seed", type=int, help="repeats the faults of an earlier trial (default: another each time)")
    parser.add_argument("--seconds", type=int, default=600, help="time in which all must end (default 600)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep logs and data there")
    arguments = parser.parse_args()
    seed = secrets.randbelow(1_000_000) if arguments.seed is None else arguments.seed
    sys.stderr.write(f"chaos: {arguments.runs} runs, seed {seed}, at most {arguments.seconds} s\n")
    with tempfile.TemporaryDirectory(prefix="aptboard-chaos-") as folder:
        home = arguments.keep or Path(folder)
        home.mkdir(parents=True, exist_ok=True)
        home.chmod(0o711)
        return run(home.resolve(), arguments.runs, seed, arguments.seconds)


def run(home: Path, runs: int, seed: int, seconds: int) -> int:
    """Run one trial with its servers under `home`."""
    environment = {name: value for name, value in os.environ.items() if name not in SERVERS}
    redis = KeptRedis(home / "redis")
    environment |= {**SETTINGS, "APTBOARD_HOME": str(home), "REDIS_URL": redis.url, "APTBOARD_LOG_LEVEL": "WARNING"}
    redis.stop()
    command = [
        sys.executable, "-m", "leaderboard.embedded", "run", "--",
        sys.executable, "-m", "tests.bench.inside", "tests.chaos.trial", str(runs), str(seed), str(seconds),
    ]  # fmt: skip
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
