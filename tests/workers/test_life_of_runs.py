"""Whatever happens, in whatever order, every run ends: faults, deaths, doubled and lost messages, clocks that jump."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from evaluation.types import Answer, ExecutionFailure, FailureKind, Outcome, Query
from leaderboard import clock
from leaderboard.models.events import EventKind, RunEvent
from leaderboard.models.runs import Batch, ItemScore, Run
from leaderboard.models.standings import Standing
from leaderboard.models.states import OPEN_BATCH_STATES, RUN_TRANSITIONS, BatchState, RunState
from leaderboard.selectors.batches import open_items
from leaderboard.services.batches import Lease, LeaseLostError, batches_claim, lease_extend, lease_yield
from leaderboard.services.runs import run_begin, run_cancel
from leaderboard.services.scores import work_store
from leaderboard.services.sweeps import sweep
from tests.leaderboard.builders import live_release, submission, work
from tests.workers.engines import FakeExecutor, answer, down
from workers import scoring

pytestmark = [pytest.mark.site, pytest.mark.django_db]

ENDS = {state for state, exits in RUN_TRANSITIONS.items() if not exits}
ITEMS = 6
ROUNDS_TO_END = 40


class JumpingCursor:
    """Reads the time of a clock that is set wrong."""

    def __init__(self, shift: timedelta) -> None:
        self.shift = shift

    def execute(self, sql: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql)
            self.row = cursor.fetchone()

    def fetchone(self) -> tuple[datetime]:
        return (self.row[0] + self.shift,)


class JumpingConnection:
    """The database's connection as `clock` uses it; its clock may be set."""

    def __init__(self) -> None:
        self.shift = timedelta()

    @contextmanager
    def cursor(self) -> Iterator[JumpingCursor]:
        yield JumpingCursor(self.shift)


def reachable(state: str) -> set[str]:
    found, waiting = {state}, [RunState(state)]
    while waiting:
        for target in RUN_TRANSITIONS[waiting.pop()]:
            if target not in found:
                found.add(target)
                waiting.append(target)
    return found


class LifeOfRuns(RuleBasedStateMachine):
    """Two runs, workers that come, go and sleep, sweeps, and an engine that is there or not."""

    time: JumpingConnection
    engine: FakeExecutor

    def __init__(self) -> None:
        super().__init__()
        self.savepoint = transaction.savepoint()
        self.outages = 0
        self.states: dict[int, str] = {}
        self.judged: dict[tuple[int, int], tuple[object, ...]] = {}
        self.time.shift = timedelta()
        self.mend()

    def teardown(self) -> None:
        """The fault goes away; then every run must end by itself."""
        self.mend()
        for _ in range(ROUNDS_TO_END):
            sweep()
            while scoring.score_next():
                pass
            if all(run.state in ENDS for run in Run.objects.all()):
                break
            self.time.shift += timedelta(minutes=10)
        states = set(Run.objects.values_list("state", flat=True))
        unranked = Run.objects.filter(unranked=True).count()
        ranked = set(Standing.objects.values_list("run_id", flat=True))
        finished = set(Run.objects.filter(state=RunState.FINISHED).values_list("pk", flat=True))
        self.nothing_is_lost_doubled_or_changed()
        transaction.savepoint_rollback(self.savepoint)
        assert states <= ENDS
        assert unranked == 0
        assert ranked == finished

    @initialize()
    def submit(self) -> None:
        release = live_release(items=ITEMS)
        for entry in ("one", "two"):
            texts = {f"q{number}": f"db.things.find({{{entry}: {number}}})" for number in range(ITEMS - 1)}
            submission(release, entry=entry, texts=texts)

    @rule()
    def mend(self) -> None:
        self.engine.behave = lambda _: answer({"name": "public"})

    @rule()
    def lose_engine(self) -> None:
        self.engine.behave = down

    @rule()
    def slow_engine(self) -> None:
        def slow(query: Query) -> Answer | ExecutionFailure:
            if "name" in query.arguments["filter"]:
                return answer({"name": "public"})
            return ExecutionFailure(kind=FailureKind.TIMED_OUT, code=50, message="slow")

        self.engine.behave = slow

    @rule(lasts=st.integers(1, 6))
    def outage(self, lasts: int) -> None:
        self.outages += 1
        self.engine.behave = down
        for _ in range(lasts):
            self.time.shift += timedelta(minutes=6)
            self.message_comes(times=4)

    @rule()
    def break_scorer(self) -> None:
        def stumble(query: Query) -> Answer:
            raise ZeroDivisionError

        self.engine.behave = stumble
        self.message_comes(times=4)

    @rule(times=st.integers(1, 3))
    def message_comes(self, times: int) -> None:
        for _ in range(times):
            scoring.score_next()

    @rule(times=st.integers(1, 2))
    def sweep_comes(self, times: int) -> None:
        for _ in range(times):
            sweep()

    @rule(run=st.integers(0, 1), judged=st.integers(0, 3))
    def worker_dies_in_the_middle(self, run: int, judged: int) -> None:
        self.claimed(run, judged)

    @rule(
        run=st.integers(0, 1),
        judged=st.integers(0, 3),
        seconds=st.sampled_from([1, 30, 61, 3_600]),
        swept=st.booleans(),
        others_go_on=st.booleans(),
        stores=st.booleans(),
    )
    def worker_sleeps(
        self, *, run: int, judged: int, seconds: int, swept: bool, others_go_on: bool, stores: bool
    ) -> None:
        lease = self.claimed(run, judged)
        self.time.shift += timedelta(seconds=seconds)
        if swept:
            sweep()
        if others_go_on:
            scoring.score_next()
        if lease is not None:
            self.wakes_up(lease, stores=stores)

    def claimed(self, run: int, judged: int) -> Lease | None:
        run_id = Run.objects.order_by("pk").values_list("pk", flat=True)[run]
        run_begin(run_id)
        lease = batches_claim(run_id, worker="mortal")
        if lease is not None:
            items = open_items(run_id, database_ids=lease.database_ids)[:judged]
            if items:
                work_store(lease, work(items, left=ITEMS))
        return lease

    def wakes_up(self, lease: Lease, *, stores: bool) -> None:
        held = Batch.objects.filter(lease=lease.token, state=BatchState.LEASED).exists()
        assert lease_extend(lease) is held
        items = open_items(lease.run_id, database_ids=lease.database_ids)
        try:
            if stores and items:
                work_store(lease, work(items[:1], left=ITEMS))
            else:
                lease_yield(lease)
        except LeaseLostError:
            assert not held
        else:
            assert held

    @rule(seconds=st.sampled_from([-86_400, -300, -61, -1, 1, 61, 300, 3_600, 86_400]))
    def clock_jumps(self, seconds: int) -> None:
        self.time.shift += timedelta(seconds=seconds)

    @precondition(lambda self: self.outages)
    @rule(run=st.integers(0, 1))
    def owner_loses_patience(self, run: int) -> None:
        run_cancel(Run.objects.order_by("pk").values_list("pk", flat=True)[run])

    @invariant()
    def states_follow_the_table(self) -> None:
        for run in Run.objects.all():
            assert run.state in reachable(self.states.get(run.pk, run.state))
            self.states[run.pk] = run.state
            if run.state in ENDS:
                assert not run.batches.filter(state__in=OPEN_BATCH_STATES).exists()

    @invariant()
    def nothing_is_lost_doubled_or_changed(self) -> None:
        fields = ("run_id", "item_id", "outcome", "strict", "scored_at")
        scores = ItemScore.objects.exclude(outcome=Outcome.UNSCORED).values_list(*fields)
        found = {(row[0], row[1]): row[2:] for row in scores}
        assert len(found) == len(scores)
        assert found.items() >= self.judged.items()
        self.judged = found

    @invariant()
    def a_finished_run_is_whole(self) -> None:
        for run in Run.objects.filter(state=RunState.FINISHED):
            assert run.item_scores.exclude(outcome=Outcome.UNSCORED).count() == ITEMS
            assert RunEvent.objects.filter(run=run, kind=EventKind.FINISHED).count() == 1

    @invariant()
    def no_fault_of_ours_is_blamed_on_the_submitter(self) -> None:
        ours = {Outcome.CORRECT, Outcome.MISSING, Outcome.TIMED_OUT, Outcome.UNSCORED}
        assert set(ItemScore.objects.values_list("outcome", flat=True)) <= ours


def test_every_run_ends_whatever_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    time, engine = JumpingConnection(), FakeExecutor(down)
    monkeypatch.setattr(clock, "connection", time)
    monkeypatch.setattr(scoring, "executor", lambda: engine)
    machine = type("Machine", (LifeOfRuns,), {"time": time, "engine": engine})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=20,
            stateful_step_count=15,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
