"""Reading of checks of gold: figures and kinds of findings are public, their details are not read here."""

from dataclasses import dataclass
from datetime import datetime

from evaluation.gold_check import AMBIGUOUS_KINDS, FindingKind
from leaderboard.models.gold_checks import GoldCheck
from leaderboard.models.releases import Release


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundItem:
    """An item and what was found of it."""

    question_id: str
    db_id: str
    kinds: tuple[FindingKind, ...]

    @property
    def ambiguous(self) -> bool:
        """Whether its answer owes something to the engine's order."""
        return any(kind in AMBIGUOUS_KINDS for kind in self.kinds)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldCheckView:
    """The newest check of a release on one engine."""

    engine: str
    checked_at: datetime
    items: int
    equal: int
    found: tuple[FoundItem, ...]

    @property
    def share(self) -> float | None:
        """Gold against gold: 1 where every item scored against itself; None where there is no item."""
        return self.equal / self.items if self.items else None

    @property
    def ambiguous(self) -> int:
        """Items whose answer owes something to the engine's order."""
        return sum(item.ambiguous for item in self.found)


def gold_check_view(release: Release) -> GoldCheckView | None:
    """The newest check of a release, in two queries; None where it was never checked."""
    check = GoldCheck.objects.filter(release=release).first()
    if check is None:
        return None
    kinds: dict[tuple[str, str], list[FindingKind]] = {}
    rows = check.findings.order_by("item__position", "kind").values_list(
        "item__question_id", "item__database__db_id", "kind"
    )
    for question_id, db_id, kind in rows:
        kinds.setdefault((question_id, db_id), []).append(FindingKind(kind))
    return GoldCheckView(
        engine=check.engine,
        checked_at=check.checked_at,
        items=check.items,
        equal=check.equal,
        found=tuple(FoundItem(question_id=q, db_id=d, kinds=tuple(found)) for (q, d), found in kinds.items()),
    )


def gold_checked(release: Release, *, engine: str) -> bool:
    """Whether a release was found whole on an engine: every item of the track scored against itself."""
    check = GoldCheck.objects.filter(release=release, engine=engine).first()
    return check is not None and check.equal == check.items == release.items.filter(set_aside="").count()
