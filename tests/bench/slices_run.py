"""The slices of a long board inside a site: how long ranks, pages and files take."""

import random
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any, Final

from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from benchmark_data.types import ArrayOrder, Difficulty, Split
from evaluation.aggregate import Cell, Report
from evaluation.stats import Estimate, wilson_estimate
from evaluation.types import Condition
from leaderboard.models.releases import Release, ReleaseDatabase, ReleaseItem
from leaderboard.models.runs import Run
from leaderboard.models.standings import Standing
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.services.slices import slices_refresh
from tests.bench.measurement import Measurement
from tests.bench.site import tell

ENTRIES: Final = 10_000
DATABASES: Final = tuple(f"database_{number:02}" for number in range(21))
DIFFICULTIES: Final = (Difficulty.SIMPLE, Difficulty.MODERATE, Difficulty.CHALLENGING)
ITEMS: Final = 22
PAGE_TARGET: Final = 200
BUSY_ROUNDS: Final = 15


def main() -> None:
    """Build the board, measure, tell."""
    call_command("migrate", verbosity=0)
    release = make_release()
    add_entries(release, ENTRIES)
    analyze()
    first = seconds(lambda: slices_refresh(release, Condition.WITH_EVIDENCE))
    analyze()
    add_entries(release, 1, skill=1.0)
    top = seconds(lambda: slices_refresh(release, Condition.WITH_EVIDENCE))
    again = seconds(lambda: slices_refresh(release, Condition.WITH_EVIDENCE))
    tell(
        [
            Measurement(name="cells of 10,000 runs taken in", value=first, unit="s"),
            Measurement(name="cells of one more run among 10,000", value=top, unit="s", target="≤ 0.5", met=top <= 0.5),
            Measurement(name="nothing new", value=again, unit="s", target="≤ 0.5", met=again <= 0.5),
            *pages(release),
            *files(release),
        ]
    )


def seconds(work: Callable[[], object]) -> float:
    """How long something takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def analyze() -> None:
    """Let the planner know the tables."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def make_release() -> Release:
    """A live release of 21 databases with items of three difficulties."""
    release = Release.objects.create(
        name="long", version="1", title="A long board", license="MIT", digest="0" * 64, live_at=timezone.now()
    )
    rows = ReleaseDatabase.objects.bulk_create(
        ReleaseDatabase(release=release, db_id=name, digest="0" * 64, storage_name=name, collections={"things": 1})
        for name in DATABASES
    )
    ReleaseItem.objects.bulk_create(
        ReleaseItem(
            release=release,
            database=rows[number // ITEMS],
            position=number,
            question_id=str(number),
            question="?",
            difficulty=DIFFICULTIES[number % 3],
            split=Split.PUBLIC,
            array_order=ArrayOrder.ORDERED,
            gold_query="db.things.find({})",
        )
        for number in range(ITEMS * len(DATABASES))
    )
    return release


def add_entries(release: Release, count: int, *, skill: float | None = None) -> None:
    """Finished runs with reports and standings; their items are not needed for slices."""
    owner, _ = User.objects.get_or_create(username="bench")
    chance, now = random.Random(count), timezone.now()
    before = Standing.objects.count()
    submissions = Submission.objects.bulk_create(
        Submission(
            owner=owner, release=release, entry=f"Entry {number}", file_name="p.jsonl", file_format="json_lines",
            file_sha256="0" * 64, file_bytes=1, created_at=now - timedelta(minutes=number),
        )
        for number in range(count)
    )  # fmt: skip
    reports = [report(chance, chance.random() if skill is None else skill) for _ in submissions]
    runs = Run.objects.bulk_create(
        [
            Run(
                submission=submission, condition=Condition.WITH_EVIDENCE, state=RunState.FINISHED, deadline=now,
                started_at=now, ended_at=now, scorer="aptboard 1", engine="MongoDB 8.0", report=made.as_json(),
            )
            for submission, made in zip(submissions, reports, strict=True)
        ],
        batch_size=500,
    )  # fmt: skip
    pairs = sorted(zip(runs, reports, strict=True), key=lambda pair: -(pair[1].strict_ex.value or 0))
    Standing.objects.bulk_create(
        (
            Standing(
                release=release, condition=Condition.WITH_EVIDENCE, run=run, rank=place, position=place, tie_group=1,
                exec_rate=1, soft_ex=made.soft_ex.value or 0, strict_ex=made.strict_ex.value or 0, coverage=1, n=made.n,
            )
            for place, (run, made) in enumerate(pairs, before + 1)
        ),
        batch_size=2000,
    )  # fmt: skip


def report(chance: random.Random, skill: float) -> Report:
    """A report of 462 items, each right with the same chance."""
    cells = tuple(cell(chance, skill, name, ITEMS) for name in DATABASES)
    whole = estimate(chance, skill, ITEMS * len(DATABASES))
    return Report(
        n=whole.n, scored=whole.n, unscored=0, unscored_items=(), coverage=1.0, exec_rate=wilson_estimate([1.0]),
        soft_ex=whole, strict_ex=whole, per_database=cells,
        per_difficulty=tuple(cell(chance, skill, name, whole.n // 3) for name in DIFFICULTIES), outcomes={},
    )  # fmt: skip


def cell(chance: random.Random, skill: float, name: str, n: int) -> Cell:
    """One slice of a report."""
    share = estimate(chance, skill, n)
    return Cell(name=name, n=n, scored=n, exec_rate=wilson_estimate([1.0] * n), soft_ex=share, strict_ex=share)


def estimate(chance: random.Random, skill: float, n: int) -> Estimate:
    """A share of n items, each right with the same chance."""
    return wilson_estimate([float(chance.random() < skill) for _ in range(n)])


def pages(release: Release) -> Iterator[Measurement]:
    """The slowest but one of the pages' answers, in milliseconds."""
    client = Client(headers={"Host": "localhost"})
    for name, address in PAGES.items():
        times = sorted(1000 * seconds(partial(got, client, address)) for _ in range(BUSY_ROUNDS))
        yield Measurement(
            name=f"{name} at 10,001 entries, slowest but one of {BUSY_ROUNDS}",
            value=times[-2],
            unit="ms",
            target=f"≤ {PAGE_TARGET}",
            met=times[-2] <= PAGE_TARGET,
        )


PAGES: Final = {
    "board of a database": "/?database=database_07",
    "its last page": "/?database=database_07&page=101",
    "board of a difficulty, by name": "/?difficulty=simple&sort=-exec_rate",
    "heat map": "/?view=databases",
    "heat map by a column": "/?view=databases&sort=-cell:database_07",
    "difficulties": "/?view=difficulty",
    "API, board of a database": "/api/v1/board?database=database_07",
    "API, breakdown": "/api/v1/board/breakdown?by=database",
}


def files(release: Release) -> Iterator[Measurement]:
    """Seconds for whole files, and whether they are whole."""
    client = Client(headers={"Host": "localhost"})
    for name, (address, mark, count) in FILES.items():
        started = time.perf_counter()
        found = sum(chunk.count(mark) for chunk in got(client, address).streaming_content)
        took = time.perf_counter() - started
        yield Measurement(name=f"{name}: all {count:,} there", value=took, unit="s", target="all", met=found == count)


def got(client: Client, address: str) -> Any:
    """A page that is there."""
    answer = client.get(address)
    if answer.status_code != 200:
        raise RuntimeError(f"{address}: {answer.status_code} {answer.content[:500]!r}")
    return answer


WHOLE: Final = ENTRIES + 1
FILES: Final = {
    "board.csv": ("/board.csv", b"\r\n", WHOLE + 1),
    "board.json": ("/board.json", b'"submission":', WHOLE),
    "slice as CSV": ("/board.csv?database=database_07", b"\r\n", WHOLE + 1),
    "heat map as CSV": ("/board.csv?view=databases", b"\r\n", WHOLE + 1),
    "cells of the heat map as CSV": ("/board.csv?view=databases&layout=cells", b"\r\n", WHOLE * len(DATABASES) + 1),
    "heat map as JSON": ("/board.json?view=databases", b'"submission":', WHOLE),
}
