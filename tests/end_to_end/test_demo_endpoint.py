"""`make demo-endpoint`: through faults and a killed worker every item has a reply, and the bill is right."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.conftest import TINY
from tests.end_to_end.site import NAMED, ROOT
from tests.end_to_end.test_demo import processes_of

pytestmark = [pytest.mark.site, pytest.mark.engine, pytest.mark.xdist_group("demonstration")]


@pytest.mark.skipif("DATABASE_URL" in NAMED, reason="the demonstration's account belongs on a site of its own")
def test_the_demonstration_survives_a_killed_worker_and_agrees_with_the_endpoint(tmp_path: Path) -> None:
    home = tmp_path / "demo home"
    done = subprocess.run(
        [sys.executable, "manage.py", "demo_endpoint", "--bundle", str(TINY), "--faults", "0.1"],
        cwd=ROOT,
        env={**NAMED, "APTBOARD_HOME": str(home), "APTBOARD_LOCAL": "1"},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=280,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"killed with SIGKILL after \d+ of 72 answers", done.stdout)
    assert done.stdout.count("✓") == 5
    assert "✗" not in done.stdout
    assert "72 answers billed for 72 replies" in done.stdout
    assert processes_of(home) == []
