"""While Redis is away the site goes on: nothing is counted, and nobody is kept out."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from leaderboard.cache import ForgivingRedisCache
from leaderboard.models.releases import Release

NOWHERE = "redis://127.0.0.1:1/0"


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        (lambda cache: cache.get("a"), None),
        (lambda cache: cache.get("a", "b"), "b"),
        (lambda cache: cache.set("a", 1, 60), None),
        (lambda cache: cache.add("a", 1), True),
        (lambda cache: cache.delete("a"), False),
        (lambda cache: cache.get_or_set("a", 1), 1),
    ],
    ids=["get", "get with a default", "set", "add", "delete", "get or set"],
)
def test_a_cache_that_is_away_is_an_empty_one(ask: Callable[[Any], object], answer: object) -> None:
    assert ask(ForgivingRedisCache(NOWHERE, {})) == answer


@pytest.fixture
def without_redis(settings: Settings) -> None:
    settings.CACHES = {"default": {"BACKEND": "leaderboard.cache.ForgivingRedisCache", "LOCATION": NOWHERE}}


@pytest.mark.site
@pytest.mark.django_db
def test_bodies_are_let_in_without_redis(
    without_redis: None, settings: Settings, client: Client, release: Release, ann: User
) -> None:
    settings.BODIES_PER_MINUTE = 2
    client.force_login(ann)
    body = '{"predictions": {"100": "db.things.find({})"}, "condition": "with_evidence"}'
    answers = [client.post("/api/v1/validate", body, content_type="application/json") for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200] * 4


@pytest.mark.site
@pytest.mark.django_db
def test_people_log_in_without_redis(without_redis: None, client: Client, ann: User) -> None:
    ann.set_password("a password for this")
    ann.save()
    answer = client.post("/login/", {"login": "ann", "password": "a password for this"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
