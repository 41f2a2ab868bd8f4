"""What every endpoint does before and after its own work."""

import hashlib
from typing import Any, Final

from drf_spectacular.utils import OpenApiParameter
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from leaderboard.api.answers import ProblemAnswer
from leaderboard.api.parsers import CappedMultiPartParser, PredictionsParser, require_content_length

PROBLEM_JSON: Final = "application/problem+json"

REFUSALS: Final[dict[Any, Any]] = {
    (code, PROBLEM_JSON): ProblemAnswer for code in (400, 401, 403, 404, 406, 409, 411, 413, 415, 422, 429, 500)
}
"""Every refusal has one shape; which ones an endpoint can give is told by its statuses."""


def refusals(*codes: int) -> dict[Any, Any]:
    """The refusals of one endpoint, for the schema."""
    return {key: answer for key, answer in REFUSALS.items() if key[0] in codes}


IDEMPOTENCY_KEY: Final = OpenApiParameter(
    name="Idempotency-Key",
    location=OpenApiParameter.HEADER,
    description="The same key with the same content gives the first submission again.",
)


class ApiView(APIView):
    """An endpoint; each names its own `permission_classes`."""

    parser_classes: tuple[type[BaseParser], ...] = (CappedMultiPartParser, PredictionsParser)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse chunked bodies, then check who asks.

        Raises:
            LengthRequiredError: the body is chunked.
        """
        require_content_length(request.headers)
        super().initial(request, *args, **kwargs)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Answers depend on who asks: no shared cache may keep them."""
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "private, no-cache")
        return response


def with_etag(request: Request, response: Response) -> Response:
    """The response with a strong ETag over its body, or 304 where the client has just this."""
    etag = f'"{hashlib.sha256(repr(response.data).encode()).hexdigest()[:32]}"'
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("If-None-Match", "").split(",")]
    if etag in known:
        response = Response(status=304, headers=dict(response.headers))
    response.headers["ETag"] = etag
    return response
