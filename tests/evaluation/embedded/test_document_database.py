"""The embedded document database: starting, joining, surviving."""

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from pymongo import MongoClient
from pymongo.errors import OperationFailure, PyMongoError

from evaluation.embedded.document_database import (
    DocumentDatabasePart,
    DocumentDatabaseUrls,
    part_folder,
    provided,
    urls_from_environment,
)
from evaluation.embedded.errors import EmbeddedPartError
from evaluation.embedded.process import identity_of, is_running, log_tail, wait_until
from evaluation.embedded.shared_part import running_part, stop_part

pytestmark = pytest.mark.engine

PROJECT = Path(__file__).resolve().parents[3]
# An owner in its own process: prints the reader's URL, then waits for ever.
OWNER = """
import sys, time
from pathlib import Path
from evaluation.embedded.document_database import provided
with provided(Path(sys.argv[1])) as urls:
    print(urls.reader, flush=True)
    time.sleep(600)
"""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "a home with spaces"
    yield folder
    stop_part(DocumentDatabasePart(part_folder(folder)), part_folder(folder))


def owner(home: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", OWNER, str(home)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
    )


def kill(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.wait()
    assert process.stdout is not None
    process.stdout.close()


def first_line(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return str(process.stdout.readline()).strip()


def write(urls: DocumentDatabaseUrls, number: int) -> None:
    # Journaled, as the loader writes: nothing less survives an engine that is killed.
    with MongoClient[dict[str, Any]](f"{urls.loader}&journal=true") as client:
        client.test.c.insert_one({"_id": number})


def read(urls: DocumentDatabaseUrls) -> list[int]:
    with MongoClient[dict[str, Any]](urls.reader, serverSelectionTimeoutMS=2000, socketTimeoutMS=2000) as client:
        return [document["_id"] for document in client.test.c.find().sort("_id", 1)]


def reads(urls: DocumentDatabaseUrls, expected: list[int]) -> Callable[[], bool]:
    def check() -> bool:
        try:
            return read(urls) == expected
        except PyMongoError:
            return False

    return check


def engine_process(home: Path) -> int:
    return int(json.loads((part_folder(home) / "engine.json").read_text())["pid"])


def test_it_keeps_its_data_its_port_and_its_users(home: Path) -> None:
    with provided(home) as first:
        write(first, 1)
    with provided(home) as second:
        assert second == first
        assert read(second) == [1]
    assert running_part(part_folder(home)) is None


def test_two_that_start_at_once_share_one_engine_and_the_last_to_leave_stops_it(home: Path) -> None:
    owners = [owner(home), owner(home)]
    urls = {first_line(each) for each in owners}
    assert len(urls) == 1
    for each in owners:
        kill(each)
    with provided(home) as joined:
        assert {joined.reader} == urls
    assert running_part(part_folder(home)) is None


def test_an_engine_that_a_killed_owner_left_is_joined(home: Path) -> None:
    left = owner(home)
    url = first_line(left)
    engine = engine_process(home)
    kill(left)

    with provided(home) as urls:
        assert urls.reader == url
        assert engine_process(home) == engine
        assert read(urls) == []
    assert identity_of(engine) is None


def test_a_killed_keeper_takes_its_engine_along_and_is_replaced(home: Path) -> None:
    left = owner(home)
    url = first_line(left)
    engine = identity_of(engine_process(home))
    keeper = running_part(part_folder(home))
    assert engine is not None
    assert keeper is not None
    kill(left)

    os.kill(keeper.process.pid, signal.SIGKILL)
    assert wait_until(lambda: not is_running(engine), seconds=5)

    with provided(home) as urls:
        # The port may have been taken by somebody else meanwhile.
        assert urlsplit(urls.reader).password == urlsplit(url).password
        assert read(urls) == []


def test_a_frozen_engine_is_killed_and_restarted_on_the_same_port_with_its_data(home: Path) -> None:
    with provided(home, patience_seconds=1.0) as urls:
        write(urls, 1)
        frozen = engine_process(home)
        os.kill(frozen, signal.SIGSTOP)

        assert wait_until(reads(urls, [1]), seconds=20)
        assert wait_until(lambda: engine_process(home) != frozen, seconds=10)
        assert identity_of(frozen) is None
        assert f"killing process {frozen}" in log_tail(part_folder(home) / "engine.log")


def test_an_engine_that_was_killed_again_and_again_comes_back_with_its_journaled_data(home: Path) -> None:
    with provided(home) as urls:
        for number in range(2):
            write(urls, number)
            killed = engine_process(home)
            os.kill(killed, signal.SIGKILL)
            assert wait_until(reads(urls, list(range(number + 1))), seconds=20)
            assert wait_until(lambda killed=killed: engine_process(home) != killed, seconds=5)  # type: ignore[misc]


def test_no_folder_that_exists_changes_its_permissions_and_what_is_made_is_closed(home: Path) -> None:
    home.mkdir(mode=0o750)
    before = {folder: folder.stat().st_mode for folder in [home, *home.parents]}
    with provided(home):
        during = {folder: folder.stat().st_mode for folder in before}
    modes = {
        path.name: stat.S_IMODE(path.stat().st_mode)
        for path in (part_folder(home), part_folder(home) / "data", part_folder(home) / "users.json")
    }

    assert before == during == {folder: folder.stat().st_mode for folder in before}
    assert modes == {"mongo": 0o700, "data": 0o700, "users.json": 0o600}


def test_no_command_line_shows_a_password(home: Path) -> None:
    with provided(home) as urls:
        lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if os.access(path, os.R_OK)]
    passwords = [url.partition("@")[0].rpartition(":")[2].encode() for url in (urls.reader, urls.loader)]

    assert any(b"engine_keeper" in line for line in lines)
    assert not any(password in line for line in lines for password in passwords)


def test_a_port_that_somebody_else_took_is_replaced_by_a_free_one(home: Path) -> None:
    with provided(home) as first:
        pass
    stranger = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import socket, sys, time; s = socket.create_server(('127.0.0.1', int(sys.argv[1]))); time.sleep(60)",
            port_of(first),
        ],
    )
    try:
        time.sleep(0.5)
        with provided(home) as second:
            assert port_of(second) != port_of(first)
            assert read(second) == []
    finally:
        stranger.kill()
        stranger.wait()


def port_of(urls: DocumentDatabaseUrls) -> str:
    return str(urlsplit(urls.reader).port)


def test_nobody_gets_in_without_a_password(document_database: DocumentDatabaseUrls) -> None:
    address = document_database.reader.rpartition("@")[2].partition("/")[0]

    with MongoClient[dict[str, Any]](f"mongodb://{address}/?directConnection=true") as client:
        for attempt in (client.test.c.find_one, client.list_database_names, lambda: client.test.c.insert_one({})):
            with pytest.raises(OperationFailure) as refusal:
                attempt()
            assert refusal.value.code == 13


def test_an_engine_that_is_not_installed_says_what_to_do(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    sys.path_importer_cache.clear()

    with (
        pytest.raises(EmbeddedPartError, match=r"pip install 'aptboard\[embedded\]', or set MONGO_URL"),
        provided(home),
    ):
        pass


def test_an_engine_that_does_not_start_shows_its_log(home: Path) -> None:
    (part_folder(home) / "data").mkdir(parents=True)
    (part_folder(home) / "data" / "WiredTiger").write_text("not a database")
    (part_folder(home) / "data" / "WiredTiger.turtle").write_text("not a database")

    with pytest.raises(EmbeddedPartError, match=r"(?s)engine\.log ends:\n.*WiredTiger"), provided(home):
        pass
    assert running_part(part_folder(home)) is None


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, None),
        ({"MONGO_URL": ""}, None),
        ({"MONGO_URL": "mongodb://r"}, DocumentDatabaseUrls(reader="mongodb://r", loader="mongodb://r")),
        (
            {"MONGO_URL": "mongodb://r", "MONGO_LOADER_URL": "mongodb://l"},
            DocumentDatabaseUrls(reader="mongodb://r", loader="mongodb://l"),
        ),
        ({"MONGO_LOADER_URL": "mongodb://l"}, None),
    ],
)
def test_the_environment_names_another_server(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: DocumentDatabaseUrls | None
) -> None:
    for name in ("MONGO_URL", "MONGO_LOADER_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    assert urls_from_environment() == expected
