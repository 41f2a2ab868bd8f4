"""Changes to releases: registering a bundle, keeping gold answers, going live."""

from collections.abc import Collection, Iterator, Mapping
from datetime import timedelta
from typing import Final

from django.db import transaction
from django.db.models import CharField, Model
from django.utils import timezone

from benchmark_data.errors import BenchmarkError
from benchmark_data.types import Bundle, Database, Item
from evaluation.gold import Gold, UnusableGoldError, answer_pack
from leaderboard.clock import database_now
from leaderboard.models.releases import GoldAnswer, Release, ReleaseDatabase, ReleaseItem


class ReleaseConflictError(BenchmarkError):
    """A release of this name and version exists with another digest, or this digest under another name."""


class UnregistrableBundleError(BenchmarkError):
    """A bundle has texts that are too long for the site."""


class TrackInUseError(BenchmarkError):
    """Entries of one board would be measured on different items."""


@transaction.atomic
def release_register(bundle: Bundle) -> Release:
    """Record a bundle as a release; the same bundle twice is one release.

    Raises:
        ReleaseConflictError: the name and version are taken by other content, or the content is here under others.
        UnregistrableBundleError: a text is too long; all of them are named.
    """
    if too_long := [*_too_long(Release, bundle, "the bundle"), *_too_long_ids(bundle)]:
        raise UnregistrableBundleError("\n".join(too_long))
    known = Release.objects.select_for_update().filter(name=bundle.name, version=bundle.version).first()
    if known is not None:
        if known.digest != bundle.digest:
            raise ReleaseConflictError(
                f"{known} is already here with digest {known.digest[:12]}…, this bundle has {bundle.digest[:12]}…. "
                "Scores belong to one content: give the changed bundle another version."
            )
        return known
    if (same := Release.objects.filter(digest=bundle.digest).first()) is not None:
        raise ReleaseConflictError(
            f"This very content is here already as {same}: titles, licences, SQL and splits make no other version."
        )
    release = Release.objects.create(
        name=bundle.name,
        version=bundle.version,
        title=bundle.title,
        license=bundle.license,
        citation=bundle.citation,
        digest=bundle.digest,
    )
    databases = {database.db_id: _database_create(release, database) for database in bundle.databases}
    ReleaseItem.objects.bulk_create(
        ReleaseItem(
            release=release,
            database=databases[item.db_id],
            position=position,
            question_id=item.question_id,
            question=item.question,
            evidence=item.evidence,
            difficulty=item.difficulty,
            split=item.split,
            array_order=item.array_order,
            gold_query=item.gold_query,
            sql=item.sql or "",
        )
        for position, item in enumerate(bundle.items)
    )
    return release


def _too_long_ids(bundle: Bundle) -> Iterator[str]:
    for item in bundle.items:
        yield from _too_long(ReleaseItem, item, f"items.jsonl:{item.line}")


def _too_long(model: type[Model], record: Bundle | Item, place: str) -> Iterator[str]:
    """The texts of a record that do not fit the columns of the same names."""
    for column in model._meta.get_fields():
        text = getattr(record, column.name, None) if isinstance(column, CharField) else None
        limit = column.max_length if isinstance(column, CharField) else None
        if isinstance(text, str) and limit is not None and len(text) > limit:
            yield f"{place}: {column.name}: the site takes at most {limit} characters, this has {len(text):,}."


def storages_in_use(storage_names: Collection[str]) -> dict[str, str]:
    """For those of the named databases of the document database that a release uses: one such release."""
    used = ReleaseDatabase.objects.filter(storage_name__in=storage_names).select_related("release")
    return {database.storage_name: str(database.release) for database in used}


def _database_create(release: Release, database: Database) -> ReleaseDatabase:
    return ReleaseDatabase.objects.create(
        release=release,
        db_id=database.db_id,
        digest=database.digest,
        storage_name=database.storage_name,
        collections={collection.name: collection.documents for collection in database.collections},
    )


def gold_store(*, item_id: int, engine: str, gold: Gold | UnusableGoldError) -> None:
    """Keep an item's gold answer, or why it has none and when to try again, for one engine."""
    if isinstance(gold, Gold):
        content, spent = answer_pack(gold.answer), gold.answer.milliseconds
        values = {"content": content, "failure": "", "milliseconds": spent, "failures": 0, "retry_at": None}
        GoldAnswer.objects.update_or_create(item_id=item_id, engine=engine, defaults=values)
        return
    with transaction.atomic():
        known, _ = GoldAnswer.objects.select_for_update().get_or_create(
            item_id=item_id, engine=engine, defaults={"failure": "failed", "milliseconds": 0.0}
        )
        known.content, known.milliseconds, known.failure = None, 0.0, str(gold)[:500] or "failed"
        known.failures = min(known.failures + 1, MOST_FAILURES)
        known.retry_at = database_now() + gold_pause(known.failures)
        known.save()


def gold_pause(failures: int) -> timedelta:
    """How long failed gold rests: a minute, then four times as long each time, up to a day."""
    return min(timedelta(minutes=4 ** (failures - 1)), timedelta(days=1))


MOST_FAILURES: Final = 20
"""Counted: the pause has long stopped growing."""


@transaction.atomic
def release_open(release: Release, *, set_aside: Mapping[str, str]) -> None:
    """Let a release go live.

    Args:
        release: one whose gold has been computed.
        set_aside: question_id → reason of items that the organisers take out of the track, because their gold fails.

    Raises:
        TrackInUseError: submissions were sent to the release, and more items would be taken out of it.
    """
    taken_out = release.items.filter(question_id__in=set_aside, set_aside="")
    if taken_out.exists() and release.submissions.exists():
        names = ", ".join(taken_out.values_list("question_id", flat=True)[:10])
        raise TrackInUseError(
            f"{release} has submissions, whose scores belong to all of its items. Take items out of it ({names}) by a "
            "correction: a new version without them."
        )
    for item in taken_out:
        release.items.filter(pk=item.pk).update(set_aside=set_aside[item.question_id][:500])
    Release.objects.filter(pk=release.pk, live_at=None).update(live_at=timezone.now())
    release.refresh_from_db()
