"""What gold says about order, and how its answer is kept."""

from datetime import UTC, datetime

import pytest
from bson import Binary, Decimal128, Int64, ObjectId, Regex, Timestamp
from bson.datetime_ms import DatetimeMS

from evaluation.gold import answer_pack, answer_unpack, builds_sets, is_sorted
from evaluation.types import Answer, AnswerKind, Operation, Query

SORT = {"$sort": {"a": 1}}
GROUP = {"$group": {"_id": "$a"}}

PIPELINES = [
    ([], False),
    ([SORT], True),
    ([SORT, {"$limit": 3}, {"$project": {"a": 1}}], True),
    ([SORT, GROUP], False),
    ([GROUP, SORT], True),
    ([SORT, {"$unwind": "$b"}], True),
    ([{"$sortByCount": "$a"}], True),
    ([{"$sortByCount": "$a"}, {"$unionWith": "b"}], False),
    ([SORT, {"$facet": {"x": [SORT]}}], False),
]


def aggregate(pipeline: list[dict[str, object]]) -> Query:
    return Query(collection="c", operation=Operation.AGGREGATE, arguments={"pipeline": pipeline})


@pytest.mark.parametrize(("pipeline", "expected"), PIPELINES)
def test_a_pipeline_is_sorted_if_nothing_after_its_sort_loses_the_order(
    pipeline: list[dict[str, object]], expected: bool
) -> None:
    assert is_sorted(aggregate(pipeline)) is expected


def test_a_find_is_sorted_by_its_sort() -> None:
    assert is_sorted(Query(collection="c", operation=Operation.FIND, arguments={"filter": {}, "sort": {"a": -1}}))
    assert not is_sorted(Query(collection="c", operation=Operation.FIND, arguments={"filter": {}}))


@pytest.mark.parametrize("operator", ["$addToSet", "$setUnion", "$setIntersection", "$setDifference"])
def test_set_operators_at_any_depth_make_array_order_unspecified(operator: str) -> None:
    stage = {"$group": {"_id": 1, "x": {"$first": {"$cond": [True, {operator: ["$a", "$b"]}, None]}}}}
    assert builds_sets(aggregate([{"$facet": {"y": [stage]}}]))
    assert not builds_sets(aggregate([{"$match": {"note": operator}}]))


def test_a_kept_answer_comes_back_value_for_value() -> None:
    row = {
        "i": 1, "l": Int64(1), "d": 1.0, "m": Decimal128("1.10"), "s": "ü\0", "n": None, "b": True, "o": ObjectId(),
        "t": DatetimeMS(-(10**15)), "x": Binary(b"\0\1", 5), "r": Regex("a", "i"), "u": Timestamp(1, 2),
        "e": {"f": [1, Int64(2), {}]},
    }  # fmt: skip
    kept = answer_unpack(answer_pack(Answer(kind=AnswerKind.DOCUMENTS, rows=(row,), milliseconds=2.5)))
    assert kept == Answer(kind=AnswerKind.DOCUMENTS, rows=(row,), milliseconds=2.5)
    assert {name: type(value) for name, value in kept.rows[0].items()} == {n: type(v) for n, v in row.items()}


def test_a_kept_date_is_a_number_of_milliseconds() -> None:
    moment = datetime(2024, 5, 1, 12, tzinfo=UTC)
    kept = answer_unpack(answer_pack(Answer(kind=AnswerKind.VALUES, rows=(moment,))))
    assert kept.rows == (DatetimeMS(moment),)
