"""Proves that a user of the document database cannot write, by trying in a namespace that nobody uses."""

from typing import Any

from pymongo import MongoClient
from pymongo.errors import OperationFailure, PyMongoError

from evaluation.errors import EngineUnavailableError
from evaluation.executors.client import APPLICATION, CONNECT_MILLISECONDS
from evaluation.executors.failures import UNAUTHORIZED, shortened

SCRATCH, COLLECTION = "aptboard_grant_check", "scratch"
NAMESPACE = f"{SCRATCH}.{COLLECTION}"
# What a server answers that does not know a command, or does not have it in this edition.
UNKNOWN_COMMAND_CODES = frozenset({59, 115})

ATTEMPTS: dict[str, dict[str, Any]] = {
    "insert": {"insert": COLLECTION, "documents": [{"_id": 1}]},
    "update": {"update": COLLECTION, "updates": [{"q": {"_id": 1}, "u": {"$set": {"a": 1}}, "upsert": True}]},
    "delete": {"delete": COLLECTION, "deletes": [{"q": {"_id": 1}, "limit": 1}]},
    "findAndModify": {"findAndModify": COLLECTION, "query": {"_id": 1}, "update": {"$set": {"a": 1}}, "upsert": True},
    "$out": {"aggregate": COLLECTION, "pipeline": [{"$out": "scratch_out"}], "cursor": {}},
    "$out to another database": {
        "aggregate": COLLECTION,
        "pipeline": [{"$out": {"db": f"{SCRATCH}_other", "coll": "scratch_out"}}],
        "cursor": {},
    },
    "$merge": {"aggregate": COLLECTION, "pipeline": [{"$merge": {"into": "scratch_merge"}}], "cursor": {}},
    "create": {"create": "scratch_created"},
    "create view": {"create": "scratch_view", "viewOn": COLLECTION, "pipeline": []},
    "createIndexes": {"createIndexes": COLLECTION, "indexes": [{"key": {"a": 1}, "name": "a_1"}]},
    "dropIndexes": {"dropIndexes": COLLECTION, "index": "a_1"},
    "collMod": {"collMod": COLLECTION, "validator": {}},
    "mapReduce": {
        "mapReduce": COLLECTION,
        "map": "function() { emit(1, 1); }",
        "reduce": "function(k, v) { return 1; }",
        "out": "scratch_reduced",
    },
    "createUser": {"createUser": "aptboard_scratch", "pwd": "aptboard_scratch", "roles": []},
    "drop": {"drop": COLLECTION},
    "dropDatabase": {"dropDatabase": 1},
}
ADMIN_ATTEMPTS: dict[str, dict[str, Any]] = {
    "bulkWrite": {
        "bulkWrite": 1,
        "ops": [{"insert": 0, "document": {"_id": 2}}],
        "nsInfo": [{"ns": NAMESPACE}],
    },
    "renameCollection": {"renameCollection": NAMESPACE, "to": f"{SCRATCH}.scratch_renamed"},
}


def check_read_only(url: str) -> tuple[str, ...]:
    """Names of the ways to write that were NOT refused to the user that `url` names; empty is what should be.

    What an attempt left behind is removed again.

    Raises:
        EngineUnavailableError: the server cannot be reached, or does not know the user.
    """
    client: MongoClient[dict[str, Any]] = MongoClient(
        url,
        appname=APPLICATION,
        connectTimeoutMS=CONNECT_MILLISECONDS,
        serverSelectionTimeoutMS=CONNECT_MILLISECONDS,
    )
    try:
        client.admin.command("ping")
        allowed = [name for name, command in ATTEMPTS.items() if not _is_refused(client, SCRATCH, command)]
        allowed += [name for name, command in ADMIN_ATTEMPTS.items() if not _is_refused(client, "admin", command)]
        if allowed:
            _remove_traces(client)
    except PyMongoError as error:
        raise EngineUnavailableError(f"the user's rights cannot be checked: {shortened(str(error))}") from error
    finally:
        client.close()
    return tuple(allowed)


def _is_refused(client: "MongoClient[dict[str, Any]]", database: str, command: dict[str, Any]) -> bool:
    """Whether the server refuses the command for want of rights; any other answer means that it looked further."""
    try:
        client[database].command(dict(command))
    except OperationFailure as error:
        return error.code == UNAUTHORIZED or error.code in UNKNOWN_COMMAND_CODES
    return False


def _remove_traces(client: "MongoClient[dict[str, Any]]") -> None:
    for database, command in (
        (SCRATCH, {"dropUser": "aptboard_scratch"}),
        (SCRATCH, {"dropDatabase": 1}),
        (f"{SCRATCH}_other", {"dropDatabase": 1}),
    ):
        _is_refused(client, database, command)
