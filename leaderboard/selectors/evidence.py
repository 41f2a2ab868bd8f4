"""Reading of what evidence adds, entry by entry: with and without, and the paired gain that is kept."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import F, OuterRef, QuerySet, Subquery

from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.standings import Standing
from leaderboard.selectors.board import Figure
from leaderboard.selectors.pages import Page, cut


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRow:
    """Strict-EX of one entry in both conditions, and the gain over the `n` items that were judged in both.

    Args:
        without, given: Strict-EX without and with evidence, from 0 to 1.
        gain: the paired difference, from -1 to 1; without ends where its interval would have no width.
        with_only, without_only: items that only went right with, and only without evidence.
        p_value: of the exact McNemar test.
    """

    entry: str
    submission: uuid.UUID
    without: float
    given: float
    gain: Figure
    n: int
    with_only: int
    without_only: int
    p_value: float
    date: datetime
    scorer: str
    engine: str
    demo_engine: bool


def evidence_rows(release: Release, *, page: int = 1) -> Page[EvidenceRow]:
    """One page of the entries that are ranked in both conditions, the largest gain first; two queries."""
    without = Standing.objects.filter(
        release=release, condition=Condition.WITHOUT_EVIDENCE, run__submission=OuterRef("run__submission")
    )
    rows: QuerySet[Standing, dict[str, Any]] = (
        Standing.objects.filter(
            release=release, condition=Condition.WITH_EVIDENCE, run__submission__evidence_gain__isnull=False
        )
        .annotate(without=Subquery(without.values("strict_ex")))
        .filter(without__isnull=False)
        .order_by(F("run__submission__evidence_gain__value").desc(), "position")
        .values(*PLAIN, **COMPUTED)
    )
    return cut(rows, _row, page=page)


PLAIN: Final[tuple[str, ...]] = ("without",)
COMPUTED: Final = {
    "entry": F("run__submission__entry"),
    "submission": F("run__submission_id"),
    "given": F("strict_ex"),
    "date": F("run__ended_at"),
    "scorer": F("run__scorer"),
    "engine": F("run__engine"),
    "demo_engine": F("run__demo_engine"),
    "gain_n": F("run__submission__evidence_gain__n"),
    **{
        name: F(f"run__submission__evidence_gain__{name}")
        for name in ("value", "low", "high", "with_only", "without_only", "p_value")
    },
}


def _row(row: dict[str, Any]) -> EvidenceRow:
    gain = Figure(**{name: row.pop(name) for name in ("value", "low", "high")})
    return EvidenceRow(n=row.pop("gain_n"), gain=gain, **row)
