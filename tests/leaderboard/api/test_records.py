"""The API tells of quota and of events, and refuses what is over the quota in a way that programs understand."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from leaderboard.models.events import EventKind
from leaderboard.models.quota import QuotaEntry, QuotaRule
from leaderboard.models.releases import Release
from leaderboard.models.submissions import Submission
from leaderboard.services.events import event_record
from leaderboard.services.tokens import token_create

pytestmark = [pytest.mark.site, pytest.mark.django_db]

LINE = b'{"question_id": "100", "query": "db.things.find({})", "condition": "with_evidence"}\n'


@pytest.fixture
def anns(ann: User) -> Client:
    """A program with Ann's token."""
    return Client(headers={"Authorization": f"Bearer {token_create(ann, name='ci')[1]}"})


@pytest.fixture
def _one_a_day(release: Release) -> None:
    QuotaRule.objects.create(benchmark="tiny", submissions=1, seconds=86_400)


def send(client: Client, address: str = "/api/v1/submissions") -> Any:
    return client.post(address, {"entry": "x", "file": SimpleUploadedFile("p.jsonl", LINE)})


@pytest.mark.usefixtures("_one_a_day")
def test_a_submission_says_what_is_left_and_the_next_one_when_there_is_more(anns: Client) -> None:
    accepted = send(anns)
    assert accepted.status_code == 202
    assert accepted.headers["RateLimit-Policy"] == '"submissions";q=1;w=86400'
    assert accepted.headers["RateLimit"].startswith('"submissions";r=0;t=86')
    refused = send(anns)
    problem = refused.json()
    assert (refused.status_code, problem["type"], problem["title"]) == (
        429,
        "/problems/quota-exceeded",
        "The quota of submissions is used up",
    )
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert (problem["limit"], problem["window_seconds"]) == (1, 86_400)
    reset_at = datetime.fromisoformat(problem["reset_at"])
    assert reset_at == QuotaEntry.objects.get().at + timedelta(days=1)
    seconds = int(refused.headers["Retry-After"])
    assert abs(seconds - (reset_at - timezone.now()).total_seconds()) < 2
    assert refused.headers["RateLimit"] == f'"submissions";r=0;t={seconds}'
    assert Submission.objects.count() == 1


@pytest.mark.usefixtures("_one_a_day")
def test_a_check_is_free_even_when_nothing_is_left(anns: Client) -> None:
    send(anns)
    for _ in range(2):
        assert send(anns, "/api/v1/validate").status_code == 200
    assert QuotaEntry.objects.count() == 1


@pytest.mark.usefixtures("_one_a_day")
def test_what_is_left_can_be_asked_for(anns: Client) -> None:
    assert anns.get("/api/v1/quota").json() == [
        {"benchmark": "tiny", "limit": 1, "used": 0, "remaining": 1, "window_seconds": 86_400, "reset_at": None}
    ]
    send(anns)
    (state,) = anns.get("/api/v1/quota").json()
    assert (state["used"], state["remaining"]) == (1, 0)
    assert state["reset_at"] is not None


def test_without_a_limit_no_limit_is_told(anns: Client, release: Release) -> None:
    QuotaRule.objects.create(benchmark="tiny", submissions=0, seconds=60)
    answer = send(anns)
    assert answer.status_code == 202
    assert "RateLimit" not in answer.headers
    assert anns.get("/api/v1/quota").json()[0]["remaining"] is None


def note(submission: Submission, *, count: int = 1) -> None:
    run = submission.runs.first()
    assert run is not None
    for number in range(count):
        event_record(
            run.pk,
            kind=EventKind.BATCH_DONE,
            detail="worker db-7.internal",
            data={"database": "books", "items": number},
        )


def test_events_are_public_and_their_details_are_the_owners(queued: Submission, anns: Client, client: Client) -> None:
    note(queued)
    address = f"/api/v1/submissions/{queued.pk}/events"
    (own,) = anns.get(address).json()["results"]
    assert (own["kind"], own["detail"], own["data"]) == (
        "batch_done",
        "worker db-7.internal",
        {"database": "books", "items": 0},
    )
    (public,) = client.get(address).json()["results"]
    assert (public["kind"], public["detail"], public["data"]) == ("batch_done", "", {})
    assert client.get(f"/api/v1/submissions/{queued.pk}").json()["links"]["events"].endswith(address)


def test_events_come_in_pages_the_newest_first_and_are_cheap_to_ask_for_again(
    queued: Submission, anns: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    note(queued, count=60)
    address = f"/api/v1/submissions/{queued.pk}/events"
    with django_assert_max_num_queries(5):
        first = anns.get(address)
    assert (first.json()["total"], first.json()["pages"], first.json()["results"][0]["data"]["items"]) == (60, 2, 59)
    assert anns.get(f"{address}?page=2").json()["results"][-1]["data"]["items"] == 0
    again = anns.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert anns.get(f"{address}?page=x").status_code == 422


def test_a_queued_run_tells_its_place(queued: Submission, client: Client) -> None:
    for run in client.get(f"/api/v1/submissions/{queued.pk}").json()["runs"]:
        assert set(run["place"]) == {"position", "start_seconds", "finish_seconds"}
        assert run["resume_at"] is None
