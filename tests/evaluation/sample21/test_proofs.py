"""An item is proved only where both sides agree on every instance, and its answer is worth asking for."""

import pytest

from benchmark_data.bundles.sample21.authored_items import AuthoredItem
from evaluation.sample21.proofs import prove_item
from evaluation.types import Executor
from tests.evaluation.sample21.conftest import Loaded

pytestmark = [pytest.mark.engine, pytest.mark.xdist_group("sample21_bakery")]

COUNT = "SELECT count(*) FROM baker WHERE village = 'Fosse'"
NAMES = "SELECT name, village FROM baker WHERE village IS NOT NULL"

CASES: list[tuple[str, str, str, list[str]]] = [
    ("equal", COUNT, "db.bakers.countDocuments({village: 'Fosse'})", []),
    ("another value", COUNT, "db.bakers.countDocuments({village: 'Elmstead', name: /Elm/})", ["not_equal", "empty"]),
    ("other columns", NAMES, "db.bakers.find({village: {$exists: true}}, {name: 1, village: 1})", ["columns"]),
    ("columns turned", NAMES, "db.bakers.find({village: {$exists: true}}, {_id: 0, village: 1, name: 1})", []),
    ("columns really turned", NAMES,
     "db.bakers.aggregate([{$match: {village: {$exists: true}}}, {$project: {_id: 0, a: '$village', b: '$name'}}])",
     ["column_order"]),
    ("unsorted where SQL sorts", f"{NAMES} ORDER BY name DESC",
     "db.bakers.find({village: {$exists: true}}, {_id: 0, name: 1, village: 1}).sort({name: 1})", ["not_equal"]),
    ("SQL cuts a tie", "SELECT name FROM baker ORDER BY village IS NULL LIMIT 2",
     "db.bakers.find({village: {$exists: true}}, {_id: 0, name: 1}).sort({_id: 1}).limit(2)", ["tied"]),
    ("MQL cuts a tie", "SELECT name FROM baker ORDER BY (village IS NULL), village, id LIMIT 2",
     "db.bakers.aggregate([{$match: {village: {$exists: true}}}, {$sort: {village: 1}}, {$limit: 2}, "
     "{$project: {_id: 0, name: 1}}])", ["tied"]),
    ("no row", "SELECT name FROM baker WHERE village = 'Nowhere'",
     "db.bakers.find({village: 'Nowhere'}, {_id: 0, name: 1})", ["empty", "same_answers"]),
    ("zero", "SELECT count(*) FROM baker WHERE village = 'Nowhere'",
     "db.bakers.countDocuments({village: 'Nowhere'})", ["empty", "same_answers"]),
    ("too many rows", "SELECT id FROM loaf", "db.bakers.aggregate([{$unwind: '$loaves'}, "
     "{$project: {_id: 0, id: '$loaves._id'}}])", ["too_many_rows", "everything"]),
    ("the same everywhere", "SELECT name FROM baker WHERE id = 3", "db.bakers.find({_id: 3}, {_id: 0, name: 1})",
     ["same_answers"]),
    ("SQL is broken", "SELECT nme FROM baker", "db.bakers.find()", ["sql_failed"]),
    ("no query", COUNT, "db.bakers.", ["unusable_query"]),
    ("a write", COUNT, "db.bakers.aggregate([{$out: 'x'}])", ["unusable_query"]),
    ("another collection", COUNT, "db.loaves.find()", ["unusable_query"]),
    ("the engine refuses", COUNT, "db.bakers.aggregate([{$project: {x: {$size: '$name'}}}])", ["query_failed"]),
]  # fmt: skip


def item(sql: str, mql: str, *, empty: bool = False) -> AuthoredItem:
    return AuthoredItem(
        number=1, question_id="bakery-001", question="Who?", evidence="", sql=sql, mql=mql, empty=empty, lines={}
    )


@pytest.mark.parametrize(("sql", "mql", "rules"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_wrong_with_an_item_is_found(
    loaded: Loaded, executor: Executor, sql: str, mql: str, rules: list[str]
) -> None:
    proof = prove_item(item(sql, mql), loaded.instances, executor=executor)
    assert [fault.rule for fault in proof.faults] == rules


def test_an_empty_answer_may_be_meant(loaded: Loaded, executor: Executor) -> None:
    sql, mql = "SELECT name FROM baker WHERE id = 99", "db.bakers.find({_id: 99}, {_id: 0, name: 1})"
    assert prove_item(item(sql, mql, empty=True), loaded.instances, executor=executor).faults == ()


def test_an_answer_that_is_said_to_be_empty_must_be(loaded: Loaded, executor: Executor) -> None:
    proof = prove_item(item(COUNT, "db.bakers.countDocuments({village: 'Fosse'})", empty=True), loaded.instances,
                       executor=executor)  # fmt: skip
    assert [fault.rule for fault in proof.faults] == ["not_empty"]
