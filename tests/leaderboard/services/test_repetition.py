"""A request that comes again with its idempotency key gets the first submission, whatever happened since."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection

from leaderboard.models.endpoints import ModelEndpoint
from leaderboard.models.quota import QuotaEntry
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.submissions import Submission
from leaderboard.services.endpoints import EndpointRequest, endpoint_submission_create
from leaderboard.services.quota import QuotaExceededError, quota_rule_set
from leaderboard.services.submissions import IdempotencyConflictError, ReleaseClosedError, submission_create
from tests.leaderboard.builders import live_release, prediction_file, user
from tests.leaderboard.described import describe

pytestmark = [pytest.mark.site]

Send = Callable[..., Submission]


def send_file(release: Release, **changed: Any) -> Submission:
    request = {"owner": user(), "entry": "e", "file_name": "p.jsonl", "idempotency_key": "k1"}
    return submission_create(**{**request, "file": prediction_file({"q0": "x"}), "release": release, **changed})


def send_endpoint(release: Release, **changed: Any) -> Submission:
    asked = EndpointRequest(model="m", address="https://models.example.org/v1", key="sk-4711-abc")
    request = {"owner": user(), "entry": "e", "request": asked, "idempotency_key": "k1"}
    return endpoint_submission_create(**{**request, "release": release, **changed})


WAYS = [pytest.param(send_file, id="file"), pytest.param(send_endpoint, id="endpoint")]


@pytest.fixture
def release(db: None) -> Release:
    return describe(live_release())


@pytest.mark.parametrize("send", WAYS)
def test_a_repeated_request_is_answered_though_the_release_takes_no_more(release: Release, send: Send) -> None:
    first = send(release)
    Release.objects.update(live_at=None)
    release.refresh_from_db()
    assert send(release).pk == first.pk
    with pytest.raises(ReleaseClosedError):
        send(release, idempotency_key="k2")


@pytest.mark.parametrize("send", WAYS)
def test_a_repeated_request_is_answered_though_the_quota_is_used_up(release: Release, send: Send) -> None:
    quota_rule_set(release.name, submissions=1, seconds=3600)
    first = send(release)
    assert send(release).pk == first.pk
    with pytest.raises(QuotaExceededError):
        send(release, idempotency_key="k2")
    with pytest.raises(IdempotencyConflictError):
        send(release, entry="another")


@pytest.fixture
def committed(transactional_db: None) -> Release:
    return describe(live_release())


@pytest.mark.parametrize("limit", [0, 1], ids=["without a limit", "with room for one"])
@pytest.mark.parametrize("send", WAYS)
def test_of_clients_that_race_with_one_key_all_get_the_same_submission_and_one_is_charged(
    committed: Release, send: Send, limit: int
) -> None:
    quota_rule_set(committed.name, submissions=limit, seconds=3600)
    user()
    start = threading.Barrier(4)

    def client(_: int) -> str:
        try:
            start.wait(10)
            return str(send(committed).pk)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(client, range(4)))) == 1
    assert (Submission.objects.count(), QuotaEntry.objects.count()) == (1, 1)
    assert Run.objects.count() == Run.objects.filter(submission=Submission.objects.get()).count()
    assert ModelEndpoint.objects.count() == (send is send_endpoint)


@pytest.mark.parametrize("send", WAYS)
def test_of_clients_that_race_with_one_key_and_other_content_one_is_taken_in_and_the_others_are_told(
    committed: Release, send: Send
) -> None:
    user()
    start = threading.Barrier(4)

    def client(number: int) -> str:
        try:
            start.wait(10)
            return str(send(committed, entry=f"entry {number}").pk)
        except IdempotencyConflictError:
            return "conflict"
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(client, range(4)))
    assert answers.count("conflict") == 3
    assert Submission.objects.count() == 1
