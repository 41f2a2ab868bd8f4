"""Endpoints of submissions: send one, watch it, read its items, cancel it."""

import uuid
from typing import cast

from django.contrib.auth.models import User
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.answers import ItemsAnswer, SubmissionAnswer, ValidationAnswer, validation_found
from leaderboard.api.exceptions import AlreadyEndedError
from leaderboard.api.permissions import MayCancel, MayReadItems, MaySubmit
from leaderboard.api.quota import quota_headers
from leaderboard.api.requests import (
    ItemsQuery,
    PredictionsBody,
    PredictionsRequest,
    StatusQuery,
    SubmissionBody,
    SubmissionRequest,
    condition_wanted,
    idempotency_key,
    items_wanted,
    release_wanted,
)
from leaderboard.api.statuses import status_answer, submission_or_404
from leaderboard.api.throttling import BodiesThrottle
from leaderboard.api.views.base import IDEMPOTENCY_KEY, ApiView, refusals, with_etag
from leaderboard.selectors.items import item_rows, item_view
from leaderboard.selectors.pages import cut
from leaderboard.selectors.quota import quota_state
from leaderboard.services.runs import submission_cancel
from leaderboard.services.submissions import predictions_check, submission_create, submission_of_key


class SubmissionList(ApiView):
    """Takes predictions in."""

    permission_classes = (MaySubmit,)
    throttle_classes = (BodiesThrottle,)

    @extend_schema(
        operation_id="submit",
        parameters=[IDEMPOTENCY_KEY],
        request={"multipart/form-data": SubmissionRequest, "application/json": SubmissionBody},
        responses={202: SubmissionAnswer, **refusals(400, 401, 403, 409, 411, 413, 415, 422, 429)},
    )
    def post(self, request: Request) -> Response:
        """Send predictions: answered at once with the address where their scoring can be watched."""
        owner, key = cast(User, request.user), idempotency_key(request.headers.get("Idempotency-Key"))
        sent = SubmissionRequest(data=request.data)
        sent.is_valid(raise_exception=True)
        fields = sent.validated_data
        submission = submission_create(
            owner=owner,
            release=release_wanted(fields, repeats=submission_of_key(owner, key)),
            entry=fields["entry"],
            description=fields["description"],
            file=fields["file"],
            file_name=fields["file"].name,
            default_condition=condition_wanted(fields),
            idempotency_key=key,
        )
        answer = status_answer(submission, request=request, status=202)
        for name, value in quota_headers(quota_state(submission.owner, submission.release.name)).items():
            answer.headers[name] = value
        return answer


class SubmissionDetail(ApiView):
    """The state of one submission; figures are public."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="submission",
        parameters=[StatusQuery],
        responses={200: SubmissionAnswer, 304: None, **refusals(401, 404, 422)},
    )
    def get(self, request: Request, submission_id: uuid.UUID) -> Response:
        """How far the runs of a submission are, and their reports at the end."""
        query = StatusQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        wait = query.validated_data["wait"] if request.user.is_authenticated else 0
        return with_etag(request, status_answer(submission_or_404(submission_id), request=request, wait=wait))


class SubmissionItems(ApiView):
    """The verdicts on single items."""

    permission_classes = (MayReadItems,)

    @extend_schema(
        operation_id="items",
        parameters=[ItemsQuery],
        responses={200: ItemsAnswer, **refusals(401, 403, 404, 422)},
    )
    def get(self, request: Request, submission_id: uuid.UUID) -> Response:
        """The items of a submission with predicted texts and verdicts, for its owner and the owner's team."""
        submission = submission_or_404(submission_id)
        self.check_object_permissions(request, submission)
        query = ItemsQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        fields = query.validated_data
        page = cut(item_rows(submission, items_wanted(fields)), item_view, page=fields["page"])
        return Response(ItemsAnswer(page, context={"request": request}).data)


class SubmissionCancel(ApiView):
    """Ends a submission early."""

    permission_classes = (MayCancel,)

    @extend_schema(
        operation_id="cancel",
        request=None,
        responses={200: SubmissionAnswer, **refusals(401, 403, 404, 409)},
    )
    def post(self, request: Request, submission_id: uuid.UUID) -> Response:
        """Cancel every run that has not ended."""
        submission = submission_or_404(submission_id)
        self.check_object_permissions(request, submission)
        if not submission_cancel(submission, by=cast(User, request.user)):
            raise AlreadyEndedError
        return status_answer(submission, request=request)


class Validation(ApiView):
    """The reader of prediction files without a submission."""

    permission_classes = (MaySubmit,)
    throttle_classes = (BodiesThrottle,)

    @extend_schema(
        operation_id="validate",
        request={"multipart/form-data": PredictionsRequest, "application/json": PredictionsBody},
        responses={200: ValidationAnswer, **refusals(400, 401, 403, 409, 411, 413, 415, 422, 429)},
    )
    def post(self, request: Request) -> Response:
        """Check a prediction file as a submission would; nothing is stored, and it costs nothing."""
        sent = PredictionsRequest(data=request.data)
        sent.is_valid(raise_exception=True)
        fields, release = sent.validated_data, release_wanted(sent.validated_data)
        found = predictions_check(
            release, fields["file"], file_name=fields["file"].name, default_condition=condition_wanted(fields)
        )
        return Response(ValidationAnswer(validation_found(release, found)).data)
