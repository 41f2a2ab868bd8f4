"""The main way in: send predictions, watch them, read the verdicts, cancel."""

import contextlib
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from evaluation.types import Condition
from leaderboard.api.statuses import WAITING_AT_ONCE, seats
from leaderboard.models.releases import Release
from leaderboard.models.submissions import Prediction, Submission
from tests.leaderboard.selectors.records import finish, make_release

pytestmark = [pytest.mark.site, pytest.mark.django_db]

ADDRESS = "/api/v1/submissions"
LINE = '{"question_id": "100", "query": "db.things.find({})", "condition": "with_evidence"}\n'


@pytest.fixture
def anns(client: Client, ann: User) -> Client:
    """Ann's browser."""
    client.force_login(ann)
    return client


def a_file(content: str | bytes = LINE, name: str = "p.jsonl") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content.encode() if isinstance(content, str) else content)


def test_a_file_is_taken_in_and_the_answer_tells_where_to_look(anns: Client, release: Release) -> None:
    answer = anns.post(ADDRESS, {"entry": "Model A", "description": "a line", "file": a_file()})
    assert answer.status_code == 202
    body = answer.json()
    submission = Submission.objects.get()
    assert body["id"] == str(submission.pk)
    assert (submission.entry, submission.description, submission.owner.username) == ("Model A", "a line", "ann")
    assert (body["status"], body["release"]) == ("queued", "tiny@1.0")
    assert answer.headers["Location"] == body["links"]["self"] == f"http://testserver{ADDRESS}/{submission.pk}"
    assert int(answer.headers["Retry-After"]) > 0
    (run,) = body["runs"]
    assert (run["condition"], run["state"], run["progress"]) == ("with_evidence", "queued", {"done": 0, "total": 13})
    assert anns.get(body["links"]["self"]).json() == body


def test_a_slash_at_the_end_is_the_same_address(anns: Client, release: Release) -> None:
    answer = anns.post(f"{ADDRESS}/", {"entry": "Model A", "file": a_file()})
    assert answer.status_code == 202
    assert anns.get(f"{ADDRESS}/{answer.json()['id']}/").status_code == 200


def post_json(client: Client, text: str) -> Any:
    return client.post(ADDRESS, text, content_type="application/json")


@pytest.mark.parametrize(
    "predictions",
    [
        '[{"question_id": "100", "query": "db.things.find({})"}]',
        '[{"question_id": 100, "query": "db.things.find({})", "condition": "without_evidence"}]',
        '{"100": "db.things.find({})"}',
        '{"100": "db.things.find({})\\t----- bird -----\\tbooks"}',
        '{"without_evidence": {"100": "db.things.find({})"}}',
    ],
)
def test_predictions_may_stand_in_a_json_body(anns: Client, release: Release, predictions: str) -> None:
    body = f'{{"entry": "Model A", "condition": "without_evidence", "predictions": {predictions}}}'
    assert post_json(anns, body).status_code == 202
    prediction = Prediction.objects.get()
    assert (prediction.condition, prediction.text) == (Condition.WITHOUT_EVIDENCE, "db.things.find({})")


def test_faults_in_a_json_body_come_with_lines_of_the_body_and_pointers(anns: Client, release: Release) -> None:
    answer = post_json(anns, '{"entry": "x",\n"predictions": [\n{"question_id": "100", "query": 5},\n7]}')
    assert answer.status_code == 422
    errors = {(error["rule"], error["line"], error["pointer"]) for error in answer.json()["errors"]}
    assert ("wrong_type", 3, "/predictions/0/query") in errors
    assert ("not_an_object", 4, "/predictions/1") in errors
    assert not Submission.objects.exists()


def test_a_key_that_stands_twice_in_a_json_body_is_seen(anns: Client, release: Release) -> None:
    answer = post_json(anns, '{"entry": "x", "condition": "with_evidence", "predictions": {"100": "a", "100": "b"}}')
    assert [error["rule"] for error in answer.json()["errors"]] == ["duplicate_prediction"]


@pytest.mark.parametrize(
    ("content", "rule", "line"),
    [
        ("", "empty_file", None),
        (LINE + "not json\n", "bad_json", 2),
        (LINE + LINE, "duplicate_prediction", 2),
        (LINE.replace("100", "nobody"), "unknown_question_id", 1),
        ('{"question_id": "100", "query": "x"}', "missing_condition", 1),
        (LINE.encode() + b"\xff\xfe\n", "not_utf8", 2),
    ],
)
def test_a_faulty_file_is_refused_with_file_and_line_and_nothing_is_stored(
    anns: Client, release: Release, content: str | bytes, rule: str, line: int | None
) -> None:
    answer = anns.post(ADDRESS, {"entry": "Model A", "file": a_file(content, name="faulty.jsonl")})
    assert answer.status_code == 422
    body = answer.json()
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert body["type"] == "/problems/faulty-predictions"
    assert [(error["file"], error["rule"], error["line"]) for error in body["errors"]] == [("faulty.jsonl", rule, line)]
    assert body["request_id"] == answer.headers["X-Request-ID"]
    assert not Submission.objects.exists()


def test_all_faults_come_at_once(anns: Client, release: Release) -> None:
    answer = anns.post(ADDRESS, {"entry": "Model A", "file": a_file("no\n" + LINE + "no\n" * 200)})
    body = answer.json()
    assert (body["total"], len(body["errors"])) == (201, 100)


@pytest.mark.parametrize(
    ("fields", "faulty"),
    [
        ({}, {"entry", "file"}),
        ({"entry": "  "}, {"entry", "file"}),
        ({"entry": "x" * 81, "file": "f"}, {"entry"}),
        ({"entry": "a\u202eb", "file": "f"}, {"entry"}),
        ({"entry": "a\nb", "file": "f"}, {"entry"}),
        ({"entry": "x", "description": "y" * 501, "file": "f"}, {"description"}),
        ({"entry": "x", "file": "f", "condition": "both"}, {"condition"}),
        ({"entry": "x", "file": "f", "release": "tiny@2"}, {"release"}),
        ({"entry": "x", "file": "f", "release": "tiny"}, {"release"}),
    ],
)
def test_wrong_fields_are_named(anns: Client, release: Release, fields: dict[str, Any], faulty: set[str]) -> None:
    if "file" in fields:
        fields = fields | {"file": a_file()}
    answer = anns.post(ADDRESS, fields)
    assert answer.status_code == 422
    assert answer.json()["type"] == "/problems/invalid-fields"
    assert {error["field"] for error in answer.json()["errors"]} == faulty
    assert not Submission.objects.exists()


@pytest.mark.parametrize("key", ["a b", "k\xe4", "x" * 256, ""])
def test_an_idempotency_key_that_is_none_is_refused(anns: Client, release: Release, key: str) -> None:
    answer = anns.post(ADDRESS, {"entry": "x", "file": a_file()}, headers={"Idempotency-Key": key})
    assert answer.status_code == 422
    assert [error["field"] for error in answer.json()["errors"]] == ["Idempotency-Key"]


def test_the_same_key_with_the_same_content_is_the_same_submission(anns: Client, release: Release) -> None:
    key = {"Idempotency-Key": str(uuid.uuid4())}
    first = anns.post(ADDRESS, {"entry": "x", "file": a_file()}, headers=key)
    again = anns.post(ADDRESS, {"entry": "x", "file": a_file()}, headers=key)
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json() == again.json()
    assert again.headers["Location"] == first.headers["Location"]
    other = anns.post(ADDRESS, {"entry": "y", "file": a_file()}, headers=key)
    assert other.status_code == 422
    assert other.json()["type"] == "/problems/idempotency-conflict"
    assert Submission.objects.count() == 1


def test_a_submission_goes_to_the_release_that_is_named(anns: Client, release: Release) -> None:
    make_release(version="2.0")
    anns.post(ADDRESS, {"entry": "x", "file": a_file(), "release": "tiny@1.0"})
    anns.post(ADDRESS, {"entry": "y", "file": a_file()})
    submissions = {submission.entry: str(submission.release) for submission in Submission.objects.all()}
    assert submissions == {"x": "tiny@1.0", "y": "tiny@2.0"}


def test_where_no_release_is_live_there_is_nothing_to_submit_to(anns: Client) -> None:
    answer = anns.post(ADDRESS, {"entry": "x", "file": a_file()})
    assert (answer.status_code, answer.json()["type"]) == (409, "/problems/release-closed")


def test_other_content_types_are_refused(anns: Client, release: Release) -> None:
    answer = anns.post(ADDRESS, "a=b", content_type="text/plain")
    assert (answer.status_code, answer.json()["type"]) == (415, "/problems/unsupported-media-type")


def test_a_file_over_the_cap_is_refused_with_the_cap(anns: Client, release: Release, settings: Settings) -> None:
    settings.SUBMISSION_BYTES = 100
    for content in (b"x" * 101, b"x" * 1_000_000):
        answer = anns.post(ADDRESS, {"entry": "x", "file": a_file(content)})
        assert (answer.status_code, answer.json()["type"]) == (413, "/problems/upload-too-large")
        assert answer.json()["cap_bytes"] == 100
    assert not Submission.objects.exists()


def test_a_known_state_is_not_sent_again(anns: Client, scored: Submission) -> None:
    address = f"{ADDRESS}/{scored.pk}"
    first = anns.get(address)
    assert "Retry-After" not in first.headers
    again = anns.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    scored.runs.filter(condition="with_evidence").update(state="cancelled")
    assert anns.get(address, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_a_scored_submission_shows_its_reports_to_everybody(client: Client, scored: Submission) -> None:
    body = client.get(f"{ADDRESS}/{scored.pk}").json()
    assert body["status"] == "scored"
    for run in body["runs"]:
        report = run["report"]
        assert report["n"] == sum(report["outcomes"].values()) == 12
        assert 0 <= report["strict_ex"]["low"] <= report["strict_ex"]["value"] <= report["strict_ex"]["high"] <= 1
        assert {cell["name"] for cell in report["per_database"]} == {"books", "heroes", "trains"}
        assert run["rank"] == 1


@pytest.mark.parametrize("wait", ["-1", "31", "nan", "x"])
def test_a_wait_that_is_none_is_refused(client: Client, scored: Submission, wait: str) -> None:
    assert client.get(f"{ADDRESS}/{scored.pk}?wait={wait}").status_code == 422


def test_a_long_poll_ends_with_the_submission(
    anns: Client, queued: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.api.statuses.time.sleep", lambda _: finish(queued))
    assert anns.get(f"{ADDRESS}/{queued.pk}?wait=20").json()["status"] == "scored"


def test_where_too_many_wait_already_the_answer_comes_at_once(
    anns: Client, queued: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.api.statuses.time.sleep", lambda _: finish(queued))
    with contextlib.ExitStack() as waiting:
        for _ in range(WAITING_AT_ONCE):
            waiting.enter_context(seats)
        answer = anns.get(f"{ADDRESS}/{queued.pk}?wait=20")
        assert (answer.json()["status"], answer.headers["Retry-After"]) == ("queued", "2")
    assert anns.get(f"{ADDRESS}/{queued.pk}?wait=20").json()["status"] == "scored"


def test_a_long_poll_is_for_those_who_are_signed_in(
    client: Client, queued: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.api.statuses.time.sleep", lambda _: finish(queued))
    assert client.get(f"{ADDRESS}/{queued.pk}?wait=20").json()["status"] == "queued"


def test_a_waiting_submission_can_be_cancelled_once(anns: Client, queued: Submission) -> None:
    answer = anns.post(f"{ADDRESS}/{queued.pk}/cancel")
    assert (answer.status_code, answer.json()["status"]) == (200, "cancelled")
    again = anns.post(f"{ADDRESS}/{queued.pk}/cancel")
    assert (again.status_code, again.json()["type"]) == (409, "/problems/already-ended")


def test_a_file_can_be_tried_without_a_submission(anns: Client, release: Release) -> None:
    answer = anns.post("/api/v1/validate", {"file": a_file()})
    assert answer.status_code == 200
    body = answer.json()
    assert body["conditions"] == [{"condition": "with_evidence", "predictions": 1}]
    assert (body["release"], body["format"], body["bytes"]) == ("tiny@1.0", "json_lines", len(LINE))
    assert body["notes"]
    faulty = anns.post("/api/v1/validate", {"file": a_file("no")})
    assert (faulty.status_code, faulty.json()["type"]) == (422, "/problems/faulty-predictions")
    assert not Submission.objects.exists()


EVERYTHING: list[Callable[[Client, str], Any]] = [
    lambda client, address: client.get(address),
    lambda client, address: client.post(f"{address}/cancel"),
    lambda client, address: client.get(f"{address}/items"),
]


@pytest.mark.parametrize("ask", EVERYTHING)
def test_a_submission_that_does_not_exist_is_not_found(anns: Client, ask: Callable[[Client, str], Any]) -> None:
    answer = ask(anns, f"{ADDRESS}/{uuid.uuid4()}")
    assert (answer.status_code, answer.json()["type"]) == (404, "/problems/not-found")


def test_a_repeated_request_without_a_release_means_the_one_that_was_current_then(
    anns: Client, release: Release
) -> None:
    key = {"Idempotency-Key": "k1"}
    first = anns.post(ADDRESS, {"entry": "x", "file": a_file()}, headers=key)
    make_release(version="2.0")
    again = anns.post(ADDRESS, {"entry": "x", "file": a_file()}, headers=key)
    assert (again.status_code, again.json()["id"]) == (202, first.json()["id"])
    assert anns.post(ADDRESS, {"entry": "x", "file": a_file()}).json()["release"] == "tiny@2.0"
    other = anns.post(ADDRESS, {"entry": "x", "file": a_file(), "release": "tiny@2.0"}, headers=key)
    assert (other.status_code, other.json()["type"]) == (422, "/problems/idempotency-conflict")
