"""What the site tells of its own state."""

import uuid
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.runs import Batch, Run
from leaderboard.models.states import BatchState
from leaderboard.models.submissions import Submission
from leaderboard.models.workers import WorkerNode
from leaderboard.selectors.health import EngineUse, Pulse, site_pulse, site_status
from tests.leaderboard.selectors.records import ENGINE, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def test_an_empty_site_is_at_rest(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(11):
        status = site_status()
    assert (status.queued, status.scoring, status.workers, status.waiting_since) == (0, 0, 0, None)
    assert (status.waits.runs, status.waits.median, status.engines, status.reuse.share) == (0, None, (), None)
    assert not status.stalled
    with django_assert_num_queries(3):
        assert site_pulse() == Pulse(queued=0, scoring=0, workers=0)


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
    assert site_status().busy == 1
    assert not site_status().stalled
    Batch.objects.filter(pk=batch.pk).update(leased_until=timezone.now() - timedelta(seconds=1))
    assert site_status().stalled


def test_waits_are_those_of_runs_that_somebody_waited_for(ann: User, release: Release) -> None:
    now = timezone.now()
    for seconds in range(101):
        make_submission(ann, release, conditions=[Condition.WITH_EVIDENCE])
        run = Run.objects.latest("pk")
        Run.objects.filter(pk=run.pk).update(created_at=now - timedelta(seconds=seconds), started_at=now)
    Run.objects.filter(pk=Run.objects.latest("pk").pk).update(background=True)
    waits = site_status().waits
    assert (waits.runs, waits.median) == (100, 49.5)
    assert waits.p95 == pytest.approx(94.05)


def test_the_engine_is_that_of_the_last_day_or_the_last_one_that_judged(scored: Submission) -> None:
    assert site_status().engines == (EngineUse(name=ENGINE, demo=True),)
    scored.runs.filter(condition="with_evidence").update(engine="MongoDB 8.0", demo_engine=False)
    assert len(site_status().engines) == 2
    scored.runs.update(ended_at=timezone.now() - timedelta(days=3))
    assert len(site_status().engines) == 1


def test_workers_are_alive_while_they_say_so_and_what_they_were_spared_is_a_share(scored: Submission) -> None:
    now = timezone.now()
    WorkerNode.objects.create(name="one", queues="scoring", slots=2, started_at=now, seen_at=now)
    WorkerNode.objects.create(
        name="two", queues="scoring", slots=2, started_at=now, seen_at=now - timedelta(minutes=30)
    )
    scored.runs.update(executed_queries=3, cached_answers=1, reused_verdicts=4)
    status = site_status()
    assert (status.workers, status.slots, status.reuse.share) == (1, 2, 5 / 8)
