"""What the find-only user of the embedded engine must not be able to do, by any route."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from bson import Int64
from pymongo import MongoClient
from pymongo.errors import OperationFailure

from evaluation.embedded.document_database import DocumentDatabaseUrls, urls_from_environment

pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(urls_from_environment() is not None, reason="a real mongod has rules of its own"),
]

Client = MongoClient[dict[str, Any]]
DOCUMENTS = [{"_id": i, "a": i} for i in range(300)]
LOOKUP_SYSTEM = {"$lookup": {"from": "system.users", "pipeline": [], "as": "x"}}
OTHER_DATABASE = {"db": "admin", "coll": "system.users"}


@pytest.fixture(scope="module")
def loader_client(document_database: DocumentDatabaseUrls) -> Iterator[Client]:
    with Client(document_database.loader) as client:
        yield client


@pytest.fixture(scope="module")
def reader_client(document_database: DocumentDatabaseUrls) -> Iterator[Client]:
    with Client(document_database.reader) as client:
        yield client


@pytest.fixture(scope="module")
def database(loader_client: Client) -> Iterator[str]:
    name = f"test_rights_{uuid.uuid4().hex[:12]}"
    loader_client[name].c.insert_many(DOCUMENTS)
    yield name
    loader_client.drop_database(name)


def pipeline(*stages: dict[str, Any]) -> dict[str, Any]:
    return {"aggregate": "c", "pipeline": list(stages), "cursor": {}}


@pytest.mark.parametrize(
    "command",
    [
        {"insert": "c", "documents": [{"_id": -1}]},
        {"update": "c", "updates": [{"q": {}, "u": {"$set": {"a": 0}}, "multi": True}]},
        {"delete": "c", "deletes": [{"q": {}, "limit": 0}]},
        {"findAndModify": "c", "query": {}, "remove": True},
        {"findandmodify": "c", "query": {}, "remove": True},
        {"drop": "c"},
        {"dropDatabase": 1},
        {"create": "new"},
        {"create": "view", "viewOn": "c", "pipeline": []},
        {"createIndexes": "c", "indexes": [{"key": {"a": 1}, "name": "a_1"}]},
        {"dropIndexes": "c", "index": "*"},
        {"collMod": "c", "validator": {}},
        {"mapReduce": "c", "map": "f", "reduce": "f", "out": "new"},
        {"profile": 2},
        {"validate": "c"},
        {"explain": {"aggregate": "c", "pipeline": [{"$out": "new"}], "cursor": {}}},
        {"explain": {"delete": "c", "deletes": [{"q": {}, "limit": 0}]}},
        {"createUser": "u", "pwd": "p", "roles": []},
        {"updateUser": "aptboard_reader", "roles": ["root"]},
        {"grantRolesToUser": "aptboard_reader", "roles": ["root"]},
        {"usersInfo": 1},
        pipeline({"$out": "new"}),
        pipeline({"$out": {"db": "other", "coll": "new"}}),
        pipeline({"$merge": {"into": "c"}}),
        pipeline({"$merge": "c"}),
        pipeline({"$facet": {"x": [{"$out": "new"}]}}),
        pipeline({"$lookup": {"from": "c", "pipeline": [{"$merge": "c"}], "as": "x"}}),
        pipeline({"$unionWith": {"coll": "c", "pipeline": [{"$out": "new"}]}}),
        pipeline({"$facet": {"x": [{"$lookup": {"from": "c", "pipeline": [{"$out": "new"}], "as": "x"}}]}}),
        pipeline(LOOKUP_SYSTEM),
        pipeline({"$lookup": {"from": OTHER_DATABASE, "localField": "a", "foreignField": "b", "as": "x"}}),
        pipeline({"$unionWith": {"db": "admin", "coll": "system.users"}}),
        pipeline({"$unionWith": "system.users"}),
        pipeline(
            {
                "$graphLookup": {
                    "from": "system.users",
                    "startWith": 1,
                    "connectFromField": "a",
                    "connectToField": "a",
                    "as": "x",
                }
            }
        ),
        pipeline({"$changeStream": {}}),
        {"find": "system.users"},
        {"find": "system.profile"},
        {"count": "system.users"},
        {"distinct": "system.users", "key": "credentials"},
    ],
    ids=str,
)
def test_a_command_on_a_database_is_refused(
    reader_client: Client, loader_client: Client, database: str, command: dict[str, Any]
) -> None:
    with pytest.raises(OperationFailure) as refusal:
        reader_client[database].command(dict(command))

    assert refusal.value.code == 13
    assert list(loader_client[database].c.find()) == DOCUMENTS
    assert loader_client[database].list_collection_names() == ["c"]


@pytest.mark.parametrize(
    "command",
    [
        {"bulkWrite": 1, "ops": [{"delete": 0, "filter": {}, "multi": True}], "nsInfo": [{"ns": "test.c"}]},
        {"renameCollection": "test.c", "to": "test.d"},
        {"find": "system.users"},
        {"find": "system.version"},
        {"aggregate": 1, "pipeline": [{"$currentOp": {}}], "cursor": {}},
        {"aggregate": 1, "pipeline": [{"$listLocalSessions": {}}], "cursor": {}},
        {"listCollections": 1},
        {"listDatabases": 1},
        {"killAllSessions": []},
        {"killAllSessionsByPattern": []},
        {"killSessions": []},
        {"killOp": 1, "op": 1},
        {"replSetStepDown": 1},
        {"setParameter": 1, "logLevel": 1},
        {"getParameter": "*"},
        {"getCmdLineOpts": 1},
        {"getLog": "global"},
        {"serverStatus": 1},
        {"currentOp": 1},
        {"hostInfo": 1},
        {"fsync": 1},
        {"configureFailPoint": "failCommand", "mode": "alwaysOn"},
        {"secantusAdmin.backupArchive": "/tmp/x"},
        {"secantusAdmin.restoreArchive": "/tmp/x"},
        {"shutdown": 1},
        {"eval": "1"},
    ],
    ids=str,
)
def test_a_command_on_the_server_is_refused(reader_client: Client, command: dict[str, Any]) -> None:
    with pytest.raises(OperationFailure) as refusal:
        reader_client.admin.command(dict(command))

    assert refusal.value.code == 13


@pytest.mark.parametrize("name", ["admin", "config", "local"])
def test_the_servers_own_databases_cannot_be_read(reader_client: Client, name: str) -> None:
    for collection in ("system.users", "oplog.rs", "system.sessions", "startup_log", "c"):
        with pytest.raises(OperationFailure) as refusal:
            list(reader_client[name][collection].find())
        assert refusal.value.code == 13


def test_the_cursor_of_another_user_cannot_be_continued_nor_killed(
    reader_client: Client, loader_client: Client, database: str
) -> None:
    theirs = loader_client[database].command({"find": "c", "batchSize": 10})["cursor"]["id"]

    for command in ({"getMore": Int64(theirs), "collection": "c"}, {"killCursors": "c", "cursors": [Int64(theirs)]}):
        with pytest.raises(OperationFailure) as refusal:
            reader_client[database].command(command)
        assert refusal.value.code == 43
    rest = loader_client[database].command({"getMore": Int64(theirs), "collection": "c"})
    assert len(rest["cursor"]["nextBatch"]) == 290


def test_a_transaction_does_not_help(reader_client: Client, database: str) -> None:
    with (
        reader_client.start_session() as session,
        pytest.raises(OperationFailure),
        session.start_transaction(),
    ):
        reader_client[database].c.insert_one({"_id": -1}, session=session)


@pytest.mark.parametrize(
    "command",
    [
        {"find": "c", "filter": {"a": 5}},
        {"count": "c"},
        {"distinct": "c", "key": "a"},
        {"listCollections": 1},
        {"listIndexes": "c"},
        pipeline(
            {"$match": {"a": {"$lt": 3}}}, {"$lookup": {"from": "c", "localField": "a", "foreignField": "a", "as": "x"}}
        ),
        pipeline({"$unionWith": "c"}, {"$facet": {"n": [{"$count": "n"}]}}),
        pipeline({"$project": {"x": {"$literal": {"$out": "a value"}}}}),
    ],
    ids=str,
)
def test_reading_is_allowed(reader_client: Client, database: str, command: dict[str, Any]) -> None:
    assert reader_client[database].command(dict(command))["ok"] == 1


def test_reading_on_over_several_batches_is_allowed(reader_client: Client, database: str) -> None:
    assert len(list(reader_client[database].c.find(batch_size=50))) == 300
