"""What the documents tell a reader to type works as it stands."""

import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.end_to_end.site import NAMED, ROOT, Site

pytestmark = [pytest.mark.site, pytest.mark.engine, pytest.mark.xdist_group("site")]

BLOCK = re.compile(
    r"(?:<!-- not executed by the documents' test: (?P<reason>[^\n]+) -->\n)?"
    r"^ *```(?:sh|bash|shell|console)\n(?P<code>.*?)^ *```",
    re.DOTALL | re.MULTILINE,
)
LINK = re.compile(r"\[[^\]]*\]\((?!https?://|#|mailto:)([^)#\s]+)")


def documents() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [ROOT / name for name in sorted(listed.stdout.split())]


def commands(path: Path) -> str:
    """The commands of a document in their order, as one reader types them into one shell."""
    return "\n".join(
        textwrap.dedent(found["code"]) for found in BLOCK.finditer(path.read_text()) if not found["reason"]
    )


def with_commands() -> list[Path]:
    return [path for path in documents() if commands(path)]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder that looks like the project, in which commands may leave files."""
    for entry in ROOT.iterdir():
        if entry.name not in {".git", ".local", ".venv"}:
            (tmp_path / entry.name).symlink_to(entry)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path


@pytest.mark.parametrize("path", with_commands(), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_commands_of_a_document_run(site: Site, checkout: Path, path: Path) -> None:
    search = f"{Path(sys.executable).parent}{os.pathsep}{NAMED['PATH']}"
    environment = {**site.environment, "PATH": search, "APTBOARD_TOKEN": site.token()}
    code = commands(path).replace("http://127.0.0.1:8000", site.url)
    done = subprocess.run(
        ["bash", "-euxo", "pipefail", "-c", code],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"


def test_there_are_commands_in_the_documents() -> None:
    assert ROOT / "README.md" in with_commands()


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_to_a_file_leads_to_one(path: Path) -> None:
    broken = [link for link in LINK.findall(path.read_text()) if not (path.parent / link).exists()]
    assert broken == []
