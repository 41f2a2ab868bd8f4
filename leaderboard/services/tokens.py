"""Making, checking and revoking API tokens."""

import hashlib
import secrets
from collections.abc import Collection
from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from leaderboard.models.tokens import ApiToken, TokenScope

PREFIX = "apt_live_"
SHOWN_CHARACTERS = len(PREFIX) + 4
LAST_USED_STEP = timedelta(minutes=1)


def token_create(
    owner: User, *, name: str, days: int = 90, scopes: Collection[TokenScope] = tuple(TokenScope)
) -> tuple[ApiToken, str]:
    """Make a token; the secret is returned here and nowhere else."""
    secret = PREFIX + secrets.token_urlsafe(32)
    token = ApiToken.objects.create(
        owner=owner,
        name=name,
        prefix=secret[:SHOWN_CHARACTERS],
        digest=_digest(secret),
        scopes=[scope.value for scope in TokenScope if scope in scopes],
        expires_at=timezone.now() + timedelta(days=days),
    )
    return token, secret


def token_verify(secret: str) -> ApiToken | None:
    """The token of this secret, if it exists, is not revoked and has not expired; notes its use."""
    token = ApiToken.objects.select_related("owner").filter(digest=_digest(secret), revoked_at=None).first()
    now = timezone.now()
    if token is None or token.expires_at <= now or not token.owner.is_active:
        return None
    if token.last_used_at is None or now - token.last_used_at > LAST_USED_STEP:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


def token_revoke(token: ApiToken) -> None:
    """End a token at once."""
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
