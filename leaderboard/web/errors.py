"""What is answered when something goes wrong: a page in plain words, or a problem document below /api/."""

from dataclasses import dataclass
from typing import Final

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from leaderboard.api.problem_types import ProblemType
from leaderboard.api.problems import CONTENT_TYPE, Problem, problem_of
from leaderboard.web.middleware import request_id
from leaderboard.web.upload import UploadTooLargeError

TOO_LARGE: Final = (UploadTooLargeError, RequestDataTooBig)
TOLD: Final = (UploadTooLargeError, PermissionDenied)
"""Exceptions of ours whose sentence is meant for the reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorPage:
    """The template of a status, and the problem that stands for it below /api/."""

    status: int
    template: str
    problem: ProblemType
    detail: str


BAD_REQUEST: Final = ErrorPage(
    status=400, template="400.html", problem=ProblemType.MALFORMED_REQUEST, detail="The request cannot be read."
)
REFUSED: Final = ErrorPage(
    status=403, template="403.html", problem=ProblemType.PERMISSION_DENIED, detail="You may not do this."
)
NOT_FOUND: Final = ErrorPage(
    status=404, template="404.html", problem=ProblemType.NOT_FOUND, detail="There is nothing at this address."
)
TOO_LARGE_PAGE: Final = ErrorPage(
    status=413, template="413.html", problem=ProblemType.UPLOAD_TOO_LARGE, detail="The upload is larger than the cap."
)
FAULT: Final = ErrorPage(
    status=500, template="500.html", problem=ProblemType.INTERNAL_ERROR, detail="Something went wrong on our side."
)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """`handler400`, and with it the answer to an upload over the cap."""
    return _answer(request, TOO_LARGE_PAGE if isinstance(exception, TOO_LARGE) else BAD_REQUEST, exception)


def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
    """`handler403`."""
    return _answer(request, REFUSED, exception)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """`handler404`."""
    return _answer(request, NOT_FOUND, None)


def fault(request: HttpRequest) -> HttpResponse:
    """`handler500`: says nothing about the fault but the id under which it is logged."""
    return _answer(request, FAULT, None)


def _answer(request: HttpRequest, page: ErrorPage, exception: Exception | None) -> HttpResponse:
    if request.path.startswith("/api/"):
        known = problem_of(exception) if exception is not None else None
        problem = known or Problem(type=page.problem, detail=page.detail)
        return JsonResponse(problem.as_json(request=request), status=problem.status, content_type=CONTENT_TYPE)
    told = str(exception) if isinstance(exception, TOLD) else ""
    context = {"detail": told, "request_id": request_id(request)}
    return render(request, page.template, context, status=page.status)
