"""Puts a bundle's databases into the document database, each under a name that says what is in it."""

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pymongo import MongoClient
from pymongo.database import Database as MongoDatabase
from pymongo.errors import BulkWriteError, ConnectionFailure, OperationFailure, PyMongoError

from benchmark_data.errors import BenchmarkError
from benchmark_data.types import Database
from evaluation.errors import EngineUnavailableError
from evaluation.executors.client import APPLICATION, CONNECT_MILLISECONDS
from evaluation.executors.failures import is_servers_fault, shortened
from evaluation.executors.storing import JOURNALED, announced, load_collection, missing_indexes, read_back
from evaluation.executors.turnstile import turnstile_for

CATALOG_DATABASE, CATALOG_COLLECTION = "aptboard_catalog", "databases"
# Raised when the same files would give other stored documents than before.
LOADER_VERSION = 1
SOCKET_MILLISECONDS = 120_000
COMPLETE, LOADING, DROPPING = "complete", "loading", "dropping"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadResult:
    """What loading one database did.

    Args:
        storage_name: name of the MongoDB database.
        documents: how many it holds.
        loaded: False if it was there already and nothing was done.
        resumed: how many collections were there already, complete, from an attempt that was broken off.
    """

    storage_name: str
    documents: int
    loaded: bool
    resumed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedDatabase:
    """An entry of the catalog.

    Args:
        storage_name: name of the MongoDB database.
        db_id, digest: of the database that it holds.
        documents: how many it has when complete.
        bundles: who uses it, as told at loading: "tiny@1".
        complete: False where loading was broken off.
    """

    storage_name: str
    db_id: str
    digest: str
    documents: int
    bundles: tuple[str, ...] = ()
    complete: bool = True


class StorageInUseError(BenchmarkError):
    """A database is not dropped, because a bundle uses it."""


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

    def load(
        self, database: Database, *, used_by: str = "", progress: Callable[[int], None] | None = None
    ) -> LoadResult:
        """Load a database unless it is there, complete.

        A broken-off attempt goes on: collections that it completed, which were read back and found equal, stay; all
        others are dropped and stored anew. Databases of other content are never touched.

        Args:
            database: of a bundle that was validated.
            used_by: the bundle, such as "tiny@1", noted so that nobody retires what it needs.
            progress: called with the number of documents that were just stored, or found to be there.

        Raises:
            BenchmarkError: documents or indexes cannot be stored, or do not come back as they were.
            EngineUnavailableError: the server cannot be reached, or failed.
        """
        name, advance = database.storage_name, progress or _ignore
        documents = sum(collection.documents for collection in database.collections)
        with turnstile_for(f"{self._url} {name}").passed(alone=True), _blamed(name):
            entry = self._catalog.find_one({"_id": name}) or {}
            target = self._client.get_database(name, write_concern=JOURNALED)
            known = all(entry.get(key) == value for key, value in _entry(database).items())
            if known and entry.get("state") == COMPLETE and all(_has_all(target, database)):
                self._note_user(name, used_by)
                advance(documents)
                return LoadResult(storage_name=name, documents=documents, loaded=False)
            finished = set(entry.get("finished", ())) if known and entry.get("state") == LOADING else set()
            resumed = self._load(target, database, finished, advance)
            self._note_user(name, used_by)
        return LoadResult(storage_name=name, documents=documents, loaded=True, resumed=resumed)

    def _load(
        self,
        target: "MongoDatabase[dict[str, Any]]",
        database: Database,
        finished: set[str],
        advance: Callable[[int], None],
    ) -> int:
        complete = zip(database.collections, _has_all(target, database), strict=True)
        kept = {collection.name for collection, there in complete if there and collection.name in finished}
        self._catalog.update_one(
            {"_id": target.name},
            {"$set": {**_entry(database), "state": LOADING, "finished": sorted(kept)}},
            upsert=True,
        )
        if kept:
            for name in set(target.list_collection_names()) - kept:
                target.drop_collection(name)
        else:
            self._client.drop_database(target.name)
        for collection in database.collections:
            if collection.name in kept:
                advance(collection.documents)
                continue
            load_collection(target, collection, advance)
            self._catalog.update_one({"_id": target.name}, {"$addToSet": {"finished": collection.name}})
        self._catalog.update_one({"_id": target.name}, {"$set": {"state": COMPLETE}})
        return len(kept)

    def verify(self, database: Database) -> tuple[str, ...]:
        """Compare every stored document and index of a loaded database with the bundle; a sentence for each difference.

        Raises:
            EngineUnavailableError: the server cannot be reached, or failed.
        """
        problems = []
        with _blamed(database.storage_name):
            target = self._client[database.storage_name]
            there = set(target.list_collection_names())
            for name in sorted(there - {collection.name for collection in database.collections}):
                problems.append(f"{name}: the bundle has no such collection")
            for collection in database.collections:
                stored, wanted = read_back(target, collection.name), announced(collection)
                if stored.documents != wanted.documents:
                    problems.append(
                        f"{collection.name}: {stored.documents:,} documents instead of {wanted.documents:,}"
                    )
                elif str(stored) != str(wanted):
                    problems.append(f"{collection.name}: the documents are not those of the bundle")
                for index in missing_indexes(target, collection) if collection.name in there else ():
                    problems.append(f"{collection.name}: there is no index on {index}")
        return tuple(problems)

    def drop(self, storage_name: str) -> None:
        """Remove a loaded database; nothing happens if there is none.

        Raises:
            EngineUnavailableError: the server cannot be reached, or failed.
        """
        with turnstile_for(f"{self._url} {storage_name}").passed(alone=True), _blamed(storage_name):
            self._catalog.update_one({"_id": storage_name}, {"$set": {"state": DROPPING}})
            self._client.drop_database(storage_name)
            self._catalog.delete_one({"_id": storage_name})

    def retire(self, storage_name: str, *, released_by: str = "") -> bool:
        """Remove a database that no bundle uses, complete or not; False if the catalog does not know it.

        Args:
            storage_name: name of the MongoDB database.
            released_by: beginning of the marks of those who answer for it that they need it no longer.

        Raises:
            StorageInUseError: a bundle uses it, see `forget`.
            EngineUnavailableError: the server cannot be reached, or failed.
        """
        with _blamed(CATALOG_DATABASE):
            entry = self._catalog.find_one({"_id": storage_name})
        if entry is None:
            return False
        users = [user for user in entry.get("bundles", ()) if not released_by or not user.startswith(released_by)]
        if users:
            raise StorageInUseError(f"{storage_name} is used by {', '.join(users)}")
        self.drop(storage_name)
        return True

    def forget(self, used_by: str) -> tuple[str, ...]:
        """Note that a bundle needs its databases no longer; returns the names of those that none uses now.

        Raises:
            EngineUnavailableError: the server cannot be reached, or failed.
        """
        with _blamed(CATALOG_DATABASE):
            names = [entry["_id"] for entry in self._catalog.find({"bundles": used_by}).sort("_id", 1)]
            self._catalog.update_many({"bundles": used_by}, {"$pull": {"bundles": used_by}})
            free = self._catalog.find({"_id": {"$in": names}, "bundles": []}).sort("_id", 1)
            return tuple(entry["_id"] for entry in free)

    def loaded(self) -> tuple[LoadedDatabase, ...]:
        """The complete databases, in order of name.

        Raises:
            EngineUnavailableError: the server cannot be reached, or failed.
        """
        return tuple(entry for entry in self.catalog() if entry.complete)

    def catalog(self) -> tuple[LoadedDatabase, ...]:
        """All databases that were loaded or begun, in order of name.

        Raises:
            EngineUnavailableError: the server cannot be reached, or failed.
        """
        with _blamed(CATALOG_DATABASE):
            entries = list(self._catalog.find({}).sort("_id", 1))
        return tuple(
            LoadedDatabase(
                storage_name=entry["_id"],
                db_id=entry["db_id"],
                digest=entry["digest"],
                documents=sum(collection["documents"] for collection in entry["collections"]),
                bundles=tuple(entry.get("bundles", ())),
                complete=entry["state"] == COMPLETE,
            )
            for entry in entries
        )

    def _note_user(self, name: str, used_by: str) -> None:
        if used_by:
            self._catalog.update_one({"_id": name}, {"$addToSet": {"bundles": used_by}})


def _entry(database: Database) -> dict[str, Any]:
    """What an entry of the catalog says of the content; what says how far loading came stands beside it."""
    return {
        "db_id": database.db_id,
        "digest": database.digest,
        "loader": LOADER_VERSION,
        "collections": [
            {"name": collection.name, "documents": collection.documents, "sha256": collection.sha256}
            for collection in database.collections
        ],
    }


def _has_all(target: "MongoDatabase[dict[str, Any]]", database: Database) -> list[bool]:
    """For each collection, whether the server counts as many documents as the bundle."""
    return [
        target[collection.name].estimated_document_count() == collection.documents
        for collection in database.collections
    ]


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
