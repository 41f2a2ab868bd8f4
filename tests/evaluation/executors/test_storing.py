"""Loading goes on where it was broken off, keeps every BSON type, and is compared with the bundle on demand."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import bson
import pytest
from bson.binary import Binary
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.objectid import ObjectId
from bson.raw_bson import RawBSONDocument
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pymongo import MongoClient

from benchmark_data.digest import database_digest
from benchmark_data.extended_json import format_document
from benchmark_data.types import Collection, Database, Index
from evaluation.embedded.document_database import DocumentDatabaseUrls
from evaluation.executors.loading import DatabaseLoader, StorageInUseError

pytestmark = pytest.mark.engine

Make = Callable[..., Database]


@pytest.fixture
def made(tmp_path: Path, loader: DatabaseLoader) -> Iterator[Make]:
    names: list[str] = []

    def make(indexes: tuple[Index, ...] = (), **collections: Sequence[dict[str, Any]]) -> Database:
        # The folder's name is in the data: each test has a database of its own.
        mark = {"_id": "mark", "of": tmp_path.name, "number": len(names)}
        listed = []
        for name, documents in sorted({**collections, "mark": [mark]}.items()):
            path = tmp_path / f"{name}{len(names)}.jsonl"
            path.write_text("".join(f"{format_document(one)}\n" for one in documents), encoding="utf-8")
            sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
            own = indexes if name != "mark" else ()
            listed.append(Collection(name=name, path=path, documents=len(documents), sha256=sha256, indexes=own))
        database = Database(db_id="storing", collections=tuple(listed), digest=database_digest(listed))
        names.append(database.storage_name)
        return database

    yield make
    for name in names:
        loader.drop(name)


class Stop(Exception):
    """The loading process is gone."""


def stop_after(count: int) -> Callable[[int], None]:
    seen = [0]

    def advance(documents: int) -> None:
        seen[0] += documents
        if seen[0] >= count:
            raise Stop

    return advance


def test_a_broken_off_load_goes_on_after_the_last_complete_collection(
    made: Make, loader: DatabaseLoader, document_database: DocumentDatabaseUrls
) -> None:
    database = made(a=[{"_id": n} for n in range(30)], b=[{"_id": n} for n in range(40)], c=[{"_id": 1}])
    with pytest.raises(Stop):
        loader.load(database, progress=stop_after(31))
    entry = next(one for one in loader.catalog() if one.storage_name == database.storage_name)
    assert not entry.complete
    with MongoClient[dict[str, Any]](document_database.loader) as client:
        client[database.storage_name].b.insert_one({"_id": "left over"})
        client[database.storage_name].stray.insert_one({"_id": "left over"})

    told: list[int] = []
    result = loader.load(database, progress=told.append)
    assert (result.loaded, result.resumed, sum(told)) == (True, 1, 72)
    assert loader.verify(database) == ()


def test_a_collection_that_was_complete_and_has_lost_documents_is_stored_anew(
    made: Make, loader: DatabaseLoader, document_database: DocumentDatabaseUrls
) -> None:
    database = made(a=[{"_id": n} for n in range(30)], b=[{"_id": n} for n in range(40)])
    with pytest.raises(Stop):
        loader.load(database, progress=stop_after(31))
    with MongoClient[dict[str, Any]](document_database.loader) as client:
        client[database.storage_name].a.delete_one({"_id": 3})
    assert loader.load(database).resumed == 0
    assert loader.verify(database) == ()


def test_verifying_names_every_difference(
    made: Make, loader: DatabaseLoader, document_database: DocumentDatabaseUrls
) -> None:
    index = Index(keys=(("n", 1),))
    database = made(indexes=(index,), a=[{"_id": 1, "n": 1}], b=[{"_id": 1, "n": 1}], c=[{"_id": 1, "n": 1}])
    loader.load(database)
    assert loader.verify(database) == ()
    with MongoClient[dict[str, Any]](document_database.loader) as client:
        target = client[database.storage_name]
        target.a.insert_one({"_id": 2})
        target.b.update_one({"_id": 1}, {"$set": {"n": Int64(1)}})
        target.c.drop_index("n_1")
        target.d.insert_one({"_id": 1})
    assert loader.verify(database) == (
        "d: the bundle has no such collection",
        "a: 2 documents instead of 1",
        "b: the documents are not those of the bundle",
        "c: there is no index on n 1",
    )


def test_versions_stay_side_by_side_until_no_bundle_uses_them(made: Make, loader: DatabaseLoader) -> None:
    old, new = made(a=[{"_id": 1}]), made(a=[{"_id": 2}])
    mark = old.storage_name
    loader.load(old, used_by=f"{mark}@1")
    loader.load(new, used_by=f"{mark}@2")
    loader.load(old, used_by=f"{mark}@2")
    entries = {one.storage_name: one for one in loader.loaded()}
    assert entries[old.storage_name].bundles == (f"{mark}@1", f"{mark}@2")

    with pytest.raises(StorageInUseError, match=f"{mark}@1, {mark}@2"):
        loader.retire(old.storage_name)
    assert loader.forget(f"{mark}@1") == ()
    assert loader.forget(f"{mark}@2") == tuple(sorted((old.storage_name, new.storage_name)))
    assert loader.retire(old.storage_name)
    assert not loader.retire(old.storage_name)
    assert old.storage_name not in {one.storage_name for one in loader.catalog()}
    assert new.storage_name in {one.storage_name for one in loader.loaded()}


def test_loading_again_keeps_the_mark_of_the_bundle(made: Make, loader: DatabaseLoader) -> None:
    database = made(a=[{"_id": 1}])
    loader.load(database, used_by="x@1")
    loader.load(database, used_by="x@1")
    loader.load(database)
    entry = next(one for one in loader.loaded() if one.storage_name == database.storage_name)
    assert entry.bundles == ("x@1",)
    loader.forget("x@1")


def test_a_load_that_was_broken_off_can_be_retired(made: Make, loader: DatabaseLoader) -> None:
    database = made(a=[{"_id": n} for n in range(30)])
    with pytest.raises(Stop):
        loader.load(database, used_by="x@1", progress=stop_after(1))
    assert loader.retire(database.storage_name)


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**31), 2**31 - 1),
    st.integers(-(2**63), 2**63 - 1).map(Int64),
    st.floats(allow_nan=False) | st.just(float("nan")),  # Extended JSON does not keep the sign of NaN
    st.decimals(allow_nan=False, allow_infinity=False, places=2, min_value=-(10**6), max_value=10**6).map(Decimal128),
    st.text(max_size=6),
    st.binary(max_size=5),
    st.binary(max_size=5).map(lambda content: Binary(content, 128)),
    st.binary(min_size=12, max_size=12).map(ObjectId),
    st.datetimes(min_value=datetime(1, 1, 2), timezones=st.just(UTC)).map(  # noqa: DTZ001 hypothesis wants it so
        lambda date: date.replace(microsecond=date.microsecond // 1_000 * 1_000)
    ),
)
NAMES = st.text(st.characters(codec="utf-8", exclude_characters="$\0."), min_size=1, max_size=4).filter(
    lambda name: name != "_id"
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8
)


@given(documents=st.lists(st.dictionaries(NAMES, VALUES, max_size=5), min_size=1, max_size=6))
@settings(
    deadline=None,
    max_examples=12,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_every_value_comes_back_as_it_stands_in_the_file(
    made: Make,
    loader: DatabaseLoader,
    document_database: DocumentDatabaseUrls,
    documents: list[dict[str, Any]],
) -> None:
    numbered = [{"_id": number, **document} for number, document in enumerate(documents)]
    database = made(things=numbered)
    loader.load(database)
    with MongoClient[RawBSONDocument](document_database.reader, document_class=RawBSONDocument) as client:
        found = [bytes(one.raw) for one in client[database.storage_name].things.find().sort("_id", 1)]
    assert found == [bson.encode(document) for document in numbered]
