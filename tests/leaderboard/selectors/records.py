"""Builds releases, submissions and finished runs in the database, as the services would leave them."""

import random
from collections.abc import Mapping, Sequence
from datetime import timedelta

from django.contrib.auth.models import User
from django.utils import timezone

from benchmark_data.types import ArrayOrder, Difficulty, Split
from evaluation.aggregate import aggregate
from evaluation.types import Condition, Diagnostics, Outcome, Verdict
from leaderboard.models.releases import GoldAnswer, Release, ReleaseDatabase, ReleaseItem
from leaderboard.models.runs import ItemScore, Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Prediction, Submission
from leaderboard.selectors.verdicts import run_verdicts, track_items
from leaderboard.services.standings import standings_refresh

CANARY = "canary4711"
"""Stands in the gold and the SQL of every hidden item; it must never be seen outside."""

ENGINE = "SecantusDB 0.7.0b3"
LEVELS = (Difficulty.SIMPLE, Difficulty.MODERATE, Difficulty.CHALLENGING)
LOSSES = (Outcome.ROW_COUNT, Outcome.MISSING_COLUMN, Outcome.INVALID, Outcome.UNPARSABLE, Outcome.EXTRA_COLUMNS)


def make_release(
    *,
    name: str = "tiny",
    version: str = "1.0",
    databases: Sequence[str] = ("books", "heroes", "trains"),
    items_each: int = 4,
    live: bool = True,
) -> Release:
    """A release whose items are public and hidden by turns; one more item, the last, is hidden and set aside."""
    release = Release.objects.create(
        name=name,
        version=version,
        title=f"The {name} benchmark",
        license="CC-BY-4.0",
        citation="Cite us kindly.",
        digest=f"{random.Random(f'{name}{version}').getrandbits(256):064x}",
        live_at=timezone.now() if live else None,
    )
    rows = ReleaseDatabase.objects.bulk_create(
        ReleaseDatabase(
            release=release,
            db_id=db_id,
            digest=f"{random.Random(db_id).getrandbits(256):064x}",
            storage_name=f"apt_{name}_{version}_{db_id}".replace(".", "_"),
            collections={"things": 120, "places": 7},
        )
        for db_id in databases
    )
    items = [make_item(database) for database in rows for _ in range(items_each)] + [make_item(rows[-1])]
    for position, item in enumerate(items):
        place(item, position, hidden=position % 2 == 1 or item is items[-1])
    items[-1].set_aside = f"gold of {items[-1].question_id} cannot be used: {CANARY}"
    store_items(items)
    return release


def make_item(database: ReleaseDatabase) -> ReleaseItem:
    """One item, not stored yet."""
    return ReleaseItem(
        release=database.release,
        database=database,
        evidence="older refers to age > n",
        array_order=ArrayOrder.ORDERED,
        sql=f"SELECT * FROM things -- {CANARY}",
    )


def place(item: ReleaseItem, position: int, *, hidden: bool) -> None:
    """Give an item its place in the release, with all that depends on it."""
    item.position = position
    item.question_id = str(100 + position)
    item.question = f"Which {item.database.db_id} are older than {position} years?"
    item.difficulty = LEVELS[position % 3]
    item.split = Split.HIDDEN if hidden else Split.PUBLIC
    item.gold_query = f"db.things.find({{age: {{$gt: {position}}}}}) // {CANARY if hidden else 'shown'}"


def store_items(items: Sequence[ReleaseItem]) -> None:
    """Store items and their gold answers; the gold of those set aside has failed."""
    ReleaseItem.objects.bulk_create(items)
    GoldAnswer.objects.bulk_create(
        GoldAnswer(
            item=item,
            engine=ENGINE,
            content=None if item.set_aside else CANARY.encode(),
            failure=f"failed on {CANARY}" if item.set_aside else "",
            milliseconds=1.5,
        )
        for item in items
    )


def make_submission(
    owner: User, release: Release, *, entry: str = "Model A", conditions: Sequence[Condition] = tuple(Condition)
) -> Submission:
    """A submission with a prediction for every item and a queued run in each condition."""
    submission = Submission.objects.create(
        owner=owner,
        release=release,
        entry=entry,
        description=f"{entry} with a plain prompt",
        file_name="private-file-name.jsonl",
        file_format="json_lines",
        file_sha256="ab" * 32,
        file_bytes=12_345,
    )
    items = list(release.items.all())
    for condition in conditions:
        Run.objects.create(submission=submission, condition=condition, deadline=timezone.now() + timedelta(hours=6))
        Prediction.objects.bulk_create(
            Prediction(submission=submission, item=item, condition=condition, text=f"db.things.find() // p{item.pk}")
            for item in items
        )
    return submission


def finish(submission: Submission, *, right: float = 0.5, seed: int = 0) -> None:
    """Judge every item of every run and rank; `right` is the share of items that come out right."""
    for run in submission.runs.all():
        chance = random.Random(f"{seed}{run.condition}")
        verdicts = {}
        for item in submission.release.items.all():
            verdicts[item.pk] = _verdict(item, right=chance.random() < right, loss=chance.choice(LOSSES))
        store(run, verdicts)
        run.refresh_from_db()
        run.state = RunState.FINISHED
        run.started_at = run.ended_at = timezone.now()
        run.report = aggregate(run_verdicts(run), items=track_items(submission.release)).as_json()
        run.scorer, run.engine, run.demo_engine = "aptboard 0.1.0 (3f9c0a1b2c4d)", ENGINE, True
        run.save()
        standings_refresh(submission.release, Condition(run.condition))


def store(run: Run, verdicts: Mapping[int, Verdict]) -> None:
    """Item scores as workers store them."""
    ItemScore.objects.bulk_create(
        ItemScore(
            run=run,
            item_id=item_id,
            outcome=verdict.outcome,
            executed=verdict.executed,
            soft=verdict.soft,
            strict=verdict.strict,
            reason=verdict.reason,
            message=verdict.message,
            milliseconds=verdict.milliseconds,
        )
        for item_id, verdict in verdicts.items()
    )


def _verdict(item: ReleaseItem, *, right: bool, loss: Outcome) -> Verdict:
    if item.set_aside:
        return Verdict(
            question_id=item.question_id,
            outcome=Outcome.UNSCORED,
            executed=None,
            soft=None,
            strict=None,
            reason="gold_failed",
            message="The organisers set this item aside.",
        )
    outcome = Outcome.CORRECT if right else loss
    executed = outcome not in {Outcome.INVALID, Outcome.UNPARSABLE}
    return Verdict(
        question_id=item.question_id,
        outcome=outcome,
        executed=executed,
        soft=outcome in {Outcome.CORRECT, Outcome.EXTRA_COLUMNS},
        strict=right,
        message="" if right else f"verdict message for {item.question_id}",
        milliseconds=12.5 if executed else None,
        diagnostics=Diagnostics(),
    )
