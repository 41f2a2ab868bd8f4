"""The rules of the house that no linter knows."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("benchmark_data", "evaluation", "leaderboard", "workers")
LAUNCHER = ROOT / "evaluation" / "embedded" / "engine_launcher.py"
"""Replaces parts of a server inside its own process, as one stand-alone file."""

TOP_LEVEL = {
    ".ci", ".gitignore", "CHANGELOG.md", "LICENSE", "Makefile", "README.md", "benchmark_data", "docker-compose.yml",
    "docs", "evaluation", "leaderboard", "manage.py", "pyproject.toml", "requirements", "templates",
    "tests", "workers",
}  # fmt: skip

SOURCES = sorted(
    path
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if "migrations" not in path.parts and path != LAUNCHER
)


def tracked() -> list[str]:
    return subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_opens_with_a_sentence_and_stays_small(path: Path) -> None:
    text = path.read_text()
    docstring = ast.get_docstring(ast.parse(text))
    assert docstring, "a file opens with one sentence that says what it is for"
    assert len(text.splitlines()) <= 300


@pytest.mark.parametrize("package", [p for p in SOURCES if p.name == "__init__.py"], ids=lambda p: str(p.parent.name))
def test_an_init_file_holds_a_docstring_only(package: Path) -> None:
    assert len(ast.parse(package.read_text()).body) == 1


def test_no_drawer_for_odds_and_ends() -> None:
    banned = re.compile(r"(^|/)(utils?|helpers?|common|misc)(\.py|/)")
    assert [name for name in tracked() if banned.search(name)] == []


def test_the_top_level_is_fixed() -> None:
    assert {name.split("/", 1)[0] for name in tracked()} <= TOP_LEVEL


def test_no_pinned_requirement_names_an_address() -> None:
    for path in (ROOT / "requirements").glob("*.txt"):
        assert "://" not in path.read_text(), path.name


def is_raised_again(handler: ast.ExceptHandler) -> bool:
    """A handler that tidies up and raises what it caught hides nothing."""
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


PROCESS_BORDERS = {"workers/generation.py", "workers/judging.py", "workers/presence.py", "workers/scoring.py"}
"""A scorer that stumbles over one item must leave the item unscored, not the run without an end; whatever one batch or
one look around meets, the worker goes on."""


def test_broad_excepts_stand_at_process_borders_only() -> None:
    found = []
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ExceptHandler):
                name = ast.unparse(node.type) if node.type else "bare"
                if name in {"bare", "Exception", "BaseException"} and not is_raised_again(node):
                    found.append(str(path.relative_to(ROOT)))
    assert set(found) <= PROCESS_BORDERS
