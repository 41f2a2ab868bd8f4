"""The sample prediction files of AptBoard Sample 21: three honest baselines, labelled for what they are."""

import json
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from benchmark_data.bundles.dice import Dice
from benchmark_data.card import CollectionCard
from benchmark_data.card_file import read_cards
from benchmark_data.types import Bundle, Item
from evaluation.gold import GoldSource, gold_query
from evaluation.runner import gold_source
from evaluation.sample21.keyword import Cards, keyword_query
from evaluation.sample21.mutations import MUTATIONS
from evaluation.sample21.query_text import query_text
from evaluation.sample21.whole_documents import whole_documents
from evaluation.types import Condition, Query

STRENGTHS: Final = (10, 30, 60)
"""So many of a hundred items are damaged with evidence; half as many more, of those that have evidence, without it."""

Baseline = Callable[[Item, GoldSource, Cards, Condition], str]
_DICE: Final = Dice("sample21/baselines")


def prediction_lines(bundle: Bundle, name: str) -> Iterator[str]:
    """The lines of a baseline's prediction file: every item in both conditions.

    Raises:
        UnusableGoldError: gold of an item cannot be read.
        FaultyBundleError: the bundle's cards have faults.
    """
    databases = {database.db_id: database for database in bundle.databases}
    cards: dict[str, dict[str, CollectionCard]] = {db_id: {} for db_id in databases}
    for stored in read_cards(bundle):
        cards[stored.db_id][stored.collection] = stored.card
    for condition in Condition:
        for item in bundle.items:
            text = BASELINES[name](item, gold_source(item, databases[item.db_id]), cards[item.db_id], condition)
            record = {"question_id": item.question_id, "condition": condition.value, "query": text}
            yield json.dumps(record, ensure_ascii=False) + "\n"


def keyword(item: Item, _source: GoldSource, cards: Cards, condition: Condition) -> str:
    """Rules over words of the question, of evidence where it is given, and of the cards; gold is never seen."""
    evidence = item.evidence if condition is Condition.WITH_EVIDENCE else ""
    return query_text(keyword_query(item.question, evidence, cards))


def whole(_item: Item, source: GoldSource, _cards: Cards, _condition: Condition) -> str:
    """Gold without its final shaping, in both conditions."""
    return query_text(whole_documents(gold_query(source)[0]))


def damaged(strength: int) -> Baseline:
    """Gold, with one mistake in a drawn part of the items; the same items, and more, at the next strength."""

    def baseline(item: Item, source: GoldSource, _cards: Cards, condition: Condition) -> str:
        without = condition is Condition.WITHOUT_EVIDENCE and bool(item.evidence)
        share = strength * 3 // 2 if without else strength
        if not _DICE.chance(share, item.question_id, "damage"):
            return item.gold_query
        return query_text(mutant(gold_query(source)[0], item.question_id))

    return baseline


def mutant(query: Query, question_id: str) -> Query:
    """The query with the mistake that is drawn for the item; as it is where no mistake can be made."""
    possible = {name: found for name, make in MUTATIONS.items() if (found := list(make(query)))}
    if not possible:
        return query
    kind = _DICE.pick(tuple(possible), question_id, "kind")
    return _DICE.pick(possible[kind], question_id, "place")


BASELINES: Final[Mapping[str, Baseline]] = MappingProxyType(
    {
        "rule-based-keywords": keyword,
        "gold-as-whole-documents": whole,
        **{f"gold-damaged-{strength}-percent": damaged(strength) for strength in STRENGTHS},
    }
)
