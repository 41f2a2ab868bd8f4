"""What the site tells of itself."""

import re
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.test import Client
from django.utils import timezone

from leaderboard.models.submissions import Submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def text(client: Client, address: str) -> str:
    """A page that is there, with white space made single."""
    answer = client.get(address)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def test_the_status_page_tells_what_is_waiting(client: Client, queued: Submission) -> None:
    page = text(client, "/status/")
    assert "Submissions are waiting for their turn" in page
    queued.runs.update(created_at=timezone.now() - timedelta(hours=1))
    assert "no worker is at work" in text(client, "/status/")


def test_health_is_told_to_machines(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["status"]) == (200, "ok")


def test_a_database_that_does_not_answer_is_told_without_a_word_about_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down() -> None:
        raise OperationalError("connection to db-7.internal refused")

    monkeypatch.setattr("leaderboard.web.status.site_pulse", down)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (503, {"status": "unavailable"})
