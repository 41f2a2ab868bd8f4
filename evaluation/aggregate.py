"""Reduce the verdicts of one track to a report."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.metrics.coverage import COVERAGE
from evaluation.metrics.definition import Metric
from evaluation.metrics.exec_rate import EXEC_RATE
from evaluation.metrics.soft_ex import SOFT_EX
from evaluation.metrics.strict_ex import STRICT_EX
from evaluation.stats import Estimate
from evaluation.types import Outcome, Verdict

# The reason of an item that has no verdict yet.
NOT_JUDGED = "not_judged"


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemFacts:
    """What the report needs to know about an item."""

    question_id: str
    db_id: str
    difficulty: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UnscoredItem:
    """An item that could not be judged for a reason on our side."""

    question_id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """The items of one database or difficulty.

    Args:
        name: the database or difficulty.
        n: items of the track in this cell.
        scored: those that could be judged.
        exec_rate, soft_ex, strict_ex: means over the scored ones.
    """

    name: str
    n: int
    scored: int
    exec_rate: Estimate
    soft_ex: Estimate
    strict_ex: Estimate

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {"name": self.name, "n": self.n, "scored": self.scored, **_estimates_as_json(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Cell":
        """What `as_json` wrote."""
        return cls(name=data["name"], n=data["n"], scored=data["scored"], **_estimates_from_json(data))


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The result of one run on one track.

    Args:
        n: items of the track.
        scored: items that could be judged, with or without a prediction.
        unscored: how many the others are; no mean contains them, and a run that has any does not rank.
        unscored_items: which they are, and why.
        coverage: share of all n items with a prediction, None without items.
        exec_rate, soft_ex, strict_ex: means over the scored items, an item without a prediction being 0.
        per_database, per_difficulty: breakdowns in order of name, and of first appearance.
        outcomes: how many items ended in each class; classes without items are left out.
    """

    n: int
    scored: int
    unscored: int
    unscored_items: tuple[UnscoredItem, ...]
    coverage: float | None
    exec_rate: Estimate
    soft_ex: Estimate
    strict_ex: Estimate
    per_database: tuple[Cell, ...]
    per_difficulty: tuple[Cell, ...]
    outcomes: Mapping[str, int]

    @property
    def complete(self) -> bool:
        """Whether every item was judged, so that the run may rank."""
        return not self.unscored

    def as_json(self) -> dict[str, Any]:
        """Plain values, ready for JSON, without NaN."""
        return {
            "n": self.n,
            "scored": self.scored,
            "unscored": self.unscored,
            "unscored_items": [{"question_id": i.question_id, "reason": i.reason} for i in self.unscored_items],
            "coverage": self.coverage,
            **_estimates_as_json(self),
            "per_database": [cell.as_json() for cell in self.per_database],
            "per_difficulty": [cell.as_json() for cell in self.per_difficulty],
            "outcomes": dict(self.outcomes),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Report":
        """What `as_json` wrote."""
        return cls(
            n=data["n"],
            scored=data["scored"],
            unscored=data["unscored"],
            unscored_items=tuple(UnscoredItem(**item) for item in data["unscored_items"]),
            coverage=data["coverage"],
            **_estimates_from_json(data),
            per_database=tuple(map(Cell.from_json, data["per_database"])),
            per_difficulty=tuple(map(Cell.from_json, data["per_difficulty"])),
            outcomes=dict(data["outcomes"]),
        )


def aggregate(verdicts: Iterable[Verdict], *, items: Sequence[ItemFacts]) -> Report:
    """Reduce verdicts to a report over all items of the track.

    An item without a prediction comes with the outcome `missing`, scores 0 and lowers coverage. An item without a
    verdict was not judged by us: it is unscored, as is an `unscored` verdict.

    Raises:
        ValueError: a verdict is for no item of the track, or two verdicts are for one item.
    """
    judged = _by_question(verdicts, items)
    unscored = tuple(
        UnscoredItem(question_id=item.question_id, reason=_reason(judged.get(item.question_id)))
        for item in items
        if _is_unscored(judged.get(item.question_id))
    )
    scored = _scored(items, judged)
    outcomes = Counter(verdict.outcome for verdict in judged.values())
    outcomes[Outcome.UNSCORED] += len(items) - len(judged)
    return Report(
        n=len(items),
        scored=len(scored),
        unscored=len(unscored),
        unscored_items=unscored,
        coverage=_coverage(items, judged),
        exec_rate=_reduced(EXEC_RATE, scored),
        soft_ex=_reduced(SOFT_EX, scored),
        strict_ex=_reduced(STRICT_EX, scored),
        per_database=tuple(sorted(_cells(items, judged, _database), key=lambda cell: cell.name)),
        per_difficulty=tuple(_cells(items, judged, _difficulty)),
        outcomes={outcome.value: outcomes[outcome] for outcome in Outcome if outcomes[outcome]},
    )


def _by_question(verdicts: Iterable[Verdict], items: Sequence[ItemFacts]) -> dict[str, Verdict]:
    known = {item.question_id for item in items}
    judged: dict[str, Verdict] = {}
    for verdict in verdicts:
        if verdict.question_id not in known:
            raise ValueError(f"verdict for {verdict.question_id!r}, which is no item of the track")
        if verdict.question_id in judged:
            raise ValueError(f"two verdicts for {verdict.question_id!r}")
        judged[verdict.question_id] = verdict
    return judged


def _coverage(items: Sequence[ItemFacts], judged: Mapping[str, Verdict]) -> float | None:
    """The share of items with a prediction; an item that we did not judge is not the submitter's gap."""
    verdicts = [(judged.get(item.question_id), item.db_id) for item in items]
    scores = [1.0 if verdict is None else COVERAGE.score(verdict) or 0.0 for verdict, _ in verdicts]
    return COVERAGE.headline(scores, [db_id for _, db_id in verdicts]).value


def _is_unscored(verdict: Verdict | None) -> bool:
    return verdict is None or verdict.strict is None


def _reason(verdict: Verdict | None) -> str:
    return NOT_JUDGED if verdict is None else verdict.reason


def _scored(items: Sequence[ItemFacts], judged: Mapping[str, Verdict]) -> list[tuple[Verdict, str]]:
    """Verdicts of scored items with their databases, in item order."""
    found = ((judged.get(item.question_id), item.db_id) for item in items)
    return [(verdict, db_id) for verdict, db_id in found if verdict is not None and not _is_unscored(verdict)]


def _reduced(metric: Metric, scored: Sequence[tuple[Verdict, str]], *, cell: bool = False) -> Estimate:
    pairs = [(metric.score(verdict), db_id) for verdict, db_id in scored]
    scores = [score for score, _ in pairs if score is not None]
    databases = [db_id for score, db_id in pairs if score is not None]
    return (metric.cell if cell else metric.headline)(scores, databases)


def _database(item: ItemFacts) -> str:
    return item.db_id


def _difficulty(item: ItemFacts) -> str:
    return item.difficulty


def _cells(
    items: Sequence[ItemFacts], judged: Mapping[str, Verdict], name: Callable[[ItemFacts], str]
) -> Iterable[Cell]:
    groups: dict[str, list[ItemFacts]] = {}
    for item in items:
        groups.setdefault(name(item), []).append(item)
    for label, members in groups.items():
        scored = _scored(members, judged)
        yield Cell(
            name=str(label),
            n=len(members),
            scored=len(scored),
            exec_rate=_reduced(EXEC_RATE, scored, cell=True),
            soft_ex=_reduced(SOFT_EX, scored, cell=True),
            strict_ex=_reduced(STRICT_EX, scored, cell=True),
        )


def _estimates_as_json(record: Cell | Report) -> dict[str, Any]:
    return {
        "exec_rate": record.exec_rate.as_json(),
        "soft_ex": record.soft_ex.as_json(),
        "strict_ex": record.strict_ex.as_json(),
    }


def _estimates_from_json(data: Mapping[str, Any]) -> dict[str, Estimate]:
    return {name: Estimate.from_json(data[name]) for name in ("exec_rate", "soft_ex", "strict_ex")}
