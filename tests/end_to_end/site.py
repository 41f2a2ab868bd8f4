"""A whole site for a test: every part real, each in its own process, nothing shared with the developer's own site."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from evaluation.embedded.process import free_port
from leaderboard.serving import wait_until_answering

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
NAMED = dict(os.environ)
"""The environment before any fixture named servers of its own in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A running site: its address, its environment, and the process that keeps it."""

    url: str
    environment: Mapping[str, str]
    keeper: subprocess.Popen[str]

    @property
    def home(self) -> Path:
        """Where its parts keep data and logs."""
        return Path(self.environment["APTBOARD_HOME"])

    def run(self, *command: str | Path, code: int | None = 0, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
        """Run a command beside the site; fails the test if it ends with another code (None: any)."""
        done = subprocess.run(
            [str(word) for word in command],
            cwd=cwd,
            env=dict(self.environment),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            check=False,
            timeout=600,
        )
        assert code is None or done.returncode == code, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    def manage(self, *words: str | Path, code: int | None = 0) -> subprocess.CompletedProcess[str]:
        """Run manage.py."""
        return self.run(sys.executable, "manage.py", *words, code=code)

    def aptboard(self, *words: str | Path, code: int | None = 0) -> subprocess.CompletedProcess[str]:
        """Run the console script."""
        return self.run(BIN / "aptboard", *words, code=code)

    def token(self, user: str = "alice") -> str:
        """A new token of a user, who is made where needed."""
        return self.manage("create_token", user, "--create-user").stdout.strip()

    def get(self, path: str, *, token: str = "") -> Any:
        """A JSON answer of the API."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        with urllib.request.urlopen(urllib.request.Request(self.url + path, headers=headers), timeout=60) as answer:
            return json.load(answer)

    def page(self, path: str) -> str:
        """A page's HTML."""
        with urllib.request.urlopen(self.url + path, timeout=60) as answer:
            return str(answer.read().decode())

    def items(self, submission: str, condition: str, *, token: str) -> dict[str, dict[str, Any]]:
        """Every item of one run, by question_id."""
        found: dict[str, dict[str, Any]] = {}
        page = 1
        while True:
            answer = self.get(f"/api/v1/submissions/{submission}/items?condition={condition}&page={page}", token=token)
            found |= {item["question_id"]: item for item in answer["results"]}
            if not answer["next"]:
                return found
            page += 1

    def workers(self) -> list[psutil.Process]:
        """The Celery processes of the site, the parent first."""
        found = []
        for child in psutil.Process(self.keeper.pid).children(recursive=True):
            with contextlib.suppress(psutil.NoSuchProcess):
                if "workers.celery" in " ".join(child.cmdline()):
                    found.append(child)
        return found


def wait_for(find: Callable[[], Any], *, seconds: float = 120) -> Any:
    """Ask until the answer is not None."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = find()
        if found is not None:
            return found
        time.sleep(0.1)
    raise AssertionError(f"nothing within {seconds} s")


@contextlib.contextmanager
def running_site(home: Path, **settings: str) -> Iterator[Site]:
    """Run `manage.py up` with a home of its own until the test is over."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with _own_database() as database:
        environment = {
            **NAMED,
            **database,
            "APTBOARD_HOME": str(home),
            "APTBOARD_LOCAL": "1",
            "APTBOARD_SITE": url,
            "APTBOARD_SWEEP_SECONDS": "1",
            "APTBOARD_BATCH_LEASE_SECONDS": "4",
            "COLUMNS": "120",
            **settings,
        }
        keeper = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(port)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            _wait_for_start(keeper, url, home)
            yield Site(url=url, environment=environment, keeper=keeper)
        finally:
            keeper.send_signal(signal.SIGTERM)
            try:
                keeper.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                keeper.kill()
                keeper.communicate()


def _wait_for_start(keeper: subprocess.Popen[str], url: str, home: Path) -> None:
    try:
        wait_until_answering(f"{url}/healthz", seconds=120)
    except TimeoutError:
        keeper.kill()
        logs = "\n".join(path.read_text()[-3000:] for path in sorted((home / "log").glob("*.log")))
        raise AssertionError(f"the site did not start:\n{keeper.communicate()[0]}\n{logs}") from None


@contextlib.contextmanager
def _own_database() -> Iterator[dict[str, str]]:
    """Where DATABASE_URL names a server: a database of the test's own on it."""
    url = NAMED.get("DATABASE_URL")
    if not url:
        yield {}
        return
    import psycopg

    name = f"aptboard_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        try:
            head, _, tail = url.partition("?")
            own = head.rsplit("/", 1)[0] + f"/{name}"
            yield {"DATABASE_URL": f"{own}?{tail}" if tail else own}
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
