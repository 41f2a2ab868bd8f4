"""Tests of the practice endpoint: what its models do, what it counts, and what a model sees of a prompt."""

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import IncompleteRead, RemoteDisconnected
from typing import Any

import pytest

from benchmark_data.bundles.generate import TINY
from benchmark_data.card_file import measure_database
from benchmark_data.load import load_bundle
from evaluation.practice.behaviours import Behaviour, FaultPlan
from evaluation.practice.reading import read_prompt
from evaluation.practice.server import KEY, Practice, PracticeServer, serving
from evaluation.prompts.build import prompt_writer
from evaluation.prompts.templates import TEMPLATES
from evaluation.prompts.types import question_of
from evaluation.sample21.keyword import keyword_query
from evaluation.types import Condition

CHAT = [{"role": "user", "content": "How many?"}]


@pytest.fixture
def server() -> Iterator[PracticeServer]:
    with serving(Practice(retry_after=7)) as running:
        yield running


def post(server: PracticeServer, content: object, *, key: str = KEY, idempotency_key: str = "") -> Any:
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    if idempotency_key:
        headers["Idempotency-Key"] = idempotency_key
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    request = urllib.request.Request(f"{server.url}/chat/completions", data=body, headers=headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.loads(answer.read())


def refusal(server: PracticeServer, content: object, *, key: str = KEY) -> tuple[int, str, str]:
    with pytest.raises(urllib.error.HTTPError) as caught:
        post(server, content, key=key)
    with caught.value as error:
        message = json.loads(error.read())["error"]["message"]
        return error.code, message, error.headers.get("Retry-After", "")


def test_it_answers_and_bills_to_the_token(server: PracticeServer) -> None:
    answer = post(server, {"model": "practice", "messages": CHAT})
    assert answer["choices"][0]["finish_reason"] == "stop"
    counts = server.practice.ledger.as_json()
    assert counts["calls"] == counts["answered"] == 1
    assert answer["usage"]["prompt_tokens"] == counts["prompt_tokens"] == 8 + 3
    assert answer["usage"]["completion_tokens"] == counts["completion_tokens"] > 0


def test_a_repeated_idempotency_key_is_answered_alike_and_billed_once(server: PracticeServer) -> None:
    first = post(server, {"model": "practice", "messages": CHAT}, idempotency_key="a")
    assert post(server, {"model": "practice", "messages": CHAT}, idempotency_key="a") == first
    counts = server.practice.ledger.as_json()
    assert (counts["calls"], counts["answered"], counts["replayed"]) == (1, 1, 1)


@pytest.mark.parametrize(
    ("content", "key", "code", "message"),
    [
        ({"model": "practice", "messages": CHAT}, "wrong", 401, "Incorrect API key"),
        ({"model": "other", "messages": CHAT}, KEY, 404, "The model `other` does not exist."),
        ({"model": "practice"}, KEY, 400, "no JSON object"),
        (b"{", KEY, 400, "no JSON object"),
        ({"model": "practice-down", "messages": CHAT}, KEY, 503, "overloaded"),
        ({"model": "practice-limited", "messages": CHAT}, KEY, 429, "Rate limit"),
    ],
)
def test_it_refuses_as_providers_do(server: PracticeServer, content: object, key: str, code: int, message: str) -> None:
    found = refusal(server, content, key=key)
    assert found[0] == code
    assert message in found[1]
    assert found[2] == ("7" if code == 429 else "")


def test_the_limited_model_answers_those_who_come_back(server: PracticeServer) -> None:
    content = {"model": "practice-limited", "messages": CHAT}
    assert refusal(server, content)[0] == 429
    assert post(server, content)["choices"]


def test_bad_bodies_are_bad(server: PracticeServer) -> None:
    with pytest.raises(json.JSONDecodeError):
        post(server, {"model": "practice-malformed", "messages": CHAT})
    with pytest.raises(json.JSONDecodeError):
        post(server, {"model": "practice-streaming", "messages": CHAT})
    with pytest.raises((IncompleteRead, RemoteDisconnected, ConnectionError)):
        post(server, {"model": "practice-dropping", "messages": CHAT})


@pytest.mark.parametrize(
    ("model", "finish", "has_text"),
    [
        ("practice-refusing", "stop", True),
        ("practice-filtered", "content_filter", False),
        ("practice-empty", "stop", False),
    ],
)
def test_polite_refusals_are_proper_answers(server: PracticeServer, model: str, finish: str, has_text: bool) -> None:
    choice = post(server, {"model": model, "messages": CHAT})["choices"][0]
    assert choice["finish_reason"] == finish
    assert bool(choice["message"]["content"]) is has_text


def test_it_lists_its_models(server: PracticeServer) -> None:
    with urllib.request.urlopen(f"{server.url}/models", timeout=5) as answer:
        assert {model["id"] for model in json.load(answer)["data"]} == set(Behaviour)


def test_faults_hit_about_their_share_of_calls_and_the_same_ones_each_time() -> None:
    plan = FaultPlan(share=0.05, seed=1)
    hit = [number for number in range(4000) if plan.of(f"prompt {number}", 1)]
    assert 140 <= len(hit) <= 260
    assert hit == [number for number in range(4000) if plan.of(f"prompt {number}", 1)]
    assert hit != [number for number in range(4000) if FaultPlan(share=0.05, seed=2).of(f"prompt {number}", 1)]
    assert not any(FaultPlan().of(f"prompt {number}", 1) for number in range(100))


@pytest.mark.parametrize("template", sorted(TEMPLATES))
@pytest.mark.parametrize("room", [None, 560])
def test_what_a_model_reads_from_a_prompt_is_what_was_asked(template: str, room: int | None) -> None:
    bundle = load_bundle(TINY)
    database = bundle.databases[0]
    items = [item for item in bundle.items if item.db_id == database.db_id]
    made = prompt_writer(
        database, measure_database(database), map(question_of, items), template=TEMPLATES[template], room=room
    )
    for item in items:
        prompt = made.prompt(question_of(item), Condition.WITH_EVIDENCE)
        seen = read_prompt([{"role": message.role, "content": message.content} for message in prompt.messages])
        assert seen.question == item.question
        assert seen.evidence == item.evidence
        assert set(seen.cards) == {one.name for one in database.collections}
        assert all(card.fields for card in seen.cards.values())
        assert keyword_query(seen.question, seen.evidence, seen.cards).collection in seen.cards


def test_a_full_prompt_gives_back_the_cards_as_far_as_it_tells_of_them() -> None:
    bundle = load_bundle(TINY)
    for database in bundle.databases:
        cards = {stored.collection: stored.card for stored in measure_database(database)}
        made = prompt_writer(database, measure_database(database), [], template=TEMPLATES["default@1"])
        seen = read_prompt([{"role": "system", "content": made.described.text}])
        for name, card in cards.items():
            assert seen.cards[name].documents == card.documents
            told = {field.path: field for field in seen.cards[name].fields}
            assert list(told) == [field.path for field in card.fields]
            for field in card.fields:
                assert [one.name for one in told[field.path].types] == [one.name for one in field.types]
                assert told[field.path].examples == field.examples
                assert (told[field.path].numbers is None) == (
                    field.numbers is None or field.numbers.smallest == field.numbers.largest
                )
