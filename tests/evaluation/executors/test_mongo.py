"""MongoExecutor on a real document database."""

import uuid
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from bson import Decimal128, Int64, ObjectId
from bson.datetime_ms import DatetimeMS
from pymongo import MongoClient

from evaluation.embedded.document_database import DocumentDatabaseUrls
from evaluation.errors import EngineUnavailableError
from evaluation.executors.mongo import MongoExecutor
from evaluation.types import Answer, AnswerKind, ExecutionFailure, FailureKind, Limits, Operation, Query

pytestmark = pytest.mark.engine

SHOPS = [{"_id": i, "city": ["Lyon", "Oslo", "Rome"][i % 3], "size": i, "tags": ["a", "b"][: i % 3]} for i in range(30)]
LONG = [{"_id": i, "text": "x" * 1000} for i in range(3000)]
# Every row compared with every row: minutes of work for any engine, and no index helps.
ENDLESS = [
    {
        "$lookup": {
            "from": "long",
            "let": {"i": "$_id"},
            "pipeline": [{"$match": {"$expr": {"$gt": [{"$add": ["$_id", 1]}, "$$i"]}}}, {"$count": "n"}],
            "as": "above",
        }
    }
]


@pytest.fixture(scope="module")
def database(document_database: DocumentDatabaseUrls) -> Iterator[str]:
    name = f"test_executor_{uuid.uuid4().hex[:12]}"
    with MongoClient[dict[str, Any]](document_database.loader) as client:
        client[name].shops.insert_many(SHOPS)
        client[name].long.insert_many(LONG)
        client[name].typed.insert_one(
            {
                "_id": ObjectId("0123456789abcdef01234567"),
                "int": 5,
                "long": Int64(5),
                "double": 5.0,
                "decimal": Decimal128("1.10"),
                "date": datetime(2024, 2, 29, 1, 2, 3, 4000, tzinfo=UTC),
                "bytes": b"\x00\xff",
                "nothing": None,
            }
        )
        yield name
        client.drop_database(name)


class Asking:
    """Short ways to run a query on the module's database."""

    def __init__(self, executor: MongoExecutor, database: str) -> None:
        self.executor = executor
        self.database = database

    def any(
        self,
        operation: Operation,
        arguments: Mapping[str, Any],
        *,
        collection: str = "shops",
        limits: Limits | None = None,
        length_only: bool = False,
    ) -> Answer | ExecutionFailure:
        query = Query(collection=collection, operation=operation, arguments=arguments, length_only=length_only)
        return self.executor.execute(query, database=self.database, limits=limits or Limits())

    def answer(self, operation: Operation, arguments: Mapping[str, Any], **options: Any) -> Answer:
        result = self.any(operation, arguments, **options)
        assert isinstance(result, Answer), result
        return result

    def failure(self, operation: Operation, arguments: Mapping[str, Any], **options: Any) -> ExecutionFailure:
        result = self.any(operation, arguments, **options)
        assert isinstance(result, ExecutionFailure), result
        return result


@pytest.fixture
def ask(executor: MongoExecutor, database: str) -> Asking:
    return Asking(executor, database)


@pytest.mark.parametrize(
    ("operation", "arguments", "kind", "rows"),
    [
        (
            Operation.FIND,
            {"filter": {"city": "Oslo"}, "projection": {"_id": 0, "size": 1}, "sort": {"size": -1}, "limit": 2},
            AnswerKind.DOCUMENTS,
            ({"size": 28}, {"size": 25}),
        ),
        (
            Operation.FIND,
            {"projection": {"size": 1}, "sort": {"city": -1, "size": 1}, "skip": 1, "limit": 1},
            AnswerKind.DOCUMENTS,
            ({"_id": 5, "size": 5},),
        ),
        (
            Operation.FIND,
            {"filter": {"size": {"$lt": 2}}, "projection": {"size": 1}, "sort": {"_id": 1}, "limit": -1},
            AnswerKind.DOCUMENTS,
            ({"_id": 0, "size": 0},),
        ),
        (
            Operation.FIND,
            {"filter": {"city": "OSLO", "size": 1}, "collation": {"locale": "en", "strength": 2}},
            AnswerKind.DOCUMENTS,
            ({"_id": 1, "city": "Oslo", "size": 1, "tags": ["a"]},),
        ),
        (
            Operation.FIND,
            {"filter": {"_id": 3}, "hint": {"_id": 1}, "projection": {"_id": 1}},
            AnswerKind.DOCUMENTS,
            ({"_id": 3},),
        ),
        (
            Operation.FIND_ONE,
            {"filter": {"size": {"$gte": 7}}, "projection": {"_id": 1}, "sort": {"size": 1}},
            AnswerKind.DOCUMENT,
            ({"_id": 7},),
        ),
        (Operation.FIND_ONE, {"filter": {"size": -1}}, AnswerKind.DOCUMENT, ()),
        (
            Operation.AGGREGATE,
            {"pipeline": [{"$group": {"_id": "$city", "n": {"$sum": 1}}}, {"$sort": {"_id": 1}}]},
            AnswerKind.DOCUMENTS,
            ({"_id": "Lyon", "n": 10}, {"_id": "Oslo", "n": 10}, {"_id": "Rome", "n": 10}),
        ),
        (Operation.COUNT, {"filter": {"city": "Rome"}}, AnswerKind.SCALAR, (10,)),
        (Operation.COUNT, {"filter": {"city": "Rome"}, "skip": 3, "limit": 5}, AnswerKind.SCALAR, (5,)),
        (Operation.COUNT_DOCUMENTS, {"filter": {"city": "Rome"}}, AnswerKind.SCALAR, (10,)),
        (Operation.COUNT_DOCUMENTS, {"filter": {"city": "Rome"}, "skip": 8}, AnswerKind.SCALAR, (2,)),
        (Operation.COUNT_DOCUMENTS, {"filter": {"city": "Nowhere"}}, AnswerKind.SCALAR, (0,)),
        (Operation.ESTIMATED_DOCUMENT_COUNT, {}, AnswerKind.SCALAR, (30,)),
        (Operation.DISTINCT, {"key": "city"}, AnswerKind.VALUES, ("Lyon", "Oslo", "Rome")),
        (Operation.DISTINCT, {"key": "city", "filter": {"size": {"$lt": 2}}}, AnswerKind.VALUES, ("Lyon", "Oslo")),
        (Operation.DISTINCT, {"key": "tags"}, AnswerKind.VALUES, ("a", "b")),
    ],
)
def test_each_read_method_answers(
    ask: Asking, operation: Operation, arguments: dict[str, Any], kind: AnswerKind, rows: tuple[Any, ...]
) -> None:
    answer = ask.answer(operation, arguments)

    assert (answer.kind, answer.rows, answer.complete) == (kind, rows, True)
    assert answer.milliseconds > 0


@pytest.mark.parametrize(
    ("operation", "arguments", "length"),
    [
        (Operation.DISTINCT, {"key": "city"}, 3),
        (Operation.FIND, {"filter": {"city": "Oslo"}}, 10),
        (Operation.AGGREGATE, {"pipeline": [{"$unwind": "$tags"}]}, 30),
    ],
)
def test_a_length_is_the_number_of_all_rows_whatever_the_limit_on_rows(
    ask: Asking, operation: Operation, arguments: dict[str, Any], length: int
) -> None:
    answer = ask.answer(operation, arguments, length_only=True, limits=Limits(rows=2))

    assert (answer.kind, answer.rows) == (AnswerKind.SCALAR, (length,))


def test_types_come_back_as_bson_decodes_them(ask: Asking) -> None:
    row = ask.answer(Operation.FIND, {}, collection="typed").rows[0]

    assert {name: type(value) for name, value in row.items()} == {
        "_id": ObjectId,
        "int": int,
        "long": Int64,
        "double": float,
        "decimal": Decimal128,
        "date": DatetimeMS,
        "bytes": bytes,
        "nothing": type(None),
    }
    assert row["date"] == DatetimeMS(1709168523004)


@pytest.mark.parametrize(("rows", "complete"), [(29, False), (30, True), (31, True), (1, False)])
def test_reading_stops_at_the_limit_on_rows(ask: Asking, rows: int, *, complete: bool) -> None:
    answer = ask.answer(Operation.FIND, {}, limits=Limits(rows=rows))

    assert (len(answer.rows), answer.complete) == (min(rows, 30), complete)


@pytest.mark.parametrize(("rows", "complete"), [(2, False), (3, True)])
def test_distinct_is_cut_at_the_limit_on_rows(ask: Asking, rows: int, *, complete: bool) -> None:
    answer = ask.answer(Operation.DISTINCT, {"key": "city"}, limits=Limits(rows=rows))

    assert (len(answer.rows), answer.complete) == (rows, complete)


def test_rows_arrive_over_several_batches(ask: Asking) -> None:
    answer = ask.answer(Operation.FIND, {"sort": {"_id": 1}}, collection="long")

    assert [row["_id"] for row in answer.rows] == list(range(3000))


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        (Operation.FIND, {}),
        (Operation.AGGREGATE, {"pipeline": []}),
        (Operation.DISTINCT, {"key": "_id"}),
        (Operation.AGGREGATE, {"pipeline": [{"$group": {"_id": None, "all": {"$push": "$text"}}}]}),
    ],
)
def test_an_answer_above_the_limit_on_bytes_is_too_large(
    ask: Asking, operation: Operation, arguments: dict[str, Any]
) -> None:
    failure = ask.failure(operation, arguments, collection="long", limits=Limits(answer_bytes=20_000))

    assert failure.kind is FailureKind.TOO_LARGE


@pytest.mark.parametrize(
    ("operation", "arguments"),
    [
        (Operation.AGGREGATE, {"pipeline": [{"$explode": {}}]}),
        (Operation.AGGREGATE, {"pipeline": [{"$project": {"x": {"$divide": [1, 0]}}}]}),
        (Operation.FIND, {"filter": {"size": {"$near": 1, "$bogus": 2}}}),
        (Operation.FIND, {"filter": {"size": 2**70}}),
        (Operation.FIND, {"filter": {"a\0b": 1}}),
        (Operation.COUNT_DOCUMENTS, {"filter": {"$bogus": 1}}),
        (Operation.DISTINCT, {"key": "size", "filter": {"$bogus": 1}}),
    ],
)
def test_a_query_that_the_engine_rejects_is_invalid(
    ask: Asking, operation: Operation, arguments: dict[str, Any]
) -> None:
    failure = ask.failure(operation, arguments)

    assert failure.kind is FailureKind.INVALID
    assert failure.message
    assert len(failure.message) <= 300


def test_a_rejection_carries_the_servers_code(ask: Asking) -> None:
    assert ask.failure(Operation.AGGREGATE, {"pipeline": [{"$explode": {}}]}).code == 40324


def test_a_query_past_its_deadline_has_timed_out(ask: Asking) -> None:
    failure = ask.failure(
        Operation.AGGREGATE, {"pipeline": ENDLESS}, collection="long", limits=Limits(milliseconds=300)
    )

    assert failure.kind is FailureKind.TIMED_OUT
    assert 300 <= failure.milliseconds < 5_000


def test_a_collection_that_does_not_exist_has_no_rows(ask: Asking) -> None:
    assert ask.answer(Operation.FIND, {}, collection="nowhere").rows == ()


@pytest.mark.parametrize("stage", [{"$out": "copy"}, {"$merge": {"into": "copy"}}])
def test_a_write_that_slipped_past_the_guard_is_refused_by_the_server(ask: Asking, stage: dict[str, Any]) -> None:
    failure = ask.failure(Operation.AGGREGATE, {"pipeline": [stage]})

    assert (failure.kind, failure.code) == (FailureKind.INVALID, 13)


def test_the_identity_names_engine_and_version(executor: MongoExecutor) -> None:
    identity = executor.identity

    assert identity.name in {"SecantusDB", "MongoDB"}
    assert identity.version
    assert identity.demo == (identity.name == "SecantusDB")


def test_a_server_that_is_not_there_is_unavailable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.executors.client.CONNECT_MILLISECONDS", 200)
    executor = MongoExecutor("mongodb://127.0.0.1:1/?directConnection=true")

    with pytest.raises(EngineUnavailableError):
        executor.execute(Query(collection="c", operation=Operation.FIND, arguments={}), database="d", limits=Limits())
    executor.close()


def test_a_wrong_password_is_our_fault_not_the_querys(document_database: DocumentDatabaseUrls) -> None:
    before, _, after = document_database.reader.partition("@")
    executor = MongoExecutor(f"{before}x@{after}")

    with pytest.raises(EngineUnavailableError):
        executor.execute(Query(collection="c", operation=Operation.FIND, arguments={}), database="d", limits=Limits())
    executor.close()
