"""Where embedded parts keep their data."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.embedded.home import VARIABLE, home, private_folder

PROJECT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def usual_mask() -> Iterator[None]:
    """Modes are about ours, not about the mask of whoever runs the tests."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_the_home_is_beside_the_project_in_a_source_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)

    assert home() == PROJECT / ".local"


def test_the_variable_names_the_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path / "a home"))

    assert home() == tmp_path / "a home"


def test_a_relative_home_is_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, "here")

    assert home() == tmp_path / "here"


@pytest.mark.parametrize(("data", "expected"), [("data", "data/aptboard"), (None, "user/.local/share/aptboard")])
def test_an_installed_package_keeps_data_in_the_users_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, data: str | None, expected: str
) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    if data is not None:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / data))
    monkeypatch.setattr(
        "evaluation.embedded.home.__file__", str(tmp_path / "site" / "evaluation" / "embedded" / "home.py")
    )

    assert home() == tmp_path / expected


def test_a_private_folder_is_closed_and_its_new_parents_can_only_be_passed(tmp_path: Path) -> None:
    private_folder(tmp_path / "a" / "b")

    modes = [stat.S_IMODE((tmp_path / part).stat().st_mode) for part in ("a", "a/b")]
    assert modes == [0o711, 0o700]


def test_a_folder_that_exists_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir(mode=0o750)
    (tmp_path / "a" / "b").mkdir(mode=0o755)

    private_folder(tmp_path / "a" / "b")

    modes = [stat.S_IMODE((tmp_path / part).stat().st_mode) for part in ("a", "a/b")]
    assert modes == [0o750, 0o755]
