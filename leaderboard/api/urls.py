"""Addresses of the API: without a slash at the end, and with one for those who write it."""

from django.urls import URLPattern, path, re_path
from drf_spectacular.views import SpectacularJSONAPIView

from leaderboard.api.views.base import ApiView
from leaderboard.api.views.benchmark import BoardView, BreakdownView, Nothing, ReleaseList
from leaderboard.api.views.comparison import ComparisonView
from leaderboard.api.views.endpoints import EndpointSubmissionList
from leaderboard.api.views.records import QuotaList, SubmissionEvents
from leaderboard.api.views.submissions import (
    SubmissionCancel,
    SubmissionDetail,
    SubmissionItems,
    SubmissionList,
    Validation,
)

app_name = "api"


def both(route: str, view: type[ApiView], *, name: str) -> list[URLPattern]:
    """The address, and its twin with a slash, which the schema does not list."""
    return [path(route, view.as_view(), name=name), path(f"{route}/", view.as_view(schema=None))]


urlpatterns = [
    *both("v1/submissions", SubmissionList, name="submissions"),
    *both("v1/submissions/<uuid:submission_id>", SubmissionDetail, name="submission"),
    *both("v1/submissions/<uuid:submission_id>/items", SubmissionItems, name="items"),
    *both("v1/submissions/<uuid:submission_id>/cancel", SubmissionCancel, name="cancel"),
    *both("v1/submissions/<uuid:submission_id>/events", SubmissionEvents, name="events"),
    *both("v1/endpoint-submissions", EndpointSubmissionList, name="endpoint_submissions"),
    *both("v1/quota", QuotaList, name="quota"),
    *both("v1/validate", Validation, name="validate"),
    *both("v1/board", BoardView, name="board"),
    *both("v1/compare", ComparisonView, name="compare"),
    *both("v1/board/breakdown", BreakdownView, name="breakdown"),
    *both("v1/releases", ReleaseList, name="releases"),
    path("v1/schema/", SpectacularJSONAPIView.as_view(), name="schema"),
    re_path("", Nothing.as_view(), name="nothing"),
]
