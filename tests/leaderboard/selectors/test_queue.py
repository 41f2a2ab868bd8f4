"""Where a run stands, and how long it is expected to take."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from evaluation.types import Condition
from leaderboard.clock import database_now
from leaderboard.models.runs import Batch, Run
from leaderboard.models.states import BatchState, RunState
from leaderboard.selectors.queue import Load, QueuePlace, place_of, queue_places
from leaderboard.selectors.schedule import Candidate
from leaderboard.selectors.workers import USUAL_ITEM_SECONDS, item_seconds, scoring_slots, workers_alive
from leaderboard.services.runs import run_begin, run_cancel
from leaderboard.services.workers import worker_gone, worker_seen, workers_forget
from tests.leaderboard.builders import live_release, submission, user

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def load(
    run_id: int, items: int, *, state: RunState = RunState.QUEUED, age: float = 0, background: bool = False,
    eligible: bool = True, service: float = 0, account: str = "",
) -> Load:  # fmt: skip
    return Load(
        candidate=Candidate(
            run_id=run_id,
            state=state,
            account=account or f"user:{run_id}",
            background=background,
            service_seconds=service,
            created_at=NOW - timedelta(seconds=age),
            account_leases=0,
        ),
        items=items,
        eligible=eligible,
    )


def queue_place(run: Run) -> QueuePlace | None:
    return queue_places([run]).get(run.pk)


def test_alone_with_two_workers_a_run_takes_half_its_work() -> None:
    own = load(1, 100)
    place = place_of(own, [own], now=NOW, workers=2, seconds=0.1)
    assert (place.position, place.runs_ahead, place.start_seconds) == (1, 0, 0.0)
    assert place.finish_seconds == pytest.approx(5.0)


def test_a_small_run_waits_for_a_share_of_a_large_one_only() -> None:
    own, large = load(1, 10), load(2, 10_000, state=RunState.SCORING, service=100, age=100)
    place = place_of(own, [own, large], now=NOW, workers=1, seconds=0.1)
    assert place.position == 1
    assert place.finish_seconds == pytest.approx(2.0)


def test_a_run_that_is_scored_has_no_position_and_has_started() -> None:
    own = load(1, 10, state=RunState.SCORING)
    place = place_of(own, [own, load(2, 10, age=100)], now=NOW, workers=1, seconds=0.1)
    assert (place.position, place.start_seconds) == (0, 0.0)


def test_runs_that_yield_to_others_keep_nobody_waiting() -> None:
    own = load(1, 10)
    place = place_of(own, [own, load(2, 500, background=True)], now=NOW, workers=1, seconds=0.1)
    assert place.finish_seconds == pytest.approx(1.0)


def test_a_run_above_the_cap_is_told_what_it_waits_for() -> None:
    own = load(1, 10, eligible=False)
    assert place_of(own, [own], now=NOW, workers=1, seconds=0.1).waits_for_own


def test_a_run_above_the_cap_is_not_expected_to_start_before_one_of_its_team_has_ended() -> None:
    team = [load(number, items, state=RunState.SCORING, account="team:1") for number, items in enumerate((300, 100), 1)]
    own = load(3, 10, eligible=False, account="team:1", age=5)
    place = place_of(own, [*team, own], now=NOW, workers=1, seconds=0.1)
    assert place.start_seconds == pytest.approx((100 + 100) * 0.1)
    assert place.finish_seconds == pytest.approx((100 + 100 + 10) * 0.1)
    before = load(4, 50, eligible=False, account="team:1", age=9)
    later = place_of(own, [*team, own, before], now=NOW, workers=1, seconds=0.1)
    assert later.start_seconds == pytest.approx((100 + 300) * 0.1)


def test_without_workers_there_is_no_estimate() -> None:
    own = load(1, 10)
    place = place_of(own, [own], now=NOW, workers=0, seconds=0.1)
    assert (place.start_seconds, place.finish_seconds) == (None, None)


@given(st.lists(st.integers(1, 500), min_size=1, max_size=8), st.integers(1, 9), st.integers(1, 8))
@settings(deadline=None)
def test_nobody_is_expected_to_finish_after_all_the_work_is_done(sizes: list[int], workers: int, cap: int) -> None:
    loads = [
        load(number, size, age=9 - number, account="team:1", eligible=number < cap) for number, size in enumerate(sizes)
    ]
    for own in loads:
        place = place_of(own, loads, now=NOW, workers=workers, seconds=0.1)
        assert place.finish_seconds is not None
        assert own.items * 0.1 / workers <= place.finish_seconds + 1e-9
        assert place.finish_seconds <= sum(sizes) * 0.1 / workers + 1e-9


@pytest.mark.site
@pytest.mark.django_db
class TestStored:
    """What the database says."""

    def test_positions_follow_the_queue(self) -> None:
        release = live_release()
        runs = [submission(release, entry=f"e{number}", owner=user(f"u{number}")).runs.get() for number in range(3)]
        worker_seen("w@host", queues=("scoring", "chores"), slots=2)
        places = [queue_place(run) for run in runs]
        assert [place.position for place in places if place] == [1, 2, 3]
        first = places[0]
        assert first is not None
        assert first.workers == 2
        assert first.finish_seconds == pytest.approx(12 / 2 * USUAL_ITEM_SECONDS)

    def test_a_run_that_has_ended_has_no_place(self) -> None:
        run = submission(live_release()).runs.get()
        run_cancel(run.pk)
        run.refresh_from_db()
        assert queue_place(run) is None

    def test_a_run_above_the_cap_waits_for_its_owners_others(self) -> None:
        release = live_release()
        runs = [submission(release, entry=f"e{number}").runs.get() for number in range(5)]
        place = queue_place(runs[4])
        assert place is not None
        assert place.waits_for_own
        run_cancel(runs[0].pk)
        place = queue_place(runs[4])
        assert place is not None
        assert not place.waits_for_own

    def test_three_queries_and_two_for_workers(self, django_assert_max_num_queries: object) -> None:
        run = submission(live_release()).runs.get()
        run_begin(run.pk)
        run.refresh_from_db()
        with django_assert_max_num_queries(6):  # type: ignore[operator]
            queue_place(run)

    def test_the_speed_is_that_of_the_last_batches(self) -> None:
        run = submission(live_release()).runs.get()
        Batch.objects.filter(run=run).update(
            state=BatchState.DONE, ended_at=database_now(), service_milliseconds=3_000, items=10
        )
        assert item_seconds() == pytest.approx(0.3)

    def test_batches_that_took_no_time_or_ended_before_the_clock_was_set_back_say_nothing_of_the_speed(self) -> None:
        batches = Batch.objects.filter(run=submission(live_release()).runs.get()).order_by("pk")
        now = database_now()
        for batch, ended_at in zip(batches, (now, now + timedelta(days=300)), strict=True):
            spent = 1_000 if ended_at == now else 600_000
            Batch.objects.filter(pk=batch.pk).update(
                state=BatchState.DONE, ended_at=ended_at, service_milliseconds=spent, items=10
            )
        assert item_seconds() == pytest.approx(0.1)

    def test_a_worker_that_was_seen_before_the_clock_was_set_back_is_not_alive_for_ever(self) -> None:
        worker_seen("a@host", queues=("scoring",), slots=4)
        type(workers_alive()[0]).objects.update(seen_at=database_now() + timedelta(days=300))
        assert workers_alive() == ()
        assert workers_forget() == 1

    def test_all_runs_of_a_submission_are_placed_with_one_look_at_the_queue(
        self, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        runs = list(submission(live_release(), conditions=tuple(Condition)).runs.all())
        with django_assert_num_queries(6):
            assert len(queue_places(runs)) == 2

    def test_workers_are_alive_while_they_say_so(self) -> None:
        worker_seen("a@host", queues=("scoring",), slots=4)
        worker_seen("b@host", queues=("generating",), slots=8)
        worker_seen("a@host", queues=("scoring",), slots=3)
        assert [node.name for node in workers_alive()] == ["a@host", "b@host"]
        assert scoring_slots() == 3
        worker_gone("a@host")
        assert scoring_slots() == 0
        type(workers_alive()[0]).objects.update(seen_at=database_now() - timedelta(days=2))
        assert workers_alive() == ()
        assert workers_forget() == 1
        assert not Run.objects.exists()
