"""Every refusal of the API as application/problem+json (RFC 9457)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpRequest, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from django.urls import reverse
from rest_framework import exceptions
from rest_framework.response import Response

from benchmark_data.errors import Fault, FaultyPredictionsError
from leaderboard.api.exceptions import (
    AlreadyEndedError,
    InsufficientScopeError,
    InvalidTokenError,
    LengthRequiredError,
)
from leaderboard.api.pointers import fault_pointer, field_faults
from leaderboard.api.problem_types import PROBLEM_KINDS, ProblemType
from leaderboard.api.quota import quota_headers, quota_members, retry_seconds
from leaderboard.services.accounts import EmailNotVerifiedError
from leaderboard.services.endpoints import FaultyEndpointError
from leaderboard.services.quota import QuotaExceededError
from leaderboard.services.submissions import IdempotencyConflictError, ReleaseClosedError
from leaderboard.web.faults import fault_summary
from leaderboard.web.middleware import request_id
from leaderboard.web.upload import UploadTooLargeError, drain

CONTENT_TYPE: Final = "application/problem+json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One refusal.

    Args:
        type: its kind, which gives status and title.
        detail: what is wrong in this request.
        faults: the single faults, where there are any.
        total: how many faults there are when not all are listed.
        more: further members, such as `cap_bytes`.
    """

    type: ProblemType
    detail: str
    faults: tuple[Fault, ...] = ()
    total: int | None = None
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def status(self) -> int:
        """The HTTP status."""
        return PROBLEM_KINDS[self.type].status

    def as_json(self, *, request: HttpRequest) -> dict[str, Any]:
        """The body of the answer."""
        body = {
            "type": reverse("problem", args=[self.type]),
            "title": PROBLEM_KINDS[self.type].title,
            "status": self.status,
            "detail": self.detail,
            "request_id": request_id(request),
            **self.more,
        }
        if self.faults:
            in_json = request.content_type == "application/json"
            body["errors"] = [_fault_json(fault, in_json=in_json) for fault in self.faults]
            body["total"] = len(self.faults) if self.total is None else self.total
        return body


def _fault_json(fault: Fault, *, in_json: bool) -> dict[str, Any]:
    plain = {"file": fault.file, "line": fault.line, "field": fault.field, "rule": fault.rule, "message": fault.message}
    pointer = fault_pointer(fault) if in_json else None
    return plain if pointer is None else plain | {"pointer": pointer}


def problem_response(exc: Exception, context: Mapping[str, Any]) -> Response | None:
    """Django REST framework's exception handler; None for faults of ours, which `handler500` answers."""
    problem = problem_of(exc)
    if problem is None:
        return None
    request: HttpRequest = context["request"]._request
    response = Response(
        problem.as_json(request=request), status=problem.status, headers=_headers(exc), content_type=CONTENT_TYPE
    )
    _drain_unread(request)
    return response


def _headers(exc: Exception) -> dict[str, str]:
    headers = {}
    if auth_header := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = str(auth_header)
    if wait := getattr(exc, "wait", None):
        headers["Retry-After"] = str(int(wait))
    if isinstance(exc, QuotaExceededError):
        headers |= {"Retry-After": str(retry_seconds(exc.state)), **quota_headers(exc.state)}
    return headers


def _drain_unread(request: HttpRequest) -> None:
    """A refusal may come before the body was read (no token, say): read it off, or the client never sees the answer."""
    try:
        drain(request)
    except UnreadablePostError:
        # The client has gone away; there is nobody left to answer.
        return


def problem_of(exc: Exception) -> Problem | None:
    """What an exception means to the client; None where it is no refusal but a fault of ours."""
    maker = next((maker for kind, maker in MAKERS.items() if isinstance(exc, kind)), None)
    if maker is not None:
        return maker(exc)
    found = next((problem_type for kind, problem_type in PLAIN.items() if isinstance(exc, kind)), None)
    return None if found is None else Problem(type=found, detail=str(getattr(exc, "detail", exc)))


def _faulty_predictions(exc: Any) -> Problem:
    return Problem(type=ProblemType.FAULTY_PREDICTIONS, detail=fault_summary(exc), faults=exc.faults, total=exc.total)


def _faulty_endpoint(exc: Any) -> Problem:
    # Those of the request's fields, so that they are pointed to like any other field.
    faults = tuple(replace(fault, file="", field=ENDPOINT_PATHS.get(fault.field, fault.field)) for fault in exc.faults)
    names = ", ".join(dict.fromkeys(fault.field for fault in faults))
    return Problem(type=ProblemType.FAULTY_ENDPOINT, detail=f"Look at: {names}.", faults=faults)


ENDPOINT_PATHS: Final[Mapping[str, str]] = {"links": "facts.links"}
"""Where fields of the service's request stand in a body, where that is not at its top."""


def _invalid_fields(exc: Any) -> Problem:
    faults = tuple(field_faults(exc.detail, codes=exc.get_codes()))
    names = ", ".join(dict.fromkeys(fault.field for fault in faults if fault.field))
    detail = f"Look at: {names}." if names else "The request is not complete."
    return Problem(type=ProblemType.INVALID_FIELDS, detail=detail, faults=faults)


def _too_large(exc: Any) -> Problem:
    return Problem(type=ProblemType.UPLOAD_TOO_LARGE, detail=str(exc), more={"cap_bytes": exc.cap})


def _body_too_large(_: Any) -> Problem:
    cap = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    return Problem(
        type=ProblemType.UPLOAD_TOO_LARGE, detail=f"The body is larger than {cap:,} bytes.", more={"cap_bytes": cap}
    )


def _not_found(exc: Any) -> Problem:
    detail = str(exc) or "There is nothing at this address."
    return Problem(type=ProblemType.NOT_FOUND, detail=detail)


def _permission_denied(exc: Any) -> Problem:
    detail = str(getattr(exc, "detail", exc)) or "You may not do this."
    return Problem(type=ProblemType.PERMISSION_DENIED, detail=detail)


def _insufficient_scope(exc: Any) -> Problem:
    return Problem(type=ProblemType.INSUFFICIENT_SCOPE, detail=str(exc.detail))


def _not_authenticated(_: Any) -> Problem:
    detail = "The Authorization header is missing: send “Authorization: Bearer apt_live_…”."
    return Problem(type=ProblemType.NOT_AUTHENTICATED, detail=detail)


def _quota_exceeded(exc: Any) -> Problem:
    return Problem(type=ProblemType.QUOTA_EXCEEDED, detail=str(exc), more=quota_members(exc.state))


MAKERS: Final[Mapping[type[Exception], Callable[[Any], Problem]]] = {
    FaultyPredictionsError: _faulty_predictions,
    FaultyEndpointError: _faulty_endpoint,
    QuotaExceededError: _quota_exceeded,
    exceptions.ValidationError: _invalid_fields,
    UploadTooLargeError: _too_large,
    RequestDataTooBig: _body_too_large,
    InsufficientScopeError: _insufficient_scope,
    Http404: _not_found,
    PermissionDenied: _permission_denied,
    exceptions.PermissionDenied: _permission_denied,
    exceptions.NotAuthenticated: _not_authenticated,
}
"""Exceptions that say more than a sentence."""

PLAIN: Final[Mapping[type[Exception], ProblemType]] = {
    EmailNotVerifiedError: ProblemType.EMAIL_NOT_VERIFIED,
    IdempotencyConflictError: ProblemType.IDEMPOTENCY_CONFLICT,
    ReleaseClosedError: ProblemType.RELEASE_CLOSED,
    AlreadyEndedError: ProblemType.ALREADY_ENDED,
    LengthRequiredError: ProblemType.LENGTH_REQUIRED,
    InvalidTokenError: ProblemType.INVALID_TOKEN,
    exceptions.AuthenticationFailed: ProblemType.INVALID_TOKEN,
    exceptions.NotFound: ProblemType.NOT_FOUND,
    exceptions.MethodNotAllowed: ProblemType.METHOD_NOT_ALLOWED,
    exceptions.NotAcceptable: ProblemType.NOT_ACCEPTABLE,
    exceptions.UnsupportedMediaType: ProblemType.UNSUPPORTED_MEDIA_TYPE,
    exceptions.Throttled: ProblemType.TOO_MANY_REQUESTS,
    exceptions.APIException: ProblemType.MALFORMED_REQUEST,
    MultiPartParserError: ProblemType.MALFORMED_REQUEST,
    UnreadablePostError: ProblemType.MALFORMED_REQUEST,
}
"""Exceptions whose own sentence is the detail; the first class that fits counts, so subclasses stand first."""
