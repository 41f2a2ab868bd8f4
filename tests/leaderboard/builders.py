"""Small releases, submissions and runs for tests, made through the services."""

import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from django.contrib.auth.models import User

from benchmark_data.types import ArrayOrder, Bundle, Collection, Database, Difficulty, Item, Split
from evaluation.types import Condition, Diagnostics, Outcome, Verdict
from leaderboard.models.releases import Release
from leaderboard.models.submissions import Submission
from leaderboard.selectors.batches import BatchItem
from leaderboard.services.releases import release_open, release_register
from leaderboard.services.scores import ItemVerdict, JudgedBy, Work
from leaderboard.services.submissions import submission_create

HIDDEN_CANARY = "canary_hidden_gold_7f3a"


def database(db_id: str) -> Database:
    collection = Collection(name="things", path=Path("things.jsonl"), documents=2, sha256="0" * 64)
    return Database(db_id=db_id, collections=(collection,), digest=db_id.encode().hex().ljust(64, "0"))


def item(question_id: str, db_id: str, *, split: Split = Split.PUBLIC) -> Item:
    mark = HIDDEN_CANARY if split is Split.HIDDEN else "public"
    return Item(
        question_id=question_id,
        db_id=db_id,
        question=f"What is {question_id}?",
        evidence="A thing is a thing.",
        difficulty=Difficulty.SIMPLE,
        split=split,
        gold_query=f'db.things.find({{"name": "{mark}"}})',
        sql=f"SELECT '{mark}'",
        array_order=ArrayOrder.ORDERED,
    )


def bundle(*, name: str = "small", version: str = "1", items: int = 4) -> Bundle:
    """A bundle of two databases whose documents are on no server; the last item's gold is hidden."""
    splits = [Split.PUBLIC] * (items - 1) + [Split.HIDDEN]
    return Bundle(
        name=name,
        version=version,
        title="Small",
        license="MIT",
        citation="",
        databases=(database("left"), database("right")),
        items=tuple(item(f"q{n}", ("left", "right")[n % 2], split=split) for n, split in enumerate(splits)),
        digest=f"{name}-{version}".encode().hex().ljust(64, "0")[:64],
        root=Path(),
    )


def live_release(*, name: str = "small", version: str = "1", items: int = 4) -> Release:
    release = release_register(bundle(name=name, version=version, items=items))
    release_open(release, set_aside={})
    return release


def user(name: str = "alice") -> User:
    return User.objects.filter(username=name).first() or User.objects.create_user(name)


def prediction_file(texts: Mapping[str, str], *, conditions: tuple[Condition, ...] = tuple(Condition)) -> io.BytesIO:
    lines = [
        json.dumps({"question_id": question_id, "condition": condition, "query": text})
        for condition in conditions
        for question_id, text in texts.items()
    ]
    return io.BytesIO("\n".join(lines).encode())


def submission(
    release: Release,
    *,
    owner: User | None = None,
    entry: str = "entry",
    texts: Mapping[str, str] | None = None,
    conditions: tuple[Condition, ...] = (Condition.WITH_EVIDENCE,),
) -> Submission:
    texts = texts if texts is not None else {"q0": "db.things.find()", "q1": "db.things.find()"}
    return submission_create(
        owner=owner or user(),
        release=release,
        entry=entry,
        file=prediction_file(texts, conditions=conditions),
        file_name="predictions.jsonl",
    )


def verdict(question_id: str, *, strict: bool = True) -> Verdict:
    return Verdict(
        question_id=question_id,
        outcome=Outcome.CORRECT if strict else Outcome.ROW_COUNT,
        executed=True,
        soft=strict,
        strict=strict,
        milliseconds=1.0,
        diagnostics=Diagnostics(),
    )


def work(items: Sequence[BatchItem], *, left: int = 0, strict: bool = True) -> Work:
    """The work of having judged some items of one database, with so many left."""
    return Work(
        verdicts=[
            ItemVerdict(
                item_id=item.scorable.item_id,
                database_id=item.scorable.database_id,
                verdict=verdict(item.scorable.source.question_id, strict=strict),
            )
            for item in items
        ],
        left={item.scorable.database_id: left for item in items},
        judged_by=JudgedBy(scorer="s", engine="e 1", demo_engine=False),
    )
