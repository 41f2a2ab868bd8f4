"""What the launcher mends beyond the conformance battery: an engine that no single query takes down."""

import threading
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from bson import CodecOptions, DatetimeConversion, DatetimeMS
from pymongo import MongoClient
from pymongo.errors import OperationFailure, PyMongoError

from evaluation.embedded.document_database import DocumentDatabaseUrls, urls_from_environment

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(urls_from_environment() is not None, reason="about the embedded engine"),
]

Client = MongoClient[dict[str, Any]]


@pytest.fixture(scope="module")
def database(document_database: DocumentDatabaseUrls) -> Iterator[str]:
    name = f"test_launcher_{uuid.uuid4().hex[:12]}"
    with Client(document_database.loader) as client:
        client[name].c.insert_many([{"_id": i, "k": i % 7, "s": "a" * 5000 + "b"} for i in range(200)])
        yield name
        client.drop_database(name)


@pytest.fixture(scope="module")
def client(document_database: DocumentDatabaseUrls) -> Iterator[Client]:
    with Client(document_database.reader) as made:
        yield made


EVIL = "(a+)+$"
SLOW: dict[str, list[dict[str, Any]]] = {
    "an evil pattern in $match": [{"$match": {"s": {"$regex": EVIL}}}],
    "an evil pattern in $regexMatch": [{"$project": {"x": {"$regexMatch": {"input": "$s", "regex": EVIL}}}}],
    "an evil pattern in $regexFindAll": [{"$project": {"x": {"$regexFindAll": {"input": "$s", "regex": EVIL}}}}],
    "a long $reduce": [
        {
            "$project": {
                "x": {"$reduce": {"input": {"$range": [0, 300000]}, "initialValue": 0, "in": {"$add": ["$$value", 1]}}}
            }
        }
    ],
    "a join of everything with everything": [
        {
            "$lookup": {
                "from": "c",
                "as": "x",
                "pipeline": [
                    {
                        "$lookup": {
                            "from": "c",
                            "as": "y",
                            "pipeline": [{"$lookup": {"from": "c", "as": "z", "pipeline": []}}],
                        }
                    }
                ],
            }
        },
    ],
}


@pytest.mark.parametrize("stages", SLOW.values(), ids=SLOW.keys())
def test_a_slow_query_ends_at_its_time_limit_and_others_are_answered_meanwhile(
    client: Client, database: str, stages: list[dict[str, Any]]
) -> None:
    errors: list[PyMongoError] = []

    def run() -> None:
        try:
            client[database].command({"aggregate": "c", "pipeline": stages, "cursor": {}, "maxTimeMS": 1000})
        except PyMongoError as error:
            errors.append(error)

    started = time.monotonic()
    thread = threading.Thread(target=run)
    thread.start()
    waits = []
    while thread.is_alive():
        asked = time.monotonic()
        client[database].c.find_one({"_id": 5})
        waits.append(time.monotonic() - asked)
    took = time.monotonic() - started

    assert [getattr(error, "code", None) for error in errors] == [50]
    assert took < 4
    assert max(waits) < 2


def test_a_query_that_needs_too_much_memory_fails_alone(client: Client, database: str) -> None:
    stages = [{"$limit": 1}, {"$project": {"x": {"$range": [0, 2**31 - 1]}}}]

    with pytest.raises(OperationFailure) as refusal:
        client[database].command({"aggregate": "c", "pipeline": stages, "cursor": {}, "maxTimeMS": 30_000})

    assert refusal.value.code == 146
    assert client[database].c.count_documents({}) == 200


def test_dates_outside_of_pythons_years_are_stored_and_returned(
    document_database: DocumentDatabaseUrls, database: str
) -> None:
    early = DatetimeMS(-99_999_999_999_999)
    with Client(document_database.loader) as loader:
        loader[database].dates.insert_many([{"_id": 1, "d": early}, {"_id": 2, "d": datetime(2024, 1, 1, tzinfo=UTC)}])
        options = CodecOptions[dict[str, Any]](datetime_conversion=DatetimeConversion.DATETIME_MS)
        rows = list(loader[database].get_collection("dates", codec_options=options).find().sort("_id", 1))

    assert [row["d"] for row in rows] == [early, DatetimeMS(1_704_067_200_000)]


def test_dates_outside_of_pythons_years_are_indexed_compared_and_sorted(
    document_database: DocumentDatabaseUrls, database: str
) -> None:
    early, usual, late = DatetimeMS(-99_999_999_999_999), DatetimeMS(0), DatetimeMS(253_402_300_800_000_000)
    with Client(document_database.loader) as loader:
        rows = [{"_id": 1, "d": late}, {"_id": 2, "d": early}, {"_id": 3, "d": usual}, {"_id": 4, "d": "text"}]
        for name in ("plain_dates", "indexed_dates"):
            loader[database][name].insert_many(rows)
        loader[database].indexed_dates.create_index("d")
        for name in ("plain_dates", "indexed_dates"):
            dates = loader[database][name]
            found = [row["_id"] for row in dates.find({"d": {"$type": "date"}}, {"_id": 1}).sort("d", 1)]
            after = [row["_id"] for row in dates.find({"d": {"$gt": datetime(1980, 1, 1, tzinfo=UTC)}}, {"_id": 1})]
            until = [row["_id"] for row in dates.find({"d": {"$lte": usual}}, {"_id": 1}).sort("d", -1)]

            assert (found, after, until) == ([2, 3, 1], [1], [3, 2]), name


def test_a_lookup_by_equality_with_a_variable_reads_the_other_collection_once(client: Client, database: str) -> None:
    joined = {"$lookup": {"from": "c", "let": {"k": "$k"}, "as": "x", "pipeline": [
        {"$match": {"$expr": {"$and": [{"$eq": ["$k", "$$k"]}, {"$lt": ["$_id", 70]}]}}}, {"$project": {"_id": 1}},
    ]}}  # fmt: skip
    rows = client[database].c.aggregate([{"$project": {"k": 1}}, joined, {"$project": {"n": {"$size": "$x"}}}])

    assert {row["n"] for row in rows} == {10}
