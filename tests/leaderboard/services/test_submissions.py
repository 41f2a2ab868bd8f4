"""A submission is taken whole or not at all."""

import io
import json
from typing import Any

import pytest

from benchmark_data.errors import FaultyPredictionsError
from evaluation.types import Condition
from leaderboard.models.runs import Batch, Run
from leaderboard.models.submissions import Prediction, Submission
from leaderboard.services.releases import release_register
from leaderboard.services.submissions import IdempotencyConflictError, ReleaseClosedError, submission_create
from tests.leaderboard.builders import bundle, live_release, prediction_file, submission, user

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def test_each_condition_in_the_file_becomes_a_run_with_a_batch_for_each_database() -> None:
    made = submission(live_release(), conditions=tuple(Condition))
    assert sorted(run.condition for run in made.runs.all()) == ["with_evidence", "without_evidence"]
    assert Batch.objects.filter(run__submission=made).count() == 4
    assert made.predictions.count() == 4


def test_messages_are_sent_on_commit_one_for_each_batch(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: object
) -> None:
    sent: list[int] = []
    monkeypatch.setattr("leaderboard.queue._send", lambda task, ids, times, options: sent.append(times))
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        submission(live_release())
        assert sent == []
    assert sent == [2]


def test_a_faulty_file_stores_nothing_and_names_every_fault() -> None:
    release = live_release()
    lines = [
        json.dumps({"question_id": "q0", "query": "db.things.find()", "condition": "with_evidence"}),
        "{not json",
        json.dumps({"question_id": "nobody", "query": "x", "condition": "with_evidence"}),
        json.dumps({"question_id": "q0", "query": "x", "condition": "with_evidence"}),
        json.dumps({"question_id": "q1", "query": "x"}),
    ]
    with pytest.raises(FaultyPredictionsError) as caught:
        submission_create(
            owner=user(),
            release=release,
            entry="e",
            file=io.BytesIO("\n".join(lines).encode()),
            file_name="p.jsonl",
        )
    assert sorted(fault.line or 0 for fault in caught.value.faults) == [2, 3, 4, 5]
    assert [model.objects.count() for model in (Submission, Run, Prediction)] == [0, 0, 0]


def test_a_closed_release_takes_no_submission() -> None:
    with pytest.raises(ReleaseClosedError):
        submission(release_register(bundle()))


def test_the_same_key_and_file_give_the_first_submission_again() -> None:
    release, owner = live_release(), user()

    def send(**changed: Any) -> Submission:
        request = {
            "owner": owner,
            "release": release,
            "entry": "e",
            "file": prediction_file({"q0": "db.things.find()"}),
        }
        return submission_create(**{**request, "file_name": "p.jsonl", "idempotency_key": "k1", **changed})

    first = send()
    assert send().pk == first.pk
    for change in (
        {"file": prediction_file({"q0": "db.things.findOne()"})},
        {"entry": "f"},
        {"description": "another"},
        {"release": live_release(version="2")},
        {"default_condition": Condition.WITH_EVIDENCE},
    ):
        with pytest.raises(IdempotencyConflictError):
            send(**change)
    assert Submission.objects.count() == 1


def test_a_text_that_postgresql_cannot_hold_is_stored_as_an_unreadable_one() -> None:
    made = submission(live_release(), texts={"q0": "db.things.find({a: '\0'})", "q1": "\ud800"})
    assert set(made.predictions.values_list("text", flat=True)) == {"db.things.find({a: '\ufffd'})", "\ufffd"}
