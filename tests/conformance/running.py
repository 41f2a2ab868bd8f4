"""Runs checks on a document database."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bson.errors import BSONError
from pymongo.database import Database
from pymongo.errors import BulkWriteError, NetworkTimeout, OperationFailure, PyMongoError

from tests.conformance.building import Check
from tests.conformance.expectations import MISSING, AnyOf, AnyOrder, Level, Refused, compare

TEMPORARY_COLLECTIONS = ("outc", "outc2", "zz")
LONGEST = 300


class Verdict(StrEnum):
    """How a check went; the first two count as correct.

    PASS: equal, number types and order of fields included, or refused with mongod's code.
    SOFT: a number's type or the order of fields differs, or refused with another code.
    WRONG: an answer, but not mongod's, or accepted where mongod refuses.
    ERROR: refused, crashed or unsupported where mongod answers.
    TIMEOUT: no answer in time.
    """

    PASS = "pass"
    SOFT = "soft"
    WRONG = "wrong"
    ERROR = "error"
    TIMEOUT = "timeout"


CORRECT = frozenset({Verdict.PASS, Verdict.SOFT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of one check."""

    check: Check
    verdict: Verdict
    why: str = ""


AnyDatabase = Database[dict[str, Any]]


def run_check(database: AnyDatabase, check: Check) -> Outcome:
    """Put the check's data into the database, run it and judge the answer."""
    try:
        _prepare(database, check)
    except (PyMongoError, BSONError, OverflowError) as error:
        return Outcome(check=check, verdict=Verdict.ERROR, why=f"preparing: {error}"[:LONGEST])
    try:
        got = OPERATIONS[check.operation[0]](database, *check.operation[1:])
    except NetworkTimeout:
        return Outcome(check=check, verdict=Verdict.TIMEOUT)
    except (PyMongoError, BSONError, OverflowError, TypeError, ValueError) as error:
        return _judged_refusal(check, error)
    return _judged_answer(check, got)


def _prepare(database: AnyDatabase, check: Check) -> None:
    for name in (*check.data, *TEMPORARY_COLLECTIONS):
        database.drop_collection(name)
    for name, documents in check.data.items():
        if documents:
            database[name].insert_many([dict(document) for document in documents])
        else:
            database.create_collection(name)
    for name, keys, options in check.indexes:
        database[name].create_index(keys, **options)


def _judged_refusal(check: Check, error: Exception) -> Outcome:
    code = _code(error)
    alternatives = check.expected.alternatives if isinstance(check.expected, AnyOf) else (check.expected,)
    refusals = [each for each in alternatives if isinstance(each, Refused)]
    if not refusals:
        return Outcome(check=check, verdict=Verdict.ERROR, why=f"code {code}: {error}"[:LONGEST])
    if code in refusals[0].codes:
        return Outcome(check=check, verdict=Verdict.PASS)
    why = f"code {code}, mongod gives {sorted(refusals[0].codes)}: {error}"
    return Outcome(check=check, verdict=Verdict.SOFT, why=why[:LONGEST])


def _judged_answer(check: Check, got: Any) -> Outcome:
    expected = check.expected
    if isinstance(expected, Refused):
        why = f"accepted, gave {got!r}; mongod refuses with {sorted(expected.codes)}"
        return Outcome(check=check, verdict=Verdict.WRONG, why=why[:LONGEST])
    if isinstance(expected, AnyOf):
        expected = AnyOf(*(each for each in expected.alternatives if not isinstance(each, Refused)))
    if check.unordered and isinstance(expected, list):
        expected = AnyOrder(expected)
    found = compare(expected, got)
    order_only = "field order" in found.why and "field order not judged" in (check.note or "")
    if found.level is Level.EQUAL or (found.level is Level.NUMBER_TYPE and order_only):
        return Outcome(check=check, verdict=Verdict.PASS)
    verdict = Verdict.SOFT if found.level is Level.NUMBER_TYPE else Verdict.WRONG
    return Outcome(check=check, verdict=verdict, why=found.why[:LONGEST])


def _code(error: Exception) -> Any:
    if isinstance(error, BulkWriteError):
        return ((error.details or {}).get("writeErrors") or [{}])[0].get("code")
    return getattr(error, "code", None)


def _aggregate(database: AnyDatabase, collection: str | None, pipeline: Any, options: Mapping[str, Any]) -> Any:
    source = database if collection is None else database[collection]
    return list(source.aggregate(pipeline, **options))


def _expression(database: AnyDatabase, collection: str, value: Any) -> Any:
    rows = list(database[collection].aggregate([{"$project": {"_id": 0, "r": value}}]))
    return rows[0].get("r", MISSING) if rows else MISSING


def _matching(database: AnyDatabase, collection: str, filter_: Any) -> Any:
    matched = sorted(row["_id"] for row in database[collection].aggregate([{"$match": filter_}]))
    found = sorted(row["_id"] for row in database[collection].find(filter_))
    return matched if matched == found else [f"aggregate {matched} but find {found}"]


def _find(database: AnyDatabase, collection: str, filter_: Any, projection: Any, options: Mapping[str, Any]) -> Any:
    cursor = database[collection].find(filter_, projection)
    for name, value in options.items():
        cursor = getattr(cursor, name)(value)
    return list(cursor)


def _distinct(
    database: AnyDatabase, collection: str, key: str, filter_: Any, options: Mapping[str, Any] | None = None
) -> Any:
    return database[collection].distinct(key, filter_, **(options or {}))


def _count(database: AnyDatabase, collection: str, filter_: Any, options: Mapping[str, Any]) -> Any:
    return database[collection].count_documents(filter_, **options)


def _estimated_count(database: AnyDatabase, collection: str) -> Any:
    return database[collection].estimated_document_count()


def _command(database: AnyDatabase, command: Mapping[str, Any]) -> Any:
    return database.command(dict(command))


def _insert(database: AnyDatabase, collection: str, documents: Any) -> Any:
    return database[collection].insert_many(documents)


def _insert_too_large(database: AnyDatabase, collection: str) -> Any:
    """A document of 17 MiB, past the driver's own check."""
    too_large = {"_id": 99, "x": "x" * (17 * 1024 * 1024)}
    reply = database.command({"insert": collection, "documents": [too_large]})
    for error in reply.get("writeErrors", []):
        raise OperationFailure(error["errmsg"], error["code"])
    return reply


def _aggregate_then_read(database: AnyDatabase, collection: str, pipeline: Any, target: str) -> Any:
    list(database[collection].aggregate(pipeline))
    return list(database[target].find({}))


OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "aggregate": _aggregate,
    "aggregate_then_read": _aggregate_then_read,
    "command": _command,
    "count": _count,
    "distinct": _distinct,
    "estimated_count": _estimated_count,
    "expression": _expression,
    "find": _find,
    "insert": _insert,
    "insert_too_large": _insert_too_large,
    "matching": _matching,
}
