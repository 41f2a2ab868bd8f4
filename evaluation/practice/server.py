"""The practice endpoint's HTTP server."""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from evaluation.practice.behaviours import Behaviour, FaultPlan
from evaluation.practice.completions import WRONG_KEY, completion, error_body
from evaluation.practice.ledger import Ledger, prompt_key

KEY: Final = "practice-key"
LONGEST_REQUEST: Final = 8 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Practice:
    """What an endpoint is told when it starts.

    Args:
        key: the API key that it accepts.
        seconds: that each answer takes.
        slow_seconds: that the slow model takes.
        retry_after: seconds that the limited model asks to wait.
        faults: which calls go wrong.
        ledger: where calls are counted.
    """

    key: str = KEY
    seconds: float = 0.0
    slow_seconds: float = 30.0
    retry_after: float = 1.0
    faults: FaultPlan = field(default_factory=FaultPlan)
    ledger: Ledger = field(default_factory=Ledger)


class PracticeServer(ThreadingHTTPServer):
    """Listens on the loopback address only."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, practice: Practice, port: int = 0) -> None:
        self.practice = practice
        super().__init__(("127.0.0.1", port), _Handler)

    @property
    def url(self) -> str:
        """The base address that clients are given."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away in the middle is part of the practice."""


@contextlib.contextmanager
def serving(practice: Practice, port: int = 0) -> Iterator[PracticeServer]:
    """A running endpoint, stopped on leaving."""
    server = PracticeServer(practice, port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: PracticeServer
    # Headers and body go out as one packet; without this each answer waits for an acknowledgement.
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        """Models, and the counts."""
        if self.path == "/v1/models":
            models = [{"id": behaviour.value, "object": "model", "owned_by": "aptboard"} for behaviour in Behaviour]
            self._send(HTTPStatus.OK, {"object": "list", "data": models})
        elif self.path == "/practice/calls":
            self._send(HTTPStatus.OK, self.server.practice.ledger.as_json())
        else:
            self._send(HTTPStatus.NOT_FOUND, error_body(f"There is nothing at {self.path}.", "not_found"))

    def do_POST(self) -> None:
        """A chat completion."""
        request = self._request()
        if self.path != "/v1/chat/completions":
            self._send(HTTPStatus.NOT_FOUND, error_body(f"There is nothing at {self.path}.", "not_found"))
        elif self.headers.get("Authorization") != f"Bearer {self.server.practice.key}":
            self._send(HTTPStatus.UNAUTHORIZED, error_body(WRONG_KEY, "invalid_api_key"))
        elif request is None:
            self._send(HTTPStatus.BAD_REQUEST, error_body("The request is no JSON object.", "invalid_request_error"))
        elif request.get("model") not in set(Behaviour):
            message = f"The model `{request.get('model')}` does not exist."
            self._send(HTTPStatus.NOT_FOUND, error_body(message, "model_not_found"))
        else:
            self._complete(request, Behaviour(request["model"]))

    def _request(self) -> dict[str, Any] | None:
        length = min(int(self.headers.get("Content-Length") or 0), LONGEST_REQUEST)
        try:
            request = json.loads(self.rfile.read(length))
        except ValueError:
            return None
        return request if isinstance(request, dict) and isinstance(request.get("messages"), list) else None

    def _complete(self, request: Mapping[str, Any], behaviour: Behaviour) -> None:
        practice = self.server.practice
        prompt = prompt_key(request["model"], request["messages"])
        idempotency_key = self.headers.get("Idempotency-Key", "")
        before = practice.ledger.sent_before(idempotency_key) if idempotency_key else None
        if before is not None:
            self._send_bytes(HTTPStatus.OK, before)
            return
        call = practice.ledger.call(prompt)
        time.sleep(practice.slow_seconds if behaviour is Behaviour.SLOW else practice.seconds)
        does = practice.faults.of(prompt, call) or behaviour
        if not self._misbehaved(does, call):
            content = completion(request["model"], does, request["messages"])
            body = json.dumps(content).encode()
            practice.ledger.answer(idempotency_key, body, content["usage"])
            self._send_bytes(HTTPStatus.OK, body)

    def _misbehaved(self, behaviour: Behaviour, call: int) -> bool:
        """Answer as no endpoint should; False where a proper answer is due."""
        match behaviour:
            case Behaviour.LIMITED:
                # The limited model answers every second call, so that those who wait get on.
                if self.server.practice.faults.share == 0 and call % 2 == 0:
                    return False
                body = error_body("Rate limit reached, try again later.", "rate_limit_exceeded")
                self._send(HTTPStatus.TOO_MANY_REQUESTS, body, retry_after=self.server.practice.retry_after)
            case Behaviour.DOWN:
                self._send(HTTPStatus.SERVICE_UNAVAILABLE, error_body("The model is overloaded.", "overloaded"))
            case Behaviour.MALFORMED:
                self._send_bytes(HTTPStatus.OK, b'{"choices": [{"message": {"content": "db.orders.fi')
            case Behaviour.DROPPING:
                self._drop()
            case Behaviour.STREAMING:
                self._send_bytes(HTTPStatus.OK, b"data: {]\n\ndata: garbage\n\n" * 50, kind="text/event-stream")
            case Behaviour.ENDLESS:
                self._endless()
            case _:
                return False
        return True

    def _drop(self) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "1000")
        self.end_headers()
        self.wfile.write(b'{"choices"')
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)

    def _endless(self) -> None:
        """A body that never ends, faster than any limit on time would notice."""
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.close_connection = True
        with contextlib.suppress(OSError):
            while True:
                self.wfile.write(b" " * 65536)

    def _send(self, status: HTTPStatus, content: object, *, retry_after: float | None = None) -> None:
        self._send_bytes(status, json.dumps(content).encode(), retry_after=retry_after)

    def _send_bytes(
        self, status: HTTPStatus, body: bytes, *, kind: str = "application/json", retry_after: float | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if retry_after is not None:
            self.send_header("Retry-After", f"{retry_after:g}")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: a call stands in the ledger."""
