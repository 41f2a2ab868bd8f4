"""Entries side by side over the API: the figures of the page, and every reason why some cannot be compared."""

import uuid

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.models.releases import Release
from leaderboard.models.runs import ItemScore
from leaderboard.models.submissions import Submission
from leaderboard.services.tokens import token_create
from tests.leaderboard.selectors.records import finish, make_release, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def address(*entries: object, more: str = "") -> str:
    return "/api/v1/compare?" + "&".join(f"entries={entry}" for entry in entries) + more


@pytest.fixture
def other(bob: User, release: Release) -> Submission:
    """Bob's submission, scored."""
    submission = make_submission(bob, release, entry="Other model")
    finish(submission, right=0.3, seed=7)
    return submission


def test_everybody_gets_the_figures_and_the_paired_tests(client: Client, scored: Submission, other: Submission) -> None:
    body = client.get(address(scored.pk, other.pk)).json()
    assert (body["release"], body["digest"]) == ("tiny@1.0", scored.release.digest)
    assert [(e["letter"], e["submission"]) for e in body["entries"]] == [("A", str(scored.pk)), ("B", str(other.pk))]
    assert [c["condition"] for c in body["conditions"]] == ["with_evidence", "without_evidence"]
    for found in body["conditions"]:
        first, second = found["runs"]
        (pair,) = found["pairs"]
        assert (pair["first"], pair["second"]) == ("A", "B")
        assert pair["both"] + pair["first_only"] + pair["second_only"] + pair["neither"] == 12
        difference = first["strict_ex"]["value"] - second["strict_ex"]["value"]
        assert pair["difference"]["value"] == pytest.approx(difference)
        assert pair["adjusted"] == pair["p_value"]
        assert [group["name"] for group in found["per_database"]] == ["books", "heroes", "trains"]
        assert [group["n"] for group in found["per_difficulty"]] == [4, 4, 4]
        assert sum(first["outcomes"].values()) == 12
    assert body["differing_items"] is None


def test_an_unchanged_comparison_is_a_short_answer(client: Client, scored: Submission, other: Submission) -> None:
    etag = client.get(address(scored.pk, other.pk)).headers["ETag"]
    assert client.get(address(scored.pk, other.pk), headers={"If-None-Match": etag}).status_code == 304


def test_the_items_on_which_entries_differ_are_for_the_owner_of_all_of_them(
    client: Client, scored: Submission, other: Submission, ann: User, bob: User
) -> None:
    newer = make_submission(ann, scored.release, entry="Scored model, tuned")
    finish(newer, right=0.7, seed=3)
    mine, theirs = (scored.pk, newer.pk), (scored.pk, other.pk)
    for user in (None, ann, bob):
        headers = {} if user is None else {"Authorization": f"Bearer {token_create(user, name='t')[1]}"}
        assert client.get(address(*theirs, more="&items=true"), headers=headers).status_code == 403
        allowed = client.get(address(*mine, more="&items=true"), headers=headers)
        assert allowed.status_code == (200 if user == ann else 403)
        assert (b"verdict" in allowed.content, b"outcomes" in allowed.content) == (False, user == ann)
    headers = {"Authorization": f"Bearer {token_create(ann, name='t')[1]}"}
    found = client.get(address(*mine, more="&items=true"), headers=headers).json()["differing_items"]
    outcomes = {
        (score.run.condition, score.item.question_id, score.run.submission_id): score
        for score in ItemScore.objects.filter(run__submission__in=mine, item__set_aside="").select_related(
            "run", "item"
        )
    }
    assert found["total"] == len(found["results"]) > 0
    for item in found["results"]:
        pair = [outcomes[item["condition"], item["question_id"], key] for key in mine]
        assert [score.outcome for score in pair] == item["outcomes"]
        assert pair[0].strict != pair[1].strict


@pytest.mark.parametrize(
    ("entries", "rules"),
    [
        ([], ["required"]),
        (["scored"], ["too_few"]),
        (["scored", "scored"], ["too_few"]),
        (["scored", "nonsense"], ["invalid"]),
        (["scored", "11111111-1111-1111-1111-111111111111"], ["unknown"]),
        (["scored", "queued"], ["not_scored"]),
        (["scored", "elsewhere"], ["different_releases"]),
        (["elsewhere", "queued", "nonsense"], ["invalid", "not_scored", "different_releases"]),
        ([str(uuid.UUID(int=number)) for number in range(6)], ["too_many", *["unknown"] * 6]),
    ],
)
def test_all_that_speaks_against_a_comparison_is_told_at_once(
    client: Client, scored: Submission, queued: Submission, ann: User, entries: list[str], rules: list[str]
) -> None:
    elsewhere = make_submission(ann, make_release(version="2.0"), entry="Elsewhere")
    finish(elsewhere)
    known = {"scored": scored.pk, "queued": queued.pk, "elsewhere": elsewhere.pk}
    answer = client.get(address(*(known.get(entry, entry) for entry in entries)))
    assert (answer.status_code, answer.headers["Content-Type"]) == (422, "application/problem+json")
    assert [fault["rule"] for fault in answer.json()["errors"]] == rules
    assert {fault["field"] for fault in answer.json()["errors"]} == {"entries"}
