"""The endpoint that puts entries side by side."""

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import ErrorDetail, PermissionDenied, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from leaderboard.api.comparison_answers import ComparisonAnswer, ComparisonQuery
from leaderboard.api.permissions import reader_of
from leaderboard.api.views.base import ApiView, refusals, with_etag
from leaderboard.selectors.comparable import IncomparableError
from leaderboard.selectors.compared_items import DifferenceFilter, differing_items
from leaderboard.selectors.comparison import Comparison, comparison


class ComparisonView(ApiView):
    """Figures of a few entries are public; the items on which they differ are for the owner of all of them."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="compare",
        parameters=[ComparisonQuery],
        responses={200: ComparisonAnswer, 304: None, **refusals(401, 403, 422)},
    )
    def get(self, request: Request) -> Response:
        """Two to five entries of one release: figures, paired tests, and shares by database and difficulty."""
        query = ComparisonQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        fields = query.validated_data
        found = compared(fields["entries"], request)
        page = None
        if fields["items"]:
            if not found.readable:
                raise PermissionDenied("Only who may read the items of all of these entries may list them.")
            page = differing_items(found, DifferenceFilter(), page=fields["page"])
        return with_etag(request, Response(ComparisonAnswer(found, context={"differing_items": page}).data))


def compared(wanted: list[str], request: Request) -> Comparison:
    """The comparison.

    Raises:
        ValidationError: the entries cannot be compared; every reason is told.
    """
    try:
        return comparison(wanted, reader=reader_of(request))
    except IncomparableError as error:
        faults = [ErrorDetail(fault.message, code=fault.rule) for fault in error.faults]
        raise ValidationError({"entries": faults}) from error
