"""Who may do what through the API."""

from typing import Any, ClassVar

from django.contrib.auth.models import AnonymousUser, User
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from leaderboard.api.exceptions import InsufficientScopeError
from leaderboard.models.tokens import ApiToken, TokenScope
from leaderboard.selectors.access import may_read_items


def has_scope(request: Request, scope: TokenScope) -> bool:
    """Whether the request may do this: a session may what its user may, a token what it was made for."""
    return not isinstance(request.auth, ApiToken) or scope in request.auth.scopes


def reader_of(request: Request) -> User | AnonymousUser:
    """As whom a request reads what is public in part: a token without the right to read is a visitor."""
    return request.user if has_scope(request, TokenScope.READ) else AnonymousUser()


class HasScope(IsAuthenticated):
    """Somebody signed in, and with a token only where it was made for this."""

    scope: ClassVar[TokenScope]

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Whether somebody is signed in.

        Raises:
            InsufficientScopeError: by a token that was made for something else.
        """
        if not super().has_permission(request, view):
            return False
        if not has_scope(request, self.scope):
            raise InsufficientScopeError(self.scope)
        return True


class OwnersOnly(HasScope):
    """The submission's owner, a member of the team that it was sent for, or staff."""

    message = "Only the owner of the submission, or the owner's team, may do this."

    def has_object_permission(self, request: Request, view: APIView, obj: Any) -> bool:
        """Whether the signed-in user is one of them."""
        return may_read_items(request.user, obj)


class MaySubmit(HasScope):
    """Sends and checks predictions."""

    scope = TokenScope.SUBMIT


class MayRead(HasScope):
    """Reads what is the user's own."""

    scope = TokenScope.READ


class MayReadItems(OwnersOnly):
    """Reads the verdicts on single items."""

    scope = TokenScope.READ


class MayCancel(OwnersOnly):
    """Cancels a submission."""

    scope = TokenScope.SUBMIT
