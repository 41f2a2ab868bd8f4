"""DatabaseLoader on a real document database."""

import hashlib
import json
import os
import signal
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import bson
import pytest
from bson.raw_bson import RawBSONDocument
from pymongo import MongoClient

from benchmark_data.digest import database_digest
from benchmark_data.errors import BenchmarkError
from benchmark_data.types import Collection, Database, Index
from evaluation.embedded.document_database import DocumentDatabaseUrls, provided
from evaluation.embedded.process import wait_until
from evaluation.errors import EngineUnavailableError
from evaluation.executors.loading import DatabaseLoader
from evaluation.executors.storing import ContentDigest, stored_documents

pytestmark = pytest.mark.engine

TYPES: dict[str, Any] = {
    "_id": {"$numberInt": "1"},
    "int": {"$numberInt": "-2147483648"},
    "long": {"$numberLong": "5"},
    "double": {"$numberDouble": "5.0"},
    "nan": {"$numberDouble": "NaN"},
    "negative_zero": {"$numberDouble": "-0.0"},
    "decimal": {"$numberDecimal": "1.10"},
    "text": "Zürich \U0001f600",
    "date": {"$date": {"$numberLong": "1709168523004"}},
    "early": {"$date": {"$numberLong": "-99999999999999"}},
    "object_id": {"$oid": "0123456789abcdef01234567"},
    "bytes": {"$binary": {"base64": "AP8=", "subType": "00"}},
    "other_bytes": {"$binary": {"base64": "AP8=", "subType": "80"}},
    "uuid": {"$binary": {"base64": "ASNFZ4mrze8BI0VniavN7w==", "subType": "04"}},
    "regex": {"$regularExpression": {"pattern": "^a", "options": "i"}},
    "timestamp": {"$timestamp": {"t": 5, "i": 2}},
    "smallest": {"$minKey": 1},
    "largest": {"$maxKey": 1},
    "null": None,
    "list": [{"$numberInt": "1"}, [], {}, {"z": {"$numberInt": "1"}, "a": {"$numberInt": "2"}}],
}


@pytest.fixture
def made(tmp_path: Path, loader: DatabaseLoader) -> Iterator["Maker"]:
    maker = Maker(tmp_path)
    yield maker
    for name in maker.names:
        loader.drop(name)


class Maker:
    """Makes databases of a bundle from documents in Extended JSON."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: list[str] = []

    def __call__(self, indexes: tuple[Index, ...] = (), **collections: Sequence[dict[str, Any]]) -> Database:
        made = []
        for name, documents in sorted(collections.items()):
            path = self.folder / f"{name}.jsonl"
            path.write_text("".join(f"{json.dumps(document)}\n" for document in documents), encoding="utf-8")
            sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
            made.append(Collection(name=name, path=path, documents=len(documents), sha256=sha256, indexes=indexes))
        digest = hashlib.sha256(f"{uuid.uuid4()} {database_digest(made)}".encode()).hexdigest()
        database = Database(db_id="test loading", collections=tuple(made), digest=digest)
        self.names.append(database.storage_name)
        return database


def stored(urls: DocumentDatabaseUrls, database: Database, collection: str) -> list[bytes]:
    with MongoClient[RawBSONDocument](urls.reader, document_class=RawBSONDocument) as client:
        return [bytes(document.raw) for document in client[database.storage_name][collection].find()]


def test_every_type_comes_back_byte_for_byte(
    made: Maker, loader: DatabaseLoader, document_database: DocumentDatabaseUrls
) -> None:
    database = made(things=[TYPES])

    loader.load(database)

    expected = [bson.encode(document) for document in stored_documents(database.collections[0])]
    assert stored(document_database, database, "things") == expected


def test_loading_twice_loads_once_and_reports_all_documents_both_times(made: Maker, loader: DatabaseLoader) -> None:
    database = made(many=[{"a": i} for i in range(2500)], none=[])
    advanced: list[int] = []

    first = loader.load(database, progress=advanced.append)
    assert (sum(advanced), first.documents, first.loaded) == (2500, 2500, True)
    second = loader.load(database, progress=advanced.append)
    assert (sum(advanced), second.documents, second.loaded) == (5000, 2500, False)


def test_documents_without_an_id_get_the_same_one_each_time_in_file_order(
    made: Maker, loader: DatabaseLoader, document_database: DocumentDatabaseUrls
) -> None:
    database = made(many=[{"a": i} for i in range(1500)])
    loader.load(database)
    first = stored(document_database, database, "many")
    loader.drop(database.storage_name)
    loader.load(database)

    assert stored(document_database, database, "many") == first
    decoded = [bson.decode(document) for document in first]
    assert [document["a"] for document in decoded] == list(range(1500))
    assert sorted(decoded, key=lambda document: document["_id"]) == decoded


def test_equal_files_of_two_collections_get_different_ids(made: Maker) -> None:
    database = made(one=[{"a": 1}], two=[{"a": 1}])

    ids = {next(stored_documents(collection))["_id"] for collection in database.collections}
    assert len(ids) == 2


def test_the_id_is_stored_first(made: Maker) -> None:
    database = made(late=[{"a": 1, "_id": 7}])

    assert list(next(stored_documents(database.collections[0]))) == ["_id", "a"]


def test_what_a_broken_off_attempt_left_is_loaded_anew(
    made: Maker, loader: DatabaseLoader, document_database: DocumentDatabaseUrls
) -> None:
    database = made(many=[{"_id": i} for i in range(50)])

    def stop(_documents: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        loader.load(database, progress=stop)
    assert database.storage_name not in {entry.storage_name for entry in loader.loaded()}
    with MongoClient[dict[str, Any]](document_database.loader) as client:
        client[database.storage_name].many.insert_one({"_id": "left over"})

    assert loader.load(database).loaded
    assert len(stored(document_database, database, "many")) == 50


def test_a_database_whose_counts_are_off_is_loaded_anew(
    made: Maker, loader: DatabaseLoader, document_database: DocumentDatabaseUrls
) -> None:
    database = made(many=[{"_id": i} for i in range(5)])
    loader.load(database)
    with MongoClient[dict[str, Any]](document_database.loader) as client:
        client[database.storage_name].many.delete_one({"_id": 3})

    assert loader.load(database).loaded
    assert len(stored(document_database, database, "many")) == 5


def test_a_loaded_database_survives_an_engine_that_is_killed(made: Maker, tmp_path: Path) -> None:
    database = made(indexes=(Index(keys=(("a", 1),)),), many=[{"a": i} for i in range(500)])
    made.names.clear()
    with provided(tmp_path / "home") as urls, DatabaseLoader(urls.loader) as loader:
        assert loader.load(database).loaded
        engine = tmp_path / "home" / "mongo" / "engine.json"
        killed = json.loads(engine.read_text())["pid"]
        os.kill(killed, signal.SIGKILL)
        assert wait_until(lambda: json.loads(engine.read_text())["pid"] != killed, seconds=20)

        assert not loader.load(database).loaded
        assert len(stored(urls, database, "many")) == 500
        with MongoClient[dict[str, Any]](urls.reader) as client:
            assert "a_1" in client[database.storage_name].many.index_information()


def test_indexes_are_built(made: Maker, loader: DatabaseLoader, document_database: DocumentDatabaseUrls) -> None:
    database = made(
        indexes=(Index(keys=(("a.b", 1), ("c", -1))), Index(keys=(("d", 1),), unique=True)),
        indexed=[{"d": 1}, {"d": 2}],
    )
    loader.load(database)

    with MongoClient[dict[str, Any]](document_database.reader) as client:
        found = {
            (tuple(index["key"].items()), index.get("unique", False))
            for index in client[database.storage_name].indexed.list_indexes()
        }
    assert {((("a.b", 1), ("c", -1)), False), ((("d", 1),), True)} <= found


@pytest.mark.parametrize(
    ("documents", "indexes"),
    [
        ([{"_id": 1}, {"_id": 1}], ()),
        ([{"a": 1}, {"a": 1}], (Index(keys=(("a", 1),), unique=True),)),
    ],
    ids=["the same _id twice", "a unique index over equal values"],
)
def test_documents_that_cannot_be_stored_are_the_benchmarks_fault_and_nothing_counts_as_loaded(
    made: Maker, loader: DatabaseLoader, documents: list[dict[str, Any]], indexes: tuple[Index, ...]
) -> None:
    database = made(indexes=indexes, twice=documents)

    with pytest.raises(BenchmarkError, match=database.storage_name):
        loader.load(database)
    assert database.storage_name not in {entry.storage_name for entry in loader.loaded()}


def test_a_file_that_holds_other_than_it_announces_is_the_benchmarks_fault(made: Maker, loader: DatabaseLoader) -> None:
    database = made(many=[{"_id": 1}])
    with database.collections[0].path.open("a", encoding="utf-8") as stream:
        stream.write('{"_id": 2}\n')

    with pytest.raises(BenchmarkError, match="1 documents are announced, 2 were sent"):
        loader.load(database)


def test_the_catalogue_lists_what_is_loaded_until_it_is_dropped(made: Maker, loader: DatabaseLoader) -> None:
    database = made(many=[{"_id": i} for i in range(3)])
    loader.load(database)

    entry = next(each for each in loader.loaded() if each.storage_name == database.storage_name)
    assert (entry.db_id, entry.digest, entry.documents) == ("test loading", database.digest, 3)
    loader.drop(database.storage_name)
    assert database.storage_name not in {each.storage_name for each in loader.loaded()}


def test_the_reader_cannot_load(made: Maker, document_database: DocumentDatabaseUrls) -> None:
    with DatabaseLoader(document_database.reader) as reader, pytest.raises(BenchmarkError, match="not authorized"):
        reader.load(made(many=[{"_id": 1}]))


def test_a_server_that_is_not_there_is_unavailable(made: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluation.executors.loading.CONNECT_MILLISECONDS", 200)
    database = made(many=[{"_id": 1}])
    made.names.clear()

    nowhere = "mongodb://127.0.0.1:1/?directConnection=true"
    with DatabaseLoader(nowhere) as absent, pytest.raises(EngineUnavailableError):
        absent.load(database)


def test_the_digest_of_documents_does_not_depend_on_their_order_but_on_each_of_them() -> None:
    documents = [bson.encode({"_id": i}) for i in range(5)]

    def digest(*parts: bytes) -> str:
        made = ContentDigest()
        for part in parts:
            made.add(part)
        return str(made)

    assert digest(*documents) == digest(*reversed(documents))
    assert digest(*documents) != digest(*documents[1:])
    assert digest(*documents) != digest(*documents[:4], bson.encode({"_id": 6}))
