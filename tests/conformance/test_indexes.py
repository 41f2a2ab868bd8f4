"""An index changes no answer: generated filters, sorts and joins over copies of a collection, indexed differently."""

import random
import uuid
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

import pytest
from bson import Decimal128
from pymongo import MongoClient
from pymongo.collation import Collation
from pymongo.database import Database

from evaluation.embedded.document_database import DocumentDatabaseUrls
from tests.conformance.generating import Document, around, bounded_by_extremes, documents, filters

pytestmark = [pytest.mark.engine, pytest.mark.xdist_group("conformance_indexes")]

Keys = Sequence[tuple[str, int]]
SEED, DOCUMENTS, FILTERS = 20, 60, 600
UNINDEXED = "unindexed"
DESIGNS: dict[str, Sequence[Keys]] = {
    "ascending": [[(name, 1)] for name in ("a", "b", "c", "d", "d.x", "d.y", "a.0")],
    "descending": [[(name, -1)] for name in ("a", "b", "c", "d", "d.x", "d.y")],
    "compound": [
        [("a", 1), ("b", 1), ("c", 1)],
        [("b", -1), ("c", -1), ("a", 1)],
        [("c", 1), ("a", -1)],
        [("d.x", 1), ("d.y", 1), ("a", 1)],
    ],
    "sparse": [[("a", 1)], [("b", -1)], [("c", 1), ("b", 1)], [("d.x", 1)]],
    "partial": [[("a", 1)], [("b", -1)], [("a", 1), ("b", 1)], [("c", 1), ("a", 1)]],
}
OPTIONS: dict[str, Document] = {
    "sparse": {"sparse": True},
    "partial": {"partialFilterExpression": {"c": {"$gt": 1}}},
}
STORED = documents(SEED, DOCUMENTS)
ASKED = filters(SEED, FILTERS, STORED)
AnyDatabase = Database[Document]


@pytest.fixture(scope="module")
def database(document_database: DocumentDatabaseUrls) -> Iterator[AnyDatabase]:
    name = f"test_indexes_{uuid.uuid4().hex[:12]}"
    with MongoClient[Document](document_database.loader) as client:
        client[name][UNINDEXED].insert_many(STORED)
        for design, indexes in DESIGNS.items():
            client[name][design].insert_many(STORED)
            for keys in indexes:
                client[name][design].create_index(keys, **OPTIONS.get(design, {}))
        yield client[name]
        client.drop_database(name)


@pytest.fixture(scope="module")
def unindexed(database: AnyDatabase) -> list[list[int]]:
    """What each filter finds without an index."""
    return [found(database, UNINDEXED, filter_) for filter_ in ASKED]


def found(database: AnyDatabase, collection: str, filter_: Document) -> list[int]:
    return sorted(row["_id"] for row in database[collection].find(filter_, {"_id": 1}))


def test_the_generated_filters_find_something(unindexed: list[list[int]]) -> None:
    assert sum(bool(rows) for rows in unindexed) > FILTERS // 3


@pytest.mark.parametrize("design", DESIGNS)
def test_a_filter_finds_with_an_index_what_it_finds_without(
    database: AnyDatabase, unindexed: list[list[int]], design: str
) -> None:
    differences = [
        filter_
        for filter_, expected in zip(ASKED, unindexed, strict=True)
        # A sparse index decides in MongoDB, too, that documents without its field are not compared with MinKey.
        if not (design == "sparse" and bounded_by_extremes(filter_)) and found(database, design, filter_) != expected
    ]

    assert differences == []


@pytest.mark.parametrize("design", DESIGNS)
def test_distinct_and_count_agree_with_an_index(database: AnyDatabase, unindexed: list[list[int]], design: str) -> None:
    for filter_, expected in list(zip(ASKED, unindexed, strict=True))[:60]:
        if not bounded_by_extremes(filter_):
            assert sorted(database[design].distinct("_id", filter_)) == expected, filter_
            assert database[design].count_documents(filter_) == len(expected), filter_


ORDERED = ["", "a", "ab", "abc", "b", 0, 1, 2.5, Decimal128("2.5"), -3, None, True, False]
KINDS = {type(None): 1, float: 2, int: 2, Decimal128: 2, str: 3, bool: 4}


def place(value: Any) -> tuple[int, Any]:
    """Where MongoDB sorts a value."""
    number = value.to_decimal() if isinstance(value, Decimal128) else value
    return KINDS[type(value)], 0 if value is None else Decimal(number) if isinstance(number, int | float) else number


@pytest.mark.parametrize("direction", [1, -1])
@pytest.mark.parametrize("keys", [[("a", 1)], [("a", -1)], [("a", 1), ("b", 1)], [("a", -1), ("b", -1)]], ids=str)
def test_a_sort_is_in_order_whatever_the_index(database: AnyDatabase, keys: Keys, direction: int) -> None:
    chance = random.Random(SEED)
    name = f"sorted_{keys}_{direction}"
    rows = [{"_id": number, "a": chance.choice(ORDERED), "b": chance.choice(ORDERED)} for number in range(60)]
    database[name].insert_many(rows)
    database[name].create_index(keys)
    asked: list[Document] = [
        {},
        {"a": {"$gt": ""}},
        {"a": {"$in": ["b", 1, "ab", None, "a"]}},
        *({"a": value} for value in ORDERED),
    ]
    asked += [{"a": around(chance, rows, "a")} for _ in range(20)]

    for filter_ in asked:
        for sort in ([("a", direction)], [("a", direction), ("b", direction)]):
            ordered = [[place(row[field]) for field, _ in sort] for row in database[name].find(filter_).sort(sort)]
            assert ordered == sorted(ordered, reverse=direction < 0), (filter_, sort)
            assert len(ordered) == database[name].count_documents(filter_)


@pytest.mark.parametrize("foreign", ["a", "d", "d.x"])
@pytest.mark.parametrize("local", ["b", "d.y"])
def test_a_lookup_joins_what_equality_with_any_local_value_finds(
    database: AnyDatabase, local: str, foreign: str
) -> None:
    values = {row["_id"]: local_values(row, local.split(".")) or [None] for row in STORED}
    expected = {
        number: found(database, UNINDEXED, {"$or": [{foreign: {"$eq": value}} for value in several]})
        for number, several in values.items()
    }

    for collection in (UNINDEXED, "ascending", "descending", "compound"):
        join = {"$lookup": {"from": collection, "localField": local, "foreignField": foreign, "as": "r"}}
        rows = database[UNINDEXED].aggregate([join, {"$project": {"r": "$r._id"}}])
        assert {row["_id"]: sorted(row["r"]) for row in rows} == expected, collection


def local_values(value: Any, parts: Sequence[str]) -> list[Any]:
    """The values at a path, through arrays, and the elements of those that are arrays."""
    if not parts:
        return value if isinstance(value, list) else [value]
    inside = value if isinstance(value, list) else [value]
    holders = [each for each in inside if isinstance(each, dict) and parts[0] in each]
    return [each for holder in holders for each in local_values(holder[parts[0]], parts[1:])]


ACCENTED = ["a", "A", "á", "Á", "b", "B", "ab", "Ab", "äb", "", "z", "resume", "Résumé", "10", "9"]


@pytest.mark.parametrize("strength", [1, 2, 3])
@pytest.mark.parametrize("numeric", [False, True], ids=["", "numeric"])
def test_a_collation_finds_the_same_with_its_index(database: AnyDatabase, strength: int, *, numeric: bool) -> None:
    rules = Collation("en", strength=strength, numericOrdering=numeric)
    rows = [{"_id": number, "a": text, "b": [text, "m"]} for number, text in enumerate(ACCENTED)]
    for name in ("plain", "collated", "other"):
        database[name].drop()
        database[name].insert_many(rows)
    for keys in ([("a", 1)], [("b", -1)]):
        database.collated.create_index(keys, collation=rules)
        database.other.create_index(keys)

    for text in ACCENTED:
        for condition in (text, {"$gt": text}, {"$lte": text}, {"$in": [text, "z"]}, {"$gt": "a", "$lt": text}):
            for field in ("a", "b"):
                answers = [
                    sorted(row["_id"] for row in database[name].find({field: condition}, collation=rules))
                    for name in ("plain", "collated", "other")
                ]
                assert answers[0] == answers[1] == answers[2], (field, condition)
