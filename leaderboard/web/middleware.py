"""The request id: taken from the client where it is harmless, made here otherwise, and sent back with every answer."""

import re
import uuid
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

HEADER: Final = "X-Request-ID"
ACCEPTED: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
"""What may go into logs and pages as it came: no line break, no markup, no endless text."""


class RequestIdMiddleware:
    """Give every request an id, so that a person's report and our log meet."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request with its id in the header `X-Request-ID`."""
        given = request.headers.get(HEADER, "")
        request.META[META_KEY] = given if ACCEPTED.fullmatch(given) else str(uuid.uuid4())
        response = self.get_response(request)
        response.headers[HEADER] = request_id(request)
        return response


META_KEY: Final = "aptboard.request_id"


def request_id(request: HttpRequest) -> str:
    """The id of a request; "" where the middleware was not reached."""
    return str(request.META.get(META_KEY, ""))
