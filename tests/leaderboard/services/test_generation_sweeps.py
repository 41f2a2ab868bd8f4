"""A clock that was ahead and was set back keeps no model from being asked."""

import uuid
from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from evaluation.types import Condition
from leaderboard.clock import database_now
from leaderboard.models.generations import Generation, GenerationState
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.selectors.generations import due_generations
from leaderboard.services.generation_sweeps import generations_requeue, generations_resume
from leaderboard.services.generations import generation_create
from tests.leaderboard.selectors.records import make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]

AHEAD = timedelta(days=300)


@pytest.fixture
def generation(ann: User, release: Release) -> Generation:
    """One that waits."""
    submission = make_submission(ann, release, conditions=())
    return generation_create(submission, Condition.WITH_EVIDENCE).generation


def change(generation: Generation, **values: object) -> None:
    Generation.objects.filter(pk=generation.pk).update(**values)


def test_a_pause_that_was_noted_before_the_clock_was_set_back_is_over(generation: Generation) -> None:
    change(generation, not_before=database_now() + timedelta(minutes=30))
    assert not due_generations(database_now()).exists()
    change(generation, not_before=database_now() + AHEAD)
    assert due_generations(database_now()).exists()


def test_a_lease_that_was_taken_before_the_clock_was_set_back_has_lapsed(generation: Generation) -> None:
    held = {"state": GenerationState.LEASED, "lease": uuid.uuid4()}
    change(generation, leased_until=database_now() + timedelta(seconds=30), **held)
    assert generations_requeue() == 0
    change(generation, leased_until=database_now() + AHEAD, **held)
    assert generations_requeue() == 1


def test_a_run_that_waits_since_before_the_clock_was_set_back_is_taken_up_again(generation: Generation) -> None:
    Run.objects.filter(pk=generation.run_id).update(
        state=RunState.INCOMPLETE, ended_at=database_now(), resume_at=database_now() + timedelta(minutes=30)
    )
    assert generations_resume() == 0
    Run.objects.filter(pk=generation.run_id).update(resume_at=database_now() + AHEAD)
    assert generations_resume() == 1
