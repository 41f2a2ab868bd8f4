"""Puts a bundle's databases into the document database, each under a name that says what is in it."""

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import bson
from bson.objectid import ObjectId
from bson.raw_bson import RawBSONDocument
from pymongo import IndexModel, MongoClient
from pymongo.collection import Collection as MongoCollection
from pymongo.database import Database as MongoDatabase
from pymongo.errors import BulkWriteError, ConnectionFailure, OperationFailure, PyMongoError
from pymongo.write_concern import WriteConcern

from benchmark_data.errors import BenchmarkError
from benchmark_data.load import read_documents
from benchmark_data.types import Collection, Database, Index
from evaluation.errors import EngineUnavailableError
from evaluation.executors.client import APPLICATION, CONNECT_MILLISECONDS, RAW
from evaluation.executors.failures import is_servers_fault, shortened
from evaluation.executors.turnstile import turnstile_for

CATALOG_DATABASE, CATALOG_COLLECTION = "aptboard_catalog", "databases"
# Raised when the same files would give other stored documents than before.
LOADER_VERSION = 1
BATCH_BYTES, BATCH_DOCUMENTS = 4 * 1024 * 1024, 1_000
SOCKET_MILLISECONDS = 120_000
# Without the journal an embedded engine that is killed loses documents that it had acknowledged.
JOURNALED = WriteConcern(w=1, j=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadResult:
    """What loading one database did.

    Args:
        storage_name: name of the MongoDB database.
        documents: how many it holds.
        loaded: False if it was there already and nothing was done.
    """

    storage_name: str
    documents: int
    loaded: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedDatabase:
    """An entry of the catalog: a database that is complete."""

    storage_name: str
    db_id: str
    digest: str
    documents: int


class ContentDigest:
    """Counts documents, and sums up their SHA-256 as BSON modulo 2^256: equal for equal documents in any order.

    Source: AdHash, Bellare and Micciancio, "A New Paradigm for Collision-Free Hashing", EUROCRYPT 1997. All documents
    of a collection differ by their `_id`, so no sum of equal terms hides a change.
    """

    def __init__(self) -> None:
        self.documents = 0
        self._sum = 0

    def add(self, document: bytes) -> None:
        """Take in one document's BSON."""
        self.documents += 1
        self._sum += int.from_bytes(hashlib.sha256(document).digest())

    def __str__(self) -> str:
        return f"{self._sum % 2**256:064x}"


class DatabaseLoader:
    """Loads and drops benchmark databases as the user that `url` names; not to be shared between processes."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._client: MongoClient[dict[str, Any]] = MongoClient(
            url,
            appname=APPLICATION,
            connectTimeoutMS=CONNECT_MILLISECONDS,
            serverSelectionTimeoutMS=CONNECT_MILLISECONDS,
            socketTimeoutMS=SOCKET_MILLISECONDS,
        )
        catalog = self._client.get_database(CATALOG_DATABASE, write_concern=JOURNALED)
        self._catalog = catalog[CATALOG_COLLECTION]

    def __enter__(self) -> "DatabaseLoader":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def load(self, database: Database, *, progress: Callable[[int], None] | None = None) -> LoadResult:
        """Load a database unless it is there, complete; what a broken-off attempt left is dropped first.

        Args:
            database: of a bundle that was validated.
            progress: called with the number of documents that were just stored, or found to be there.

        Raises:
            BenchmarkError: documents or indexes cannot be stored, or do not come back as they were.
            EngineUnavailableError: the server cannot be reached, or failed.
        """
        name, advance = database.storage_name, progress or _ignore
        documents = sum(collection.documents for collection in database.collections)
        with turnstile_for(f"{self._url} {name}").passed(alone=True), _blamed(name):
            if self._is_complete(database):
                advance(documents)
                return LoadResult(storage_name=name, documents=documents, loaded=False)
            self._note(database, state="loading")
            self._client.drop_database(name)
            target = self._client.get_database(name, write_concern=JOURNALED)
            for collection in database.collections:
                _load_collection(target, collection, advance)
            self._note(database, state="complete")
        return LoadResult(storage_name=name, documents=documents, loaded=True)

    def drop(self, storage_name: str) -> None:
        """Remove a loaded database; nothing happens if there is none.

        Raises:
            EngineUnavailableError: the server cannot be reached, or failed.
        """
        with turnstile_for(f"{self._url} {storage_name}").passed(alone=True), _blamed(storage_name):
            self._catalog.update_one({"_id": storage_name}, {"$set": {"state": "dropping"}})
            self._client.drop_database(storage_name)
            self._catalog.delete_one({"_id": storage_name})

    def loaded(self) -> tuple[LoadedDatabase, ...]:
        """The complete databases, in order of name.

        Raises:
            EngineUnavailableError: the server cannot be reached, or failed.
        """
        with _blamed(CATALOG_DATABASE):
            entries = list(self._catalog.find({"state": "complete"}).sort("_id", 1))
        return tuple(
            LoadedDatabase(
                storage_name=entry["_id"],
                db_id=entry["db_id"],
                digest=entry["digest"],
                documents=sum(collection["documents"] for collection in entry["collections"]),
            )
            for entry in entries
        )

    def _is_complete(self, database: Database) -> bool:
        entry = self._catalog.find_one({"_id": database.storage_name})
        if entry is None or entry != _entry(database, state="complete"):
            return False
        target = self._client[database.storage_name]
        return all(
            target[collection.name].estimated_document_count() == collection.documents
            for collection in database.collections
        )

    def _note(self, database: Database, *, state: str) -> None:
        self._catalog.replace_one({"_id": database.storage_name}, _entry(database, state=state), upsert=True)


def stored_documents(collection: Collection) -> Iterator[dict[str, Any]]:
    """The documents of a collection as they are stored: `_id` first, made from file and position where there is none.

    A made `_id` is the same at each loading, and grows with the position, so that scans follow the file.
    """
    prefix = hashlib.sha256(f"{collection.name}\0{collection.sha256}".encode()).digest()[:8]
    for position, document in enumerate(read_documents(collection)):
        made = ObjectId(prefix + position.to_bytes(4))
        yield {"_id": document.get("_id", made), **{key: value for key, value in document.items() if key != "_id"}}


def _entry(database: Database, *, state: str) -> dict[str, Any]:
    return {
        "_id": database.storage_name,
        "db_id": database.db_id,
        "digest": database.digest,
        "loader": LOADER_VERSION,
        "state": state,
        "collections": [
            {"name": collection.name, "documents": collection.documents, "sha256": collection.sha256}
            for collection in database.collections
        ],
    }


def _load_collection(
    target: "MongoDatabase[dict[str, Any]]", collection: Collection, advance: Callable[[int], None]
) -> None:
    sent = ContentDigest()
    target.create_collection(collection.name)
    stored = target.get_collection(collection.name, write_concern=JOURNALED)
    for batch in _batches(collection):
        for document in batch:
            sent.add(bytes(document.raw))
        stored.insert_many(batch)
        advance(len(batch))
    if collection.indexes:
        stored.create_indexes([_index_model(index) for index in collection.indexes])
    received = _read_back(target, collection.name)
    if (received.documents, str(received)) != (sent.documents, str(sent)) or sent.documents != collection.documents:
        raise BenchmarkError(
            f"{target.name}.{collection.name}: {collection.documents} documents are announced, {sent.documents} were "
            f"sent and {received.documents} came back, "
            + ("equal" if str(received) == str(sent) else "not equal to what was sent")
        )


def _batches(collection: Collection) -> Iterator[list[RawBSONDocument]]:
    batch: list[RawBSONDocument] = []
    size = 0
    for document in stored_documents(collection):
        encoded = RawBSONDocument(bson.encode(document))
        if batch and (size + len(encoded.raw) > BATCH_BYTES or len(batch) == BATCH_DOCUMENTS):
            yield batch
            batch, size = [], 0
        batch.append(encoded)
        size += len(encoded.raw)
    if batch:
        yield batch


def _index_model(index: Index) -> IndexModel:
    return IndexModel(list(index.keys), unique=True) if index.unique else IndexModel(list(index.keys))


def _read_back(target: "MongoDatabase[dict[str, Any]]", name: str) -> ContentDigest:
    received = ContentDigest()
    raw: MongoCollection[RawBSONDocument] = target.get_collection(name).with_options(codec_options=RAW)
    for document in raw.find():
        received.add(bytes(document.raw))
    return received


@contextlib.contextmanager
def _blamed(name: str) -> Iterator[None]:
    """Turn the driver's errors into ours."""
    try:
        yield
    except ConnectionFailure as error:
        raise EngineUnavailableError(f"{name}: the document database is gone: {shortened(str(error))}") from error
    except BulkWriteError as error:
        reasons = [str(each.get("errmsg")) for each in (error.details or {}).get("writeErrors", [])]
        raise BenchmarkError(f"{name}: documents were refused: {shortened('; '.join(reasons))}") from error
    except OperationFailure as error:
        if is_servers_fault(error):
            raise EngineUnavailableError(f"{name}: the document database gave up: {shortened(str(error))}") from error
        raise BenchmarkError(f"{name}: the document database refused: {shortened(str(error))}") from error
    except PyMongoError as error:
        raise EngineUnavailableError(f"{name}: {shortened(str(error))}") from error


def _ignore(_documents: int) -> None:
    """The progress of somebody who does not watch."""
