"""The sweep moves on whatever was left behind, and twice is as good as once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from leaderboard.models.runs import Batch, Run
from leaderboard.models.states import BatchState, RunState
from leaderboard.services.batches import batch_claim, batch_finish, scores_store
from leaderboard.services.sweeps import sweep
from tests.leaderboard.builders import live_release, submission, verdict

pytestmark = [pytest.mark.site, pytest.mark.django_db]


@pytest.fixture
def run() -> Run:
    return submission(live_release()).runs.get()


def test_a_lapsed_lease_is_queued_again_with_its_reason(run: Run) -> None:
    lease = batch_claim(run.pk, worker="host:9")
    assert lease is not None
    Batch.objects.filter(pk=lease.batch_id).update(leased_until=timezone.now() - timedelta(seconds=1))
    assert sweep().requeued == 1
    assert sweep().requeued == 0
    batch = Batch.objects.get(pk=lease.batch_id)
    assert batch.state == BatchState.QUEUED
    assert "host:9" in batch.reason


def test_a_lease_that_is_kept_is_left_alone(run: Run) -> None:
    batch_claim(run.pk, worker="w")
    assert sweep().requeued == 0


def test_a_run_whose_closing_was_lost_is_closed(run: Run) -> None:
    for _ in range(2):
        lease = batch_claim(run.pk, worker="w")
        assert lease is not None
        scores_store(lease, [(item.item_id, verdict(item.source.question_id)) for item in lease.items])
        batch_finish(lease, scorer="s", engine="e", demo_engine=False)
    assert sweep().ended == 1
    run.refresh_from_db()
    assert run.state == RunState.FINISHED


def test_a_run_past_its_deadline_fails_with_our_fault_named(run: Run) -> None:
    Run.objects.filter(pk=run.pk).update(deadline=timezone.now() - timedelta(seconds=1))
    assert sweep().failed == 1
    assert sweep().failed == 0
    run.refresh_from_db()
    assert run.state == RunState.FAILED
    assert "fault on our side" in run.reason
    assert run.ended_at is not None


def test_a_queued_run_whose_message_was_lost_is_woken(
    run: Run, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: object
) -> None:
    sent: list[tuple[str, tuple[int, ...], int]] = []
    monkeypatch.setattr("leaderboard.queue._send", lambda task, ids, times: sent.append((task, ids, times)))
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        assert sweep().woken == 1
    assert sent == [("workers.tasks.score_batch", (run.pk,), 2)]


def test_an_incomplete_run_is_taken_up_again_after_a_while(run: Run) -> None:
    Batch.objects.filter(run=run).update(state=BatchState.ABANDONED, attempts=5)
    assert sweep().ended == 1
    run.refresh_from_db()
    assert run.state == RunState.INCOMPLETE
    assert sweep().resumed == 0
    Run.objects.filter(pk=run.pk).update(ended_at=timezone.now() - timedelta(hours=1))
    assert sweep().resumed == 1
    run.refresh_from_db()
    assert run.state == RunState.SCORING
    assert batch_claim(run.pk, worker="w") is not None
