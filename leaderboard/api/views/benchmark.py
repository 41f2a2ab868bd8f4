"""Endpoints of what is measured, and of the ranked results; all public."""

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.answers import ReleaseAnswer
from leaderboard.api.board_answers import BoardAnswer
from leaderboard.api.breakdown_answers import BreakdownAnswer
from leaderboard.api.requests import BoardQuery, BreakdownQuery, conditions_wanted, release_wanted, slice_wanted
from leaderboard.api.views.base import ApiView, refusals, with_etag
from leaderboard.models.slices import SliceKind
from leaderboard.selectors.board import board
from leaderboard.selectors.breakdowns import breakdown
from leaderboard.selectors.releases import release_summaries
from leaderboard.selectors.slices import slice_board, slices


class BoardView(ApiView):
    """The ranked results."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="board",
        parameters=[BoardQuery],
        responses={200: BoardAnswer, 304: None, **refusals(401, 409, 422)},
    )
    def get(self, request: Request) -> Response:
        """The board of a release, one for each condition, over all items or those of one database or difficulty."""
        query = BoardQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        fields, release = query.validated_data, release_wanted(query.validated_data)
        part = slice_wanted(fields, slices(release))
        boards = [
            board(release, each, page=fields["page"])
            if part is None
            else slice_board(release, each, part, page=fields["page"])
            for each in conditions_wanted(fields)
        ]
        answer = {"release": str(release), "digest": release.digest, "slice": part, "conditions": boards}
        return with_etag(request, Response(BoardAnswer(answer).data))


class BreakdownView(ApiView):
    """The ranked results by databases, or by difficulties."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="board_breakdown",
        parameters=[BreakdownQuery],
        responses={200: BreakdownAnswer, 304: None, **refusals(401, 409, 422)},
    )
    def get(self, request: Request) -> Response:
        """The entries of a board in their order, each with its figures on every database, or every difficulty."""
        query = BreakdownQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        fields, release = query.validated_data, release_wanted(query.validated_data)
        columns = slices(release).columns(SliceKind(fields["by"]))
        tables = [breakdown(release, each, columns, page=fields["page"]) for each in conditions_wanted(fields)]
        answer = {"release": str(release), "digest": release.digest, "columns": columns, "conditions": tables}
        return with_etag(request, Response(BreakdownAnswer(answer).data))


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
