"""The second way in: name a model endpoint, watch how it is asked, read what it replied."""

import json
from decimal import Decimal
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import Settings

from evaluation.types import Condition
from leaderboard.models.endpoints import ModelEndpoint, ModelFacts
from leaderboard.models.releases import Release
from leaderboard.models.submissions import Submission
from tests.attacks.test_addresses import BAD_FORMS
from tests.leaderboard.described import describe

pytestmark = [pytest.mark.site, pytest.mark.django_db]

ADDRESS = "/api/v1/endpoint-submissions"
SECRET = "sk-secret-4711-abcdefgh"
PLAIN = {"entry": "Model A", "model": "a-model", "address": "https://models.example.org/v1", "key": SECRET}


@pytest.fixture
def anns(client: Client, ann: User) -> Client:
    """Ann's browser."""
    client.force_login(ann)
    return client


@pytest.fixture
def described(release: Release) -> Release:
    """The release, with its databases described."""
    return describe(release)


def post(client: Client, body: Any, **headers: str) -> Any:
    text = body if isinstance(body, str) else json.dumps(body)
    return client.post(ADDRESS, text, content_type="application/json", headers=headers)


def faults(answer: Any) -> set[tuple[str, str]]:
    return {(error["pointer"], error["rule"]) for error in answer.json()["errors"]}


def test_a_model_is_taken_in_and_the_answer_tells_where_to_look(anns: Client, described: Release) -> None:
    facts = {"provider": "Acme", "open_weights": True, "parameters": "7B", "links": ["https://example.org/card"]}
    answer = post(
        anns, {**PLAIN, "budget_usd": "1.25", "price_prompt": 0.1, "price_completion": "0.40", "facts": facts}
    )
    assert answer.status_code == 202, answer.content
    body = answer.json()
    submission = Submission.objects.get()
    assert (
        answer.headers["Location"] == body["links"]["self"] == f"http://testserver/api/v1/submissions/{submission.pk}"
    )
    assert (body["status"], body["file"]) == ("generating", None)
    assert body["facts"] == {"name": "", "version": "", "license": "", **facts}
    assert (body["endpoint"]["model"], body["endpoint"]["has_key"]) == ("a-model", True)
    assert (body["endpoint"]["budget_usd"], body["endpoint"]["price_completion"]) == ("1.25000000", "0.40000000")
    assert [run["condition"] for run in body["runs"]] == ["with_evidence", "without_evidence"]
    for run in body["runs"]:
        assert run["state"] == "generating"
        assert (run["generation"]["replies"], run["generation"]["total"]) == (0, 12)
    stored = ModelEndpoint.objects.get()
    assert (stored.price_prompt, stored.price_completion) == (Decimal("0.1"), Decimal("0.4"))
    assert stored.key is not None
    assert anns.get(body["links"]["self"]).json() == body


def test_what_is_left_out_takes_the_defaults_that_the_schema_tells(anns: Client, described: Release) -> None:
    assert post(anns, {"entry": "x", "model": "openai/gpt-5-mini", "key": SECRET}).status_code == 202
    endpoint = ModelEndpoint.objects.get()
    schema = anns.get("/api/v1/schema/").json()["components"]["schemas"]["EndpointSubmissionRequest"]["properties"]
    for name in ("temperature", "seed", "most_completion_tokens", "concurrency", "repairs", "template"):
        assert getattr(endpoint, name) == schema[name]["default"], name
    assert schema["key"]["writeOnly"]
    assert not any("key" in answer for answer in (schema["model"], schema["address"]))
    assert not ModelFacts.objects.exclude(name="").exists()


def test_one_condition_may_be_asked_alone(anns: Client, described: Release) -> None:
    assert post(anns, {**PLAIN, "conditions": ["without_evidence", "without_evidence"]}).status_code == 202
    assert [run.condition for run in Submission.objects.get().runs.all()] == [Condition.WITHOUT_EVIDENCE]


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"model": " "}, {("/model", "blank")}),
        ({"entry": "a\nb", "model": None}, {("/entry", "not_printable"), ("/model", "null")}),
        ({"budget_dollars": 5}, {("/budget_dollars", "unknown_member")}),
        ({"budget_dollars": 5, "seed": "x"}, {("/budget_dollars", "unknown_member"), ("/seed", "invalid")}),
        ({"conditions": ["with_evidence", "both"]}, {("/conditions/1", "invalid_choice")}),
        ({"facts": {"names": "x", "open_weights": "perhaps"}}, {
            ("/facts/names", "unknown_member"), ("/facts/open_weights", "invalid"),
        }),
        ({"template": "none@1"}, {("/template", "invalid_choice")}),
        ({"price_prompt": "NaN", "price_completion": 1}, {("/price_prompt", "invalid")}),
        ({"release": "tiny@9"}, {("/release", "unknown")}),
    ],
)  # fmt: skip
def test_members_of_the_wrong_form_are_all_named_with_pointers(
    anns: Client, described: Release, changes: dict[str, Any], found: set[tuple[str, str]]
) -> None:
    answer = post(anns, PLAIN | changes)
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/invalid-fields")
    assert faults(answer) == found
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"budget_usd": 1}, {("/budget_usd", "unknown_price")}),
        ({"price_prompt": 1}, {("/price_prompt", "half_a_price")}),
        ({"temperature": 3, "concurrency": 0, "repairs": 4}, {
            ("/temperature", "out_of_range"), ("/concurrency", "out_of_range"), ("/repairs", "out_of_range"),
        }),
        ({"context_tokens": 4096}, {("/context_tokens", "no_room")}),
        ({"address": "", "model": "unheard/of"}, {("/model", "unknown_provider")}),
        ({"address": "", "model": "openai/x", "key": ""}, {("/key", "missing_field")}),
        ({"key": "sk-1\n"}, {("/key", "no_key")}),
        ({"conditions": []}, {("/conditions", "missing_field")}),
        ({"facts": {"links": ["http://example.org/", "javascript:alert(1)"]}}, {("/facts/links", "no_link")}),
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused_with_every_fault(
    anns: Client, described: Release, changes: dict[str, Any], found: set[tuple[str, str]]
) -> None:
    answer = post(anns, PLAIN | changes)
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/faulty-endpoint")
    assert faults(answer) == found
    assert not Submission.objects.exists()


def test_no_address_that_leads_inside_is_taken(anns: Client, described: Release) -> None:
    refused = [url for url in BAD_FORMS if url]
    assert len(refused) >= 100
    for url in refused:
        answer = post(anns, PLAIN | {"address": url})
        assert answer.status_code == 422, url
        assert {error["field"] for error in answer.json()["errors"]} == {"address"}, url
    assert not Submission.objects.exists()


def test_this_machine_may_be_asked_where_the_operator_allows_it(
    anns: Client, described: Release, settings: Settings
) -> None:
    body = PLAIN | {"address": "http://127.0.0.1:8089/v1"}
    assert post(anns, body).status_code == 422
    settings.CALL_LOOPBACK = True
    assert post(anns, body).status_code == 202


def test_the_same_idempotency_key_gives_the_same_submission(anns: Client, described: Release) -> None:
    first, again = (post(anns, PLAIN, **{"Idempotency-Key": "k1"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (202, 202)
    assert first.json()["id"] == again.json()["id"]
    other = post(anns, PLAIN | {"seed": 7}, **{"Idempotency-Key": "k1"})
    assert (other.status_code, other.json()["type"]) == (422, "/problems/idempotency-conflict")
    assert Submission.objects.count() == 1


def test_a_release_that_is_not_described_takes_predictions_only(anns: Client, release: Release) -> None:
    answer = post(anns, PLAIN)
    assert (answer.status_code, answer.json()["type"]) == (409, "/problems/release-closed")
    assert "without descriptions" in answer.json()["detail"]


def test_the_quota_is_that_of_all_submissions(anns: Client, described: Release, settings: Settings) -> None:
    settings.QUOTA_SUBMISSIONS = 1
    assert post(anns, PLAIN | {"temperature": 9}).status_code == 422
    assert post(anns, PLAIN).status_code == 202
    answer = post(anns, PLAIN)
    assert (answer.status_code, answer.json()["type"]) == (429, "/problems/quota-exceeded")


def test_only_json_is_taken(anns: Client, described: Release) -> None:
    assert anns.post(ADDRESS, PLAIN).status_code == 415


def test_strangers_see_how_a_model_is_asked_but_neither_where_nor_for_how_much(
    anns: Client, described: Release, client: Client
) -> None:
    place = post(anns, {**PLAIN, "budget_tokens": 1_234_567}).json()["links"]["self"]
    seen = Client().get(place)
    assert seen.json()["endpoint"]["model"] == "a-model"
    assert seen.json()["endpoint"]["has_key"] is None
    for hidden in ("models.example.org", "1234567", SECRET):
        assert hidden not in seen.content.decode()


@pytest.mark.parametrize(
    "body",
    [
        json.dumps(PLAIN),
        json.dumps(PLAIN | {"temperature": 9, "names": 1}),
        json.dumps(PLAIN | {"key": [SECRET]}),
        json.dumps(PLAIN | {"key": SECRET + "\n"}),
        json.dumps(PLAIN | {"key": SECRET * 400}),
        json.dumps(PLAIN | {"key": SECRET + "\0"}),
        json.dumps(PLAIN | {"template": "x"}),
        f'{{"key": "{SECRET}", "key": "{SECRET}"}}',
        f'{{"key": "{SECRET}',
        f'{{"key": "{SECRET}" oops}}',
        f'{{"key": {SECRET}}}',
        f'["{SECRET}"]',
    ],
)  # fmt: skip
def test_no_answer_holds_the_key(anns: Client, described: Release, body: str) -> None:
    answer = post(anns, body)
    assert answer.status_code in {202, 400, 422}
    assert SECRET not in answer.content.decode() + str(answer.headers)
