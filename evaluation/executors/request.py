"""The commands that ask for a query: its arguments, our limits, and nothing else of the submitter's."""

from collections.abc import Mapping
from typing import Any

from evaluation.types import Limits, Operation, Query

# Rows a round trip: few enough that a long answer is stopped early, many enough that a short one takes one trip.
LARGEST_BATCH = 1_000
FIND_ARGUMENTS = ("filter", "projection", "sort", "skip", "limit", "hint", "collation")
COUNT_ARGUMENTS = {"filter": "query", "skip": "skip", "limit": "limit", "hint": "hint", "collation": "collation"}


def command_of(query: Query, *, limits: Limits) -> dict[str, Any]:
    """The database command, command name first.

    Args:
        query: a query that the guard allowed.
        limits: its deadline becomes `maxTimeMS`, its rows bound the batches.
    """
    return _BUILDERS[query.operation](query, limits)


def batch_size(limits: Limits) -> int:
    """Rows to ask for at once: one more than may be read tells whether the answer is complete."""
    return min(limits.rows + 1, LARGEST_BATCH)


def _time(limits: Limits) -> dict[str, Any]:
    # 0 would mean "no limit" to the server.
    return {"maxTimeMS": max(1, limits.milliseconds)}


def _given(arguments: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    return {sent: arguments[name] for name, sent in names.items() if arguments.get(name) is not None}


def _aggregate(query: Query, limits: Limits) -> dict[str, Any]:
    return {
        "aggregate": query.collection,
        "pipeline": query.arguments.get("pipeline", []),
        "cursor": {"batchSize": batch_size(limits)},
        "allowDiskUse": True,
        **_given(query.arguments, {"hint": "hint", "collation": "collation"}),
        **_time(limits),
    }


def _find(query: Query, limits: Limits) -> dict[str, Any]:
    command = {
        "find": query.collection,
        "filter": {},
        **_given(query.arguments, {name: name for name in FIND_ARGUMENTS}),
        "batchSize": batch_size(limits),
        "allowDiskUse": True,
        **_time(limits),
    }
    limit = command.get("limit")
    if isinstance(limit, int) and limit < 0:
        # The shell's limit(-n) is n documents in one batch; the command itself refuses a negative number.
        command |= {"limit": -limit, "singleBatch": True, "batchSize": -limit}
    return command


def _find_one(query: Query, limits: Limits) -> dict[str, Any]:
    return {**_find(query, limits), "limit": 1, "singleBatch": True, "batchSize": 1}


def _count(query: Query, limits: Limits) -> dict[str, Any]:
    return {"count": query.collection, "query": {}, **_given(query.arguments, COUNT_ARGUMENTS), **_time(limits)}


def _count_documents(query: Query, limits: Limits) -> dict[str, Any]:
    """As every driver does it (MongoDB's CRUD specification, "Count API Details")."""
    arguments = query.arguments
    pipeline: list[dict[str, Any]] = [{"$match": arguments.get("filter") or {}}]
    if arguments.get("skip"):
        pipeline.append({"$skip": arguments["skip"]})
    if arguments.get("limit"):
        pipeline.append({"$limit": arguments["limit"]})
    pipeline.append({"$group": {"_id": 1, "n": {"$sum": 1}}})
    return {
        "aggregate": query.collection,
        "pipeline": pipeline,
        "cursor": {},
        "allowDiskUse": True,
        **_given(arguments, {"hint": "hint", "collation": "collation"}),
        **_time(limits),
    }


def _estimated_document_count(query: Query, limits: Limits) -> dict[str, Any]:
    return {"count": query.collection, **_time(limits)}


def _distinct(query: Query, limits: Limits) -> dict[str, Any]:
    return {
        "distinct": query.collection,
        "key": query.arguments.get("key"),
        "query": {},
        **_given(query.arguments, {"filter": "query", "hint": "hint", "collation": "collation"}),
        **_time(limits),
    }


_BUILDERS = {
    Operation.AGGREGATE: _aggregate,
    Operation.COUNT: _count,
    Operation.COUNT_DOCUMENTS: _count_documents,
    Operation.DISTINCT: _distinct,
    Operation.ESTIMATED_DOCUMENT_COUNT: _estimated_document_count,
    Operation.FIND: _find,
    Operation.FIND_ONE: _find_one,
}
