"""The board and the releases over the API."""

import pytest
from django.test import Client

from leaderboard.models.releases import Release
from leaderboard.models.submissions import Submission
from tests.leaderboard.selectors.records import make_release

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def test_the_board_has_both_conditions_with_plain_shares_and_intervals(client: Client, scored: Submission) -> None:
    body = client.get("/api/v1/board").json()
    assert (body["release"], body["digest"]) == ("tiny@1.0", scored.release.digest)
    assert [board["condition"] for board in body["conditions"]] == ["with_evidence", "without_evidence"]
    for board in body["conditions"]:
        (entry,) = board["entries"]
        assert (entry["rank"], entry["entry"], entry["submission"]) == (1, "Scored model", str(scored.pk))
        assert 0 <= entry["strict_ex"] <= entry["soft_ex"] <= entry["exec_rate"] <= 1
        assert entry["intervals"]["strict_ex"]["low"] <= entry["strict_ex"]
        assert (entry["n"], entry["coverage"], entry["demo_engine"]) == (12, 1.0, True)
        assert (board["total"], board["page"], board["pages"]) == (1, 1, 1)


def test_one_condition_and_one_release_can_be_asked_for(client: Client, scored: Submission) -> None:
    make_release(version="2.0")
    body = client.get("/api/v1/board?release=tiny@1.0&condition=without_evidence").json()
    assert [(board["condition"], board["total"]) for board in body["conditions"]] == [("without_evidence", 1)]
    assert [board["total"] for board in client.get("/api/v1/board").json()["conditions"]] == [0, 0]


def test_an_unchanged_board_is_not_sent_again(client: Client, scored: Submission) -> None:
    etag = client.get("/api/v1/board").headers["ETag"]
    assert client.get("/api/v1/board", headers={"If-None-Match": f'W/"x", {etag}'}).status_code == 304


def test_without_a_release_there_is_no_board(client: Client) -> None:
    answer = client.get("/api/v1/board")
    assert (answer.status_code, answer.json()["type"]) == (409, "/problems/release-closed")


@pytest.mark.parametrize("query", ["release=tiny@9", "release=%00@1", "condition=x", "page=0"])
def test_a_board_that_is_none_is_refused(client: Client, release: Release, query: str) -> None:
    assert client.get(f"/api/v1/board?{query}").status_code == 422


def test_live_releases_are_listed_the_newest_first(client: Client, release: Release) -> None:
    make_release(version="2.0")
    make_release(version="3.0", live=False)
    body = client.get("/api/v1/releases").json()
    assert [each["label"] for each in body] == ["tiny@2.0", "tiny@1.0"]
    assert (body[0]["items"], body[0]["databases"], body[0]["set_aside"]) == (12, 3, 1)
