"""When something goes wrong: plain words and the request's id, as a page or, below /api/, as a problem document."""

import json
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import get_resolver
from pytest_django import Settings

from leaderboard.models.releases import Release
from leaderboard.web.errors import bad_request, fault, not_found, refused
from leaderboard.web.middleware import META_KEY
from leaderboard.web.upload import UploadTooLargeError

CASES: list[tuple[Callable[[HttpRequest], HttpResponse], int, str, str]] = [
    (lambda r: bad_request(r, SuspiciousOperation("inner")), 400, "malformed-request", "cannot be read"),
    (lambda r: bad_request(r, UploadTooLargeError(5)), 413, "upload-too-large", "5 bytes"),
    (lambda r: bad_request(r, RequestDataTooBig("inner")), 413, "upload-too-large", "too large"),
    (lambda r: refused(r, PermissionDenied("Not yours.")), 403, "permission-denied", "Not yours."),
    (lambda r: refused(r, PermissionDenied()), 403, "permission-denied", "You may not do this"),
    (lambda r: not_found(r, Http404("inner")), 404, "not-found", "nothing at this address"),
    (fault, 500, "internal-error", "on our side"),
]


def request_to(path: str) -> HttpRequest:
    request = RequestFactory().get(path)
    request.META[META_KEY] = "the-request-id"
    request.user = User(username="nobody")
    return request


@pytest.mark.parametrize(("answer", "status", "kind", "words"), CASES)
def test_a_page_says_it_in_plain_words_with_the_requests_id(
    answer: Callable[[HttpRequest], HttpResponse], status: int, kind: str, words: str
) -> None:
    page = answer(request_to("/somewhere/"))
    assert page.status_code == status
    assert words in page.content.decode()
    assert "the-request-id" in page.content.decode()
    assert "inner" not in page.content.decode()


@pytest.mark.parametrize(("answer", "status", "kind", "words"), CASES)
def test_below_api_it_is_a_problem_document(
    answer: Callable[[HttpRequest], HttpResponse], status: int, kind: str, words: str
) -> None:
    page = answer(request_to("/api/v1/somewhere"))
    body = json.loads(page.content)
    assert (page.status_code, page.headers["Content-Type"]) == (status, "application/problem+json")
    assert (body["type"], body["status"], body["request_id"]) == (f"/problems/{kind}", status, "the-request-id")


def test_the_page_of_a_fault_asks_nothing_of_a_database_that_may_be_down() -> None:
    request = RequestFactory().get("/")

    class Broken:
        @property
        def is_authenticated(self) -> bool:
            raise AssertionError("the database was asked who is signed in")

    request.user = Broken()  # type: ignore[assignment]
    assert fault(request).status_code == 500


@pytest.mark.parametrize("status", [400, 403, 404, 500])
def test_django_is_told_of_our_handlers(status: int) -> None:
    assert get_resolver().resolve_error_handler(status).__module__ == "leaderboard.web.errors"


@pytest.mark.site
@pytest.mark.django_db
def test_the_form_refuses_a_file_over_the_cap_with_a_page(ann: User, release: Release, settings: Settings) -> None:
    settings.SUBMISSION_BYTES = 100
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    client.get("/submit/")
    answer = client.post("/submit/", {"entry": "x", "file": SimpleUploadedFile("p.jsonl", b"x" * 101)})
    assert answer.status_code == 413
    assert "100 bytes" in answer.content.decode()


@pytest.mark.site
@pytest.mark.django_db
def test_a_form_without_its_cookie_is_explained(ann: User, release: Release) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    answer = client.post("/tokens/", {"name": "x"})
    assert answer.status_code == 403
    assert "The form has expired" in answer.content.decode()


@pytest.mark.site
@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/nothing", "/submissions/not-a-uuid/", "/releases/tiny@9/", "/problems/none"])
def test_an_address_that_is_none_is_a_page(client: Client, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 404
    assert answer.headers["X-Request-ID"] in answer.content.decode()
