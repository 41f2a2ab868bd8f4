"""The verdicts on single items over the API."""

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.models.releases import Release
from leaderboard.models.submissions import Submission
from tests.leaderboard.selectors.records import finish

pytestmark = [pytest.mark.site, pytest.mark.django_db]

ADDRESS = "/api/v1/submissions"


@pytest.fixture
def anns(client: Client, ann: User) -> Client:
    """Ann's browser."""
    client.force_login(ann)
    return client


def test_items_come_in_pages_and_can_be_filtered(anns: Client, scored: Submission) -> None:
    address = f"{ADDRESS}/{scored.pk}/items"
    body = anns.get(address).json()
    assert (body["total"], body["page"], body["pages"], body["next"], len(body["results"])) == (26, 1, 1, None, 26)
    assert body["results"][0]["predicted"].startswith("db.things.find()")
    assert {item["gold_query"] is None for item in body["results"] if item["split"] == "hidden"} == {True}
    right = anns.get(f"{address}?outcome=correct&condition=with_evidence&database=heroes").json()["results"]
    assert all(
        (item["outcome"], item["condition"], item["db_id"]) == ("correct", "with_evidence", "heroes") for item in right
    )


def test_every_page_of_items_links_to_the_next(
    anns: Client, scored: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.selectors.pages.cut.__kwdefaults__", {"size": 10, "widen": None})
    address, seen = f"{ADDRESS}/{scored.pk}/items?condition=with_evidence", []
    while address:
        body = anns.get(address).json()
        seen += [item["question_id"] for item in body["results"]]
        address = body["next"]
    assert seen == [str(number) for number in range(100, 113)]


@pytest.mark.parametrize("query", ["outcome=nice", "condition=x", "page=0", "page=x", f"database={'x' * 200}"])
def test_a_filter_that_is_none_is_refused(anns: Client, scored: Submission, query: str) -> None:
    assert anns.get(f"{ADDRESS}/{scored.pk}/items?{query}").status_code == 422


@pytest.mark.parametrize("predicted", ["<script>alert(1)</script>", "\u0000", "\ud800", "=cmd()"])
def test_a_predicted_text_of_any_kind_is_stored_and_never_breaks_an_answer(
    anns: Client, release: Release, predicted: str
) -> None:
    text = json.dumps({"entry": "x", "condition": "with_evidence", "predictions": {"100": predicted}})
    answer = anns.post(ADDRESS, text, content_type="application/json")
    assert answer.status_code == 202
    finish(Submission.objects.get())
    items = anns.get(f"{answer.json()['links']['items']}").json()["results"]
    assert items[0]["predicted"] == predicted.replace("\0", "\ufffd").replace("\ud800", "\ufffd")
