"""Request ids: a harmless one is kept, any other is replaced."""

import uuid

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from leaderboard.web.middleware import RequestIdMiddleware, request_id


def seen_and_sent(given: str | None) -> tuple[str, str]:
    """The id that the view saw, and the one that was sent back."""
    seen = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(request_id(request))
        return HttpResponse()

    headers = {} if given is None else {"X-Request-ID": given}
    answer = RequestIdMiddleware(view)(RequestFactory().get("/", headers=headers))
    return seen[0], answer.headers["X-Request-ID"]


@pytest.mark.parametrize("given", ["12345678", "a-b_c.d-1234", "A" * 64])
def test_a_harmless_id_is_kept(given: str) -> None:
    assert seen_and_sent(given) == (given, given)


@pytest.mark.parametrize(
    "given", [None, "", "short", "a" * 65, "with space 1", "line\nbreak1", "<script>1", "-leading1", "ümlaut-123"]
)
def test_any_other_is_replaced_by_a_new_one(given: str | None) -> None:
    seen, sent = seen_and_sent(given)
    assert seen == sent != given
    assert uuid.UUID(sent)


def test_where_the_middleware_was_not_reached_there_is_no_id() -> None:
    assert request_id(RequestFactory().get("/")) == ""
