"""A worker says that it is alive, sweeps, and notices when it hears nothing more."""

import threading

import pytest
from django.db import DatabaseError

from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.models.workers import WorkerNode
from tests.leaderboard.builders import live_release, submission
from workers import presence
from workers.presence import DEAF_LOOKS, Presence, watch

pytestmark = [pytest.mark.site, pytest.mark.django_db]


class Tasks:
    """How many tasks a worker has taken and has in hand."""

    def __init__(self) -> None:
        self.taken, self.in_hand = 0, 0

    def __call__(self) -> tuple[int, int]:
        return self.taken, self.in_hand


def made(tasks: Tasks, *, queues: tuple[str, ...] = ("scoring", "chores")) -> Presence:
    return Presence(name="w@host", queues=queues, slots=2, tasks=tasks)


def test_a_look_registers_the_worker_and_sweeps() -> None:
    run = submission(live_release()).runs.get()
    Run.objects.filter(pk=run.pk).update(deadline=run.created_at)
    assert made(Tasks()).look()
    node = WorkerNode.objects.get()
    assert (node.name, node.queues, node.slots) == ("w@host", "chores,scoring", 2)
    run.refresh_from_db()
    assert run.state == RunState.INCOMPLETE


def looks_until_deaf(one: Presence, tasks: Tasks, *, takes: bool = False, at_most: int = 30) -> int | None:
    for number in range(1, at_most + 1):
        tasks.taken += takes
        if not one.look():
            return number
    return None


def test_a_worker_that_takes_nothing_while_work_is_due_has_gone_deaf() -> None:
    submission(live_release())
    tasks = Tasks()
    assert looks_until_deaf(made(tasks), tasks) == DEAF_LOOKS


@pytest.mark.parametrize("why", ["takes messages", "is at work", "does not score", "nothing is due"])
def test_a_worker_is_not_deaf_that(why: str) -> None:
    if why != "nothing is due":
        submission(live_release())
    tasks = Tasks()
    tasks.in_hand = why == "is at work"
    one = made(tasks, queues=("generating",)) if why == "does not score" else made(tasks)
    assert looks_until_deaf(one, tasks, takes=why == "takes messages") is None


def test_the_thread_outlives_an_outage_of_the_database(monkeypatch: pytest.MonkeyPatch, settings: object) -> None:
    settings.SWEEP_SECONDS = 0.01  # type: ignore[attr-defined]
    done, looks = threading.Event(), []

    class Failing(Presence):
        def look(self) -> bool:
            looks.append(1)
            if len(looks) == 1:
                raise DatabaseError("gone")
            if len(looks) == 2:
                raise ValueError("odd")
            done.set()
            return True

    monkeypatch.setattr(presence, "connection", Unused())
    watch(Failing(name="w", queues=(), slots=1, tasks=Tasks()), done)
    assert len(looks) == 3


def test_a_deaf_worker_ends_itself_to_be_started_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr("os.kill", lambda pid, number: ended.append(number))
    monkeypatch.setattr(presence, "connection", Unused())

    class Deaf(Presence):
        def look(self) -> bool:
            return False

    watch(Deaf(name="w", queues=(), slots=1, tasks=Tasks()), threading.Event())
    assert len(ended) == 1


class Unused:
    """A connection that a test does not have."""

    def close(self) -> None:
        """Nothing."""
