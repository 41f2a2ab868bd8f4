"""A worker that dies of one item, each time, costs the run that item and no other."""

import sys
import time
from uuid import uuid4

import pytest

from evaluation.types import Answer, Outcome, Query
from leaderboard.models.runs import Batch, ItemScore, Run
from leaderboard.models.states import BatchState, RunState
from leaderboard.services.batches import Lease
from leaderboard.services.scores import Work, work_store
from leaderboard.services.sweeps import sweep
from tests.leaderboard.builders import live_release, submission
from tests.workers.engines import FakeExecutor, answer
from workers import scoring
from workers.scoring import Progress, rotated

pytestmark = [pytest.mark.site, pytest.mark.django_db]

ITEMS = 12
POISON = 4


class DeathError(BaseException):
    """The process is gone: nothing of it is caught, stored or handed back."""


@pytest.fixture
def run() -> Run:
    texts = {f"q{number}": f"db.things.find({{a: {number}}})" for number in range(ITEMS)}
    return submission(live_release(items=ITEMS), texts=texts).runs.get()


def die_of(query: Query) -> Answer:
    if query.arguments["filter"].get("a") == POISON:
        raise DeathError
    return answer({"name": "public"})


def claim_as_a_process_that_may_die(patch: pytest.MonkeyPatch) -> None:
    """A killed process stores nothing at its end."""

    def stored(lease: Lease, work: Work) -> None:
        if not isinstance(sys.exception(), DeathError):
            work_store(lease, work)

    patch.setattr(scoring, "work_store", stored)


def test_all_other_items_are_judged(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = FakeExecutor(die_of)
    monkeypatch.setattr(scoring, "executor", lambda: engine)
    claim_as_a_process_that_may_die(monkeypatch)
    deaths = 0
    for _ in range(40):
        try:
            if not scoring.score_next():
                break
        except DeathError:
            deaths += 1
            Batch.objects.filter(state=BatchState.LEASED).update(leased_until="2000-01-01T00:00Z")
            sweep()
        Batch.objects.update(not_before=None)
    run.refresh_from_db()
    assert run.state == RunState.INCOMPLETE
    judged = ItemScore.objects.filter(run=run).exclude(outcome=Outcome.UNSCORED)
    assert judged.count() == ITEMS - 1
    assert not judged.filter(item__question_id=f"q{POISON}").exists()
    assert deaths <= 8


def test_an_attempt_begins_at_another_item_than_the_one_before() -> None:
    items = list("abc")
    assert ["".join(rotated(items, by=by)) for by in range(4)] == ["abc", "bca", "cab", "abc"]  # type: ignore[arg-type]
    assert list(rotated([], by=3)) == []


def test_a_lease_is_not_kept_by_a_worker_that_is_stuck(monkeypatch: pytest.MonkeyPatch, settings: object) -> None:
    assert not Progress().stuck
    progress = Progress(at=time.monotonic() - scoring.STUCK_SECONDS - 1)
    assert progress.stuck
    extended: list[Lease] = []
    monkeypatch.setattr(scoring, "lease_extend", extended.append)
    lease = Lease(run_id=1, database_ids=(1,), token=uuid4(), attempts=1)
    settings.BATCH_LEASE_SECONDS = 0.03  # type: ignore[attr-defined]
    with scoring.kept_alive(lease, progress):
        time.sleep(0.1)
    assert not extended
    progress.made()
    with scoring.kept_alive(lease, progress):
        time.sleep(0.1)
    assert extended
