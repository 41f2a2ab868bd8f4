"""The sweep moves on whatever was left behind, and twice is as good as once."""

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from leaderboard.models.events import EventKind, RunEvent
from leaderboard.models.runs import Batch, ItemScore, Run
from leaderboard.models.states import RUN_TRANSITIONS, BatchState, RunState
from leaderboard.selectors.batches import open_items
from leaderboard.services.batches import batches_claim
from leaderboard.services.runs import run_begin
from leaderboard.services.scores import work_store
from leaderboard.services.sweeps import TIMEOUTS, sweep
from tests.leaderboard.builders import live_release, submission, work

pytestmark = [pytest.mark.site, pytest.mark.django_db]


@pytest.fixture
def run() -> Run:
    made = submission(live_release()).runs.get()
    run_begin(made.pk)
    return made


def test_a_lapsed_lease_is_queued_again_with_its_reason(run: Run) -> None:
    lease = batches_claim(run.pk, worker="host:9")
    assert lease is not None
    Batch.objects.filter(lease=lease.token).update(leased_until=timezone.now() - timedelta(seconds=1))
    assert sweep().requeued == 1
    assert sweep().requeued == 0
    batch = Batch.objects.get(run=run, database__in=lease.database_ids)
    assert batch.state == BatchState.QUEUED
    assert "host:9" in batch.reason


def test_a_lease_that_is_kept_is_left_alone(run: Run) -> None:
    batches_claim(run.pk, worker="w")
    assert sweep().requeued == 0


def test_a_run_whose_closing_was_lost_is_closed(run: Run) -> None:
    for _ in range(2):
        lease = batches_claim(run.pk, worker="w")
        assert lease is not None
        work_store(lease, work(open_items(run.pk, database_ids=lease.database_ids)))
    assert sweep().ended == 1
    run.refresh_from_db()
    assert run.state == RunState.FINISHED


def test_every_state_that_can_be_left_has_a_time_after_which_it_is_left() -> None:
    assert set(TIMEOUTS) == {state for state, exits in RUN_TRANSITIONS.items() if exits}


@pytest.mark.parametrize("state", [RunState.QUEUED, RunState.SCORING])
def test_a_run_past_its_deadline_is_incomplete_for_our_fault_and_taken_up_again(run: Run, state: RunState) -> None:
    Run.objects.filter(pk=run.pk).update(state=state, deadline=timezone.now() - timedelta(seconds=1))
    assert sweep().overdue == 1
    assert sweep().overdue == 0
    run.refresh_from_db()
    assert run.state == RunState.INCOMPLETE
    assert "no fault of the submission" in run.reason
    assert run.ended_at is not None
    assert run.resume_at is not None
    assert run.report is not None
    assert run.report["unscored"] == 4
    Run.objects.filter(pk=run.pk).update(resume_at=timezone.now())
    assert sweep().resumed == 1
    run.refresh_from_db()
    assert (run.state, run.resumptions) == (RunState.SCORING, 1)
    assert run.deadline > timezone.now()


def test_a_run_whose_model_does_not_answer_fails_and_is_not_judged(run: Run) -> None:
    past = timezone.now() - timedelta(seconds=1)
    Run.objects.filter(pk=run.pk).update(state=RunState.GENERATING, deadline=past)
    assert sweep().overdue == 1
    run.refresh_from_db()
    assert run.state == RunState.FAILED
    assert not ItemScore.objects.exists()


def test_a_run_that_stays_incomplete_fails_in_the_end(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(
        state=RunState.INCOMPLETE,
        ended_at=timezone.now(),
        resume_at=timezone.now() + timedelta(hours=1),
        created_at=timezone.now() - timedelta(days=15),
    )
    assert sweep().overdue == 1
    run.refresh_from_db()
    assert run.state == RunState.FAILED
    assert "fault on our side" in run.reason


def test_a_queued_run_whose_message_was_lost_is_woken(
    run: Run, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: object
) -> None:
    sent: list[tuple[str, tuple[int, ...], int]] = []
    monkeypatch.setattr("leaderboard.queue._send", lambda task, ids, times, _: sent.append((task, ids, times)))
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        assert sweep().due == 2
    assert sent == [("workers.tasks.score_batch", (), 2)]


def test_an_incomplete_run_is_taken_up_again_after_a_while(run: Run) -> None:
    Batch.objects.filter(run=run).update(state=BatchState.ABANDONED, attempts=5)
    assert sweep().ended == 1
    run.refresh_from_db()
    assert run.state == RunState.INCOMPLETE
    assert sweep().resumed == 0
    Run.objects.filter(pk=run.pk).update(resume_at=timezone.now())
    assert sweep().resumed == 1
    run.refresh_from_db()
    assert run.state == RunState.SCORING
    assert batches_claim(run.pk, worker="w") is not None


@pytest.mark.django_db(transaction=True)
def test_two_sweeps_at_once_move_each_thing_once() -> None:
    release = live_release()
    runs = [submission(release, entry=f"e{number}").runs.get() for number in range(4)]
    past = timezone.now() - timedelta(seconds=1)
    lapsed, over, left, given_up = runs
    for run in runs:
        run_begin(run.pk)
    batches_claim(lapsed.pk, worker="w")
    Batch.objects.filter(run=lapsed, state=BatchState.LEASED).update(leased_until=past)
    Run.objects.filter(pk=over.pk).update(deadline=past)
    Batch.objects.filter(run=left).update(state=BatchState.ABANDONED)
    Run.objects.filter(pk=given_up.pk).update(state=RunState.INCOMPLETE, resume_at=past)
    results, start = [], threading.Barrier(4)

    def work() -> None:
        start.wait()
        results.append(sweep())
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    for field in ("requeued", "overdue", "ended", "resumed"):
        assert sum(getattr(result, field) for result in results) == 1, field
    assert RunEvent.objects.filter(kind=EventKind.LEASE_LAPSED).count() == 1
    assert RunEvent.objects.filter(kind=EventKind.INCOMPLETE).count() == 2
