"""Leases: one worker a batch, nothing lost, nothing doubled."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from leaderboard.models.runs import Batch, ItemScore, Run
from leaderboard.models.states import BatchState, RunState
from leaderboard.services.batches import (
    Lease,
    LeaseLostError,
    batch_claim,
    batch_extend,
    batch_finish,
    batch_hand_back,
    scores_store,
)
from leaderboard.services.runs import run_cancel, run_fail, run_finish_if_done
from leaderboard.services.sweeps import sweep
from tests.leaderboard.builders import live_release, submission, verdict

pytestmark = [pytest.mark.site, pytest.mark.django_db]


@pytest.fixture
def run() -> Run:
    return submission(live_release()).runs.get()


def claim(run: Run, worker: str = "w") -> Lease:
    lease = batch_claim(run.pk, worker=worker)
    assert lease is not None
    return lease


def judge_all(lease: Lease) -> None:
    scores_store(lease, [(item.item_id, verdict(item.source.question_id)) for item in lease.items])
    batch_finish(lease, scorer="s", engine="e 1", demo_engine=False)


def lapse(lease: Lease) -> None:
    Batch.objects.filter(pk=lease.batch_id).update(leased_until=timezone.now() - timedelta(seconds=1))


def test_a_claim_starts_the_run_and_names_its_worker(run: Run) -> None:
    lease = claim(run, "host:1")
    run.refresh_from_db()
    batch = Batch.objects.get(pk=lease.batch_id)
    assert run.state == RunState.SCORING
    assert run.started_at is not None
    assert (batch.state, batch.worker, batch.attempts) == (BatchState.LEASED, "host:1", 1)


def test_two_claims_get_two_batches_and_a_third_gets_none(run: Run) -> None:
    first, second = claim(run), claim(run)
    assert first.batch_id != second.batch_id
    assert batch_claim(run.pk, worker="w") is None
    assert {item.source.question_id for item in (*first.items, *second.items)} == {"q0", "q1", "q2", "q3"}


def test_a_claim_carries_the_predicted_texts_and_none_where_there_is_none(run: Run) -> None:
    texts = {item.source.question_id: item.text for item in (*claim(run).items, *claim(run).items)}
    assert texts == {"q0": "db.things.find()", "q1": "db.things.find()", "q2": None, "q3": None}


def test_storing_twice_changes_nothing(run: Run) -> None:
    lease = claim(run)
    rows = [(item.item_id, verdict(item.source.question_id)) for item in lease.items]
    scores_store(lease, rows)
    scores_store(lease, rows)
    assert ItemScore.objects.filter(run=run).count() == len(rows)


def test_a_second_lease_leaves_out_what_was_judged(run: Run) -> None:
    lease = claim(run)
    judged = lease.items[0]
    scores_store(lease, [(judged.item_id, verdict(judged.source.question_id))])
    lapse(lease)
    sweep()
    Batch.objects.update(not_before=None)
    again = next(one for one in (claim(run), claim(run)) if one.batch_id == lease.batch_id)
    assert judged.item_id not in {item.item_id for item in again.items}
    assert len(again.items) == len(lease.items) - 1


def test_a_lost_lease_stores_nothing_and_finishes_nothing(run: Run) -> None:
    lease = claim(run)
    lapse(lease)
    sweep()
    assert not batch_extend(lease)
    with pytest.raises(LeaseLostError):
        scores_store(lease, [(lease.items[0].item_id, verdict("q0"))])
    with pytest.raises(LeaseLostError):
        batch_finish(lease, scorer="s", engine="e", demo_engine=False)
    assert not ItemScore.objects.exists()


def test_extending_moves_the_end_of_the_lease(run: Run) -> None:
    lease = claim(run)
    lapse(lease)
    assert batch_extend(lease)
    assert Batch.objects.get(pk=lease.batch_id).leased_until > timezone.now()  # type: ignore[operator]


def test_a_batch_handed_back_waits_longer_each_time_and_is_abandoned_in_the_end(run: Run, settings: object) -> None:
    pauses = []
    for _ in range(5):
        lease = batch_claim(run.pk, worker="w")
        assert lease is not None
        batch_hand_back(lease, reason="the database is down")
        batch = Batch.objects.get(pk=lease.batch_id)
        assert batch.not_before is not None
        pauses.append(batch.not_before - timezone.now())
        Batch.objects.exclude(pk=lease.batch_id).update(state=BatchState.DONE)
        Batch.objects.filter(pk=lease.batch_id).update(not_before=None)
    assert pauses == sorted(pauses)
    assert batch.state == BatchState.ABANDONED
    assert run_finish_if_done(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.INCOMPLETE
    assert "the database is down" in run.reason


def test_the_last_batch_ends_the_run_with_its_report(run: Run) -> None:
    judge_all(claim(run))
    assert not run_finish_if_done(run.pk)
    judge_all(claim(run))
    assert run_finish_if_done(run.pk)
    assert not run_finish_if_done(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.FINISHED
    assert run.report is not None
    assert run.report["n"] == 4
    assert run.report["strict_ex"]["value"] == 1.0
    assert (run.scorer, run.engine) == ("s", "e 1")


@pytest.mark.parametrize("end", [run_cancel, lambda run_id: run_fail(run_id, reason="because")])
def test_an_ended_run_takes_no_more_scores(run: Run, end: object) -> None:
    lease = claim(run)
    assert end(run.pk)  # type: ignore[operator]
    assert not end(run.pk)  # type: ignore[operator]
    with pytest.raises(LeaseLostError):
        scores_store(lease, [(lease.items[0].item_id, verdict("q0"))])
    assert batch_claim(run.pk, worker="w") is None


@pytest.mark.django_db(transaction=True)
def test_workers_that_claim_at_once_never_share_a_batch() -> None:
    run = submission(live_release(items=4)).runs.get()
    leases: list[Lease | None] = []
    start = threading.Barrier(6)

    def work() -> None:
        start.wait()
        leases.append(batch_claim(run.pk, worker="w"))
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    claimed = [lease.batch_id for lease in leases if lease is not None]
    assert len(claimed) == len(set(claimed)) == 2
