"""Nobody is starved: not the small run by the large one, not the old by the new, not a team by another team."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.clock import database_now
from leaderboard.models.runs import Batch, Run
from leaderboard.models.states import BatchState, RunState
from leaderboard.selectors.schedule import AGEING, BACKGROUND_SECONDS, Candidate, due_runs, fair_order
from leaderboard.services.runs import run_begin
from tests.leaderboard.builders import live_release, submission, user

NOW = datetime(2026, 11, 30, tzinfo=UTC)


def candidate(
    run_id: int = 1,
    *,
    account: str = "user:1",
    background: bool = False,
    service: float = 0.0,
    age: float = 0.0,
    leases: int = 0,
) -> Candidate:
    return Candidate(
        run_id=run_id,
        state=RunState.SCORING,
        account=account,
        background=background,
        service_seconds=service,
        created_at=NOW - timedelta(seconds=age),
        account_leases=leases,
    )


def first(*candidates: Candidate) -> int:
    return fair_order(candidates, now=NOW)[0].run_id


def test_the_team_that_holds_fewer_workers_goes_first() -> None:
    assert first(candidate(1, leases=3, age=900), candidate(2, leases=1, service=500)) == 2


def test_the_run_that_had_less_service_goes_first() -> None:
    assert first(candidate(1, service=60, age=60), candidate(2, service=1, age=60)) == 2


def test_of_two_new_runs_the_older_goes_first() -> None:
    assert first(candidate(1, age=5), candidate(2, age=50)) == 2


def test_a_run_that_nobody_waits_for_yields() -> None:
    assert first(candidate(1, background=True, age=100), candidate(2, service=800, age=1)) == 2


def test_a_run_that_nobody_waits_for_yields_to_one_that_workers_are_on_already() -> None:
    """Its team holds no worker; else of ten workers nine would score known predictions anew."""
    assert first(candidate(1, background=True, age=100), candidate(2, account="user:2", leases=9, service=800)) == 2


@given(service=st.floats(0, 1e5), newcomer=st.floats(0, 1e5), background=st.booleans())
@settings(deadline=None)
def test_no_run_waits_for_ever_behind_newer_ones(service: float, newcomer: float, background: bool) -> None:
    """However much service it had, there is an age at which it goes before every run that comes then."""
    age = (service + BACKGROUND_SECONDS) / AGEING + newcomer + 1
    old = candidate(1, service=service, age=age, background=background)
    assert first(candidate(2, age=0.0), old) == 1


@given(st.permutations(range(6)))
@settings(deadline=None)
def test_the_order_does_not_depend_on_how_the_candidates_stand(places: list[int]) -> None:
    made = [candidate(n, service=n % 3, age=n % 2, leases=n % 2) for n in range(6)]
    assert fair_order([made[place] for place in places], now=NOW) == fair_order(made, now=NOW)


def test_a_small_run_gets_its_turn_after_one_slice_of_a_large_one() -> None:
    """A worker with one slot, a run of 1,000 s that has had a slice, and a small one that arrives."""
    large = candidate(1, service=10, age=10)
    small = candidate(2, account="user:2", age=0)
    assert first(large, small) == 2


@pytest.mark.site
@pytest.mark.django_db
class TestDueRuns:
    """What the database says is due."""

    @pytest.fixture
    def runs(self) -> list[Run]:
        """Six runs of one user and one of another."""
        release = live_release()
        mine = [submission(release, entry=f"e{number}").runs.get() for number in range(6)]
        return [*mine, submission(release, owner=user("bob")).runs.get()]

    def found(self) -> list[int]:
        return sorted(one.run_id for one in due_runs(database_now()))

    def test_only_so_many_runs_of_one_account_are_active(self, runs: list[Run]) -> None:
        assert self.found() == [run.pk for run in (*runs[:4], runs[6])]

    def test_a_run_that_has_begun_keeps_its_place_before_older_ones(self, runs: list[Run]) -> None:
        run_begin(runs[5].pk)
        assert self.found() == [runs[number].pk for number in (0, 1, 2, 5, 6)]

    def test_runs_that_nobody_waits_for_keep_no_place_from_one_of_their_team_that_somebody_does(
        self, runs: list[Run]
    ) -> None:
        """Four that were begun in the background wait for all other teams, for hours where the site is busy."""
        for run in runs[:5]:
            Run.objects.filter(pk=run.pk).update(background=True)
            run_begin(run.pk)
        assert self.found() == [run.pk for run in (*runs[:4], runs[5], runs[6])]

    def test_without_a_cap_all_are_due(self, runs: list[Run], settings: object) -> None:
        settings.ACTIVE_RUNS = 0  # type: ignore[attr-defined]
        assert self.found() == [run.pk for run in runs]

    def test_a_run_without_a_due_batch_is_not_due(self, runs: list[Run]) -> None:
        later = database_now() + timedelta(minutes=1)
        Batch.objects.filter(run=runs[0]).update(not_before=later)
        Batch.objects.filter(run=runs[1]).update(state=BatchState.DONE)
        Run.objects.filter(pk=runs[2].pk).update(state=RunState.GENERATING)
        Run.objects.filter(pk=runs[3].pk).update(state=RunState.CANCELLED)
        assert not {run.pk for run in runs[:4]} & set(self.found())
