"""What is said of an endpoint is checked whole, stored whole or not at all, and charged like any submission."""

import dataclasses
from decimal import Decimal
from typing import Any

import pytest

from evaluation.types import Condition
from leaderboard.models.endpoints import ModelEndpoint
from leaderboard.models.generations import Generation
from leaderboard.models.quota import QuotaEntry
from leaderboard.models.runs import Batch
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.services.endpoints import (
    EndpointRequest,
    Facts,
    FaultyEndpointError,
    endpoint_faults,
    endpoint_submission_create,
    keys_rotate,
)
from leaderboard.services.submissions import IdempotencyConflictError, ReleaseClosedError
from tests.leaderboard.builders import live_release, user
from tests.workers.test_generation import described_release

GOOD = EndpointRequest(model="practice", address="https://models.example.org/v1", key="sk-1234567")


def rules(**changes: Any) -> set[tuple[str, str]]:
    return {(fault.field, fault.rule) for fault in endpoint_faults(dataclasses.replace(GOOD, **changes))}


def test_a_good_request_has_no_fault() -> None:
    assert rules() == set()
    assert rules(address="", model="openai/gpt-4o-mini", budget_usd=Decimal(1)) == set()


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"model": " "}, ("model", "missing_field")),
        ({"model": "gpt-4o", "address": ""}, ("model", "unknown_provider")),
        ({"model": "ollama/llama3", "address": ""}, ("model", "unknown_provider")),
        ({"model": "openai/gpt-4o", "address": "", "key": ""}, ("key", "missing_field")),
        ({"key": "sk-123\n"}, ("key", "no_key")),
        ({"address": "http://models.example.org/v1"}, ("address", "forbidden_address")),
        ({"address": "https://10.1.2.3/v1"}, ("address", "forbidden_address")),
        ({"address": "https://localhost/v1"}, ("address", "forbidden_address")),
        ({"template": "default@99"}, ("template", "unknown_template")),
        ({"conditions": ()}, ("conditions", "missing_field")),
        ({"temperature": float("nan")}, ("temperature", "out_of_range")),
        ({"temperature": 2.1}, ("temperature", "out_of_range")),
        ({"concurrency": 0}, ("concurrency", "out_of_range")),
        ({"concurrency": 65}, ("concurrency", "out_of_range")),
        ({"repairs": 4}, ("repairs", "out_of_range")),
        ({"budget_tokens": 0}, ("budget_tokens", "out_of_range")),
        ({"context_tokens": 4500}, ("context_tokens", "no_room")),
        ({"price_prompt": Decimal(1)}, ("price_prompt", "half_a_price")),
        ({"budget_usd": Decimal(1)}, ("budget_usd", "unknown_price")),
        ({"facts": Facts(links=("javascript:alert(1)",))}, ("links", "no_link")),
        ({"facts": Facts(links=("https://",))}, ("links", "no_link")),
        ({"facts": Facts(links=("https://[x",))}, ("links", "no_link")),
        ({"facts": Facts(links=("https://a\u202egro.example",))}, ("links", "no_link")),
        ({"facts": Facts(links=("https://a.example/\0",))}, ("links", "no_link")),
        ({"facts": Facts(links=("https://a.example",) * 6)}, ("links", "too_many")),
    ],
    ids="-".join,
)
def test_each_fault_names_its_field_and_rule(changes: dict[str, Any], fault: tuple[str, str]) -> None:
    assert rules(**changes) == {fault}


def test_all_faults_are_told_at_once() -> None:
    assert len(rules(model="", key="a b", temperature=9, repairs=9, template="x")) == 5


def created(**options: Any) -> Submission:
    defaults = {"owner": user(), "entry": "e", "request": GOOD}
    return endpoint_submission_create(**{**defaults, **options})


@pytest.mark.site
@pytest.mark.django_db
class TestStored:
    """With the database."""

    def test_each_condition_gets_a_run_without_batches_that_waits_for_its_model(self) -> None:
        submission = created(release=described_release())
        assert {(run.condition, run.state) for run in submission.runs.all()} == {
            (condition.value, RunState.GENERATING) for condition in Condition
        }
        assert Generation.objects.filter(run__submission=submission).count() == 2
        assert not Batch.objects.filter(run__submission=submission).exists()
        assert QuotaEntry.objects.filter(submission=submission).count() == 1

    def test_a_faulty_request_stores_and_costs_nothing(self) -> None:
        with pytest.raises(FaultyEndpointError):
            created(release=described_release(), request=dataclasses.replace(GOOD, repairs=9))
        assert not Submission.objects.exists()
        assert not QuotaEntry.objects.exists()

    def test_a_release_without_descriptions_takes_no_endpoints(self) -> None:
        with pytest.raises(ReleaseClosedError, match="without descriptions"):
            created(release=live_release())

    def test_the_same_idempotency_key_gives_the_first_submission_or_a_conflict(self) -> None:
        release = described_release()
        first = created(release=release, idempotency_key="k")
        assert created(release=release, idempotency_key="k") == first
        with pytest.raises(IdempotencyConflictError):
            created(release=release, idempotency_key="k", request=dataclasses.replace(GOOD, seed=1))

    def test_the_key_is_neither_in_the_digest_nor_in_any_repr(self) -> None:
        submission = created(release=described_release())
        assert "sk-1234567" not in repr(GOOD) + submission.request_digest
        assert keys_rotate() == 1
        assert ModelEndpoint.objects.get(submission=submission).key is not None
