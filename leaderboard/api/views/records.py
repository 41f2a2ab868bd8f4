"""Endpoints of what was noted: the events of a submission, and a user's quota."""

import uuid
from functools import partial
from typing import cast

from django.contrib.auth.models import User
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.events import EventsAnswer, EventsQuery
from leaderboard.api.permissions import MayRead, reader_of
from leaderboard.api.quota import QuotaAnswer
from leaderboard.api.statuses import submission_or_404
from leaderboard.api.views.base import ApiView, refusals, with_etag
from leaderboard.selectors.access import may_read_items
from leaderboard.selectors.events import event_rows, event_view
from leaderboard.selectors.pages import cut
from leaderboard.selectors.quota import quota_states


class SubmissionEvents(ApiView):
    """What happened to the runs of a submission; details are its owner's."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="events",
        parameters=[EventsQuery],
        responses={200: EventsAnswer, 304: None, **refusals(401, 404, 422)},
    )
    def get(self, request: Request, submission_id: uuid.UUID) -> Response:
        """The log of a submission, the newest event first."""
        submission = submission_or_404(submission_id)
        query = EventsQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        view = partial(event_view, owned=may_read_items(reader_of(request), submission))
        page = cut(event_rows(submission), view, page=query.validated_data["page"])
        return with_etag(request, Response(EventsAnswer(page).data))


class QuotaList(ApiView):
    """The quota of the signed-in user or the user's team."""

    permission_classes = (MayRead,)

    @extend_schema(operation_id="quota", responses={200: QuotaAnswer(many=True), **refusals(401, 403)})
    def get(self, request: Request) -> Response:
        """What is used and left of every benchmark, and when more is."""
        return Response([QuotaAnswer(state).data for state in quota_states(cast(User, request.user))])
