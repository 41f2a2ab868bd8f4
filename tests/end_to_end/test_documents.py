"""What the documents tell a reader to type works as it stands."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.end_to_end.site import NAMED, ROOT, Site

pytestmark = [pytest.mark.site, pytest.mark.engine, pytest.mark.xdist_group("site")]

BLOCK = re.compile(
    r"(?:<!-- not executed by the documents' test: (?P<reason>[^\n]+) -->\n)?^ *```(?:sh|bash|shell|console)\n(?P<code>.*?)^ *```",
    re.DOTALL | re.MULTILINE,
)
LINK = re.compile(r"\[[^\]]*\]\((?!https?://|#|mailto:)([^)#\s]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    document: str
    number: int
    code: str
    reason: str | None


def documents() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [ROOT / name for name in sorted(listed.stdout.split())]


def blocks(path: Path) -> list[Block]:
    return [
        Block(document=str(path.relative_to(ROOT)), number=number, code=found["code"], reason=found["reason"])
        for number, found in enumerate(BLOCK.finditer(path.read_text()), 1)
    ]


EXECUTED = [block for path in documents() for block in blocks(path) if block.reason is None]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder that looks like the project, in which commands may leave files."""
    for entry in ROOT.iterdir():
        if entry.name not in {".git", ".local", ".venv"}:
            (tmp_path / entry.name).symlink_to(entry)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path


@pytest.mark.parametrize("block", EXECUTED, ids=lambda block: f"{block.document}-{block.number}")
def test_the_commands_of_a_document_run(site: Site, checkout: Path, block: Block) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{NAMED['PATH']}"
    environment = {**site.environment, "PATH": path, "APTBOARD_TOKEN": site.token()}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.code],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"{block.code}\n{done.stdout}\n{done.stderr}"


def test_there_are_commands_in_the_documents() -> None:
    assert {"README.md"} <= {block.document for block in EXECUTED}


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_to_a_file_leads_to_one(path: Path) -> None:
    broken = [link for link in LINK.findall(path.read_text()) if not (path.parent / link).exists()]
    assert broken == []
