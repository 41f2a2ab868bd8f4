"""Model endpoints with real worker processes: all is asked and billed once, and what goes wrong ends as it should."""

import json
import time
import urllib.request
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from evaluation.generation.budget import Prices
from evaluation.practice.behaviours import FaultPlan
from evaluation.practice.completions import WRONG_KEY
from evaluation.practice.server import KEY, Practice, PracticeServer, serving
from leaderboard.management.endpoint_check import endpoint_checks
from tests.end_to_end.conftest import TINY_RELEASE
from tests.end_to_end.site import Site, wait_for

pytestmark = [pytest.mark.site, pytest.mark.engine, pytest.mark.xdist_group("site")]

ITEMS = 36
WRONG = "sk-wrong-key-40417"


@pytest.fixture
def practice() -> Iterator[PracticeServer]:
    """A practice endpoint of this process, with passing faults."""
    with serving(Practice(retry_after=0.2, faults=FaultPlan(share=0.05, seed=3))) as server:
        yield server


def submitted(site: Site, token: str, url: str, **changes: Any) -> str:
    body = {
        "entry": "practice", "release": TINY_RELEASE, "model": "practice", "address": url, "key": KEY,
        "conditions": ["with_evidence"], "price_prompt": 1, "price_completion": "2.5", **changes,
    }  # fmt: skip
    sent = urllib.request.Request(
        f"{site.url}/api/v1/endpoint-submissions",
        data=json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {token}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(sent, timeout=60) as answer:
        return str(json.load(answer)["id"])


def ended(site: Site, token: str, submission: str, *statuses: str, seconds: float = 120) -> dict[str, Any]:
    """The submission, as soon as it has one of these statuses."""

    def found() -> dict[str, Any] | None:
        view: dict[str, Any] = site.get(f"/api/v1/submissions/{submission}", token=token)
        return view if view["status"] in statuses else None

    view: dict[str, Any] = wait_for(found, seconds=seconds)
    return view


def test_both_conditions_are_asked_and_scored_and_the_bill_is_right_to_the_unit(
    site: Site, practice: PracticeServer
) -> None:
    token = site.token()
    submission = submitted(site, token, practice.url, conditions=["with_evidence", "without_evidence"])
    view = ended(site, token, submission, "scored", "failed", "incomplete")
    assert view["status"] == "scored"
    prices = Prices(prompt=Decimal(1), completion=Decimal("2.5"))
    checks = list(endpoint_checks(view, practice.practice.ledger.as_json(), prices))
    assert len(checks) == 5
    assert [check.words for check in checks if not check.holds] == []
    assert view["endpoint"]["has_key"] is False
    assert view["evidence_gain"]["n"] == ITEMS
    items = site.items(submission, "with_evidence", token=token)
    assert {item["reply"]["reason"] for item in items.values()} == {""}
    assert len({item["reply"]["prompt_digest"] for item in items.values()}) == ITEMS


def test_a_wrong_key_ends_within_seconds_with_the_providers_sentence(site: Site, practice: PracticeServer) -> None:
    token = site.token()
    started = time.monotonic()
    submission = submitted(site, token, practice.url, key=WRONG)
    view = ended(site, token, submission, "failed", seconds=60)
    assert time.monotonic() - started < 30
    assert WRONG_KEY in view["runs"][0]["reason"]
    assert practice.practice.ledger.calls == 0
    assert view["endpoint"]["has_key"] is False
    page = site.page(f"/submissions/{submission}/")
    assert "The model endpoint refused" in page
    log = "".join(path.read_text(errors="replace") for path in (site.home / "log").glob("*.log"))
    assert "workers.generation" in log
    assert WRONG not in log + page + json.dumps(view)


def test_an_outage_ends_as_incomplete_and_finishes_when_the_endpoint_is_back(site: Site) -> None:
    token = site.token()
    with serving(Practice()) as server:
        port, url = server.server_address[1], server.url
    submission = submitted(site, token, url)
    view = ended(site, token, submission, "incomplete")
    assert "did not answer" in view["runs"][0]["reason"]
    assert view["endpoint"]["has_key"] is True
    with serving(Practice(), port=port) as back:
        view = ended(site, token, submission, "scored", "failed")
        assert view["status"] == "scored"
        assert back.practice.ledger.answered == back.practice.ledger.calls == ITEMS
    assert view["runs"][0]["report"]["coverage"] == 1


def test_a_token_budget_is_never_exceeded_and_leaves_less_than_a_call(site: Site, practice: PracticeServer) -> None:
    token, budget, longest = site.token(), 20_000, 200
    submission = submitted(site, token, practice.url, budget_tokens=budget, most_completion_tokens=longest)
    view = ended(site, token, submission, "scored", "failed", "incomplete")
    usage = view["runs"][0]["generation"]["usage"]
    counted = practice.practice.ledger.as_json()
    spent = counted["prompt_tokens"] + counted["completion_tokens"]
    assert usage["prompt_tokens"] + usage["completion_tokens"] == spent <= budget
    assert budget - spent < 3000 + longest, "another prompt would have fitted"
    assert 0 < counted["answered"] < ITEMS
    assert view["runs"][0]["report"]["coverage"] == pytest.approx(counted["answered"] / ITEMS)
    assert "budget is spent" in view["runs"][0]["generation"]["message"]
