"""The signed-in user of a request."""

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest


def member(request: HttpRequest) -> User:
    """The signed-in user.

    Raises:
        PermissionDenied: nobody is signed in.
    """
    if not isinstance(request.user, User):
        raise PermissionDenied("Log in first.")
    return request.user
