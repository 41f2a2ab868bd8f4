"""What follows from the end of a run: told once, refunded where it was ours, and undone with the change itself."""

import json
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from evaluation.aggregate import aggregate
from evaluation.types import Condition
from leaderboard.models.events import ENDS, EventKind, RunEvent
from leaderboard.models.notices import Notice, NoticeKind
from leaderboard.models.quota import QuotaEntry, QuotaReason
from leaderboard.models.runs import Run
from leaderboard.models.states import RUN_TRANSITIONS, RunState
from leaderboard.models.submissions import Submission
from leaderboard.models.webhooks import Webhook, WebhookDelivery
from leaderboard.selectors.verdicts import run_verdicts, track_items
from leaderboard.services.events import event_record
from tests.leaderboard.builders import live_release, submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]

KINDS = {
    RunState.FINISHED: EventKind.FINISHED,
    RunState.FAILED: EventKind.FAILED,
    RunState.CANCELLED: EventKind.CANCELLED,
    RunState.INCOMPLETE: EventKind.INCOMPLETE,
}


@pytest.fixture
def made() -> Submission:
    found = submission(live_release(), conditions=tuple(Condition))
    Webhook.objects.create(owner=found.owner, url="https://hooks.example.org/a")
    return found


@transaction.atomic
def end(run: Run, state: RunState) -> None:
    """End a run as the services do: the row first, then its event."""
    report = aggregate(run_verdicts(run), items=track_items(run.submission.release)).as_json()
    Run.objects.filter(pk=run.pk).update(state=state, report=report, ended_at=timezone.now(), started_at=timezone.now())
    event_record(run.pk, kind=KINDS[state])


def refunds(made: Submission) -> list[str]:
    return list(QuotaEntry.objects.filter(submission=made).exclude(refunds=None).values_list("reason", flat=True))


def test_every_state_that_a_run_can_end_in_has_its_event() -> None:
    ends = {state for state in RUN_TRANSITIONS if state in KINDS}
    assert {KINDS[state] for state in ends} == set(ENDS)


def test_the_owner_is_told_when_the_last_run_has_ended(made: Submission) -> None:
    first, second = made.runs.all()
    end(first, RunState.FINISHED)
    assert not Notice.objects.exists()
    assert not WebhookDelivery.objects.exists()
    end(second, RunState.FINISHED)
    notice, call = Notice.objects.get(), WebhookDelivery.objects.get()
    assert (notice.kind, notice.user, notice.submission) == (NoticeKind.SCORED, made.owner, made)
    told = json.loads(call.body)
    assert (told["type"], told["data"]["submission"]) == ("submission.ended", str(made.pk))
    assert [run["state"] for run in told["data"]["runs"]] == ["finished", "finished"]
    assert refunds(made) == []


@pytest.mark.parametrize("state", [RunState.FAILED, RunState.INCOMPLETE])
def test_a_fault_of_ours_is_refunded_at_once_and_told_as_ours(made: Submission, state: RunState) -> None:
    first, second = made.runs.all()
    end(first, state)
    assert refunds(made) == [QuotaReason.OUR_FAULT]
    end(second, RunState.FINISHED)
    notice = Notice.objects.get()
    assert notice.kind == NoticeKind.TROUBLE
    assert "a fault on our side" in notice.text
    assert refunds(made) == [QuotaReason.OUR_FAULT]


def test_a_run_whose_endpoint_refused_is_not_refunded_nor_called_ours(
    made: Submission, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("leaderboard.services.endings.endpoint_refused", lambda run: run.state == RunState.FAILED)
    for run in made.runs.all():
        end(run, RunState.FAILED)
    assert refunds(made) == []
    assert "a fault on our side" not in Notice.objects.get().text


def test_a_run_that_is_incomplete_again_and_again_is_told_once_and_its_score_in_the_end(made: Submission) -> None:
    first, second = made.runs.all()
    end(second, RunState.FINISHED)
    for _ in range(3):
        end(first, RunState.INCOMPLETE)
        Run.objects.filter(pk=first.pk).update(state=RunState.SCORING, ended_at=None)
        event_record(first.pk, kind=EventKind.RESUMED)
    assert [notice.kind for notice in Notice.objects.order_by("pk")] == [NoticeKind.TROUBLE]
    end(first, RunState.FINISHED)
    assert [notice.kind for notice in Notice.objects.order_by("pk")] == [NoticeKind.TROUBLE, NoticeKind.SCORED]
    assert WebhookDelivery.objects.count() == 2


def test_who_cancels_needs_no_notice_but_programs_are_told(made: Submission) -> None:
    for run in made.runs.all():
        end(run, RunState.CANCELLED)
    assert not Notice.objects.exists()
    assert WebhookDelivery.objects.count() == 1


def test_a_change_that_is_rolled_back_leaves_no_event_no_notice_and_no_refund(made: Submission) -> None:
    events = RunEvent.objects.count()

    class Undo(Exception):
        pass

    def fail(run: Run) -> None:
        with transaction.atomic():
            end(run, RunState.FAILED)
            raise Undo

    for run in made.runs.all():
        with pytest.raises(Undo):
            fail(run)
    assert RunEvent.objects.count() == events
    assert not Notice.objects.exists()
    assert refunds(made) == []


def test_an_event_tells_a_sentence_of_bounded_length_and_plain_data(made: Submission) -> None:
    run = made.runs.first()
    assert run is not None
    event_record(run.pk, kind=EventKind.BATCH_DONE, detail="x" * 900, data={"database": "left", "items": 2})
    event: Any = RunEvent.objects.latest("pk")
    assert (len(event.detail), event.data) == (500, {"database": "left", "items": 2})


def test_a_stopped_webhook_is_not_called(made: Submission) -> None:
    Webhook.objects.update(stopped_at=timezone.now())
    for run in made.runs.all():
        end(run, RunState.FINISHED)
    assert not WebhookDelivery.objects.exists()
