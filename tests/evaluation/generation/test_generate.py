"""Tests of a generation: every item a reply or a reason, nothing asked twice, and each way in which it may end."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest

from evaluation.generation.budget import Budget, Prices
from evaluation.generation.errors import EndpointRefusedError, EndpointUnavailableError, ReplyUnusableError
from evaluation.generation.generate import generate
from evaluation.generation.types import NO_USAGE, Completion, Ending, GenerationReport, Reason, Task
from evaluation.prompts.types import Message
from tests.evaluation.generation.fakes import QUICK, FakeEndpoint, Kept, completion, task, tasks, unlimited


def run(endpoint: FakeEndpoint, kept: Kept, what: list[Task], **options: object) -> GenerationReport:
    settings = {"limits": QUICK, "budget": unlimited(), "session": "s", **options}
    return asyncio.run(generate(what, ask=endpoint.ask, store=kept.store, **settings))  # type: ignore[arg-type]


def test_every_item_gets_its_reply_once() -> None:
    endpoint, kept = FakeEndpoint(lambda question, _: completion(f"db.{question}.find()")), Kept()
    report = run(endpoint, kept, tasks(30))
    assert report == GenerationReport(ending=Ending.DONE, message="", replies=30, unanswered=0)
    assert kept.texts == {f"q{n}": f"db.q{n}.find()" for n in range(30)}
    assert sorted(endpoint.calls) == sorted(kept.texts)


def test_no_more_calls_are_under_way_than_allowed_and_as_many_are() -> None:
    endpoint = FakeEndpoint(seconds=0.005)
    run(endpoint, Kept(), tasks(40))
    assert endpoint.most_under_way == QUICK.concurrency


def test_nothing_to_ask_is_done() -> None:
    assert run(FakeEndpoint(), Kept(), []).ending is Ending.DONE


def test_a_passing_fault_is_tried_again_and_its_calls_are_counted() -> None:
    def answer(_question: str, call: int) -> Completion:
        if call < 3:
            raise EndpointUnavailableError("busy")
        return completion()

    kept = Kept()
    assert run(FakeEndpoint(answer), kept, tasks(5)).ending is Ending.DONE
    assert {reply.calls for reply in kept.replies} == {3}


def test_retry_after_holds_all_calls_back() -> None:
    begun: list[float] = []

    def answer(question: str, call: int) -> Completion:
        begun.append(asyncio.get_running_loop().time())
        if question == "q0" and call == 1:
            raise EndpointUnavailableError("slow down", retry_after=0.15)
        return completion()

    limits = replace(QUICK, concurrency=1, smoke=1)
    assert run(FakeEndpoint(answer), Kept(), tasks(3), limits=limits).ending is Ending.DONE
    assert begun[1] - begun[0] >= 0.15


def test_an_endpoint_that_asks_to_wait_longer_than_anybody_would_ends_the_generation_for_now() -> None:
    def answer(_question: str, _call: int) -> Completion:
        raise EndpointUnavailableError("tomorrow", retry_after=86_400)

    report = run(FakeEndpoint(answer), Kept(), tasks(5))
    assert (report.ending, report.message, report.unanswered) == (Ending.UNAVAILABLE, "tomorrow", 5)


def test_a_refusal_ends_at_once_with_the_providers_sentence() -> None:
    def answer(_question: str, _call: int) -> Completion:
        raise EndpointRefusedError("Incorrect API key provided.")

    endpoint, kept = FakeEndpoint(answer), Kept()
    report = run(endpoint, kept, tasks(50))
    assert (report.ending, report.message) == (Ending.REFUSED, "Incorrect API key provided.")
    assert len(endpoint.calls) <= QUICK.smoke
    assert not kept.replies


def test_an_outage_ends_the_generation_and_keeps_what_was_answered() -> None:
    def answer(question: str, _call: int) -> Completion:
        if int(question[1:]) >= 10:
            raise EndpointUnavailableError("the model is overloaded")
        return completion()

    kept = Kept()
    report = run(FakeEndpoint(answer, seconds=0.001), kept, tasks(40))
    assert (report.ending, report.message) == (Ending.UNAVAILABLE, "the model is overloaded")
    assert len(kept.replies) == 10
    assert report.unanswered == 30


def test_one_item_that_never_works_does_not_keep_the_others_from_their_replies() -> None:
    def answer(question: str, _call: int) -> Completion:
        if question == "q7":
            raise EndpointUnavailableError("no answer to this one")
        return completion()

    kept = Kept()
    report = run(FakeEndpoint(answer, seconds=0.002), kept, tasks(40))
    assert (report.ending, report.unanswered) == (Ending.UNANSWERED, 1)
    assert len(kept.replies) == 39


@pytest.mark.parametrize(
    ("finish", "reason"),
    [("stop", Reason.EMPTY), ("length", Reason.CUT_OFF), ("content_filter", Reason.CONTENT_FILTER)],
)
def test_a_reply_without_text_has_a_named_reason(finish: str, reason: Reason) -> None:
    kept = Kept()
    endpoint = FakeEndpoint(lambda question, _: completion("" if question == "q3" else "x", finish=finish))
    assert run(endpoint, kept, tasks(6)).ending is Ending.DONE
    assert [r.reason for r in kept.replies if r.question_id == "q3"] == [reason]
    assert endpoint.calls.count("q3") == 1


def test_a_malformed_answer_is_tried_again_and_named_when_it_stays() -> None:
    def answer(question: str, call: int) -> Completion:
        if question == "q4" and call < 2:
            raise ReplyUnusableError(Reason.MALFORMED, "no JSON", may_pass=True)
        if question == "q5":
            raise ReplyUnusableError(Reason.MALFORMED, "no JSON", may_pass=True)
        return completion()

    kept = Kept()
    assert run(FakeEndpoint(answer), kept, tasks(8)).ending is Ending.DONE
    named = {reply.question_id: (reply.reason, reply.calls) for reply in kept.replies}
    assert named["q4"] == (None, 2)
    assert named["q5"] == (Reason.MALFORMED, QUICK.attempts)


def test_where_none_of_the_first_items_is_answered_the_others_are_not_asked() -> None:
    def answer(_question: str, _call: int) -> Completion:
        raise ReplyUnusableError(Reason.REJECTED, "max_tokens is too large", may_pass=False)

    endpoint = FakeEndpoint(answer)
    report = run(endpoint, Kept(), tasks(50))
    assert report.ending is Ending.REFUSED
    assert report.message == "None of the first 2 replies could be used: max_tokens is too large"
    assert len(endpoint.calls) == 2


def test_stopping_lets_go_of_calls_under_way_and_loses_no_reply_that_arrived() -> None:
    endpoint, kept = FakeEndpoint(seconds=0.02), Kept(seconds=0.05)
    report = run(endpoint, kept, tasks(500), stopped=lambda: len(endpoint.calls) > 12)
    assert report.ending is Ending.STOPPED
    assert report.replies == len(kept.replies) < 100
    assert report.unanswered == 500 - len(kept.texts)


def test_what_was_stored_is_not_asked_again() -> None:
    first, kept = FakeEndpoint(seconds=0.001), Kept()
    all_tasks = tasks(30)
    run(first, kept, all_tasks, stopped=lambda: len(kept.replies) > 10)
    stored = set(kept.texts)
    second = FakeEndpoint()
    report = run(second, kept, [one for one in all_tasks if one.question_id not in stored])
    assert report.ending is Ending.DONE
    assert not stored & set(second.calls)
    assert set(kept.texts) == {one.question_id for one in all_tasks}


@pytest.mark.parametrize("concurrency", [1, 4, 16])
def test_a_token_budget_is_never_exceeded_and_stops_only_when_no_further_call_would_fit(concurrency: int) -> None:
    endpoint, kept = FakeEndpoint(seconds=0.001), Kept()
    limits = replace(QUICK, concurrency=concurrency, most_completion_tokens=10)
    budget = Budget(tokens=1000, spent=NO_USAGE)
    report = run(endpoint, kept, tasks(200), limits=limits, budget=budget)
    spent = sum(reply.usage.tokens for reply in kept.replies)
    assert report.ending is Ending.BUDGET
    assert len(endpoint.calls) == len(kept.replies)
    worst = 2 * 8 + 1 + 1 + 1 + 10
    assert 1000 - worst - 20 < spent <= 1000


def test_a_money_budget_stops_before_the_call_that_could_exceed_it() -> None:
    kept = Kept()
    prices = Prices(prompt=Decimal(500), completion=Decimal(500))
    budget = Budget(money=Decimal("0.30"), prices=prices, spent=NO_USAGE)
    limits = replace(QUICK, most_completion_tokens=10)
    report = run(FakeEndpoint(lambda *_: completion(tokens=10)), kept, tasks(200), limits=limits, budget=budget)
    assert report.ending is Ending.BUDGET
    assert "USD" in report.message
    assert sum((reply.usage.cost or Decimal(0)) for reply in kept.replies) <= Decimal("0.30")


def test_a_query_that_fails_is_sent_back_with_the_error_until_it_runs() -> None:
    async def check(_task: Task, text: str) -> str | None:
        return None if text.endswith("3") else f"cannot run {text}"

    endpoint, kept = FakeEndpoint(lambda _question, call: completion(f"try {call}")), Kept()
    limits = replace(QUICK, repairs=3)
    assert run(endpoint, kept, [task("q0")], limits=limits, check=check).ending is Ending.DONE
    assert [(r.number, r.text, r.is_final, r.error) for r in kept.replies] == [
        (0, "try 1", False, "cannot run try 1"),
        (1, "try 2", False, "cannot run try 2"),
        (2, "try 3", True, ""),
    ]
    last = endpoint.chats[-1]
    assert [message.role for message in last] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert "cannot run try 2" in last[-1].content


def test_after_the_last_repair_the_reply_is_final_whether_it_runs_or_not() -> None:
    async def check(_task: Task, _text: str) -> str | None:
        return "no"

    endpoint, kept = FakeEndpoint(), Kept()
    run(endpoint, kept, [task("q0")], limits=replace(QUICK, repairs=3), check=check)
    assert [reply.is_final for reply in kept.replies] == [False, False, False, True]


def test_a_repair_that_was_interrupted_goes_on_where_it_was() -> None:
    async def check(_task: Task, text: str) -> str | None:
        return None if text == "good" else "bad"

    kept = Kept()
    limits = replace(QUICK, repairs=3)
    run(
        FakeEndpoint(lambda *_: completion("first")), kept, [task("q0")], limits=replace(limits, repairs=1), check=check
    )
    earlier = (kept.replies[0],)
    endpoint, after = FakeEndpoint(lambda *_: completion("good")), Kept()
    run(endpoint, after, [task("q0", earlier=earlier)], limits=limits, check=check)
    assert [(reply.number, reply.text) for reply in after.replies] == [(1, "good")]
    assert endpoint.chats[0][2].content == "first"


def test_an_error_of_ours_comes_out_instead_of_becoming_an_ending() -> None:
    class Broken(Kept):
        async def store(self, reply: object) -> None:
            raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        run(FakeEndpoint(), Broken(), tasks(10))


def test_no_two_askings_and_no_two_answers_share_an_idempotency_key() -> None:
    keys: list[str] = []

    def answer(question: str, call: int) -> Completion:
        if call == 1:
            raise EndpointUnavailableError("lost")
        if call == 2:
            raise ReplyUnusableError(Reason.MALFORMED, "no JSON", may_pass=True)
        return completion()

    class Noting(FakeEndpoint):
        async def ask(self, messages: Sequence[Message], key: str) -> Completion:
            keys.append(key)
            return await super().ask(messages, key)

    for session in ("first", "second"):
        run(Noting(answer), Kept(), [task("q0")], session=session)
    item = "with_evidence/q0/0"
    assert keys == [f"{one}/{item}.{number}" for one in ("first", "second") for number in (0, 0, 1)]
