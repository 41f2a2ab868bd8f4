"""Scoring of a whole prediction file on a laptop: the same steps as on the site, without the site."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from benchmark_data.types import Bundle, Database, Item
from evaluation.aggregate import ItemFacts, Report, aggregate
from evaluation.gold import GOLD_LIMITS, Gold, GoldSource, UnusableGoldError, gold_compute
from evaluation.score import score, unusable_gold_verdict
from evaluation.types import Condition, Executor, Limits, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredCondition:
    """The verdicts of one condition in the bundle's item order, and their report."""

    condition: Condition
    verdicts: tuple[Verdict, ...]
    report: Report


def gold_source(item: Item, database: Database) -> GoldSource:
    """What is needed to compute the gold of one item of a bundle."""
    return GoldSource(
        question_id=item.question_id,
        db_id=item.db_id,
        storage_name=database.storage_name,
        collections=tuple(collection.name for collection in database.collections),
        gold_query=item.gold_query,
        array_order=item.array_order,
    )


def score_bundle(
    bundle: Bundle,
    texts: Mapping[Condition, Mapping[str, str]],
    *,
    executor: Executor,
    limits: Limits | None = None,
    progress: Callable[[], None] = lambda: None,
) -> tuple[ScoredCondition, ...]:
    """Score the predictions of every condition that the file has.

    Args:
        bundle: its databases must be loaded under their storage names.
        texts: condition → question_id → predicted text.
        executor: where gold and predictions run.
        limits: of predicted queries; the default of `Limits` where not given.
        progress: called once for each item judged, in every condition.

    Raises:
        EngineUnavailableError: the document database went away.
    """
    verdicts: dict[Condition, dict[str, Verdict]] = {condition: {} for condition in texts}
    for item, gold in _golds(bundle, executor):
        for condition, predicted in texts.items():
            verdicts[condition][item.question_id] = _verdict(
                item, gold, predicted.get(item.question_id), executor=executor, limits=limits or Limits()
            )
            progress()
    facts = item_facts(bundle)
    return tuple(
        ScoredCondition(
            condition=condition,
            verdicts=tuple(judged[item.question_id] for item in bundle.items),
            report=aggregate(judged.values(), items=facts),
        )
        for condition, judged in verdicts.items()
    )


def item_facts(bundle: Bundle) -> tuple[ItemFacts, ...]:
    """What the breakdown of a report needs to know of each item."""
    return tuple(
        ItemFacts(question_id=item.question_id, db_id=item.db_id, difficulty=item.difficulty) for item in bundle.items
    )


def _golds(bundle: Bundle, executor: Executor) -> Iterator[tuple[Item, tuple[GoldSource, Gold | UnusableGoldError]]]:
    databases = {database.db_id: database for database in bundle.databases}
    for item in sorted(bundle.items, key=lambda item: item.db_id):
        source = gold_source(item, databases[item.db_id])
        try:
            yield item, (source, gold_compute(source, executor=executor, limits=GOLD_LIMITS))
        except UnusableGoldError as error:
            yield item, (source, error)


def _verdict(
    item: Item,
    found: tuple[GoldSource, Gold | UnusableGoldError],
    text: str | None,
    *,
    executor: Executor,
    limits: Limits,
) -> Verdict:
    source, gold = found
    if isinstance(gold, UnusableGoldError):
        return unusable_gold_verdict(item.question_id, error=gold, split=item.split)
    return score(text, source=source, gold=gold, split=item.split, executor=executor, limits=limits)
