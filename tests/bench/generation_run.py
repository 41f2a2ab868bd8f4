"""Measures, inside a site of its own, how long a worker takes to ask a practice endpoint for one condition."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import call_command

from benchmark_data.cards import measure
from benchmark_data.types import Bundle, Collection, Database, Difficulty, Item, Split
from evaluation.embedded.process import free_port
from evaluation.practice.server import KEY
from evaluation.types import Condition
from leaderboard.models.descriptions import DatabaseDescription
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.services.endpoints import EndpointRequest, endpoint_submission_create
from leaderboard.services.releases import release_open, release_register
from leaderboard.serving import wait_until_answering
from tests.bench.measurement import Measurement
from tests.bench.site import tell

DATABASES, ITEMS = 21, 20
CONCURRENCY, SECONDS = 16, 0.05
ROUNDS = 3
IDEAL = DATABASES * ITEMS * SECONDS / CONCURRENCY
WANTED = 1.3


def release_made() -> Release:
    """A live release of 21 databases with 20 items each, described by seven collections of twelve fields."""
    names = [f"made{number:02}" for number in range(DATABASES)]
    collection = Collection(name="things0", path=Path("things0.jsonl"), documents=1, sha256="0" * 64)
    release = release_register(
        Bundle(
            name="made",
            version="1",
            title="Made",
            license="MIT",
            citation="",
            databases=tuple(
                Database(db_id=name, collections=(collection,), digest=name.encode().hex().ljust(64, "0"))
                for name in names
            ),
            items=tuple(
                Item(
                    question_id=f"{name}-{number}",
                    db_id=name,
                    question=f"Which things of number {number} are there?",
                    evidence="",
                    difficulty=Difficulty.SIMPLE,
                    split=Split.PUBLIC,
                    gold_query=f"db.things0.find({{n: {number}}})",
                )
                for name in names
                for number in range(ITEMS)
            ),
            digest=b"made".hex().ljust(64, "0"),
            root=Path(),
        )
    )
    release_open(release, set_aside={})
    for database in release.databases.all():
        DatabaseDescription.objects.create(database=database, content=description())
    return release


def description() -> dict[str, Any]:
    """Seven collections."""
    card = measure([{f"field_{number}": f"value {row}" for number in range(12)} for row in range(5)]).as_json()
    collections = [{"name": f"things{number}", "indexes": [], "card": card} for number in range(7)]
    return {"description": "", "collections": collections}


@contextmanager
def practice() -> Iterator[str]:
    """A practice endpoint in a process of its own; gives its address."""
    port = free_port()
    command = [
        str(Path(sys.executable).parent / "aptboard"), "practice-endpoint", "--port", str(port),
        "--milliseconds", str(SECONDS * 1000),
    ]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=dict(os.environ))
    try:
        wait_until_answering(f"http://127.0.0.1:{port}/v1/models")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait()


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """Seconds that one worker's turn took, and its processor took in them."""

    seconds: float
    processor: float


def asked(release: Release, number: int) -> Turn:
    """One worker's turn on a new run."""
    # Imported late, as workers do: it takes seconds, and is no part of a turn.
    from workers.generation import generate_next

    owner, _ = User.objects.get_or_create(username="bench")
    with practice() as address:
        request = EndpointRequest(
            model="practice",
            address=address,
            key=KEY,
            concurrency=CONCURRENCY,
            conditions=(Condition.WITH_EVIDENCE,),
            price_prompt=Decimal(1),
            price_completion=Decimal(2),
        )
        submission = endpoint_submission_create(owner=owner, release=release, entry=f"{number}", request=request)
        started, processor = time.perf_counter(), time.process_time()
        while generate_next():
            pass
        turn = Turn(seconds=time.perf_counter() - started, processor=time.process_time() - processor)
    run = Run.objects.get(submission=submission)
    if run.state != RunState.SCORING or run.replies.count() != DATABASES * ITEMS:
        raise RuntimeError(f"{run} was not asked: {run.reason}")
    return turn


def main() -> None:
    """Measure and tell; the first round imports the client, as the first turn of a worker does."""
    settings.CALL_LOOPBACK = True
    call_command("migrate", verbosity=0)
    release = release_made()
    first = asked(release, 0)
    turns = [asked(release, number) for number in range(1, ROUNDS + 1)]
    best = min(turn.seconds for turn in turns)
    processor = min(turn.processor for turn in turns)
    tell(
        [
            Measurement(name="first turn of a worker, client imported", value=first.seconds, unit="s"),
            Measurement(
                name="processor time of the worker for a reply", value=1000 * processor / (DATABASES * ITEMS), unit="ms"
            ),
            Measurement(name="420 items at 50 ms and 16 at once", value=best, unit="s"),
            Measurement(
                name="against the ideal of 1.31 s",
                value=best / IDEAL,
                unit="×",
                target=f"≤ {WANTED:g}",
                met=best / IDEAL <= WANTED,
            ),
        ]
    )
