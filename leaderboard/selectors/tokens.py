"""Reading of API tokens: what their owner may know of them, which is never the secret."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.contrib.auth.models import User
from django.utils import timezone

from leaderboard.models.tokens import ApiToken, TokenScope


class TokenState(StrEnum):
    """Whether a token still opens anything."""

    ACTIVE = "active"
    EXPIRED = "expired"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenView:
    """One token in its owner's list."""

    id: int
    name: str
    prefix: str
    scopes: tuple[TokenScope, ...]
    state: TokenState
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None


def tokens_of(owner: User) -> tuple[TokenView, ...]:
    """A user's tokens, the newest first, in one query."""
    return tuple(_view(token, now=timezone.now()) for token in owner.api_tokens.all())


def token_owned(owner: User, token_id: int) -> ApiToken | None:
    """A token, if it is the user's own."""
    return owner.api_tokens.filter(pk=token_id).first()


def _view(token: ApiToken, *, now: datetime) -> TokenView:
    expired = TokenState.EXPIRED if token.expires_at <= now else TokenState.ACTIVE
    return TokenView(
        id=token.pk,
        name=token.name,
        prefix=token.prefix,
        scopes=tuple(TokenScope(scope) for scope in token.scopes),
        state=expired if token.revoked_at is None else TokenState.REVOKED,
        created_at=token.created_at,
        expires_at=token.expires_at,
        last_used_at=token.last_used_at,
    )
