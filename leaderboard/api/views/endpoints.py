"""Endpoint of model endpoints: takes one in, to be asked and scored."""

from typing import Any, cast

from django.contrib.auth.models import User
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.answers import SubmissionAnswer
from leaderboard.api.endpoint_requests import EndpointSubmissionRequest, endpoint_wanted
from leaderboard.api.parsers import PredictionsParser
from leaderboard.api.permissions import MaySubmit
from leaderboard.api.quota import quota_headers
from leaderboard.api.requests import idempotency_key, release_wanted
from leaderboard.api.statuses import status_answer, submission_or_404
from leaderboard.api.throttling import BodiesThrottle
from leaderboard.api.views.base import IDEMPOTENCY_KEY, ApiView, refusals
from leaderboard.selectors.quota import quota_state
from leaderboard.services.endpoints import endpoint_submission_create
from leaderboard.services.submissions import submission_of_key


class EndpointSubmissionList(ApiView):
    """Takes model endpoints in."""

    permission_classes = (MaySubmit,)
    throttle_classes = (BodiesThrottle,)
    parser_classes: tuple[type[BaseParser], ...] = (PredictionsParser,)

    @extend_schema(
        operation_id="submit_endpoint",
        parameters=[IDEMPOTENCY_KEY],
        request=EndpointSubmissionRequest,
        responses={202: SubmissionAnswer, **refusals(400, 401, 403, 409, 411, 413, 415, 422, 429)},
    )
    def post(self, request: Request) -> Response:
        """Name a model: answered at once with the address where the asking and the scoring can be watched."""
        owner, key = cast(User, request.user), idempotency_key(request.headers.get("Idempotency-Key"))
        sent = EndpointSubmissionRequest(data=request.data)
        sent.is_valid(raise_exception=True)
        given: dict[str, Any] = sent.validated_data
        submission = endpoint_submission_create(
            owner=owner,
            release=release_wanted(given, repeats=submission_of_key(owner, key)),
            entry=given["entry"],
            description=given["description"],
            request=endpoint_wanted(given),
            idempotency_key=key,
        )
        # Read again: the row in hand does not know yet what belongs to it.
        answer = status_answer(submission_or_404(submission.pk), request=request, status=202)
        for name, value in quota_headers(quota_state(submission.owner, submission.release.name)).items():
            answer.headers[name] = value
        return answer
