"""Refusals of the API that no service raises."""

from rest_framework import status
from rest_framework.exceptions import APIException, AuthenticationFailed, PermissionDenied


class LengthRequiredError(APIException):
    """The body was sent in chunks: its length is not known before it has been read."""

    status_code = status.HTTP_411_LENGTH_REQUIRED
    default_detail = "Send the body with a Content-Length header; a chunked body is not read."


class AlreadyEndedError(APIException):
    """There is no run left that could be cancelled."""

    status_code = status.HTTP_409_CONFLICT
    default_detail = "Every run of this submission has ended already."


class InvalidTokenError(AuthenticationFailed):
    """A token was sent, and it is not valid."""

    default_detail = "The token is unknown, was revoked or has expired. The page /tokens/ shows yours."


class InsufficientScopeError(PermissionDenied):
    """The token is valid, and was made for something else."""

    def __init__(self, scope: str) -> None:
        super().__init__(f"This token was made without the scope “{scope}”, which is needed here.")
        self.auth_header = f'Bearer error="insufficient_scope", scope="{scope}"'
