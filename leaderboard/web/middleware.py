"""What every answer carries: the id of its request, and who may keep it."""

import re
import uuid
from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.cache import has_vary_header, patch_cache_control

HEADER: Final = "X-Request-ID"
ACCEPTED: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{7,63}")
"""What may go into logs and pages as it came: no line break, no markup, no endless text."""


class RequestIdMiddleware:
    """Give every request an id, so that a person's report and our log meet.

    It is taken from the client where it is harmless, and made here otherwise.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request with its id in the header `X-Request-ID`."""
        given = request.headers.get(HEADER, "")
        request.META[META_KEY] = given if ACCEPTED.fullmatch(given) else str(uuid.uuid4())
        response = self.get_response(request)
        response.headers[HEADER] = request_id(request)
        return response


class PrivateAnswersMiddleware:
    """Let no shared cache keep an answer that depends on who is signed in, unless the view said otherwise.

    It stands around the middleware of sessions, which notes in `Vary` that a session was looked at. Not every cache
    between us and the reader heeds `Vary: Cookie`, and every page has the reader's name on it.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request."""
        response = self.get_response(request)
        if has_vary_header(response, "Cookie") and "Cache-Control" not in response.headers:
            patch_cache_control(response, private=True, no_cache=True)
        return response


META_KEY: Final = "aptboard.request_id"


def request_id(request: HttpRequest) -> str:
    """The id of a request; "" where the middleware was not reached."""
    return str(request.META.get(META_KEY, ""))
