"""A lent API key is nowhere to be found: a canary is planted and looked for in all that the site writes and answers."""

import io
import json
import logging
import threading
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
import redis
from cryptography.fernet import Fernet
from django.apps import apps
from django.conf import settings as site_settings
from django.contrib import admin
from django.contrib.auth.models import User
from django.core import serializers
from django.core.management import CommandError, call_command
from django.test import Client

from evaluation.llm_compatible import CompatibleEndpoint
from leaderboard.models.endpoints import ModelEndpoint
from leaderboard.models.events import RunEvent
from leaderboard.models.generations import Generation, StoredReply
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.redaction import RedactingFormatter
from leaderboard.services.secrets import decrypted
from tests.leaderboard.builders import live_release, user
from tests.leaderboard.described import describe
from tests.leaderboard.web.addresses import filled, routes
from workers.generation import generate_next

pytestmark = [pytest.mark.site, pytest.mark.django_db(transaction=True)]

SECRET = "sk-canary-5d1e88"
ECHOES: Mapping[str, tuple[int, str]] = {
    "refusing": (401, '{"error": {"message": "Incorrect API key: %s.", "type": "x", "code": "invalid_api_key"}}'),
    "failing": (500, '{"error": {"message": "fault while serving %s", "type": "x", "code": "y"}}'),
    "rejecting": (400, '{"error": {"message": "bad request of %s", "type": "x", "code": "y"}}'),
    "rambling": (200, '{"choices": "%s"}'),
    "redirecting": (302, "%s"),
}  # fmt: skip


class _Echo(BaseHTTPRequestHandler):
    """Says the key back, as an endpoint that the site cannot trust may do."""

    def do_POST(self) -> None:
        content = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = self.headers["Authorization"].removeprefix("Bearer ")
        status, body = ECHOES[content["model"]]
        self.send_response(status, f"No {key}")
        sent = (body % key).encode()
        self.send_header("Location", f"https://example.org/{key}")
        self.send_header("Retry-After", "600")
        self.send_header("Content-Length", str(len(sent)))
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@pytest.fixture
def echo() -> Iterator[str]:
    """The address of an endpoint that says keys back."""
    server = HTTPServer(("127.0.0.1", 0), _Echo)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """Everything that is logged at any level, as the site's handlers write it."""
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    logging_settings: Any = site_settings.LOGGING
    options = logging_settings["formatters"]["plain"]
    handler.setFormatter(RedactingFormatter(options["format"], style=options["style"]))
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield stream
    root.removeHandler(handler)
    root.setLevel(level)


@pytest.fixture(autouse=True)
def loopback(settings: Any) -> None:
    settings.CALL_LOOPBACK = True
    settings.RESUME_SECONDS = 3600


def sent(owner: User, address: str, model: str) -> Any:
    client = Client()
    client.force_login(owner)
    body = {"entry": "e", "model": model, "address": address, "key": SECRET, "conditions": ["with_evidence"]}
    return client.post("/api/v1/endpoint-submissions", json.dumps(body), content_type="application/json")


def messages() -> str:
    """Everything that lies in Redis, task messages first of all."""
    server: Any = redis.Redis.from_url(site_settings.REDIS_URL)
    found: list[bytes] = []
    for name in server.keys("*"):
        kind = server.type(name)
        if kind == b"list":
            found.extend(server.lrange(name, 0, -1))
        elif kind == b"hash":
            found.extend(server.hvals(name))
        elif kind == b"string":
            found.append(server.get(name))
    return b"\n".join(found).decode(errors="replace")


def rows() -> str:
    """Every row of every table that belongs to the site, as JSON."""
    tables = apps.get_app_config("leaderboard").get_models()
    return "".join(serializers.serialize("json", table._default_manager.all()) for table in tables)


def answers(submission: Submission) -> Iterator[tuple[str, str]]:
    """Every page and answer about the submission, to everybody."""
    staff = User.objects.create_superuser("sam")
    values = {
        "submission_id": str(submission.pk), "token_id": "1", "kind": "faulty-endpoint", "name": "small",
        "version": "1", "webhook_id": str(submission.pk), "action": "test", "delivery_id": str(submission.pk),
        "question_id": "q0",
    }  # fmt: skip
    for reader in (None, user("bob"), submission.owner, staff):
        client = Client()
        if reader is not None:
            client.force_login(reader)
        for route in set(routes()):
            answer = client.get(filled(route, values))
            yield f"{reader} {route}", answer.getvalue().decode() + str(answer.headers)
    for model in admin.site._registry:
        place = f"/admin/{model._meta.app_label}/{model._meta.model_name}/"
        yield place, client.get(place).content.decode()
        for row in model._default_manager.all()[:3]:
            yield place, client.get(f"{place}{row.pk}/change/").content.decode()


@pytest.mark.parametrize("model", ECHOES)
def test_an_endpoint_that_says_the_key_back_does_not_get_it_published(echo: str, log: io.StringIO, model: str) -> None:
    describe(live_release(items=6))
    answer = sent(user(), echo, model)
    assert answer.status_code == 202
    submission = Submission.objects.get()
    assert decrypted(bytes(ModelEndpoint.objects.get().key or b"")) == SECRET
    assert SECRET not in messages()
    while generate_next():
        pass
    run = submission.runs.get()
    assert run.state in {RunState.FAILED, RunState.INCOMPLETE}
    assert run.reason
    told = [run.reason, Generation.objects.get().message, *RunEvent.objects.values_list("detail", flat=True)]
    told += StoredReply.objects.values_list("message", flat=True)
    assert not [text for text in told if SECRET in text]
    assert SECRET not in answer.content.decode() + rows() + messages()
    assert [place for place, text in answers(submission) if SECRET in text] == []
    assert SECRET not in log.getvalue()
    assert "workers.generation" in messages() or "generation" in log.getvalue()


def test_a_fault_of_ours_is_logged_with_its_traceback_and_without_the_key(
    echo: str, log: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(self: CompatibleEndpoint, *_: object) -> None:
        raise RuntimeError(f"this should not happen with {self._key}")

    monkeypatch.setattr(CompatibleEndpoint, "ask", broken)
    describe(live_release(items=6))
    assert sent(user(), echo, "refusing").status_code == 202
    generate_next()
    written = log.getvalue()
    assert "Traceback" in written
    assert "this should not happen with" in written
    assert SECRET not in written + rows()


def test_every_handler_of_the_site_takes_secrets_out() -> None:
    logging_settings: Any = site_settings.LOGGING
    formatters = logging_settings["formatters"]
    for handler in logging_settings["handlers"].values():
        assert formatters[handler["formatter"]]["()"] == "leaderboard.redaction.RedactingFormatter"


def test_the_admin_has_no_table_of_keys() -> None:
    assert ModelEndpoint not in admin.site._registry


def test_stored_keys_move_to_the_newest_key_by_a_command(
    echo: str, settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.ENDPOINT_KEYS = [old]
    describe(live_release(items=6))
    assert sent(user(), echo, "refusing").status_code == 202
    before = bytes(ModelEndpoint.objects.get().key or b"")
    settings.ENDPOINT_KEYS = [new, old]
    call_command("rotate_endpoint_keys")
    assert "1 stored API keys" in capsys.readouterr().out
    settings.ENDPOINT_KEYS = [new]
    after = bytes(ModelEndpoint.objects.get().key or b"")
    assert after != before
    assert decrypted(after) == SECRET
    call_command("rotate_endpoint_keys", "--new")
    Fernet(capsys.readouterr().out.strip())


def test_a_key_that_fits_no_key_of_the_settings_changes_nothing(echo: str, settings: Any) -> None:
    describe(live_release(items=6))
    assert sent(user(), echo, "refusing").status_code == 202
    before = bytes(ModelEndpoint.objects.get().key or b"")
    settings.ENDPOINT_KEYS = [Fernet.generate_key().decode()]
    with pytest.raises(CommandError, match="cannot be decrypted"):
        call_command("rotate_endpoint_keys")
    assert bytes(ModelEndpoint.objects.get().key or b"") == before
