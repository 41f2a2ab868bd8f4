"""A mutation makes one mistake, the same each time, and leaves a query that can be sent."""

from typing import Any

import pytest
from bson.regex import Regex
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.gold import reading_context
from evaluation.guard.judge import judge
from evaluation.parse.read import read
from evaluation.sample21.baselines import STRENGTHS, mutant
from evaluation.sample21.mutations import MUTATIONS
from evaluation.sample21.query_text import query_text
from evaluation.types import Operation, Query


def find(**arguments: Any) -> Query:
    return Query(collection="loaves", operation=Operation.FIND, arguments=arguments)


def pipeline(*stages: dict[str, Any]) -> Query:
    return Query(collection="loaves", operation=Operation.AGGREGATE, arguments={"pipeline": list(stages)})


CASES: list[tuple[str, Query, list[str]]] = [
    ("wrong_constant", find(filter={"grams": {"$gt": 800}, "grain": "rye"}), [
        'db.loaves.find({grams: {$gt: 801}, grain: "rye"})', 'db.loaves.find({grams: {$gt: 800}, grain: "ry"})',
    ]),
    ("wrong_constant", find(filter={"a": {"$exists": True}, "b": Regex("x"), "c": None}), []),
    ("wrong_constant", pipeline({"$match": {"sold": False}}, {"$limit": 3}), [
        "db.loaves.aggregate([{$match: {sold: true}}, {$limit: 3}])",
    ]),
    ("dropped_condition", find(filter={"a": 1, "b": {"$gte": 2, "$lt": 5}}), [
        "db.loaves.find({b: {$gte: 2, $lt: 5}})", "db.loaves.find({a: 1})",
        "db.loaves.find({a: 1, b: {$lt: 5}})", "db.loaves.find({a: 1, b: {$gte: 2}})",
    ]),
    ("dropped_condition", find(filter={"parts": {"$elemMatch": {"a": 1, "b": 2}}}), [
        "db.loaves.find({})", "db.loaves.find({parts: {$elemMatch: {b: 2}}})",
        "db.loaves.find({parts: {$elemMatch: {a: 1}}})",
    ]),
    ("wrong_sort_or_limit", find(filter={}, sort={"a": -1, "b": 1}, limit=3), [
        "db.loaves.find({}).sort({a: -1, b: 1}).limit(4)", "db.loaves.find({}).sort({a: 1, b: 1}).limit(3)",
    ]),
    ("wrong_sort_or_limit", find(filter={}, sort={"a": -1}), []),
    ("wrong_accumulator", pipeline({"$group": {"_id": "$a", "n": {"$sum": "$g"}, "m": {"$min": "$g"}}}), [
        'db.loaves.aggregate([{$group: {_id: "$a", n: {$avg: "$g"}, m: {$min: "$g"}}}])',
        'db.loaves.aggregate([{$group: {_id: "$a", n: {$sum: "$g"}, m: {$max: "$g"}}}])',
    ]),
    ("dropped_unwind", pipeline({"$unwind": "$parts"}, {"$count": "n"}), ['db.loaves.aggregate([{$count: "n"}])']),
    ("wrong_path", pipeline({"$match": {"baker.village": "x"}}, {"$group": {"_id": "$tags"}}), [
        'db.loaves.aggregate([{$match: {"baker.village": "x"}}, {$group: {_id: "$tag"}}])',
        'db.loaves.aggregate([{$match: {village: "x"}}, {$group: {_id: "$tags"}}])',
    ]),
    ("wrong_path", pipeline({"$project": {"all": "$$this"}}), []),
]  # fmt: skip


@pytest.mark.parametrize(("name", "query", "texts"), CASES, ids=[f"{name}{n}" for n, (name, *_) in enumerate(CASES)])
def test_a_mistake_is_made_at_every_place_where_it_can_be(name: str, query: Query, texts: list[str]) -> None:
    assert [query_text(made) for made in MUTATIONS[name](query)] == texts


PATHS = st.sampled_from(["grain", "grams", "baker.village", "tags", "baked"])
SCALARS = st.one_of(st.integers(-5, 2000), st.sampled_from(["rye", "Elm’s", "x"]), st.booleans(), st.none())
CONDITIONS = st.one_of(
    SCALARS,
    st.fixed_dictionaries({"$gte": st.integers(0, 9), "$lt": st.integers(10, 20)}),
    st.fixed_dictionaries({"$in": st.lists(SCALARS, min_size=1, max_size=3)}),
    st.fixed_dictionaries({"$exists": st.booleans()}),
)
FILTERS = st.dictionaries(PATHS, CONDITIONS, max_size=3)
GROUPS = st.builds(
    lambda key, operator, path: {"$group": {"_id": f"${key}", "value": {operator: f"${path}"}}},
    PATHS,
    st.sampled_from(["$sum", "$avg", "$min", "$max"]),
    PATHS,
)
STAGES = st.lists(
    st.one_of(
        st.builds(lambda filter_: {"$match": filter_}, FILTERS),
        st.builds(lambda path: {"$unwind": f"${path}"}, PATHS),
        GROUPS,
        st.just({"$sort": {"value": -1}}),
        st.builds(lambda count: {"$limit": count}, st.integers(1, 9)),
    ),
    min_size=1,
    max_size=5,
)
QUERIES = st.one_of(
    st.builds(lambda filter_, sort: find(filter=filter_, sort={sort: 1}, limit=3), FILTERS, PATHS),
    st.builds(lambda stages: pipeline(*stages), STAGES),
)


@given(query=QUERIES)
@settings(max_examples=80, deadline=None)
def test_every_mutant_is_another_query_that_is_read_and_allowed(query: Query) -> None:
    before = query_text(query)
    for make in MUTATIONS.values():
        for made in make(query):
            text = query_text(made)
            assert text != before
            again = read(text, context=reading_context(db_id="x", collections=("loaves",))).query
            judge(again, collections=("loaves",))
    assert query_text(query) == before


@given(query=QUERIES, question_id=st.text("abc123", min_size=1, max_size=6))
@settings(max_examples=40, deadline=None)
def test_the_mistake_of_an_item_is_always_the_same(query: Query, question_id: str) -> None:
    assert query_text(mutant(query, question_id)) == query_text(mutant(query, question_id))


def test_the_strengths_rise_and_leave_gold_even_where_half_as_much_again_is_damaged() -> None:
    assert list(STRENGTHS) == sorted(set(STRENGTHS))
    assert STRENGTHS[-1] * 3 // 2 < 100
