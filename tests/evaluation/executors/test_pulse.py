"""A time-out is believed only where engine and scorer were awake."""

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from evaluation.executors import pulse
from evaluation.executors.patient import PatientExecutor
from evaluation.executors.pulse import Pulse, Watch
from evaluation.executors.turnstile import Turnstile
from evaluation.types import (
    Answer,
    AnswerKind,
    EngineIdentity,
    ExecutionFailure,
    FailureKind,
    Limits,
    Operation,
    Query,
)

LIMITS = Limits(milliseconds=2_000)
ANSWER = Answer(kind=AnswerKind.DOCUMENTS, rows=())
TIMED_OUT = ExecutionFailure(kind=FailureKind.TIMED_OUT, code=50, message="no answer within 2000 ms")


class Engine:
    """Takes `seconds` for a query, answers pings when `awake`, and gives what the script says."""

    def __init__(
        self, script: Sequence[Answer | ExecutionFailure], *, seconds: float, awake: Callable[[], bool]
    ) -> None:
        self.script = list(script)
        self.seconds = seconds
        self.is_healthy = awake

    @property
    def identity(self) -> EngineIdentity:
        return EngineIdentity(name="Fake", version="1", demo=True)

    def execute(self, query: Query, *, database: str, limits: Limits) -> Answer | ExecutionFailure:
        time.sleep(self.seconds)
        return self.script.pop(0)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pulse, "POLL_SECONDS", 0.01)
    monkeypatch.setattr(pulse, "SHORTEST_FREEZE_SECONDS", 0.1)
    monkeypatch.setattr(pulse, "FROZEN_SHARE", 0.05)


def outcome(engine: Engine, tmp_path: Path) -> Answer | ExecutionFailure:
    executor = PatientExecutor(engine, turnstile=Turnstile(tmp_path / "turnstile"))
    query = Query(collection="c", operation=Operation.FIND, arguments={})
    return executor.execute(query, database="d", limits=LIMITS)


def test_a_time_out_on_an_engine_that_is_awake_is_believed_at_once(tmp_path: Path) -> None:
    engine = Engine([TIMED_OUT], seconds=0.4, awake=lambda: True)
    assert outcome(engine, tmp_path) is TIMED_OUT


def test_a_time_out_on_an_engine_that_was_frozen_is_tried_again(tmp_path: Path) -> None:
    asleep_until = time.monotonic() + 0.4
    engine = Engine([TIMED_OUT, ANSWER], seconds=0.4, awake=lambda: time.monotonic() > asleep_until)
    assert outcome(engine, tmp_path) is ANSWER


def test_a_query_that_freezes_the_engine_each_time_has_timed_out(tmp_path: Path) -> None:
    silent = threading.Event()

    def awake() -> bool:
        return silent.is_set()

    engine = Engine([TIMED_OUT, TIMED_OUT], seconds=0.4, awake=awake)
    threading.Timer(0.5, silent.set).start()
    assert outcome(engine, tmp_path) is TIMED_OUT
    assert engine.script == []


def test_an_answer_is_an_answer_however_long_nothing_was_heard(tmp_path: Path) -> None:
    engine = Engine([ANSWER], seconds=0.4, awake=lambda: False)
    assert outcome(engine, tmp_path) is ANSWER


def test_a_process_that_was_stopped_heard_nothing() -> None:
    watch = Watch(limits=LIMITS, started=time.monotonic() - 5)
    assert watch.was_frozen()
    watch.heard = [watch.started + 0.05 * number for number in range(101)]
    assert not watch.was_frozen()


def test_a_short_query_is_not_pinged_about() -> None:
    pings: list[float] = []

    def ping() -> bool:
        pings.append(time.monotonic())
        return True

    watched = Pulse(ping)
    for _ in range(50):
        with watched.watching(LIMITS):
            time.sleep(0.001)
    assert not pings
