"""A slip is made at every place where it can be, and leaves a query that can be sent."""

from typing import Any

import pytest
from hypothesis import given, settings

from evaluation.gold import reading_context
from evaluation.guard.judge import judge
from evaluation.parse.read import read
from evaluation.sample21.query_text import query_text
from evaluation.sample21.slips import SLIPS
from evaluation.types import Operation, Query
from tests.evaluation.sample21.test_mutations import QUERIES, find, pipeline


def expression(**cond: Any) -> Query:
    return pipeline({"$project": {"some": {"$filter": {"input": "$parts", "cond": cond}}}})


CASES: list[tuple[str, Query, list[str]]] = [
    ("condition dropped", find(filter={"$or": [{"a": 1}, {"b": 2}]}), [
        "db.loaves.find({})", "db.loaves.find({$or: [{b: 2}]})", "db.loaves.find({$or: [{a: 1}]})",
    ]),
    ("condition dropped", expression(**{"$eq": ["$$this.a", 1]}), [
        'db.loaves.aggregate([{$project: {some: "$parts"}}])',
    ]),
    ("condition dropped", pipeline({"$group": {"_id": None, "n": {"$sum": {"$cond": ["$sold", "$grams", 0]}}}}), [
        'db.loaves.aggregate([{$group: {_id: null, n: {$sum: "$grams"}}}])',
    ]),
    ("constant changed", expression(**{"$eq": ["$$this.a", 1]}), [
        'db.loaves.aggregate([{$project: {some: {$filter: {input: "$parts", cond: {$eq: ["$$this.a", 2]}}}}}])',
    ]),
    ("boundary moved", find(filter={"a": {"$gte": 2, "$lt": 5}}), [
        "db.loaves.find({a: {$gt: 2, $lt: 5}})", "db.loaves.find({a: {$gte: 2, $lte: 5}})",
    ]),
    ("boundary moved", pipeline({"$match": {"$expr": {"$gt": ["$a", "$b"]}}}), [
        'db.loaves.aggregate([{$match: {$expr: {$gte: ["$a", "$b"]}}}])',
    ]),
    ("order or limit", find(filter={}, sort={"a": -1}, limit=2), [
        "db.loaves.find({}).sort({a: -1}).limit(3)", "db.loaves.find({}).sort({a: 1}).limit(2)",
        "db.loaves.find({}).sort({a: 1}).limit(2)", "db.loaves.find({}).limit(2)",
        "db.loaves.find({}).sort({a: -1}).limit(1)",
    ]),
    ("order or limit", find(filter={}, sort={"a": -1}), []),
    ("order or limit", pipeline({"$sort": {"a": 1}}, {"$group": {"_id": "$b", "c": {"$first": "$c"}}}), [
        'db.loaves.aggregate([{$sort: {a: -1}}, {$group: {_id: "$b", c: {$first: "$c"}}}])',
        'db.loaves.aggregate([{$group: {_id: "$b", c: {$first: "$c"}}}])',
    ]),
    ("order or limit", pipeline({"$limit": 1}, {"$sort": {"a": 1}}), [
        "db.loaves.aggregate([{$limit: 2}, {$sort: {a: 1}}])", "db.loaves.aggregate([{$limit: 1}, {$sort: {a: -1}}])",
    ]),
    ("other accumulator", pipeline({"$group": {"_id": "$b", "c": {"$first": "$c"}, "d": {"$max": "$d"}}}), [
        'db.loaves.aggregate([{$group: {_id: "$b", c: {$first: "$c"}, d: {$min: "$d"}}}])',
    ]),
    ("group key dropped", pipeline({"$group": {"_id": {"a": "$a", "b": "$b"}}}, {"$group": {"_id": "$_id.a"}}), [
        'db.loaves.aggregate([{$group: {_id: {b: "$b"}}}, {$group: {_id: "$_id.a"}}])',
        'db.loaves.aggregate([{$group: {_id: {a: "$a"}}}, {$group: {_id: "$_id.a"}}])',
        'db.loaves.aggregate([{$group: {_id: {a: "$a", b: "$b"}}}, {$group: {_id: null}}])',
    ]),
    ("group key dropped", pipeline({"$group": {"_id": {"$year": "$baked"}}}), [
        "db.loaves.aggregate([{$group: {_id: null}}])",
    ]),
    ("element's conditions split", find(filter={"x": 1, "parts": {"$elemMatch": {"a": 1, "b": {"$gt": 2}}}}), [
        'db.loaves.find({x: 1, "parts.a": 1, "parts.b": {$gt: 2}})',
    ]),
    ("element's conditions split", find(filter={"parts": {"$elemMatch": {"$gt": 1, "$lt": 3}}}), []),
    ("missing values forgotten", pipeline({"$project": {"a": {"$ifNull": ["$a", 0]}}}), [
        'db.loaves.aggregate([{$project: {a: "$a"}}])',
    ]),
    ("missing values forgotten", pipeline({"$project": {"a": {"$ifNull": ["$a", None]}}}), []),
    ("missing values forgotten", pipeline({"$project": {"a": {"$cond": [{"$ifNull": ["$a", False]}, 1, 0]}}}), []),
    ("repeats kept", Query(
        collection="loaves", operation=Operation.DISTINCT, arguments={"key": "parts.kind", "filter": {"a": 1}}
    ), [
        'db.loaves.aggregate([{$match: {a: 1}}, {$unwind: "$parts"}, {$unwind: "$parts.kind"}, '
        '{$project: {_id: 0, value: "$parts.kind"}}])',
    ]),
    ("repeats kept", pipeline({"$group": {"_id": "$a"}}, {"$group": {"_id": None, "all": {"$addToSet": "$_id"}}}), [
        'db.loaves.aggregate([{$project: {_id: "$a"}}, {$group: {_id: null, all: {$addToSet: "$_id"}}}])',
        'db.loaves.aggregate([{$group: {_id: "$a"}}, {$group: {_id: null, all: {$push: "$_id"}}}])',
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "query", "texts"), CASES, ids=[f"{name}{n}" for n, (name, *_) in enumerate(CASES)])
def test_a_slip_is_made_at_every_place_where_it_can_be(name: str, query: Query, texts: list[str]) -> None:
    assert [query_text(made) for made in SLIPS[name](query)] == texts


@given(query=QUERIES)
@settings(max_examples=60, deadline=None)
def test_every_slip_leaves_a_query_that_is_read_and_allowed(query: Query) -> None:
    before = query_text(query)
    for make in SLIPS.values():
        for made in make(query):
            again = read(query_text(made), context=reading_context(db_id="x", collections=("loaves",))).query
            judge(again, collections=("loaves",))
    assert query_text(query) == before
