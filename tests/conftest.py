"""What every test may use: the site's database and queue start only for tests that need them."""

import os
from collections.abc import Iterator

os.environ.setdefault("APTBOARD_LOCAL", "1")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "leaderboard.settings")

import django
import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connections
from pytest_django.plugin import DjangoDbBlocker

from leaderboard.env import database_address

# A gate must give the same answer twice; on a developer's machine, properties are tried on new examples each time.
hypothesis.settings.register_profile("gate", derandomize=True)
if os.environ.get("CI"):
    hypothesis.settings.load_profile("gate")

# At once: test modules and other conftest files import models, and pytest-django finds Django ready.
django.setup()

# Hashing as slowly as a site must is most of the time of tests that log people in.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# Attempts are counted in the cache, by network address: shared by the test processes, one would use up another's.
settings.CACHES["default"] = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}

pytest_plugins = ["tests.fixtures.embedded"]


@pytest.fixture(autouse=True)
def attempts_forgotten() -> None:
    """Let each test have all attempts before it."""
    cache.clear()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(site_services: None, request: pytest.FixtureRequest) -> None:
    """Point Django at the servers of this test run, before the test database is made."""
    settings.REDIS_URL = os.environ["REDIS_URL"]
    address = database_address(os.environ["DATABASE_URL"]).as_settings()
    # A live server's threads outlive their requests for as long as a browser keeps them; their connections must not, or
    # the test database cannot be dropped.
    address["CONN_MAX_AGE"] = 0
    settings.DATABASES["default"].update(address)
    connections["default"].settings_dict.update(address)
    request.getfixturevalue("django_db_modify_db_settings_parallel_suffix")


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """End the sessions that threads of a live server, or of a test that gave up on them, still hold.

    PostgreSQL drops no database that somebody is connected to.
    """
    yield
    with django_db_blocker.unblock(), connections["default"].cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
