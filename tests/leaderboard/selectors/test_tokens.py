"""What an owner is told of tokens."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from leaderboard.models.tokens import ApiToken
from leaderboard.selectors.tokens import TokenState, token_owned, tokens_of
from leaderboard.services.tokens import token_create, token_revoke

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def test_a_token_is_active_then_expired_or_revoked(ann: User) -> None:
    active, _ = token_create(ann, name="active")
    expired, _ = token_create(ann, name="expired")
    revoked, _ = token_create(ann, name="revoked")
    ApiToken.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    token_revoke(revoked)
    states = {view.name: view.state for view in tokens_of(ann)}
    assert states == {"active": TokenState.ACTIVE, "expired": TokenState.EXPIRED, "revoked": TokenState.REVOKED}
    assert active.pk in {view.id for view in tokens_of(ann)}


def test_neither_secret_nor_digest_is_in_the_list(ann: User) -> None:
    token, secret = token_create(ann, name="laptop")
    listed = repr(tokens_of(ann))
    assert secret not in listed
    assert token.digest not in listed


def test_nobody_finds_the_token_of_another(ann: User, bob: User) -> None:
    token, _ = token_create(ann, name="laptop")
    assert token_owned(ann, token.pk) == token
    assert token_owned(bob, token.pk) is None
    assert tokens_of(bob) == ()
