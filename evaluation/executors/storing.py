"""Puts one collection's documents into the document database, and proves that they arrived."""

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import bson
from bson.objectid import ObjectId
from bson.raw_bson import RawBSONDocument
from pymongo import IndexModel
from pymongo.collection import Collection as MongoCollection
from pymongo.database import Database as MongoDatabase
from pymongo.write_concern import WriteConcern

from benchmark_data.errors import BenchmarkError
from benchmark_data.load import read_documents
from benchmark_data.types import Collection, Index
from evaluation.executors.client import RAW

BATCH_BYTES, BATCH_DOCUMENTS = 4 * 1024 * 1024, 1_000
# Without the journal an embedded engine that is killed loses documents that it had acknowledged.
JOURNALED = WriteConcern(w=1, j=True)


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


def stored_documents(collection: Collection) -> Iterator[dict[str, Any]]:
    """The documents of a collection as they are stored: `_id` first, made from file and position where there is none.

    A made `_id` is the same at each loading, and grows with the position, so that scans follow the file.
    """
    prefix = hashlib.sha256(f"{collection.name}\0{collection.sha256}".encode()).digest()[:8]
    for position, document in enumerate(read_documents(collection)):
        made = ObjectId(prefix + position.to_bytes(4))
        yield {"_id": document.get("_id", made), **{key: value for key, value in document.items() if key != "_id"}}


def load_collection(
    target: "MongoDatabase[dict[str, Any]]", collection: Collection, advance: Callable[[int], None]
) -> None:
    """Store the documents of a collection that does not exist yet, build its indexes, and read all back.

    Raises:
        BenchmarkError: what came back is not what was sent, or not what the bundle announces.
    """
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
    missing = missing_indexes(target, collection)
    if missing:
        raise BenchmarkError(f"{target.name}.{collection.name}: the indexes on {', '.join(missing)} were not built")
    received = read_back(target, collection.name)
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


def missing_indexes(target: "MongoDatabase[dict[str, Any]]", collection: Collection) -> list[str]:
    """Those of a collection's indexes that the server does not have, as text."""
    found = {
        (tuple(index["key"].items()), bool(index.get("unique", False)))
        for index in target[collection.name].list_indexes()
    }
    wanted = [index for index in collection.indexes if (index.keys, index.unique) not in found]
    return [" ".join(f"{path} {direction}" for path, direction in index.keys) for index in wanted]


def announced(collection: Collection) -> ContentDigest:
    """The digest of what a collection's file says should be stored."""
    digest = ContentDigest()
    for document in stored_documents(collection):
        digest.add(bson.encode(document))
    return digest


def _index_model(index: Index) -> IndexModel:
    return IndexModel(list(index.keys), unique=True) if index.unique else IndexModel(list(index.keys))


def read_back(target: "MongoDatabase[dict[str, Any]]", name: str) -> ContentDigest:
    """The digest of what the server has stored in a collection."""
    received = ContentDigest()
    raw: MongoCollection[RawBSONDocument] = target.get_collection(name).with_options(codec_options=RAW)
    for document in raw.find():
        received.add(bytes(document.raw))
    return received
