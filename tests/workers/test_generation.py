"""A worker asks a model for a run: every item gets a reply or a reason, within budget; what is stored stays."""

import logging
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from benchmark_data.cards import measure
from evaluation.generation.types import Reason
from evaluation.practice.behaviours import FaultPlan
from evaluation.practice.completions import WRONG_KEY
from evaluation.practice.server import KEY, Practice, PracticeServer, serving
from evaluation.types import Condition
from leaderboard.models.descriptions import DatabaseDescription
from leaderboard.models.endpoints import ModelEndpoint
from leaderboard.models.events import EventKind, RunEvent
from leaderboard.models.generations import Generation, GenerationState, StoredReply
from leaderboard.models.quota import QuotaEntry, QuotaReason
from leaderboard.models.releases import Release
from leaderboard.models.runs import Batch, Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Prediction, Submission
from leaderboard.services.endpoints import EndpointRequest, endpoint_submission_create, keys_forget
from leaderboard.services.generation_sweeps import generations_sweep
from leaderboard.services.generations import generation_claim
from leaderboard.services.runs import run_cancel
from leaderboard.services.secrets import encrypted
from leaderboard.services.sweeps import sweep
from tests.leaderboard.builders import HIDDEN_CANARY, live_release, user
from workers.generation import generate_next

pytestmark = [pytest.mark.site, pytest.mark.django_db(transaction=True)]

ITEMS = 12


@pytest.fixture(autouse=True)
def loopback(settings: Any) -> None:
    settings.CALL_LOOPBACK = True
    settings.RESUME_SECONDS = 0


@pytest.fixture
def server() -> Iterator[PracticeServer]:
    with serving(Practice(retry_after=0.05)) as running:
        yield running


def described_release(*, items: int = ITEMS) -> Release:
    release = live_release(items=items)
    card = measure([{"_id": 1, "name": "a", "size": 2}, {"_id": 2, "name": "b"}]).as_json()
    content = {"description": "", "collections": [{"name": "things", "indexes": [], "card": card}]}
    for database in release.databases.all():
        DatabaseDescription.objects.create(database=database, content=content)
    return release


def submitted(url: str, *, release: Release | None = None, **options: Any) -> Submission:
    options = {"model": "practice", "key": KEY, "conditions": (Condition.WITH_EVIDENCE,), **options}
    return endpoint_submission_create(
        owner=user(),
        release=release or described_release(),
        entry="practice",
        request=EndpointRequest(address=url, **options),
    )


def only_run(submission: Submission) -> Run:
    return submission.runs.get()


def work() -> None:
    for _ in range(20):
        if not generate_next():
            return


def test_every_item_is_asked_and_the_run_goes_on_to_scoring(server: PracticeServer) -> None:
    submission = submitted(server.url, price_prompt=Decimal(1), price_completion=Decimal(2))
    work()
    run = only_run(submission)
    assert run.state == RunState.SCORING
    assert Batch.objects.filter(run=run).count() == 2
    replies = StoredReply.objects.filter(run=run)
    assert replies.count() == Prediction.objects.filter(submission=submission).count() == ITEMS
    counts = server.practice.ledger.as_json()
    assert sum(reply.prompt_tokens for reply in replies) == counts["prompt_tokens"]
    assert sum(reply.completion_tokens for reply in replies) == counts["completion_tokens"]
    cost = sum((reply.cost or Decimal(0)) for reply in replies)
    assert cost == (Decimal(counts["prompt_tokens"]) + 2 * Decimal(counts["completion_tokens"])) / 1_000_000
    generation = Generation.objects.get(run=run)
    assert generation.state == GenerationState.DONE
    assert len(generation.prompts_digest) == 64
    kinds = list(RunEvent.objects.filter(run=run).values_list("kind", flat=True))
    assert kinds == [EventKind.QUEUED, EventKind.ASKING, EventKind.ASKED]


def test_the_key_is_stored_encrypted_and_gone_when_the_asking_is_over(server: PracticeServer) -> None:
    submission = submitted(server.url, conditions=tuple(Condition))
    stored = bytes(ModelEndpoint.objects.get(submission=submission).key or b"")
    assert stored
    assert KEY.encode() not in stored
    assert generate_next()
    assert ModelEndpoint.objects.get(submission=submission).key is not None, "the other condition still needs it"
    work()
    assert ModelEndpoint.objects.get(submission=submission).key is None


def test_a_wrong_key_fails_the_run_with_the_providers_sentence_and_gives_no_quota_back(
    server: PracticeServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secret = "sk-not-the-key-93751"
    submission = submitted(server.url, key=secret)
    work()
    run = only_run(submission)
    assert (run.state, run.reason) == (RunState.FAILED, f"The model endpoint refused: {WRONG_KEY}")
    assert not QuotaEntry.objects.filter(submission=submission, reason=QuotaReason.OUR_FAULT).exists()
    assert ModelEndpoint.objects.get(submission=submission).key is None
    told = " ".join(RunEvent.objects.values_list("detail", flat=True))
    assert secret not in caplog.text + told + run.reason


def test_an_outage_leaves_the_run_incomplete_and_it_finishes_when_the_endpoint_is_back() -> None:
    with serving(Practice()) as server:
        port = server.server_address[1]
        submission = submitted(server.url)
    work()
    run = only_run(submission)
    assert run.state == RunState.INCOMPLETE
    assert "did not answer" in run.reason
    assert QuotaEntry.objects.filter(submission=submission, reason=QuotaReason.OUR_FAULT).exists()
    sweep()
    run.refresh_from_db()
    assert run.state == RunState.INCOMPLETE, "there is nothing to score yet"
    with serving(Practice(), port=port):
        generations_sweep()
        work()
    run.refresh_from_db()
    assert run.state == RunState.SCORING
    assert Prediction.objects.filter(submission=submission).count() == ITEMS


def test_passing_faults_cost_calls_and_no_item(server: PracticeServer) -> None:
    with serving(Practice(retry_after=0.01, faults=FaultPlan(share=0.3, seed=5))) as faulty:
        submission = submitted(faulty.url)
        work()
        counts = faulty.practice.ledger.as_json()
    replies = StoredReply.objects.filter(run=only_run(submission))
    assert replies.count() == ITEMS
    assert sum(reply.calls for reply in replies) == counts["calls"] > ITEMS


def test_the_token_budget_of_both_conditions_together_is_kept_and_what_is_missing_is_scored_as_missing(
    server: PracticeServer,
) -> None:
    submission = submitted(
        server.url, conditions=tuple(Condition), budget_tokens=8_000, most_completion_tokens=100, concurrency=4
    )
    work()
    counts = server.practice.ledger.as_json()
    assert 5_000 < counts["prompt_tokens"] + counts["completion_tokens"] <= 8_000
    assert {run.state for run in submission.runs.all()} == {RunState.SCORING}
    assert 0 < Prediction.objects.filter(submission=submission).count() < 2 * ITEMS
    assert any("budget is spent" in one.message for one in Generation.objects.all())


def test_a_budget_in_money_without_a_known_price_is_refused_before_anything_is_asked(server: PracticeServer) -> None:
    submission = submitted(server.url)
    ModelEndpoint.objects.update(budget_usd=Decimal(1))
    work()
    assert only_run(submission).state == RunState.FAILED
    assert server.practice.ledger.calls == 0


def test_a_cancelled_run_is_let_go_of_at_once_and_keeps_what_was_answered() -> None:
    with serving(Practice(seconds=0.3)) as slow:
        submission = submitted(slow.url, release=described_release(items=60), concurrency=2)
        run = only_run(submission)

        def cancel() -> None:
            try:
                while not StoredReply.objects.filter(run=run).exists():
                    time.sleep(0.02)
                run_cancel(run.pk)
            finally:
                connection.close()

        canceller = threading.Thread(target=cancel)
        canceller.start()
        started = time.monotonic()
        work()
        canceller.join()
        assert time.monotonic() - started < 6
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED
    assert 0 < StoredReply.objects.filter(run=run).count() < 30
    assert not Prediction.objects.filter(submission=submission).exists()
    keys_forget()
    assert ModelEndpoint.objects.get(submission=submission).key is None


def test_a_worker_that_died_is_replaced_and_nothing_stored_is_asked_again(server: PracticeServer) -> None:
    submission = submitted(server.url)
    run = only_run(submission)
    with serving(Practice()) as other:
        ModelEndpoint.objects.update(address=other.url)
        work()
        assert other.practice.ledger.calls == ITEMS
    # As if the worker had died in the middle: half of the replies are there, and the lease has lapsed.
    StoredReply.objects.filter(run=run, item__position__gte=ITEMS // 2).delete()
    Prediction.objects.all().delete()
    Batch.objects.all().delete()
    Run.objects.filter(pk=run.pk).update(state=RunState.GENERATING)
    Generation.objects.update(
        state=GenerationState.LEASED, lease="0" * 32, leased_until=timezone.now() - timedelta(seconds=1)
    )
    ModelEndpoint.objects.update(address=server.url, key=encrypted(KEY))
    generations_sweep()
    work()
    assert server.practice.ledger.calls == ITEMS // 2
    run.refresh_from_db()
    assert run.state == RunState.SCORING


def test_of_one_submission_only_one_run_is_asked_for_at_a_time(server: PracticeServer) -> None:
    submitted(server.url, conditions=tuple(Condition))
    first = generation_claim(worker="a")
    assert first is not None
    assert generation_claim(worker="b") is None


def test_two_submissions_are_asked_for_side_by_side(server: PracticeServer) -> None:
    release = described_release()
    submitted(server.url, release=release)
    submitted(server.url, release=release, seed=7)
    assert generation_claim(worker="a") is not None
    assert generation_claim(worker="b") is not None


def test_items_whose_database_does_not_fit_are_named_and_the_others_asked(server: PracticeServer) -> None:
    release = described_release()
    wide = measure([{f"field_{n:04d}_with_a_long_name": n for n in range(1500)}]).as_json()
    left = DatabaseDescription.objects.get(database__db_id="left")
    left.content = {
        "description": "",
        "collections": [{"name": f"t{n}", "indexes": [], "card": wide} for n in range(40)],
    }
    left.save()
    submission = submitted(server.url, release=release, context_tokens=1600, most_completion_tokens=100)
    work()
    reasons = dict(StoredReply.objects.filter(run=only_run(submission)).values_list("item__question_id", "reason"))
    assert {reason for question_id, reason in reasons.items() if int(question_id[1:]) % 2 == 0} == {
        Reason.PROMPT_TOO_LARGE
    }
    assert {reason for question_id, reason in reasons.items() if int(question_id[1:]) % 2} == {""}


def test_no_prompt_that_is_sent_holds_gold_or_sql(server: PracticeServer, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    ask = "evaluation.llm.ModelClient.ask"
    from evaluation.llm import ModelClient

    real = ModelClient.ask

    async def noted(self: ModelClient, messages: Any, key: str) -> Any:
        seen.extend(message.content for message in messages)
        return await real(self, messages, key)

    monkeypatch.setattr(ask, noted)
    submitted(server.url)
    work()
    assert len(seen) == 2 * ITEMS
    assert not any(HIDDEN_CANARY in text or "SELECT" in text for text in seen)


def test_an_address_that_the_operator_does_not_allow_any_more_is_refused(server: PracticeServer, settings: Any) -> None:
    submission = submitted(server.url)
    settings.CALL_LOOPBACK = False
    work()
    assert only_run(submission).state == RunState.FAILED
    assert server.practice.ledger.calls == 0
