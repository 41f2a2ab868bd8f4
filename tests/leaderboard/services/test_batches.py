"""Leases: one worker a batch, nothing lost, nothing doubled."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from leaderboard.models.runs import Batch, ItemScore, Run
from leaderboard.models.states import BatchState, RunState
from leaderboard.selectors.batches import BatchItem, open_items
from leaderboard.services.batches import (
    Lease,
    LeaseLostError,
    batches_claim,
    lease_extend,
    lease_hand_back,
    lease_yield,
)
from leaderboard.services.runs import run_begin, run_cancel, run_fail, run_finish_if_done
from leaderboard.services.scores import work_store
from leaderboard.services.sweeps import sweep
from tests.leaderboard.builders import live_release, submission, work

pytestmark = [pytest.mark.site, pytest.mark.django_db]


@pytest.fixture
def run() -> Run:
    made = submission(live_release()).runs.get()
    assert run_begin(made.pk)
    return made


def items_of(lease: Lease) -> tuple[BatchItem, ...]:
    return open_items(lease.run_id, database_ids=lease.database_ids)


def batch_of(lease: Lease) -> Batch:
    return Batch.objects.get(run=lease.run_id, database=lease.database_ids[0])


def claim(run: Run, worker: str = "w") -> Lease:
    lease = batches_claim(run.pk, worker=worker)
    assert lease is not None
    return lease


def judge_all(lease: Lease) -> None:
    work_store(lease, work(items_of(lease)))


def lapse(lease: Lease) -> None:
    Batch.objects.filter(lease=lease.token).update(leased_until=timezone.now() - timedelta(seconds=1))


def test_a_run_begins_once(run: Run) -> None:
    assert not run_begin(run.pk)
    run.refresh_from_db()
    assert run.state == RunState.SCORING
    assert run.started_at is not None


def test_a_run_that_has_not_begun_cannot_be_claimed() -> None:
    waiting = submission(live_release()).runs.get()
    assert batches_claim(waiting.pk, worker="w") is None


def test_a_claim_names_its_worker(run: Run) -> None:
    lease = claim(run, "host:1")
    batch = batch_of(lease)
    assert (batch.state, batch.worker, batch.attempts) == (BatchState.LEASED, "host:1", 1)


def test_two_claims_get_two_batches_and_a_third_gets_none(run: Run) -> None:
    first, second = claim(run), claim(run)
    assert first.database_ids != second.database_ids
    assert batches_claim(run.pk, worker="w") is None
    found = {item.scorable.source.question_id for item in (*items_of(first), *items_of(second))}
    assert found == {"q0", "q1", "q2", "q3"}


def test_a_claim_carries_the_predicted_texts_and_none_where_there_is_none(run: Run) -> None:
    items = (*items_of(claim(run)), *items_of(claim(run)))
    texts = {item.scorable.source.question_id: item.text for item in items}
    assert texts == {"q0": "db.things.find()", "q1": "db.things.find()", "q2": None, "q3": None}


def test_storing_twice_changes_nothing(run: Run) -> None:
    lease = claim(run)
    items = items_of(lease)
    work_store(lease, work(items, left=1))
    work_store(lease, work(items))
    assert ItemScore.objects.filter(run=run).count() == len(items)


def test_a_second_lease_leaves_out_what_was_judged(run: Run) -> None:
    lease = claim(run)
    judged, *others = items_of(lease)
    work_store(lease, work([judged], left=1))
    lapse(lease)
    sweep()
    assert items_of(lease) == tuple(others)


def test_a_batch_that_yields_is_claimed_again_at_once_and_has_lost_no_attempt(run: Run) -> None:
    lease = claim(run)
    judged, *others = items_of(lease)
    work_store(lease, work([judged], left=1))
    lease_yield(lease)
    again = claim(run)
    assert (again.database_ids, again.attempts) == (lease.database_ids, 1)
    assert items_of(again) == tuple(others)
    with pytest.raises(LeaseLostError):
        lease_yield(lease)


def test_a_batch_that_gets_on_is_never_abandoned() -> None:
    run = submission(live_release(items=16)).runs.get()
    run_begin(run.pk)
    for _ in range(7):
        Batch.objects.update(not_before=None)
        lease = claim(run)
        work_store(lease, work(items_of(lease)[:1], left=1))
        lease_hand_back(lease, reason="the database is down")
        batch = batch_of(lease)
        assert (batch.state, batch.attempts) == (BatchState.QUEUED, 1)


def test_a_lost_lease_stores_nothing_and_finishes_nothing(run: Run) -> None:
    lease = claim(run)
    lapse(lease)
    sweep()
    assert not lease_extend(lease)
    with pytest.raises(LeaseLostError):
        work_store(lease, work(items_of(lease)[:1], left=1))
    assert not ItemScore.objects.exists()


def test_extending_moves_the_end_of_the_lease(run: Run) -> None:
    lease = claim(run)
    lapse(lease)
    assert lease_extend(lease)
    assert batch_of(lease).leased_until > timezone.now()  # type: ignore[operator]


def test_a_batch_handed_back_waits_longer_each_time_and_is_abandoned_in_the_end(run: Run, settings: object) -> None:
    pauses = []
    for _ in range(5):
        lease = batches_claim(run.pk, worker="w")
        assert lease is not None
        lease_hand_back(lease, reason="the database is down")
        batch = batch_of(lease)
        assert batch.not_before is not None
        pauses.append(batch.not_before - timezone.now())
        Batch.objects.exclude(pk=batch.pk).update(state=BatchState.DONE)
        Batch.objects.filter(pk=batch.pk).update(not_before=None)
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
        work_store(lease, work(items_of(lease)[:1], left=1))
    assert batches_claim(run.pk, worker="w") is None


@pytest.mark.django_db(transaction=True)
def test_workers_that_claim_at_once_never_share_a_batch() -> None:
    run = submission(live_release(items=4)).runs.get()
    run_begin(run.pk)
    leases: list[Lease | None] = []
    start = threading.Barrier(6)

    def work() -> None:
        start.wait()
        leases.append(batches_claim(run.pk, worker="w"))
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    claimed = [key for lease in leases if lease is not None for key in lease.database_ids]
    assert len(claimed) == len(set(claimed)) == 2
