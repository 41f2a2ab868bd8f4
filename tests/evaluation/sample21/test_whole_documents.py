"""Gold without its shaping returns whole documents, right by Soft-EX and wrong by Strict-EX."""

import pytest

from benchmark_data.types import ArrayOrder
from evaluation.compare import compare
from evaluation.sample21.query_text import query_text
from evaluation.sample21.whole_documents import whole_documents
from evaluation.types import Answer, Executor, Limits, Query
from tests.evaluation.sample21.conftest import Loaded, read_query

TEXTS = [
    ("db.bakers.find({village: \"Fosse\"}, {_id: 0, name: 1})", "db.bakers.find({village: \"Fosse\"})"),
    (
        "db.bakers.find({}, {_id: 0, who: \"$name\"}).sort({name: 1}).limit(2)",
        "db.bakers.aggregate([{$match: {}}, {$sort: {name: 1}}, {$limit: 2}, {$addFields: {who: \"$name\"}}])",
    ),
    (
        "db.bakers.countDocuments({village: \"Fosse\"})",
        "db.bakers.aggregate([{$match: {village: \"Fosse\"}}, {$group: {_id: null, count: {$sum: 1}, "
        "document: {$first: \"$$ROOT\"}}}])",
    ),
    (
        "db.bakers.distinct(\"loaves.grain\")",
        "db.bakers.aggregate([{$unwind: \"$loaves\"}, {$unwind: \"$loaves.grain\"}, {$group: {_id: \"$loaves.grain\", "
        "document: {$first: \"$$ROOT\"}}}])",
    ),
    (
        "db.bakers.aggregate([{$unwind: \"$loaves\"}, {$group: {_id: \"$name\", g: {$sum: \"$loaves.grams\"}}}, "
        "{$project: {_id: 0, name: \"$_id\", g: 1}}])",
        "db.bakers.aggregate([{$unwind: \"$loaves\"}, {$group: {_id: \"$name\", g: {$sum: \"$loaves.grams\"}, "
        "document: {$first: \"$$ROOT\"}}}, {$addFields: {name: \"$_id\"}}])",
    ),
    (
        "db.bakers.aggregate([{$sortByCount: \"$village\"}])",
        "db.bakers.aggregate([{$group: {_id: \"$village\", count: {$sum: 1}, document: {$first: \"$$ROOT\"}}}, "
        "{$sort: {count: -1}}])",
    ),
    (
        "db.bakers.aggregate([{$match: {village: \"Fosse\"}}, {$project: {name: 1}}])",
        "db.bakers.aggregate([{$match: {village: \"Fosse\"}}])",
    ),
    ("db.bakers.aggregate([{$limit: 2}])", "db.bakers.aggregate([{$limit: 2}])"),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "whole"), TEXTS, ids=[str(n) for n in range(len(TEXTS))])
def test_gold_loses_its_shaping(gold: str, whole: str) -> None:
    assert query_text(whole_documents(read_query(gold))) == whole


@pytest.mark.engine
@pytest.mark.xdist_group("sample21_bakery")
@pytest.mark.parametrize("gold", [gold for gold, _ in TEXTS[:-1]], ids=[str(n) for n in range(len(TEXTS) - 1)])
def test_soft_accepts_and_strict_refuses_it(loaded: Loaded, executor: Executor, gold: str) -> None:
    def run(query: Query) -> Answer:
        answer = executor.execute(query, database=loaded.base.storage_name, limits=Limits())
        assert isinstance(answer, Answer)
        return answer

    query = read_query(gold)
    verdict = compare(
        run(query), run(whole_documents(query)), array_order=ArrayOrder.ORDERED, gold_sorted=False, hidden=False
    )
    assert (verdict.soft, verdict.strict) == (True, False)
