"""The parts of docker-compose.yml, run as processes with production settings."""

import re
import secrets
import shlex
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluation.embedded.process import free_port
from tests.end_to_end.site import NAMED, ROOT, Site, wait_for

pytestmark = [pytest.mark.site, pytest.mark.engine, pytest.mark.xdist_group("site")]

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
HOST = "board.example.org"


def embedded_urls(site: Site) -> dict[str, str]:
    """The servers that the running site uses, as its worker sees them."""
    environment = site.workers()[0].environ()
    return {name: environment[name] for name in ("DATABASE_URL", "REDIS_URL", "MONGO_URL")}


@pytest.fixture(scope="module")
def production(site: Site, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a production process, its static files collected."""
    kept = {name: value for name, value in NAMED.items() if not name.startswith(("APTBOARD_", "DEBUG"))}
    environment = {
        **kept,
        **embedded_urls(site),
        "SECRET_KEY": secrets.token_urlsafe(60),
        "ALLOWED_HOSTS": HOST,
        "APTBOARD_BEHIND_PROXY": "1",
        # What the compose file passes on blank where its reader sets nothing.
        **{name: "" for name, value in SERVICES["web"]["environment"].items() if value.endswith(":-}")},
        "APTBOARD_STATIC_ROOT": str(tmp_path_factory.mktemp("static")),
    }
    subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--no-input", "--verbosity", "0"],
        cwd=ROOT, env=environment, check=True,
    )  # fmt: skip
    return environment


@pytest.fixture(scope="module")
def address(production: dict[str, str]) -> Iterator[str]:
    """The web service, started by the command of docker-compose.yml on a port of its own."""
    port = free_port()
    words = shlex.split(SERVICES["web"]["command"].replace("0.0.0.0:8000", f"127.0.0.1:{port}"))
    process = subprocess.Popen([sys.executable, "-m", *words], cwd=ROOT, env=production, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        wait_for(lambda: answer(f"{url}/healthz")[0] == 200 or None, seconds=60)
        yield url
    finally:
        process.terminate()
        process.wait(30)


class Unfollowed(urllib.request.HTTPRedirectHandler):
    """Shows a redirect instead of following it."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


def answer(url: str, *, https: bool = True) -> tuple[int, str, Any]:
    headers = {"Host": HOST, "X-Forwarded-Proto": "https" if https else "http"}
    opener = urllib.request.build_opener(Unfollowed)
    try:
        with opener.open(urllib.request.Request(url, headers=headers), timeout=30) as reply:
            return reply.status, reply.read().decode(), reply.headers
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode(), error.headers
    except (urllib.error.URLError, ConnectionError):
        return 0, "", {}


def test_the_board_and_its_hashed_style_are_served_over_https(address: str) -> None:
    status, page, headers = answer(f"{address}/")
    assert status == 200
    assert "max-age=31536000" in headers["Strict-Transport-Security"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    style = re.search(r'href="(/static/[^"]+\.[0-9a-f]{12}\.css)"', page)
    assert style, page[:2000]
    status, _, headers = answer(address + style.group(1))
    assert status == 200
    assert "immutable" in headers["Cache-Control"]


def test_plain_http_is_sent_to_https(address: str) -> None:
    status, _, headers = answer(f"{address}/", https=False)
    assert (status, headers["Location"]) == (301, f"https://{HOST}/")


def test_an_unknown_page_says_so_without_a_trace(address: str) -> None:
    status, page, _ = answer(f"{address}/no-such-page/")
    assert status == 404
    assert "Traceback" not in page
    assert "urlpatterns" not in page


@pytest.mark.parametrize("name", ["worker", "beat"])
def test_a_worker_service_starts_by_its_command(production: dict[str, str], name: str, tmp_path: Path) -> None:
    words = shlex.split(SERVICES[name]["command"].replace("/tmp/beat-schedule", str(tmp_path / "schedule")))
    log = tmp_path / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", *words], cwd=ROOT, env=production, stdout=output, stderr=subprocess.STDOUT
        )
    ready = {"worker": "ready.", "beat": "beat: Starting"}[name]
    try:
        wait_for(lambda: ready in log.read_text() or None, seconds=60)
    finally:
        process.terminate()
        process.wait(60)


def test_every_variable_of_the_compose_file_is_one_that_the_settings_read() -> None:
    settings = "".join(
        (ROOT / "leaderboard" / f"{name}.py").read_text() for name in ("settings", "account_settings", "env")
    )
    for name in SERVICES["web"]["environment"]:
        assert f'"{name}"' in settings, name


def test_production_does_not_start_without_a_secret_key(production: dict[str, str]) -> None:
    environment = {name: value for name, value in production.items() if name != "SECRET_KEY"}
    done = subprocess.run(
        [sys.executable, "-c", "import leaderboard.wsgi"],
        cwd=ROOT, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert "SECRET_KEY" in done.stderr


def test_the_parts_of_the_compose_file_are_those_of_the_design() -> None:
    assert set(SERVICES) == {"web", "worker", "beat", "postgres", "redis", "mongo"}
    assert "--noscripting" in SERVICES["mongo"]["command"]
    assert "MONGO_LOADER_URL" not in SERVICES["web"]["environment"]
