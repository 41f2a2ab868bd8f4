"""A site that has been in use for long: thousands of finished runs, written into its tables without being scored."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import numpy as np
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone
from psycopg.types.json import Jsonb

from benchmark_data.types import ArrayOrder, Difficulty, Split
from evaluation.aggregate import aggregate
from evaluation.packing import order_digest, verdicts_pack
from evaluation.types import Condition, Diagnostics, Outcome, Verdict
from leaderboard.models.releases import Release, ReleaseDatabase, ReleaseItem
from leaderboard.models.runs import Run
from leaderboard.models.standings import RunFigures
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.selectors.verdicts import track_items

DATABASES: Final = 21
OWNERS: Final = 200
LEVELS: Final = tuple(Difficulty)
WITH, WITHOUT = Condition.WITH_EVIDENCE, Condition.WITHOUT_EVIDENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class FullSite:
    """What was written.

    Args:
        release: the only one.
        owner: of every fourth submission.
        shown: a submission of the owner's, with both conditions and verdicts on all items.
    """

    release: Release
    owner: User
    shown: Submission


def filled(entries: int, items: int) -> FullSite:
    """A site with so many entries with evidence, a tenth of them without as well; none is ranked yet."""
    release = _release(items)
    owners = User.objects.bulk_create(User(username=f"owner{number}") for number in range(OWNERS))
    chance = random.Random(3)
    ages = timezone.now() - timedelta(days=300)
    submissions = Submission.objects.bulk_create(
        Submission(
            owner=owners[0] if number % 4 == 0 else owners[1 + number % (OWNERS - 1)],
            release=release,
            entry=f"Entry {number}",
            file_name="predictions.jsonl",
            file_format="json_lines",
            file_sha256=f"{chance.getrandbits(256):064x}",
            file_bytes=100_000,
            request_digest=f"{chance.getrandbits(256):064x}",
            created_at=ages + timedelta(minutes=40 * number),
        )
        for number in range(entries)
    )
    runs = [_run(one, WITH) for one in submissions] + [_run(one, WITHOUT) for one in submissions[:: entries // 1000]]
    Run.objects.bulk_create(runs, batch_size=1000)
    _execute("UPDATE leaderboard_run SET created_at = started_at - interval '1 minute'")
    _figures(release, runs)
    _history(release)
    shown = submissions[0]
    _verdicts(shown)
    for table in ("run", "batch", "submission", "itemscore", "runevent", "runfigures", "releaseitem"):
        _execute(f"VACUUM ANALYZE leaderboard_{table}")
    return FullSite(release=release, owner=owners[0], shown=shown)


def _release(items: int) -> Release:
    release = Release.objects.create(
        name="long", version="1", title="Long", license="MIT", digest="0" * 64, live_at=timezone.now()
    )
    databases = ReleaseDatabase.objects.bulk_create(
        ReleaseDatabase(release=release, db_id=f"db{n}", digest="0" * 64, storage_name=f"db{n}", collections={"c": 9})
        for n in range(DATABASES)
    )
    ReleaseItem.objects.bulk_create(
        ReleaseItem(
            release=release,
            database=databases[n * DATABASES // items],
            position=n,
            question_id=f"q{n}",
            question=f"How many things of kind {n} are there?",
            difficulty=LEVELS[n % len(LEVELS)],
            split=(Split.PUBLIC, Split.HIDDEN)[n % 2],
            array_order=ArrayOrder.ORDERED,
            gold_query=f"db.things.find({{n: {n}}})",
        )
        for n in range(items)
    )
    return release


def _run(submission: Submission, condition: Condition) -> Run:
    at = submission.created_at
    return Run(
        submission=submission,
        condition=condition,
        state=RunState.FINISHED,
        report={},
        account=f"user:{submission.owner_id}",
        started_at=at + timedelta(minutes=1),
        ended_at=at + timedelta(minutes=5),
        deadline=at + timedelta(hours=6),
        scorer="aptboard 1",
        engine="Engine 1",
        service_milliseconds=90_000,
    )


def _figures(release: Release, runs: Sequence[Run]) -> None:
    """Verdicts that were drawn by the skill of each run, with the figures, and a report of usual size."""
    items = track_items(release)
    order = order_digest(item.question_id for item in items)
    draws = np.random.default_rng(5)
    skills = draws.beta(4, 3, size=len(runs))

    def rows() -> Iterator[RunFigures]:
        for run, skill in zip(runs, skills, strict=True):
            strict = draws.random(len(items)) < skill
            share = float(strict.mean())
            soft = share + (1 - share) * 0.3
            yield RunFigures(
                run=run, order=order, strict=verdicts_pack(strict), strict_ex=share, soft_ex=soft,
                exec_rate=soft + (1 - soft) * 0.5, coverage=1.0, n=len(items),
            )  # fmt: skip

    RunFigures.objects.bulk_create(rows(), batch_size=1000)
    verdicts = [_verdict(item.question_id, right=number % 3 > 0) for number, item in enumerate(items)]
    _execute(_REPORTS, [aggregate(verdicts, items=items).as_json()])


def _verdict(question_id: str, *, right: bool) -> Verdict:
    return Verdict(
        question_id=question_id,
        outcome=Outcome.CORRECT if right else Outcome.ROW_COUNT,
        executed=True,
        soft=right,
        strict=right,
        diagnostics=Diagnostics(),
    )


def _history(release: Release) -> None:
    """The batches and events of every run that has ended."""
    _execute(_BATCHES, ["done", 1, RunState.FINISHED, release.pk])
    _execute(_EVENTS)


def queued(site: FullSite, runs: int) -> Run:
    """So many runs that wait for workers, of all owners; gives the last one."""
    owners = list(User.objects.order_by("pk"))
    now = timezone.now()
    submissions = Submission.objects.bulk_create(
        Submission(owner=owners[number % len(owners)], release=site.release, entry=f"Waits {number}", file_bytes=1)
        for number in range(runs)
    )
    made = Run.objects.bulk_create(
        Run(submission=one, condition=WITH, account=f"user:{one.owner_id}", deadline=now + timedelta(hours=6))
        for one in submissions
    )
    _execute(_BATCHES, ["queued", 0, RunState.QUEUED, site.release.pk])
    for table in ("run", "batch", "submission"):
        _execute(f"VACUUM ANALYZE leaderboard_{table}")
    return made[-1]


def _verdicts(submission: Submission) -> None:
    _execute(_PREDICTIONS, [submission.pk])
    _execute(_SCORES, [submission.pk])


def _execute(sql: str, parameters: Iterable[Any] = ()) -> None:
    wrapped: list[Any] = [Jsonb(value) if isinstance(value, dict) else value for value in parameters]
    with connection.cursor() as cursor:
        cursor.execute(sql, wrapped)


_REPORTS: Final = """
UPDATE leaderboard_run run SET report = %s || jsonb_build_object(
    'strict_ex', jsonb_build_object('n', f.n, 'value', f.strict_ex, 'low', f.strict_ex * 0.9, 'high', f.strict_ex),
    'soft_ex', jsonb_build_object('n', f.n, 'value', f.soft_ex, 'low', f.soft_ex * 0.9, 'high', f.soft_ex),
    'exec_rate', jsonb_build_object('n', f.n, 'value', f.exec_rate, 'low', f.exec_rate * 0.9, 'high', f.exec_rate))
  FROM leaderboard_runfigures f WHERE f.run_id = run.id
"""

_BATCHES: Final = """
INSERT INTO leaderboard_batch
    (run_id, database_id, state, attempts, worker, reason, items, judged, service_milliseconds, ended_at)
SELECT run.id, counted.database_id, %s, 0, '', '', counted.n, counted.n * done, 4000 * done, run.ended_at
  FROM leaderboard_run run JOIN (VALUES (%s)) finished (done) ON run.state = %s,
       (SELECT database_id, count(*) AS n FROM leaderboard_releaseitem WHERE release_id = %s GROUP BY 1) counted
"""

_EVENTS: Final = """
INSERT INTO leaderboard_runevent (run_id, at, kind, detail, data)
SELECT run.id, run.ended_at, kind, '', '{}'
  FROM leaderboard_run run, unnest(ARRAY['queued', 'started', 'claimed', 'batch_done', 'batch_done', 'finished']) kind
"""

_PREDICTIONS: Final = """
INSERT INTO leaderboard_prediction (submission_id, item_id, condition, text)
SELECT run.submission_id, item.id, run.condition, item.gold_query
  FROM leaderboard_run run, leaderboard_releaseitem item WHERE run.submission_id = %s
"""

_SCORES: Final = """
INSERT INTO leaderboard_itemscore
    (run_id, item_id, outcome, executed, soft, strict, reason, message, milliseconds, diagnostics, judgement, scored_at)
SELECT run.id, item.id, 'row_count', true, false, false, '', 'two rows too many', 9, '{}', '', now()
  FROM leaderboard_run run, leaderboard_releaseitem item WHERE run.submission_id = %s
"""
