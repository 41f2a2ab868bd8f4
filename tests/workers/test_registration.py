"""Every task that the site asks for by name is known to workers, and every round of beat is such a task."""

import pytest

from leaderboard import queue
from workers.celery import app
from workers.schedule import SCHEDULE

TASKS = sorted(value for value in vars(queue).values() if isinstance(value, str) and value.startswith("workers."))


@pytest.mark.parametrize("task", TASKS)
def test_a_task_that_is_asked_for_is_known(task: str) -> None:
    app.loader.import_default_modules()
    assert task in app.tasks


def test_beat_starts_known_tasks_and_keeps_no_old_messages() -> None:
    assert {entry["task"] for entry in SCHEDULE.values()} <= set(TASKS)
    assert all(entry["options"]["expires"] == entry["schedule"] for entry in SCHEDULE.values())
