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


@pytest.mark.parametrize(
    ("query", "kind", "name", "items"),
    [("database=heroes", "database", "heroes", 4), ("difficulty=moderate", "difficulty", "moderate", 4)],
)
def test_a_slice_has_the_same_form_with_its_own_figures(
    client: Client, scored: Submission, query: str, kind: str, name: str, items: int
) -> None:
    whole, body = client.get("/api/v1/board").json(), client.get(f"/api/v1/board?{query}").json()
    assert (whole["slice"], body["slice"]) == (None, {"kind": kind, "name": name, "items": items})
    for board, all_items in zip(body["conditions"], whole["conditions"], strict=True):
        (entry,), (overall,) = board["entries"], all_items["entries"]
        report = scored.runs.get(condition=board["condition"]).report
        assert report is not None
        cell = next(each for each in report[f"per_{kind}"] if each["name"] == name)
        assert (entry["strict_ex"], entry["n"]) == (cell["strict_ex"]["value"], items)
        assert entry["intervals"]["soft_ex"] == {end: cell["soft_ex"][end] for end in ("low", "high")}
        assert (entry["rank"], entry["overall_rank"], overall["overall_rank"]) == (1, 1, None)
        assert entry.keys() == overall.keys()


@pytest.mark.parametrize(
    ("query", "field", "rule", "words"),
    [
        ("database=castles", "database", "unknown", "There are: books, heroes, trains."),
        ("difficulty=books", "difficulty", "unknown", "There are: simple, moderate, challenging."),
        ("database=%00", "database", "null_characters_not_allowed", ""),
        ("database=books&difficulty=simple", "difficulty", "both", "Ask for a database or for a difficulty"),
    ],
)
def test_a_slice_that_is_none_is_refused_with_the_names_that_there_are(
    client: Client, release: Release, query: str, field: str, rule: str, words: str
) -> None:
    answer = client.get(f"/api/v1/board?{query}")
    assert (answer.status_code, answer.headers["Content-Type"]) == (422, "application/problem+json")
    (fault,) = answer.json()["errors"]
    assert (fault["field"], fault["rule"]) == (field, rule)
    assert words in fault["message"]


@pytest.mark.parametrize("by", ["database", "difficulty"])
def test_the_breakdown_has_every_cell_of_every_entry(client: Client, scored: Submission, by: str) -> None:
    body = client.get(f"/api/v1/board/breakdown?by={by}&release=tiny@1.0").json()
    assert (body["release"], body["digest"], body["by"]) == ("tiny@1.0", scored.release.digest, by)
    assert [board["condition"] for board in body["conditions"]] == ["with_evidence", "without_evidence"]
    for board in body["conditions"]:
        (entry,) = board["entries"]
        report = scored.runs.get(condition=board["condition"]).report
        assert report is not None
        assert [cell["name"] for cell in entry["cells"]] == [each["name"] for each in body["slices"]]
        cells = {cell["name"]: cell for cell in report[f"per_{by}"]}
        for found in entry["cells"]:
            wanted = cells[found["name"]]
            assert (found["n"], found["exec_rate"]) == (wanted["n"], wanted["exec_rate"]["value"])
            assert found["intervals"]["strict_ex"]["high"] == wanted["strict_ex"]["high"]
        assert (entry["rank"], entry["n"], entry["submission"]) == (1, 12, str(scored.pk))
        assert (board["total"], board["page"], board["pages"]) == (1, 1, 1)


@pytest.mark.parametrize("query", ["", "by=", "by=model", "by=database&page=0", "by=database&release=tiny@9"])
def test_a_breakdown_by_nothing_is_refused(client: Client, release: Release, query: str) -> None:
    assert client.get(f"/api/v1/board/breakdown?{query}").status_code == 422


def test_cells_are_written_as_the_schema_describes_them(client: Client, scored: Submission) -> None:
    schema = client.get("/api/v1/schema/").json()["components"]["schemas"]
    cell = client.get("/api/v1/board/breakdown?by=database").json()["conditions"][0]["entries"][0]["cells"][0]
    assert list(cell) == list(schema["SliceCellAnswer"]["properties"])
