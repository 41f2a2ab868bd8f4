"""PatientExecutor with fake engines, and with a real one that freezes."""

import json
import os
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pymongo import MongoClient

from evaluation.embedded.document_database import part_folder, provided
from evaluation.embedded.process import wait_until
from evaluation.errors import EngineUnavailableError
from evaluation.executors.errors import EngineLostError
from evaluation.executors.mongo import MongoExecutor
from evaluation.executors.patient import PatientExecutor
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

QUERY = Query(collection="c", operation=Operation.FIND, arguments={})
ANSWER = Answer(kind=AnswerKind.DOCUMENTS, rows=())


class FakeEngine:
    """Does what the script says at each execution: an answer is returned, an error raised."""

    def __init__(self, script: Sequence[Answer | Exception], *, healthy: Sequence[bool] = ()) -> None:
        self.script = list(script)
        self.healthy = list(healthy)
        self.pings = 0

    @property
    def identity(self) -> EngineIdentity:
        return EngineIdentity(name="Fake", version="1", demo=True)

    def is_healthy(self) -> bool:
        self.pings += 1
        return self.healthy.pop(0) if self.healthy else True

    def execute(self, query: Query, *, database: str, limits: Limits) -> Answer | ExecutionFailure:
        step = self.script.pop(0)
        if isinstance(step, Exception):
            raise step
        return step


def patient(engine: FakeEngine, tmp_path: Path, *, recovery_seconds: float = 5.0) -> PatientExecutor:
    return PatientExecutor(engine, turnstile=Turnstile(tmp_path / "turnstile"), recovery_seconds=recovery_seconds)


def run(executor: PatientExecutor) -> Answer | ExecutionFailure:
    return executor.execute(QUERY, database="d", limits=Limits())


def test_a_query_that_is_answered_is_sent_once(tmp_path: Path) -> None:
    engine = FakeEngine([ANSWER])

    assert run(patient(engine, tmp_path)) is ANSWER
    assert engine.pings == 0


def test_a_query_that_was_lost_once_is_sent_again_when_the_engine_is_back(tmp_path: Path) -> None:
    engine = FakeEngine([EngineLostError("gone"), ANSWER], healthy=[False, False, True])

    assert run(patient(engine, tmp_path)) is ANSWER
    assert engine.pings == 3


def test_a_query_that_takes_the_engine_down_twice_has_timed_out(tmp_path: Path) -> None:
    engine = FakeEngine([EngineLostError("gone"), EngineLostError("gone again")])

    failure = run(patient(engine, tmp_path))

    assert isinstance(failure, ExecutionFailure)
    assert failure.kind is FailureKind.TIMED_OUT


@pytest.mark.parametrize(
    ("script", "healthy"),
    [
        ([EngineLostError("gone")], [False] * 100),
        ([EngineLostError("gone"), EngineLostError("gone again")], [True] + [False] * 100),
        ([EngineUnavailableError("refused")], []),
        ([EngineLostError("gone"), EngineUnavailableError("refused")], []),
    ],
    ids=["stays away", "stays away after the second loss", "was never there", "refuses after the restart"],
)
def test_an_engine_that_stays_away_is_unavailable_and_no_verdict(
    tmp_path: Path, script: list[Answer | Exception], healthy: list[bool]
) -> None:
    with pytest.raises(EngineUnavailableError):
        run(patient(FakeEngine(script, healthy=healthy), tmp_path, recovery_seconds=0.3))


def test_the_identity_is_the_engines(tmp_path: Path) -> None:
    assert patient(FakeEngine([]), tmp_path).identity.name == "Fake"


def test_a_retry_waits_until_no_other_query_runs(tmp_path: Path) -> None:
    turnstile = Turnstile(tmp_path / "turnstile")
    engine = FakeEngine([EngineLostError("gone"), ANSWER])
    results: list[Any] = []
    with turnstile.passed():
        retry = threading.Thread(target=lambda: results.append(run(patient(engine, tmp_path))))
        retry.start()
        assert wait_until(lambda: len(engine.script) == 1, seconds=5)
        time.sleep(0.2)
        assert results == []
    retry.join(5)
    assert results == [ANSWER]


def test_newcomers_do_not_keep_one_who_waits_to_be_alone_waiting(tmp_path: Path) -> None:
    turnstile = Turnstile(tmp_path / "turnstile")
    order: list[str] = []

    def alone() -> None:
        with turnstile.passed(alone=True):
            order.append("alone")

    def newcomer() -> None:
        with turnstile.passed():
            order.append("newcomer")

    with turnstile.passed():
        threads = [threading.Thread(target=alone)]
        threads[0].start()
        time.sleep(0.2)
        threads.append(threading.Thread(target=newcomer))
        threads[1].start()
        time.sleep(0.2)
        assert order == []
    for thread in threads:
        thread.join(5)
    assert order == ["alone", "newcomer"]


@pytest.mark.engine
def test_a_query_survives_an_engine_that_freezes_while_it_runs(tmp_path: Path) -> None:
    with provided(tmp_path, patience_seconds=1.0) as urls:
        with MongoClient[dict[str, Any]](f"{urls.loader}&journal=true") as client:
            client.test.get_collection("c").insert_many([{"_id": 1}, {"_id": 2}])
        executor = MongoExecutor(urls.reader)
        patiently = PatientExecutor(executor, turnstile=Turnstile(tmp_path / "turnstile"))
        query = Query(collection="c", operation=Operation.FIND, arguments={"sort": {"_id": 1}})
        # Connected, so that the query is under way when the engine does not answer any more.
        before = patiently.execute(query, database="test", limits=Limits())
        frozen = json.loads((part_folder(tmp_path) / "engine.json").read_text())["pid"]
        os.kill(frozen, signal.SIGSTOP)

        after = patiently.execute(query, database="test", limits=Limits())
        executor.close()

    assert isinstance(before, Answer), before
    assert isinstance(after, Answer), after
    assert before.rows == after.rows == ({"_id": 1}, {"_id": 2})
