"""Signing in to the API with a token."""

from typing import Final

from django.contrib.auth.models import User
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.request import Request

from leaderboard.api.exceptions import InvalidTokenError
from leaderboard.models.tokens import ApiToken
from leaderboard.services.tokens import token_verify

SCHEME: Final = "Bearer"


class TokenAuthentication(BaseAuthentication):
    """Reads `Authorization: Bearer apt_live_…`."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        """The token's owner and the token; None where no Authorization header was sent.

        Raises:
            InvalidTokenError: a header was sent, and it has no valid token.
        """
        words = get_authorization_header(request).split()
        if not words:
            return None
        if len(words) != 2 or words[0].lower() != SCHEME.lower().encode() or not words[1].isascii():
            raise InvalidTokenError(f"The Authorization header must be “{SCHEME} apt_live_…”: one scheme, one token.")
        token = token_verify(words[1].decode("ascii"))
        if token is None:
            raise InvalidTokenError
        return token.owner, token

    def authenticate_header(self, request: Request) -> str:
        """What a 401 says about signing in."""
        return f'{SCHEME} realm="AptBoard API"'


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the schema describes tokens."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        """The OpenAPI security scheme."""
        return {"type": "http", "scheme": "bearer", "description": "A token from the page /tokens/: apt_live_…"}
