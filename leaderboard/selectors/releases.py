"""Reading of releases: which are live, and what is in one."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Case, Count, F, IntegerField, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce, Concat

from benchmark_data.types import Difficulty, Split
from leaderboard.models.corrections import Correction, ItemCorrection
from leaderboard.models.releases import GoldAnswer, Release, ReleaseDatabase, ReleaseItem
from leaderboard.selectors.gold_checks import GoldCheckView, gold_check_view

LONGEST_LABEL: Final = 97
"""A name of 64 characters, "@", and a version of 32."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseSummary:
    """A live release; `items` counts those of the track, without the ones set aside.

    `corrects` and `corrected_by` are labels of other releases, "" where there is none; a corrected release takes no
    submissions.
    """

    label: str
    name: str
    version: str
    title: str
    license: str
    digest: str
    live_at: datetime
    databases: int
    items: int
    set_aside: int
    corrects: str
    corrected_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedItem:
    """What was changed of one item, by name, and why."""

    question_id: str
    db_id: str
    changes: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseSummary:
    """One database of a release: documents and items of the track by difficulty."""

    db_id: str
    digest: str
    collections: int
    documents: int
    items: int
    by_difficulty: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SetAsideItem:
    """An item that the organisers took out of the track, and why."""

    question_id: str
    db_id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleasePage:
    """All that is told of a release; the numbers of `by_difficulty` go with `difficulties`."""

    summary: ReleaseSummary
    citation: str
    engines: tuple[str, ...]
    hidden_items: int
    difficulties: tuple[Difficulty, ...]
    by_difficulty: tuple[int, ...]
    documents: int
    databases: tuple[DatabaseSummary, ...]
    set_aside: tuple[SetAsideItem, ...]
    corrected: tuple[CorrectedItem, ...]
    gold_check: GoldCheckView | None

    @property
    def evidence_corrected(self) -> int:
        """Items whose evidence is another than the one that models were given before."""
        return sum("evidence" in item.changes for item in self.corrected)

    @property
    def corrected_by_version(self) -> str:
        """The version of the release that corrects this one."""
        return self.summary.corrected_by.partition("@")[2]


def releases_open() -> QuerySet[Release]:
    """The releases that take submissions, the newest first."""
    return releases_live().filter(corrected_by=None)


def corrected_label(release: Release) -> str | None:
    """The release that corrects this one, if there is one."""
    correction = Correction.objects.filter(old=release).select_related("new").first()
    return None if correction is None else str(correction.new)


def releases_live() -> QuerySet[Release]:
    """The releases whose gold was proved, the newest first."""
    return Release.objects.exclude(live_at=None).order_by("-live_at", "-pk")


def release_current() -> Release | None:
    """The release whose gold was proved last."""
    return releases_live().first()


def release_named(label: str) -> Release | None:
    """The live release `name@version`."""
    name, _, version = label.partition("@")
    if not version or len(label) > LONGEST_LABEL or not label.isprintable():
        return None
    return releases_live().filter(name=name, version=version).first()


def release_summaries() -> tuple[ReleaseSummary, ...]:
    """Every live release, the newest first, in one query."""
    return tuple(_summary(release) for release in _counted(releases_live()))


def _label_of(release: str) -> Case:
    """The label of a release that is related through a correction, "" where there is none."""
    label = Concat(F(f"{release}__name"), Value("@"), F(f"{release}__version"))
    return Case(When(**{f"{release}__isnull": False}, then=label), default=Value(""))


def _counted(releases: QuerySet[Release]) -> QuerySet[Release]:
    # Counting two relations in one join would multiply them: each has its own subquery.
    return releases.annotate(
        counted_databases=_count(ReleaseDatabase.objects.all()),
        counted_items=_count(ReleaseItem.objects.filter(set_aside="")),
        counted_set_aside=_count(ReleaseItem.objects.exclude(set_aside="")),
        label_corrects=_label_of("corrects__old"),
        label_corrected_by=_label_of("corrected_by__new"),
    )


def _count(rows: QuerySet[ReleaseDatabase] | QuerySet[ReleaseItem]) -> Coalesce:
    counted = rows.filter(release=OuterRef("pk")).order_by().values("release").annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _summary(release: Release) -> ReleaseSummary:
    counts = vars(release)
    return ReleaseSummary(
        label=str(release),
        name=release.name,
        version=release.version,
        title=release.title,
        license=release.license,
        digest=release.digest,
        live_at=release.live_at or release.imported_at,
        databases=counts["counted_databases"],
        items=counts["counted_items"],
        set_aside=counts["counted_set_aside"],
        corrects=counts["label_corrects"],
        corrected_by=counts["label_corrected_by"],
    )


def release_page(label: str) -> ReleasePage | None:
    """All that is told of one live release, in nine queries whatever its size."""
    known = release_named(label)
    if known is None:
        return None
    release = _counted(releases_live()).get(pk=known.pk)
    counts = _item_counts(release)
    difficulties = tuple(d for d in Difficulty if any(found == d for _, found in counts))
    databases = _databases(release, counts, difficulties)
    return ReleasePage(
        summary=_summary(release),
        citation=release.citation,
        engines=_engines(release),
        hidden_items=release.items.filter(split=Split.HIDDEN, set_aside="").count(),
        difficulties=difficulties,
        by_difficulty=tuple(sum(counts.get((d.db_id, level), 0) for d in databases) for level in difficulties),
        documents=sum(database.documents for database in databases),
        databases=databases,
        set_aside=_set_aside(release),
        corrected=_corrected(release),
        gold_check=gold_check_view(release),
    )


def _corrected(release: Release) -> tuple[CorrectedItem, ...]:
    rows = ItemCorrection.objects.filter(correction__new=release)
    return tuple(
        CorrectedItem(question_id=row.question_id, db_id=row.db_id, changes=tuple(row.changes), reason=row.reason)
        for row in rows
    )


def _item_counts(release: Release) -> Mapping[tuple[str, str], int]:
    rows = release.items.filter(set_aside="").order_by().values_list("database__db_id", "difficulty")
    return {(db_id, difficulty): n for db_id, difficulty, n in rows.annotate(n=Count("pk"))}


def _databases(
    release: Release, counts: Mapping[tuple[str, str], int], difficulties: tuple[Difficulty, ...]
) -> tuple[DatabaseSummary, ...]:
    return tuple(
        DatabaseSummary(
            db_id=database.db_id,
            digest=database.digest,
            collections=len(database.collections),
            documents=sum(database.collections.values()),
            items=sum(counts.get((database.db_id, level), 0) for level in difficulties),
            by_difficulty=tuple(counts.get((database.db_id, level), 0) for level in difficulties),
        )
        for database in release.databases.all()
    )


def _set_aside(release: Release) -> tuple[SetAsideItem, ...]:
    rows = release.items.exclude(set_aside="").values_list("question_id", "database__db_id", "set_aside", "split")
    return tuple(
        SetAsideItem(question_id=question_id, db_id=db_id, reason=told_reason(reason, split))
        for question_id, db_id, reason, split in rows
    )


def told_reason(reason: str, split: str) -> str:
    """Why an item was set aside; a reason may quote gold, so that of a hidden item is not told word for word."""
    return reason if split == Split.PUBLIC else "Its gold cannot be used; the item is hidden, so no more is told."


def _engines(release: Release) -> tuple[str, ...]:
    known = GoldAnswer.objects.filter(item__release=release).order_by("engine").values_list("engine", flat=True)
    return tuple(known.distinct())
