"""Reading the descriptions of a release's databases, and the prompts that they make."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmark_data.card import CollectionCard
from benchmark_data.card_file import StoredCard
from benchmark_data.types import Collection, Database, Index
from evaluation.prompts.build import PromptWriter, prompt_writer
from evaluation.prompts.templates import Template
from evaluation.prompts.types import PromptTooLargeError, Question
from leaderboard.models.descriptions import DatabaseDescription
from leaderboard.models.releases import Release

_NOWHERE: Final = Path()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseWriters:
    """By db_id: what writes the prompts of a database, and why a database has nothing that does."""

    writers: Mapping[str, PromptWriter]
    too_large: Mapping[str, PromptTooLargeError]


def is_described(release: Release) -> bool:
    """Whether a model can be told of every database of the release."""
    return not release.databases.filter(items__isnull=False, description=None).exists()


def release_questions(release: Release) -> dict[str, Question]:
    """What prompts may know of each item that counts, by question_id, in the release's order."""
    fields = ("question_id", "database__db_id", "question", "evidence")
    items = release.items.filter(set_aside="").order_by("position").values_list(*fields)
    return {
        question_id: Question(question_id=question_id, db_id=db_id, text=text, evidence=evidence)
        for question_id, db_id, text, evidence in items
    }


def release_writers(
    release: Release, questions: Mapping[str, Question], *, template: Template, room: int | None
) -> ReleaseWriters:
    """What writes the prompts of a release, as `evaluation.prompts.bundles.bundle_writers` makes it of its bundle."""
    by_database: dict[str, list[Question]] = {}
    for question in questions.values():
        by_database.setdefault(question.db_id, []).append(question)
    writers: dict[str, PromptWriter] = {}
    too_large: dict[str, PromptTooLargeError] = {}
    rows = DatabaseDescription.objects.filter(database__release=release, database__db_id__in=by_database)
    for row in rows.select_related("database"):
        db_id = row.database.db_id
        database, cards = described_database(db_id, row.content)
        try:
            writers[db_id] = prompt_writer(database, cards, by_database[db_id], template=template, room=room)
        except PromptTooLargeError as error:
            too_large[db_id] = error
    return ReleaseWriters(writers=writers, too_large=too_large)


def described_database(db_id: str, content: Mapping[str, Any]) -> tuple[Database, tuple[StoredCard, ...]]:
    """A database with what is described of it, and its cards; it has no files and no digests."""
    collections = tuple(
        Collection(name=one["name"], path=_NOWHERE, documents=0, sha256="", indexes=tuple(map(_index, one["indexes"])))
        for one in content["collections"]
    )
    cards = tuple(
        StoredCard(db_id=db_id, collection=one["name"], sha256="", card=CollectionCard.from_json(one["card"]))
        for one in content["collections"]
    )
    database = Database(db_id=db_id, collections=collections, digest="", description=content["description"])
    return database, cards


def _index(content: Mapping[str, Any]) -> Index:
    return Index(keys=tuple((path, direction) for path, direction in content["keys"]), unique=content["unique"])
