"""A site inside a measurement: a bundle that is imported, submissions, and the worker's own loop in this process."""

import io
import json
import time
from collections.abc import Mapping
from pathlib import Path

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection

from evaluation.types import Condition
from leaderboard.models.executions import Execution
from leaderboard.models.releases import Release
from leaderboard.models.runs import ItemScore, Run
from leaderboard.models.states import RunState
from leaderboard.services.submissions import submission_create
from workers import scoring


def imported(bundle: Path) -> Release:
    """The release of a bundle, live; items whose gold fails on this engine are set aside."""
    call_command("migrate", verbosity=0)
    call_command("import_bundle", str(bundle), "--set-aside-broken-gold", stdout=io.StringIO())
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return Release.objects.get()


def submitted(release: Release, texts: Mapping[str, str], *, entry: str = "Bench") -> Run:
    """A queued run of one condition over these texts."""
    owner, _ = User.objects.get_or_create(username="bench")
    submission = submission_create(
        owner=owner,
        release=release,
        entry=entry,
        file=io.BytesIO(json.dumps(texts).encode()),
        file_name="predictions.json",
        default_condition=Condition.WITH_EVIDENCE,
    )
    return submission.runs.get()


def scored(run: Run) -> float:
    """Seconds in which this process scores what is queued, from the first claim to the report."""
    started = time.perf_counter()
    while scoring.score_next():
        pass
    seconds = time.perf_counter() - started
    run.refresh_from_db()
    if run.state != RunState.FINISHED:
        raise RuntimeError(f"{run}: {run.reason}")
    return seconds


def forget() -> None:
    """Forget what was executed and judged, so that the next run is a first one; gold stays held, as in any worker.

    The tables are tidied up too: what a measurement deletes would slow down the next one, and the vacuum beside it.
    """
    Execution.objects.all().delete()
    ItemScore.objects.exclude(judgement="").update(judgement="")
    with connection.cursor() as cursor:
        cursor.execute(
            "VACUUM ANALYZE leaderboard_itemscore, leaderboard_execution, leaderboard_batch, leaderboard_run"
        )
