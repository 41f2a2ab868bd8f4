"""Proves gold: it scores 1 against itself each time, and what its answer owes to the engine's order is named."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from benchmark_data.types import ArrayOrder, Split
from evaluation.compare import compare
from evaluation.gold import Gold, GoldSource, gold_query
from evaluation.perturbation import ORDERS, Perturbation, perturbed
from evaluation.score import score
from evaluation.types import Answer, ExecutionFailure, Executor, Limits, Query

SLOW_MILLISECONDS: Final = 5_000.0
"""Gold that takes longer is listed: a sixth of what a prediction may take by default."""


class FindingKind(StrEnum):
    """What a check can find of one item; the order of severity."""

    UNEQUAL = "unequal"
    AMBIGUOUS = "ambiguous"
    NULL_ORDER = "null_order"
    TEXT_NUMBERS = "text_numbers"
    MIXED_TYPES = "mixed_types"
    ARRAY_ORDER = "array_order"
    SLOW = "slow"
    UNCHECKED = "unchecked"


AMBIGUOUS_KINDS: Final = (
    FindingKind.AMBIGUOUS,
    FindingKind.NULL_ORDER,
    FindingKind.TEXT_NUMBERS,
    FindingKind.MIXED_TYPES,
    FindingKind.ARRAY_ORDER,
)
"""The kinds for which an item is shown as `gold_ambiguous`; they move no score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing found of one item; `detail` tells no value of hidden gold."""

    question_id: str
    kind: FindingKind
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedItem:
    """An item with usable gold."""

    source: GoldSource
    split: Split
    gold: Gold


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldCheckResult:
    """What a check of many items found; `equal` of `items` scored Strict-EX 1 against themselves, both times."""

    items: int
    equal: int
    findings: tuple[Finding, ...]


def gold_check(
    question_ids: Sequence[str],
    load: Callable[[str], CheckedItem],
    *,
    executor: Executor,
    limits: Limits,
    seed: int = 0,
    perturb: bool = True,
    progress: Callable[[], None] = lambda: None,
) -> GoldCheckResult:
    """Check gold twice, the second time with items and rows shuffled, and once in every perturbed order.

    Args:
        question_ids: the items.
        load: gives an item with the gold that was kept, with which both runs are compared; asked twice for each, for
            all answers together may not fit into memory.
        executor: where gold runs.
        limits: those of predictions: gold that needs more could not be scored as a prediction (mini_dev issue 43).
        seed: of the shuffling.
        perturb: look for answers that the engine's order decided.
        progress: called after each item, twice for each.

    Raises:
        EngineUnavailableError: the document database went away.
    """
    chance = random.Random(seed)  # noqa: S311 (an order, no secret)
    found: dict[str, list[Finding]] = {}
    for question_id in question_ids:
        found[question_id] = list(first_findings(load(question_id), executor=executor, limits=limits, perturb=perturb))
        progress()
    for question_id in chance.sample(list(question_ids), len(question_ids)):
        known = found[question_id]
        if not any(finding.kind is FindingKind.UNEQUAL for finding in known):
            known += again_findings(load(question_id), executor=executor, limits=limits, chance=chance)
        progress()
    findings = tuple(finding for known in found.values() for finding in known)
    unequal = {finding.question_id for finding in findings if finding.kind is FindingKind.UNEQUAL}
    total = len(question_ids)
    return GoldCheckResult(items=total, equal=total - len(unequal), findings=findings)


def first_findings(item: CheckedItem, *, executor: Executor, limits: Limits, perturb: bool = True) -> Iterator[Finding]:
    """Score the gold text as if it were a prediction, then look at its order."""
    question_id = item.source.question_id
    verdict = score(
        item.source.gold_query, source=item.source, gold=item.gold, split=item.split, executor=executor, limits=limits
    )
    if not verdict.strict:
        detail = f"scored as a prediction it is {verdict.outcome}: {verdict.message}"
        yield Finding(question_id=question_id, kind=FindingKind.UNEQUAL, detail=detail)
    if verdict.milliseconds is not None and verdict.milliseconds > SLOW_MILLISECONDS:
        detail = f"it takes {verdict.milliseconds / 1000:.1f} s of {limits.milliseconds / 1000:.0f} s"
        yield Finding(question_id=question_id, kind=FindingKind.SLOW, detail=detail)
    if perturb:
        yield from order_findings(item, executor=executor, limits=limits)


def again_findings(
    item: CheckedItem, *, executor: Executor, limits: Limits, chance: random.Random
) -> Iterator[Finding]:
    """Run gold again and compare its rows, shuffled, with what was kept."""
    query, _ = gold_query(item.source)
    answer = _asked(item, query, executor=executor, limits=limits)
    if isinstance(answer, ExecutionFailure):
        detail = f"the second time it failed ({answer.kind})"
        yield Finding(question_id=item.source.question_id, kind=FindingKind.UNEQUAL, detail=detail)
        return
    shuffled = replace(answer, rows=tuple(chance.sample(answer.rows, len(answer.rows))))
    if (difference := _difference(item, item.gold.answer, shuffled)) is not None:
        detail = f"the second answer is another one: {difference}"
        yield Finding(question_id=item.source.question_id, kind=FindingKind.UNEQUAL, detail=detail)


def order_findings(item: CheckedItem, *, executor: Executor, limits: Limits) -> Iterator[Finding]:
    """Ask gold in other orders; each kind of finding is told once."""
    query, _ = gold_query(item.source)
    told: set[FindingKind] = set()
    known = item.gold.answer
    for perturbation in Perturbation:
        other = perturbed(query, perturbation)
        if other is None:
            continue
        answer = _asked(item, other, executor=executor, limits=limits)
        finding = _order_finding(item, known, answer, perturbation)
        if finding is not None and finding.kind not in told:
            told.add(finding.kind)
            yield finding
        if perturbation is Perturbation.ASCENDING and isinstance(answer, Answer):
            # Where ties matter, whatever else is changed is compared with an answer that has them decided alike.
            known = answer


def _asked(item: CheckedItem, query: Query, *, executor: Executor, limits: Limits) -> Answer | ExecutionFailure:
    """The answer to a form of gold, under the limits of a prediction: cut one row above gold's."""
    limits = replace(limits, rows=len(item.gold.answer.rows) + 1)
    answer = executor.execute(query, database=item.source.storage_name, limits=limits)
    return answer if isinstance(answer, ExecutionFailure) else replace(answer, kind=item.gold.answer.kind)


def _order_finding(
    item: CheckedItem, known: Answer, answer: Answer | ExecutionFailure, perturbation: Perturbation
) -> Finding | None:
    question_id = item.source.question_id
    if isinstance(answer, ExecutionFailure):
        detail = f"asked in another order ({perturbation}), the engine refuses or takes too long ({answer.kind})"
        return Finding(question_id=question_id, kind=FindingKind.UNCHECKED, detail=detail)
    difference = _difference(item, known, answer)
    if difference is None:
        return None
    kind = KIND_BY_PERTURBATION[perturbation]
    if perturbation in ORDERS and _difference(item, known, answer, array_order=ArrayOrder.UNSPECIFIED) is None:
        kind = FindingKind.ARRAY_ORDER
    return Finding(question_id=question_id, kind=kind, detail=f"{MEANINGS[kind]}: {difference}")


KIND_BY_PERTURBATION: Final = {
    Perturbation.ASCENDING: FindingKind.AMBIGUOUS,
    Perturbation.DESCENDING: FindingKind.AMBIGUOUS,
    Perturbation.NULLS_LAST: FindingKind.NULL_ORDER,
    Perturbation.TEXT_AS_NUMBERS: FindingKind.TEXT_NUMBERS,
    Perturbation.NUMBERS_ABOVE_TEXT: FindingKind.MIXED_TYPES,
}

MEANINGS: Final = {
    FindingKind.AMBIGUOUS: "documents in another order give another answer (ties cut at a limit, or a first one taken)",
    FindingKind.NULL_ORDER: "its answer takes null or missing values for the smallest",
    FindingKind.TEXT_NUMBERS: "its answer sorts numbers as text (“10” before “9”)",
    FindingKind.MIXED_TYPES: "its answer sorts numbers, texts and other types in one column, as MongoDB ranks types",
    FindingKind.ARRAY_ORDER: "documents in another order give arrays in another order",
}


def _difference(
    item: CheckedItem, known: Answer, answer: Answer, *, array_order: ArrayOrder | None = None
) -> str | None:
    comparison = compare(
        known,
        answer,
        array_order=array_order or item.gold.array_order,
        gold_sorted=item.gold.is_sorted,
        hidden=item.split is Split.HIDDEN,
    )
    return None if comparison.strict else comparison.message
