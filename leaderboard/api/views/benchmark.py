"""Endpoints of what is measured, and of the ranked results; all public."""

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from evaluation.types import Condition
from leaderboard.api.answers import ReleaseAnswer
from leaderboard.api.board_answers import BoardAnswer
from leaderboard.api.requests import BoardQuery, condition_wanted, release_wanted
from leaderboard.api.views.base import ApiView, refusals, with_etag
from leaderboard.selectors.board import board
from leaderboard.selectors.releases import release_summaries


class BoardView(ApiView):
    """The ranked results."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="board",
        parameters=[BoardQuery],
        responses={200: BoardAnswer, 304: None, **refusals(401, 409, 422)},
    )
    def get(self, request: Request) -> Response:
        """The board of a release, one for each condition; the current release if none is named."""
        query = BoardQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        fields, release = query.validated_data, release_wanted(query.validated_data)
        condition = condition_wanted(fields)
        conditions = tuple(Condition) if condition is None else (condition,)
        boards = [board(release, each, page=fields["page"]) for each in conditions]
        answer = {"release": str(release), "digest": release.digest, "conditions": boards}
        return with_etag(request, Response(BoardAnswer(answer).data))


class ReleaseList(ApiView):
    """The live releases."""

    permission_classes = (AllowAny,)

    @extend_schema(operation_id="releases", responses={200: ReleaseAnswer(many=True), **refusals(401)})
    def get(self, request: Request) -> Response:
        """The live releases, the newest first."""
        return Response([ReleaseAnswer(summary).data for summary in release_summaries()])


class Nothing(ApiView):
    """Every other address below /api/."""

    permission_classes = (AllowAny,)
    schema = None

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        """Refuse every method.

        Raises:
            NotFound: always.
        """
        raise NotFound(f"{request.path} is not an address of this API; /api/v1/schema/ describes those there are.")
