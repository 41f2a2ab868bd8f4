"""The page of API tokens."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.models.tokens import ApiToken
from leaderboard.services.tokens import token_create, token_verify

pytestmark = [pytest.mark.site, pytest.mark.django_db]


@pytest.fixture
def anns(client: Client, ann: User) -> Client:
    """Ann's browser."""
    client.force_login(ann)
    return client


def test_a_token_is_shown_once_and_can_be_revoked(anns: Client, ann: User) -> None:
    answer = anns.post("/tokens/", {"name": "laptop", "days": "30", "scopes": "submit read"})
    assert answer.status_code == 201
    assert "no-store" in answer.headers["Cache-Control"]
    found = re.search(r"apt_live_[\w-]{30,}", answer.content.decode())
    assert found
    assert token_verify(found.group()) == ApiToken.objects.get()
    page = anns.get("/tokens/").content.decode()
    assert found.group() not in page
    assert "laptop" in page
    assert "revoked" in anns.post(f"/tokens/{ApiToken.objects.get().pk}/revoke/", follow=True).content.decode()
    assert token_verify(found.group()) is None


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"name": " ", "days": "30", "scopes": "read"},
        {"name": "x", "days": "9999", "scopes": "read"},
        {"name": "x", "days": "30", "scopes": ""},
        {"name": "x", "days": "30", "scopes": "admin"},
    ],
)
def test_a_token_needs_a_name_one_of_the_terms_and_a_scope(anns: Client, fields: dict[str, str]) -> None:
    assert anns.post("/tokens/", fields).status_code == 422
    assert not ApiToken.objects.exists()


def test_nobody_revokes_the_token_of_another(client: Client, ann: User, bob: User) -> None:
    token, secret = token_create(ann, name="laptop")
    client.force_login(bob)
    assert client.post(f"/tokens/{token.pk}/revoke/").status_code == 404
    assert client.post("/tokens/99999999999999999999/revoke/").status_code == 404
    assert token_verify(secret) == token


@pytest.mark.parametrize(
    ("chosen", "kept"), [("submit read", ["submit", "read"]), ("submit", ["submit"]), ("read", ["read"])]
)
def test_a_token_may_do_what_was_chosen_and_the_page_says_so(anns: Client, chosen: str, kept: list[str]) -> None:
    page = anns.get("/tokens/").content.decode()
    assert 'value="90" selected' in page
    assert 'value="submit read" selected' in page
    anns.post("/tokens/", {"name": "laptop", "days": "90", "scopes": chosen})
    assert ApiToken.objects.get().scopes == kept
    assert f'<td class="nowrap">{", ".join(kept)}</td>' in anns.get("/tokens/").content.decode()
