"""Signing in with a token."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from leaderboard.models.releases import Release
from leaderboard.models.tokens import ApiToken
from leaderboard.services.tokens import token_create, token_revoke

pytestmark = [pytest.mark.site, pytest.mark.django_db]

ADDRESS = "/api/v1/validate"


def ask(client: Client, header: str | None) -> tuple[int, str, str]:
    """Status, type and detail of a request with an Authorization header."""
    headers = {} if header is None else {"Authorization": header}
    answer = client.post(ADDRESS, headers=headers)
    body = answer.json()
    if answer.status_code == 401:
        assert answer.headers["WWW-Authenticate"].startswith("Bearer ")
        assert answer.headers["Content-Type"] == "application/problem+json"
    return answer.status_code, body["type"].rpartition("/")[2], body["detail"]


def test_a_valid_token_gets_past_the_door_and_its_use_is_noted(client: Client, ann: User, release: Release) -> None:
    token, secret = token_create(ann, name="laptop")
    assert ask(client, f"Bearer {secret}")[:2] == (422, "invalid-fields")
    assert ask(client, f"bearer {secret}")[:2] == (422, "invalid-fields")
    token.refresh_from_db()
    assert token.last_used_at is not None


def test_without_a_header_the_answer_says_which_one_is_missing(client: Client) -> None:
    status, kind, detail = ask(client, None)
    assert (status, kind) == (401, "not-authenticated")
    assert "Authorization: Bearer apt_live_" in detail


@pytest.mark.parametrize(
    "header",
    ["Bearer", "Bearer a b", "Token apt_live_x", "Basic YTpi", "apt_live_x", "Bearer apt_live_x", "Bearer \xe4\xf6"],
)
def test_anything_else_is_no_token(client: Client, header: str) -> None:
    assert ask(client, header)[:2] == (401, "invalid-token")


def test_a_revoked_an_expired_and_a_blocked_owners_token_are_refused(client: Client, ann: User) -> None:
    token, secret = token_create(ann, name="laptop")
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert ask(client, f"Bearer {secret}")[:2] == (401, "invalid-token")
    other, secret = token_create(ann, name="other")
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert ask(client, f"Bearer {secret}")[:2] == (401, "invalid-token")
    User.objects.filter(pk=ann.pk).update(is_active=True)
    token_revoke(other)
    assert ask(client, f"Bearer {secret}")[:2] == (401, "invalid-token")


def test_an_invalid_token_is_refused_even_where_none_is_needed(client: Client) -> None:
    answer = client.get("/api/v1/releases", headers={"Authorization": "Bearer apt_live_old"})
    assert answer.status_code == 401


def test_a_browser_session_needs_a_csrf_token_too(ann: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ann)
    answer = client.post(ADDRESS)
    assert answer.status_code == 403
    assert "CSRF" in answer.json()["detail"]
