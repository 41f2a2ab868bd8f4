"""Reading of one item of a release: what is asked, how ranked entries fared, what the reader's own entries answered."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Case, Count, Exists, F, OuterRef, QuerySet, Subquery, TextField, Value, When

from benchmark_data.card_file import StoredCard
from benchmark_data.types import Difficulty, Split
from evaluation.gold_check import AMBIGUOUS_KINDS
from evaluation.types import Condition, Outcome
from leaderboard.models.descriptions import DatabaseDescription
from leaderboard.models.gold_checks import GoldCheck, GoldFinding
from leaderboard.models.releases import Release, ReleaseDatabase, ReleaseItem
from leaderboard.models.runs import ItemScore, Run
from leaderboard.selectors.descriptions import described_database
from leaderboard.selectors.items import PREDICTED
from leaderboard.selectors.release_items import FEWEST_ENTRIES
from leaderboard.selectors.releases import told_reason
from leaderboard.selectors.returned import JudgedText, ReturnedRows, returned_rows

MOST_ANSWERS: Final = 20
"""Of the reader's own entries that are shown, the newest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemOutcomes:
    """How the item ended in the ranked entries of one condition; None where too few are ranked to be told of."""

    condition: Condition
    entries: int | None
    outcomes: Mapping[Outcome, int]

    @property
    def solved(self) -> int:
        """Entries that solved it by Strict-EX."""
        return self.outcomes.get(Outcome.CORRECT, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnAnswer:
    """What one entry of the reader's own answered to the item in one condition.

    `returned` is None where the query was not run or its answer is not kept, and for items whose gold is hidden: what
    their databases hold is not told either.
    """

    entry: str
    submission: uuid.UUID
    condition: Condition
    outcome: Outcome
    reason: str
    message: str
    predicted: str
    milliseconds: float | None
    returned: ReturnedRows | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemPage:
    """One item. `gold_query` is None for hidden items, whose gold never leaves the site.

    Args:
        set_aside: why the organisers took it out of the track, "" where they did not.
        before, after: question_ids of its neighbours in the release, "" at the ends.
        description, cards: of its database; empty where the release stores none.
        answers: of the reader's own entries, the newest first.
    """

    question_id: str
    question: str
    evidence: str
    db_id: str
    difficulty: Difficulty
    split: Split
    gold_query: str | None
    gold_ambiguous: bool
    set_aside: str
    before: str
    after: str
    description: str
    cards: tuple[StoredCard, ...]
    outcomes: tuple[ItemOutcomes, ...]
    answers: tuple[OwnAnswer, ...]


def item_page(release: Release, question_id: str, *, reader: User | AnonymousUser) -> ItemPage | None:
    """One item as one reader may see it, in three queries and three more for those who are signed in."""
    row = _items(release).filter(question_id=question_id).first()
    if row is None:
        return None
    key = row.pop("pk")
    description, cards = _described(row["db_id"], row.pop("database_id"))
    known = {
        "difficulty": Difficulty(row["difficulty"]),
        "split": Split(row["split"]),
        "set_aside": told_reason(row["set_aside"], row["split"]) if row["set_aside"] else "",
        "before": row["before"] or "",
        "after": row["after"] or "",
        "gold_query": row.pop("shown_gold"),
    }
    answers = _answers(key, reader) if isinstance(reader, User) else ()
    return ItemPage(**row | known, description=description, cards=cards, outcomes=_outcomes(key), answers=answers)


def _items(release: Release) -> QuerySet[ReleaseItem, dict[str, Any]]:
    """Gold is taken from the table for items of the public split only, so that hidden gold is not even read."""
    near = ReleaseItem.objects.filter(release=release)
    newest = GoldCheck.objects.filter(release=release).order_by("-id").values("pk")[:1]
    ambiguous = GoldFinding.objects.filter(item=OuterRef("pk"), kind__in=AMBIGUOUS_KINDS, check_run=Subquery(newest))
    computed = {
        "db_id": F("database__db_id"),
        "shown_gold": Case(
            When(split=Split.PUBLIC, then=F("gold_query")), default=Value(None), output_field=TextField()
        ),
        "gold_ambiguous": Exists(ambiguous),
        "before": Subquery(
            near.filter(position__lt=OuterRef("position")).order_by("-position").values("question_id")[:1]
        ),
        "after": Subquery(
            near.filter(position__gt=OuterRef("position")).order_by("position").values("question_id")[:1]
        ),
    }
    rows: QuerySet[ReleaseItem, dict[str, Any]] = release.items.values(*PLAIN, **computed)
    return rows


PLAIN: Final[tuple[str, ...]] = (
    "pk", "database_id", "question_id", "question", "evidence", "difficulty", "split", "set_aside",
)  # fmt: skip


def _described(db_id: str, database_id: int) -> tuple[str, tuple[StoredCard, ...]]:
    row = DatabaseDescription.objects.filter(database=database_id).first()
    if row is None:
        return "", ()
    database, cards = described_database(db_id, row.content)
    return database.description, cards


def _outcomes(item_id: int) -> tuple[ItemOutcomes, ...]:
    rows = (
        ItemScore.objects.filter(item=item_id, run__standing__isnull=False, item__set_aside="")
        .values_list("run__condition", "outcome")
        .annotate(n=Count("pk"))
    )
    counts: dict[Condition, dict[Outcome, int]] = {condition: {} for condition in Condition}
    for condition, outcome, n in rows:
        counts[Condition(condition)][Outcome(outcome)] = n
    return tuple(_told(condition, found) for condition, found in counts.items())


def _told(condition: Condition, found: Mapping[Outcome, int]) -> ItemOutcomes:
    entries = sum(found.values())
    if entries < FEWEST_ENTRIES:
        return ItemOutcomes(condition=condition, entries=None, outcomes={})
    return ItemOutcomes(condition=condition, entries=entries, outcomes=found)


def _answers(item_id: int, reader: User) -> tuple[OwnAnswer, ...]:
    scores = ItemScore.objects.filter(item=item_id, run__in=Run.objects.filter(submission__owner=reader))
    rows = list(
        scores.order_by("-run__submission__created_at", "run__condition").values(*ANSWERED, **ANSWERS)[:MOST_ANSWERS]
    )
    judged = [_judged(row) for row in rows]
    returned: tuple[ReturnedRows | None, ...] = (None,) * len(rows)
    if any(judged):
        returned = returned_rows(ReleaseDatabase.objects.get(items=item_id), judged)
    return tuple(_answer(row, rows_returned) for row, rows_returned in zip(rows, returned, strict=True))


ANSWERED: Final[tuple[str, ...]] = ("outcome", "reason", "message", "milliseconds")
ANSWERS: Final = {
    "entry": F("run__submission__entry"),
    "submission": F("run__submission_id"),
    "condition": F("run__condition"),
    "predicted": Subquery(PREDICTED),
    "split": F("item__split"),
    "engine": F("run__engine"),
    "gold_rows": F("diagnostics__gold_rows"),
}


def _judged(row: dict[str, Any]) -> JudgedText | None:
    """The text with what its answer was kept under; None where it has none that may be shown."""
    split, engine, gold_rows = row.pop("split"), row.pop("engine"), row.pop("gold_rows")
    if split != Split.PUBLIC or gold_rows is None or not row["predicted"]:
        return None
    return JudgedText(text=row["predicted"], engine=engine, gold_rows=gold_rows)


def _answer(row: dict[str, Any], returned: ReturnedRows | None) -> OwnAnswer:
    known = {
        "condition": Condition(row["condition"]),
        "outcome": Outcome(row["outcome"]),
        "predicted": row["predicted"] or "",
    }
    return OwnAnswer(**row | known, returned=returned)
