"""The sample prediction files are three different baselines over every item in both conditions."""

import io
from collections import Counter

import pytest

from benchmark_data.bundles.baselines import BASELINES, MUTATIONS, keyword, prediction_lines, whole_documents
from benchmark_data.bundles.generate import TINY
from benchmark_data.load import load_bundle
from evaluation.predictions.read import read_predictions
from evaluation.predictions.types import PredictionSet
from evaluation.types import Condition

BUNDLE = load_bundle(TINY)
ITEMS = {item.question_id: item.db_id for item in BUNDLE.items}
GOLD = {item.question_id: item.gold_query for item in BUNDLE.items}


def predictions(name: str) -> PredictionSet:
    content = "".join(prediction_lines(BUNDLE, name)).encode()
    return read_predictions(io.BytesIO(content), name=f"{name}.jsonl", items=ITEMS, default_condition=None)


@pytest.mark.parametrize("name", BASELINES)
def test_a_baseline_covers_both_conditions(name: str) -> None:
    found = predictions(name)
    assert found.conditions == tuple(Condition)
    assert all(len(found.texts[condition]) >= 0.8 * len(ITEMS) for condition in Condition)


@pytest.mark.parametrize("name", BASELINES)
def test_evidence_makes_a_difference(name: str) -> None:
    found = predictions(name)
    assert found.texts[Condition.WITH_EVIDENCE] != found.texts[Condition.WITHOUT_EVIDENCE]


def test_mutated_gold_is_more_often_gold_with_evidence() -> None:
    found = predictions("mutated")
    right = {c: sum(found.texts[c].get(question_id) == text for question_id, text in GOLD.items()) for c in Condition}
    assert right[Condition.WITH_EVIDENCE] > right[Condition.WITHOUT_EVIDENCE] > 0


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_changes_almost_every_gold_text(name: str) -> None:
    kept = Counter(MUTATIONS[name](text) == text for text in GOLD.values())
    assert kept[True] < len(GOLD) / 2


def test_whole_documents_leave_the_projection_out() -> None:
    texts = [whole_documents(item, BUNDLE.databases[0], True) for item in BUNDLE.items]
    assert not any("$project" in text or "_id: 0" in text for text in texts)


def test_the_keyword_baseline_never_looks_at_gold() -> None:
    item = BUNDLE.items[1]
    database = next(database for database in BUNDLE.databases if database.db_id == item.db_id)
    assert keyword(item, database, True) == 'db.crossings.countDocuments({"status": "cancelled"})'
    assert keyword(item, database, False) == "db.crossings.countDocuments({})"
