"""Measures, inside a site of its own, one worker process and two on the same run; the engine sleeps 5 ms a query."""

import subprocess
import sys
import time
from pathlib import Path

from django.core.management import call_command

from benchmark_data.types import ArrayOrder, Bundle, Collection, Database, Difficulty, Item, Split
from leaderboard.models.releases import Release
from leaderboard.models.states import RunState
from leaderboard.services.releases import release_open, release_register
from tests.bench.measurement import Measurement
from tests.bench.scored_site import forget, submitted
from tests.bench.site import INSIDE, in_turns, tell

ROUNDS = 4
DATABASES, ITEMS = 42, 20
WANTED = 1.8


def release_made() -> Release:
    """A live release of 42 databases with 20 items each; its documents are on no server."""
    collection = Collection(name="things", path=Path("things.jsonl"), documents=1, sha256="0" * 64)
    names = [f"made{number:02}" for number in range(DATABASES)]
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
                    question="Which?",
                    evidence="",
                    difficulty=Difficulty.SIMPLE,
                    split=Split.PUBLIC,
                    gold_query=f"db.things.find({{n: {number}}})",
                    array_order=ArrayOrder.ORDERED,
                )
                for name in names
                for number in range(ITEMS)
            ),
            digest=b"made".hex().ljust(64, "0"),
            root=Path(),
        )
    )
    release_open(release, set_aside={})
    return release


class Crew:
    """Worker processes that are ready, and score when they are told to."""

    def __init__(self, size: int) -> None:
        command = [sys.executable, "-m", INSIDE, "tests.bench.workers_child"]
        self._processes = [
            subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(size)
        ]
        for process in self._processes:
            self._heard(process, "ready")

    def _heard(self, process: "subprocess.Popen[str]", word: str) -> None:
        if process.stdout is None or process.stdout.readline().strip() != word:
            raise RuntimeError("a worker has died")

    def work(self) -> float:
        """Seconds until all of them find nothing more to do."""
        started = time.perf_counter()
        for process in self._processes:
            if process.stdin is not None:
                process.stdin.write("go\n")
                process.stdin.flush()
        for process in self._processes:
            self._heard(process, "done")
        return time.perf_counter() - started

    def dismiss(self) -> None:
        """End them."""
        for process in self._processes:
            process.communicate()


def main() -> None:
    """Measure and tell."""
    call_command("migrate", verbosity=0)
    release = release_made()
    texts = dict(release.items.values_list("question_id", "gold_query"))
    one, two = Crew(1), Crew(2)

    def seconds(crew: Crew) -> float:
        forget()
        run = submitted(release, texts)
        took = crew.work()
        run.refresh_from_db()
        if run.state != RunState.FINISHED or run.reused_verdicts or run.executed_queries != len(texts):
            raise RuntimeError(f"{run} was not scored as a first one: {run.reason}")
        return took

    # The first round computes gold.
    seconds(one), seconds(two)
    alone, together = in_turns(lambda: seconds(one), lambda: seconds(two), rounds=ROUNDS)
    one.dismiss()
    two.dismiss()
    ratio = min(alone) / min(together)
    tell(
        [
            Measurement(name="one worker, 840 items at 5 ms", value=min(alone), unit="s"),
            Measurement(name="two workers", value=min(together), unit="s"),
            Measurement(
                name="two workers against one",
                value=ratio,
                unit="× as fast",
                target=f"≥ {WANTED}",
                met=ratio >= WANTED,
            ),
        ]
    )
