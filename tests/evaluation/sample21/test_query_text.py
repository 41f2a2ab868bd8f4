"""A query that is written as text is read as the same query."""

from datetime import UTC, datetime
from typing import Any

import pytest
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.objectid import ObjectId
from bson.regex import Regex

from evaluation.gold import reading_context
from evaluation.parse.read import read
from evaluation.sample21.query_text import query_text
from evaluation.types import Operation, Query

DAY = datetime(2024, 2, 29, tzinfo=UTC)

QUERIES: list[tuple[Operation, dict[str, Any]]] = [
    (Operation.FIND, {"filter": {}}),
    (Operation.FIND, {"filter": {"a.b": {"$gte": DAY}, "c": None}, "projection": {"_id": 0, "a": 1}}),
    (Operation.FIND, {"filter": {"c": True}, "sort": {"a": -1, "b": 1}, "skip": 2, "limit": 5}),
    (Operation.FIND_ONE, {"filter": {"name": "Saint-Brieuc “Nord” \\ 'x' \"y\""}}),
    (Operation.COUNT_DOCUMENTS, {"filter": {"n": {"$in": [1, 2.5, -3]}}}),
    (Operation.DISTINCT, {"key": "a.b", "filter": {"c": "ł"}}),
    (
        Operation.AGGREGATE,
        {"pipeline": [{"$match": {"x": Regex(r"^a\/b", "i")}}, {"$group": {"_id": "$a", "n": {"$sum": 1}}}]},
    ),
    (Operation.AGGREGATE, {"pipeline": []}),
    (
        Operation.FIND,
        {"filter": {"o": ObjectId("0123456789abcdef01234567"), "d": Decimal128("1.50"), "big": Int64(2**40)}},
    ),
]


@pytest.mark.parametrize(("operation", "arguments"), QUERIES, ids=[f"{o}{n}" for n, (o, _) in enumerate(QUERIES)])
def test_the_text_is_read_as_the_query(operation: Operation, arguments: dict[str, Any]) -> None:
    query = Query(collection="things", operation=operation, arguments=arguments)
    text = query_text(query)
    assert "\n" not in text
    again = read(text, context=reading_context(db_id="x", collections=("things",))).query
    assert (again.collection, again.operation) == (query.collection, query.operation)
    assert query_text(again) == text
    kept = {name: value for name, value in again.arguments.items() if value not in ({}, None)}
    assert kept == {name: value for name, value in arguments.items() if value != {}}


def test_a_slash_in_a_pattern_does_not_end_it() -> None:
    query = Query(collection="things", operation=Operation.FIND, arguments={"filter": {"x": Regex("a/b")}})
    assert query_text(query) == r"db.things.find({x: /a\/b/})"
