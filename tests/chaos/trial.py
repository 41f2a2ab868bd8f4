"""One chaos trial inside a site of its own: submit, disturb, wait, and compare with an undisturbed run."""

import io
import json
import os
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import DatabaseError, connection

from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.services.submissions import submission_create
from leaderboard.serving import WORKER_OPTIONS, SiteProcess, running
from tests.chaos.benchmark import predictions, write_benchmark
from tests.chaos.checks import problems_of, undisturbed
from tests.chaos.faults import Chaos, KeptRedis, Victims

WORKERS, PROCESSES = 2, 2
OWNERS = 8


@dataclass(slots=True, kw_only=True)
class Outcome:
    """What came of a trial."""

    runs: int
    seconds: float = 0.0
    states: dict[str, int] = field(default_factory=dict)
    faults: dict[str, int] = field(default_factory=dict)
    events: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


def main(runs: str, seed: str, seconds: str) -> None:
    """Run one trial and print its outcome as JSON; the exit code is 1 where anything is wrong."""
    outcome = Outcome(runs=int(runs))
    home = Path(os.environ["APTBOARD_HOME"])
    release = prepared()
    redis = KeptRedis(home / "redis", port=urlsplit(os.environ["REDIS_URL"]).port or 0)
    workers = [worker(number, home / "log") for number in range(WORKERS)]
    victims = Victims(
        redis=redis,
        mongo=home / "mongo",
        postgresql=os.environ["DATABASE_URL"],
        workers=lambda: [one.process.pid for one in workers if one.process is not None],
    )
    chaos = Chaos(victims, seed=int(seed))
    with ExitStack() as stack:
        stack.callback(redis.stop)
        stack.enter_context(running(*workers))
        started = time.monotonic()
        with chaos.raging():
            submissions = [submitted(release, number, seed=int(seed)) for number in range(outcome.runs)]
            wait_for_ends(submissions, until=started + float(seconds))
        outcome.seconds = round(time.monotonic() - started, 1)
    connection.close()
    outcome.faults = dict(chaos.done)
    conclude(outcome, release, submissions)
    sys.stdout.write(json.dumps(asdict(outcome), indent=2) + "\n")
    raise SystemExit(1 if outcome.problems else 0)


def prepared() -> Release:
    """A migrated site with the benchmark live."""
    call_command("migrate", verbosity=0)
    with tempfile.TemporaryDirectory() as folder:
        write_benchmark(Path(folder) / "bundle")
        call_command("import_bundle", str(Path(folder) / "bundle"), stdout=io.StringIO())
    for number in range(OWNERS):
        User.objects.create_user(f"owner{number}")
    return Release.objects.get()


def worker(number: int, logs: Path) -> SiteProcess:
    """One Celery worker, with beat in the first one; started again when it dies."""
    command = [
        sys.executable, "-m", "celery", "--app", "workers.celery", "worker", "--hostname", f"w{number}@%h",
        "--concurrency", str(PROCESSES), "--loglevel", "INFO", *WORKER_OPTIONS,
    ]  # fmt: skip
    if number == 0:
        command += ["--beat", "--schedule", str(logs / "beat-schedule")]
    return SiteProcess(name=f"worker{number}", command=command, log=logs / f"worker{number}.log")


def submitted(release: Release, number: int, *, seed: int) -> Submission:
    """A submission, sent as clients do: again with the same key where the first try failed."""
    file = json.dumps(predictions(number, seed=seed)).encode()
    while True:
        try:
            return submission_create(
                owner=User.objects.get(username=f"owner{number % OWNERS}"),
                release=Release.objects.get(pk=release.pk),
                entry=f"Run {number}",
                file=io.BytesIO(file),
                file_name="predictions.json",
                default_condition=Condition.WITH_EVIDENCE,
                idempotency_key=f"run-{number}",
            )
        except DatabaseError:
            connection.close()
            time.sleep(0.1)


def wait_for_ends(submissions: list[Submission], *, until: float) -> None:
    """Wait until every run is finished and ranked, or the time is over."""
    keys = [submission.pk for submission in submissions]
    while time.monotonic() < until:
        try:
            if not Run.objects.filter(submission__in=keys).exclude(state=RunState.FINISHED, unranked=False).exists():
                return
        except DatabaseError:
            connection.close()
        time.sleep(0.2)


def conclude(outcome: Outcome, release: Release, submissions: list[Submission]) -> None:
    """Look at what came out, and compare it with the same files scored in peace."""
    runs = list(Run.objects.filter(submission__release=release).select_related("submission"))
    outcome.states = dict(Counter(run.state for run in runs))
    outcome.events = dict(Counter(kind for run in runs for kind in run.events.values_list("kind", flat=True)))
    if len(runs) != outcome.runs:
        outcome.problems.append(f"{outcome.runs} runs were submitted, there are {len(runs)}")
    expected = undisturbed(submissions)
    for run in runs:
        outcome.problems.extend(problems_of(run, expected[run.submission_id]))
