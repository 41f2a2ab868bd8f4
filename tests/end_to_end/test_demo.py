"""`make demo`: a first run evaluates, a second one only shows; both end by themselves without a terminal."""

import re
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from evaluation.embedded.process import wait_until
from tests.end_to_end.site import NAMED, ROOT

pytestmark = [pytest.mark.site, pytest.mark.engine, pytest.mark.xdist_group("demonstration"), pytest.mark.timeout(900)]


def demo(home: Path) -> str:
    environment = {**NAMED, "APTBOARD_HOME": str(home), "APTBOARD_LOCAL": "1"}
    done = subprocess.run(
        [sys.executable, "manage.py", "demo"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=900,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def processes_of(home: Path) -> list[str]:
    """Processes that name the home on their command line: embedded parts, web server, worker."""
    found = []
    for process in psutil.process_iter(["cmdline"]):
        line = " ".join(process.info["cmdline"] or ())
        if str(home) in line:
            found.append(line)
    return found


@pytest.mark.skipif("DATABASE_URL" in NAMED, reason="the demonstration's account belongs on a site of its own")
def test_the_demonstration_ranks_the_samples_twice_and_leaves_nothing_running(tmp_path: Path) -> None:
    home = tmp_path / "demo home"
    first, second = demo(home), demo(home)
    for output in (first, second):
        assert re.search(r"│\s+1 │ \S+", output), output
        assert "with evidence" in output
        assert "without evidence" in output
    assert "evaluated before" not in first
    assert second.count("evaluated before") == 5
    # What was sent a signal may take a moment to be gone.
    wait_until(lambda: not processes_of(home), seconds=10)
    assert processes_of(home) == []
