"""The end of a submission reaches its owner: a signed call of a webhook, an e-mail, a notice, and the log of events."""

import base64
import hashlib
import hmac
import json
import threading
import uuid
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.conftest import TINY, TINY_RELEASE
from tests.end_to_end.site import Site, wait_for

pytestmark = [pytest.mark.site, pytest.mark.engine, pytest.mark.xdist_group("site")]

ADD = """
from django.contrib.auth.models import User
from leaderboard.services.webhooks import webhook_create
user, _ = User.objects.get_or_create(username={user!r}, defaults={{"email": "{user}@example.org"}})
print(webhook_create(user, url={url!r})[1])
"""


class Receiver(ThreadingHTTPServer):
    """Fails the first call, takes the others, and keeps them all."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.heard: list[tuple[dict[str, str], bytes]] = []


class Answering(BaseHTTPRequestHandler):
    """Notes what was sent."""

    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append(({name.lower(): value for name, value in self.headers.items()}, body))
        self.send_response(503 if len(self.server.heard) == 1 else 204)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


def genuine(secret: str, headers: dict[str, str], body: bytes) -> bool:
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    digest = hmac.digest(base64.b64decode(secret.removeprefix("whsec_")), signed, hashlib.sha256)
    return f"v1,{base64.b64encode(digest).decode()}" in headers["webhook-signature"].split(" ")


def test_the_owner_is_told_by_webhook_and_e_mail_and_can_read_what_happened(site: Site, receiver: Receiver) -> None:
    user = f"told-{uuid.uuid4().hex[:8]}"
    url = f"http://127.0.0.1:{receiver.server_address[1]}/hook"
    secret = site.manage("shell", "--verbosity", "0", "-c", ADD.format(user=user, url=url)).stdout.strip()
    token = site.token(user)
    file = TINY / "predictions" / "keyword.jsonl"
    site.aptboard("submit", file, "--entry", user, "--token", token, "--release", TINY_RELEASE)
    wait_for(lambda: len(receiver.heard) >= 2 or None)
    (first, body), (second, again) = receiver.heard[:2]
    assert genuine(secret, first, body)
    assert genuine(secret, second, again)
    assert (first["webhook-id"], body) == (second["webhook-id"], again)
    told = json.loads(body)
    assert (told["type"], told["data"]["entry"]) == ("submission.ended", user)
    assert {run["state"] for run in told["data"]["runs"]} == {"finished"}
    assert wait_for(lambda: mail_to(f"{user}@example.org", Path(site.environment["EMAIL_FILE_PATH"])))
    events = site.get(f"/api/v1/submissions/{told['data']['submission']}/events", token=token)["results"]
    kinds = [event["kind"] for event in events]
    assert kinds.count("queued") == kinds.count("finished") == len(told["data"]["runs"])
    assert "Finished" in site.page(f"/submissions/{told['data']['submission']}/")


def mail_to(address: str, folder: Path) -> str | None:
    """The e-mail that was sent to an address, if it was."""
    texts = [path.read_text() for path in folder.glob("*.log")] if folder.is_dir() else []
    return next((text for text in texts if f"To: {address}" in text and "was scored on tiny@1" in text), None)
