"""What the site tells of its own state."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from leaderboard.models.runs import Batch, Run
from leaderboard.models.states import BatchState
from leaderboard.models.submissions import Submission
from leaderboard.selectors.health import site_status

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def test_an_empty_site_is_at_rest(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(2):
        status = site_status()
    assert (status.queued, status.scoring, status.workers, status.waiting_since) == (0, 0, 0, None)
    assert not status.stalled


def test_the_queue_is_counted(queued: Submission, scored: Submission) -> None:
    status = site_status()
    assert (status.queued, status.finished_last_day) == (2, 2)
    assert status.waiting_since is not None
    assert status.last_finished is not None


def test_a_queue_that_nobody_works_on_is_stalled_after_a_while(queued: Submission) -> None:
    assert not site_status().stalled
    Run.objects.update(created_at=timezone.now() - timedelta(minutes=10))
    assert site_status().stalled
    lease = {"state": BatchState.LEASED, "lease": uuid.uuid4(), "worker": "host:1"}
    database = queued.release.databases.first()
    run = queued.runs.first()
    assert database is not None
    assert run is not None
    batch = Batch.objects.create(
        run=run, database=database, leased_until=timezone.now() + timedelta(minutes=1), **lease
    )
    assert site_status().workers == 1
    assert not site_status().stalled
    Batch.objects.filter(pk=batch.pk).update(leased_until=timezone.now() - timedelta(seconds=1))
    assert site_status().stalled
