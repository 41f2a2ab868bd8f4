"""Tests of the model client against the practice endpoint: each behaviour becomes the error with the right blame."""

import asyncio
import time
from collections.abc import Iterator
from decimal import Decimal

import pytest

from benchmark_data.errors import AptBoardError
from evaluation.addresses import AddressPolicy, AddressUnavailableError, ForbiddenAddressError
from evaluation.generation.budget import Prices
from evaluation.generation.errors import EndpointRefusedError, EndpointUnavailableError, ReplyUnusableError
from evaluation.generation.types import Completion
from evaluation.llm import Endpoint, ModelClient, Sampling
from evaluation.llm_errors import seconds_of
from evaluation.llm_pinned import PinnedTransport, pinned_transport
from evaluation.practice.completions import WRONG_KEY
from evaluation.practice.server import KEY, Practice, PracticeServer, serving
from evaluation.prompts.types import Message

CHAT = (Message(role="user", content="How many?"),)
LOOPBACK = AddressPolicy(loopback=True)


@pytest.fixture(scope="module")
def server() -> Iterator[PracticeServer]:
    with serving(Practice(slow_seconds=3)) as running:
        yield running


def asked(
    address: str,
    model: str,
    *,
    key: str = KEY,
    seconds: float = 20.0,
    prices: Prices | None = None,
    transport: PinnedTransport | None = None,
) -> Completion | AptBoardError:
    async def call() -> Completion:
        endpoint = Endpoint(model=model, address=address, key=key, prices=prices)
        async with ModelClient(endpoint, Sampling(), seconds=seconds, transport=transport) as client:
            return await client.ask(CHAT, f"{model}/0")

    try:
        return asyncio.run(call())
    except AptBoardError as error:
        return error


def test_a_reply_comes_with_tokens_cost_and_time(server: PracticeServer) -> None:
    prices = Prices(prompt=Decimal(1), completion=Decimal(2))
    reply = asked(server.url, "practice", prices=prices)
    assert isinstance(reply, Completion)
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (11, 12)
    assert reply.usage.cost == Decimal("0.000035")
    assert (reply.model, reply.finish_reason) == ("practice", "stop")
    assert reply.milliseconds > 0


@pytest.mark.parametrize(
    ("model", "kind", "sentence"),
    [
        ("practice-limited", EndpointUnavailableError, "Rate limit reached, try again later."),
        ("practice-down", EndpointUnavailableError, "The model is overloaded."),
        ("practice-dropping", EndpointUnavailableError, ""),
        ("practice-malformed", ReplyUnusableError, "The endpoint's answer is no chat completion"),
        ("practice-streaming", ReplyUnusableError, "The endpoint's answer is no chat completion"),
        ("practice-endless", ReplyUnusableError, "The endpoint's answer is longer than 8 MiB."),
        ("unheard-of", EndpointRefusedError, "The model `unheard-of` does not exist."),
    ],
)
def test_each_failure_has_its_blame_and_its_sentence(
    server: PracticeServer, model: str, kind: type[AptBoardError], sentence: str
) -> None:
    error = asked(server.url, model)
    assert isinstance(error, kind)
    assert str(error).startswith(sentence)


def test_the_wait_that_an_endpoint_asks_for_is_known() -> None:
    with serving(Practice(retry_after=7)) as limited:
        error = asked(limited.url, "practice-limited")
    assert isinstance(error, EndpointUnavailableError)
    assert error.retry_after == 7


def test_a_wrong_key_is_refused_with_the_providers_sentence_and_without_the_key(server: PracticeServer) -> None:
    error = asked(server.url, "practice", key="sk-very-secret-7781")
    assert isinstance(error, EndpointRefusedError)
    assert str(error) == WRONG_KEY
    assert "7781" not in repr(Endpoint(model="m", key="sk-very-secret-7781"))


def test_a_slow_answer_ends_at_the_limit(server: PracticeServer) -> None:
    started = time.monotonic()
    error = asked(server.url, "practice-slow", seconds=1)
    assert isinstance(error, EndpointUnavailableError)
    assert "within 1 seconds" in str(error)
    assert time.monotonic() - started < 2.9


def test_nobody_there_and_no_address_are_told_apart() -> None:
    nobody = asked("http://127.0.0.1:9/v1", "practice")
    assert isinstance(nobody, EndpointUnavailableError)
    assert str(nobody).startswith("The connection to the endpoint failed: ")
    wrong = asked("http://127.0.0.1:nine/v1", "practice")
    assert isinstance(wrong, EndpointRefusedError)
    assert "is no address" in str(wrong)


def test_a_pinned_call_goes_to_the_checked_address_whatever_the_name_says(server: PracticeServer) -> None:
    port = server.server_address[1]
    address = f"http://models.example.org:{port}/v1"
    pinned = pinned_transport(address, policy=LOOPBACK, resolve=lambda _host, _port: ("127.0.0.1",))
    assert isinstance(asked(address, "practice", transport=pinned), Completion)


def test_a_pinned_transport_calls_no_other_server(server: PracticeServer) -> None:
    pinned = pinned_transport(server.url, policy=LOOPBACK)
    error = asked("http://127.0.0.1:9/v1", "practice", transport=pinned)
    assert isinstance(error, AptBoardError)
    assert "Only 127.0.0.1 is called" in str(error)


@pytest.mark.parametrize("address", ["http://127.0.0.1:8000/v1", "https://10.0.0.1/v1", "https://169.254.169.254/v1"])
def test_without_the_operators_word_only_public_https_is_called(address: str) -> None:
    with pytest.raises(ForbiddenAddressError):
        pinned_transport(address, policy=AddressPolicy())


def test_a_name_that_leads_nowhere_is_nobodys_fault() -> None:
    def nowhere(host: str, _port: int) -> tuple[str, ...]:
        raise AddressUnavailableError(f"{host} cannot be resolved")

    with pytest.raises(AddressUnavailableError, match=r"models\.example\.org cannot be resolved"):
        pinned_transport("https://models.example.org/v1", policy=AddressPolicy(), resolve=nowhere)


@pytest.mark.parametrize(("value", "seconds"), [("7", 7.0), ("0.5", 0.5), ("-3", 0.0), ("", None), ("soon", None)])
def test_retry_after_in_seconds(value: str, seconds: float | None) -> None:
    assert seconds_of(value) == seconds


def test_retry_after_as_a_date_counts_from_now() -> None:
    assert seconds_of("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert (seconds_of("Wed, 21 Oct 2065 07:28:00 GMT") or 0) > 86_400


def test_the_library_of_providers_does_not_call_home_and_knows_prices_by_itself() -> None:
    from evaluation.llm_providers import known_prices, litellm

    assert litellm().telemetry is False
    known = known_prices("openai/gpt-4o-mini")
    assert known is not None
    assert known.prompt < known.completion
    assert known_prices("practice") is None


def test_settings_that_are_left_to_the_provider_are_not_sent() -> None:
    assert Sampling(temperature=None, seed=None).as_arguments() == {"max_tokens": 4096}
    assert Sampling(reasoning_effort="low").as_arguments()["reasoning_effort"] == "low"
