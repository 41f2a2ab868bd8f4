"""Who may do what through the API."""

from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from leaderboard.models.submissions import Submission
from leaderboard.selectors.access import may_read_items


class IsOwnerOrStaff(IsAuthenticated):
    """The submission's owner, or staff."""

    message = "Only the owner of the submission may do this."

    def has_object_permission(self, request: Request, view: APIView, obj: Submission) -> bool:
        """Whether the signed-in user owns the submission or is staff."""
        return may_read_items(request.user, obj)
