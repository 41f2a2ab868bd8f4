"""Pages cost as many queries on a full site as on an empty one."""

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.models.releases import Release
from leaderboard.models.submissions import Submission
from tests.leaderboard.selectors.records import finish, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]

MOST = {
    "/": 10,
    "/?sort=-gain": 10,
    "/?sort=-cost&view=models": 10,
    "/api/v1/board": 8,
    "/submissions/": 7,
    "/submissions/{scored}/": 16,
    "/submissions/{queued}/": 20,
    "/api/v1/submissions/{scored}": 9,
    "/status/": 13,
    "/healthz": 3,
    "/releases/": 4,
    "/releases/tiny@1.0/": 12,
}
"""By address: queries for a signed-in owner."""


def counted(client: Client, addresses: dict[str, str]) -> dict[str, int]:
    found = {}
    for name, address in addresses.items():
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        found[name] = len(queries)
    return found


def test_pages_cost_as_many_queries_with_many_runs_as_with_few(
    client: Client, ann: User, bob: User, release: Release, scored: Submission, queued: Submission
) -> None:
    client.force_login(ann)
    addresses = {name: name.format(scored=scored.pk, queued=queued.pk) for name in MOST}
    counted(client, addresses)
    few = counted(client, addresses)
    for number in range(6):
        finish(make_submission((ann, bob)[number % 2], release, entry=f"entry {number}"), seed=number)
        make_submission((ann, bob)[number % 2], release, entry=f"waits {number}")
    assert counted(client, addresses) == few
    assert {name: few[name] for name in MOST if few[name] > MOST[name]} == {}
