"""What the data notices is counted by kind of mistake; what it does not is told."""

import pytest

from evaluation.sample21.noticed import (
    KINDS,
    collection_types,
    counted,
    difference,
    mutants_of,
    tried_mutants,
    unnoticed,
)
from evaluation.types import Executor
from tests.evaluation.sample21.conftest import Loaded, read_query

pytestmark = [pytest.mark.engine, pytest.mark.xdist_group("sample21_bakery")]


def test_a_condition_that_makes_no_difference_is_told(loaded: Loaded, executor: Executor) -> None:
    query = read_query("db.bakers.find({village: 'Fosse', loafCount: {$gte: 0}}, {_id: 1})")
    types = collection_types(loaded.base)["bakers"]
    mutants = list(tried_mutants(query, types, loaded.base, executor=executor))
    told = [fault.message for fault in unnoticed(query, mutants)]
    assert all(fault.is_advice for fault in unnoticed(query, mutants))
    assert sum("condition dropped" in message for message in told) == 1
    assert any('village: "Fosse"}' in message for message in told)
    noticed = counted(mutants)
    assert tuple(noticed) == KINDS
    assert noticed["condition dropped"].mutants == 2
    assert noticed["condition dropped"].caught == 1


def test_a_query_that_the_engine_refuses_is_noticed(loaded: Loaded, executor: Executor) -> None:
    query = read_query("db.bakers.aggregate([{$unwind: '$loaves'}, {$project: {_id: 0, g: {$sqrt: '$loaves.grams'}}}])")
    mutants = tried_mutants(query, {}, loaded.base, executor=executor)
    assert [(mutant.kind, mutant.is_caught) for mutant in mutants] == [("unwind dropped", True)]


def test_the_same_wrong_query_counts_once() -> None:
    query = read_query("db.bakers.find().sort({_id: 1}).limit(1)")
    texts = list(mutants_of(query, {}))
    assert texts == [
        "db.bakers.find({}).sort({_id: 1}).limit(2)",
        "db.bakers.find({}).sort({_id: -1}).limit(1)",
        "db.bakers.find({}).limit(1)",
    ]


def test_a_difference_is_shown_with_what_stands_around_it() -> None:
    left, right = read_query("db.bakers.find({a: {$gt: 1}})"), read_query("db.bakers.find({a: {$gte: 1}})")
    assert difference(left, right) == "db.bakers.find({a: {$gt: 1}}) → db.bakers.find({a: {$gte: 1}})"
