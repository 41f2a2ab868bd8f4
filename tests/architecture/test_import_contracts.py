"""The import contracts hold, and each is shown to fail on a planted violation."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("benchmark_data", "evaluation", "leaderboard", "workers")

PLANTED = [
    ("One direction", "benchmark_data/planted.py", "import evaluation.types\n"),
    ("One direction", "evaluation/planted.py", "import leaderboard.apps\n"),
    ("One direction", "leaderboard/planted.py", "import workers.schedule\n"),
    ("Scoring runs on a laptop", "evaluation/planted.py", "import django\n"),
    ("Scoring runs on a laptop", "benchmark_data/planted.py", "import celery\n"),
    ("The site asks for work by name", "leaderboard/services/planted.py", "import evaluation.executors.mongo\n"),
    ("Only executors touch the database driver", "evaluation/metrics/planted.py", "import pymongo\n"),
    ("The pure core stands on nothing", "evaluation/metrics/planted.py", "import evaluation.client\n"),
    ("The pure core does no input or output", "evaluation/metrics/planted.py", "import subprocess\n"),
    ("The embedded engine is talked to over its socket only", "workers/planted.py", "import secantus\n"),
]


def lint_imports(project: Path) -> subprocess.CompletedProcess[str]:
    """Run import-linter on a copy of the packages; `-P` and the folder as first path keep the installed ones out."""
    code = (
        f"import sys; sys.path.insert(0, {str(project)!r}); "
        "sys.meta_path = [f for f in sys.meta_path if '__editable__' not in getattr(f, '__module__', '')]; "
        "from importlinter.cli import lint_imports_command; lint_imports_command()"
    )
    return subprocess.run(
        [sys.executable, "-c", code, "--no-cache"], cwd=project, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the four packages and the contracts."""
    copy = tmp_path_factory.mktemp("project")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__", "bundles"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    return copy


def test_every_contract_holds(project: Path) -> None:
    done = lint_imports(project)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("contract", "file", "line"), PLANTED, ids=[f"{c} in {f}" for c, f, _ in PLANTED])
def test_a_planted_violation_breaks_its_contract(project: Path, contract: str, file: str, line: str) -> None:
    planted = project / file
    planted.write_text(line)
    try:
        done = lint_imports(project)
    finally:
        planted.unlink()
    broken = [row for row in done.stdout.splitlines() if row.rstrip().endswith("BROKEN")]
    assert done.returncode == 1, done.stdout + done.stderr
    assert any(row.startswith(contract) for row in broken), done.stdout
