"""Refusals: each has one shape, one type, and a page that explains it."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.test import Client, RequestFactory
from rest_framework import exceptions

from benchmark_data.errors import Fault, FaultyPredictionsError
from leaderboard.api.exceptions import AlreadyEndedError, InvalidTokenError, LengthRequiredError
from leaderboard.api.problem_types import PROBLEM_KINDS, ProblemType
from leaderboard.api.problems import Problem, problem_of
from leaderboard.services.submissions import IdempotencyConflictError, ReleaseClosedError
from leaderboard.web.upload import UploadTooLargeError

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "submitter" / "errors.md"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (FaultyPredictionsError((Fault(file="a", rule="r", message="m"),)), ProblemType.FAULTY_PREDICTIONS),
        (IdempotencyConflictError("used"), ProblemType.IDEMPOTENCY_CONFLICT),
        (ReleaseClosedError("closed"), ProblemType.RELEASE_CLOSED),
        (AlreadyEndedError(), ProblemType.ALREADY_ENDED),
        (LengthRequiredError(), ProblemType.LENGTH_REQUIRED),
        (UploadTooLargeError(5), ProblemType.UPLOAD_TOO_LARGE),
        (RequestDataTooBig("big"), ProblemType.UPLOAD_TOO_LARGE),
        (InvalidTokenError(), ProblemType.INVALID_TOKEN),
        (exceptions.NotAuthenticated(), ProblemType.NOT_AUTHENTICATED),
        (exceptions.PermissionDenied(), ProblemType.PERMISSION_DENIED),
        (PermissionDenied(), ProblemType.PERMISSION_DENIED),
        (Http404(), ProblemType.NOT_FOUND),
        (exceptions.NotFound(), ProblemType.NOT_FOUND),
        (exceptions.MethodNotAllowed("PUT"), ProblemType.METHOD_NOT_ALLOWED),
        (exceptions.NotAcceptable(), ProblemType.NOT_ACCEPTABLE),
        (exceptions.UnsupportedMediaType("text/plain"), ProblemType.UNSUPPORTED_MEDIA_TYPE),
        (exceptions.ValidationError({"entry": ["wrong"]}), ProblemType.INVALID_FIELDS),
        (exceptions.ParseError(), ProblemType.MALFORMED_REQUEST),
        (exceptions.Throttled(wait=3), ProblemType.TOO_MANY_REQUESTS),
        (MultiPartParserError("broken"), ProblemType.MALFORMED_REQUEST),
        (UnreadablePostError("gone"), ProblemType.MALFORMED_REQUEST),
    ],
)
def test_every_refusal_has_its_type_and_says_something(error: Exception, kind: ProblemType) -> None:
    problem = problem_of(error)
    assert problem is not None
    assert problem.type is kind
    assert problem.detail


@pytest.mark.parametrize("error", [ValueError("secret path"), KeyError("x"), RuntimeError()])
def test_a_fault_of_ours_is_no_refusal(error: Exception) -> None:
    assert problem_of(error) is None


@pytest.mark.parametrize(
    ("faults", "total", "detail"),
    [
        (1, 1, "1 fault was found in p.jsonl. Nothing was stored."),
        (2, 2, "2 faults were found in p.jsonl. Nothing was stored."),
        (2, 1200, "1,200 faults were found in p.jsonl; the first 2 are listed. Nothing was stored."),
    ],
)
def test_faults_are_counted_even_where_not_all_are_listed(faults: int, total: int, detail: str) -> None:
    fault = Fault(file="p.jsonl", line=3, field="query", rule="wrong_type", message="no")
    problem = problem_of(FaultyPredictionsError((fault,) * faults, total=total))
    assert problem is not None
    body = problem.as_json(request=RequestFactory().get("/"))
    assert (body["detail"], body["total"], len(body["errors"])) == (detail, total, faults)
    assert body["errors"][0] == {
        "file": "p.jsonl", "line": 3, "field": "query", "rule": "wrong_type", "message": "no",
    }  # fmt: skip


@pytest.mark.parametrize("kind", ProblemType)
def test_every_type_is_explained_on_the_site_and_in_the_documentation(kind: ProblemType, client: Client) -> None:
    problem = Problem(type=kind, detail="d")
    body = problem.as_json(request=RequestFactory().get("/"))
    page = client.get(body["type"])
    assert page.status_code == 200
    assert PROBLEM_KINDS[kind].title.replace("'", "&#x27;") in page.content.decode()
    assert re.search(rf"^## {kind}$", DOCUMENT.read_text(), re.MULTILINE)
    assert f"{PROBLEM_KINDS[kind].status} · {PROBLEM_KINDS[kind].title}" in DOCUMENT.read_text()


def test_every_type_has_its_own_title() -> None:
    titles = [kind.title for kind in PROBLEM_KINDS.values()]
    assert len(set(titles)) == len(titles) == len(ProblemType)


@pytest.mark.parametrize(
    ("detail", "places"),
    [
        ({"entry": ["wrong"]}, ["entry"]),
        ({"non_field_errors": ["wrong"]}, [""]),
        ({"a": {"b": ["one", "two"]}}, ["a.b", "a.b"]),
        (["wrong"], [""]),
    ],
)
def test_nested_field_errors_become_a_flat_list(detail: Any, places: list[str]) -> None:
    problem = problem_of(exceptions.ValidationError(detail))
    assert problem is not None
    assert [fault.field for fault in problem.faults] == places
    assert {fault.rule for fault in problem.faults} == {"invalid"}
