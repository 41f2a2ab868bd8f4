"""So many bodies in a minute, and no more."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from leaderboard.models.releases import Release

pytestmark = [pytest.mark.site, pytest.mark.django_db]

BODY = '{"predictions": {"100": "db.things.find({})"}, "condition": "with_evidence"}'


def send(client: Client, user: User, address: str = "/api/v1/validate") -> int:
    client.force_login(user)
    return client.post(address, BODY, content_type="application/json").status_code


@pytest.fixture
def two_a_minute(settings: Settings) -> None:
    settings.BODIES_PER_MINUTE = 2


def test_above_the_rate_the_answer_says_when_to_come_again(
    two_a_minute: None, client: Client, release: Release, ann: User, bob: User
) -> None:
    assert [send(client, ann), send(client, ann, "/api/v1/submissions"), send(client, bob)] == [200, 422, 200]
    client.force_login(ann)
    for address in ("/api/v1/validate", "/api/v1/submissions", "/api/v1/endpoint-submissions"):
        answer = client.post(address, BODY, content_type="application/json")
        assert (answer.status_code, answer.json()["type"]) == (429, "/problems/too-many-requests")
        assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert client.get("/api/v1/quota").status_code == 200


def test_no_rate_is_no_limit(settings: Settings, client: Client, release: Release, ann: User) -> None:
    settings.BODIES_PER_MINUTE = 0
    assert {send(client, ann) for _ in range(4)} == {200}
