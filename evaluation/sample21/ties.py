"""Finds limits that cut a tie: the query's own sort does not tell which of two documents is in the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from evaluation.types import Answer, Executor, Limits, Operation, Query


def open_limit(query: Query, *, executor: Executor, database: str, limits: Limits) -> str:
    """A sentence on a limit that cuts a tie, "" if none does; a limit without any sort before it is one.

    Looks at `$sort`, perhaps `$skip`, and `$limit` on the top level of a pipeline, and at find's sort and limit.

    Raises:
        EngineUnavailableError: the document database failed.
    """
    if query.operation is not Operation.AGGREGATE:
        limit = query.arguments.get("limit")
        keys: Mapping[str, Any] = query.arguments.get("sort") or {}
        if not limit or query.operation is not Operation.FIND:
            return ""
        cut = abs(limit) + (query.arguments.get("skip") or 0)
        probe = {"filter": query.arguments.get("filter") or {}, "sort": keys, "limit": cut + 1}
        found = executor.execute(replace(query, arguments=probe), database=database, limits=limits)
        return _cut(found, keys, cut)
    for prefix, order, cut in _limits(list(query.arguments.get("pipeline", ()))):
        pipeline = [*prefix, {"$limit": cut + 1}]
        found = executor.execute(
            replace(query, arguments={**query.arguments, "pipeline": pipeline}), database=database, limits=limits
        )
        sentence = _cut(found, order, cut)
        if sentence:
            return sentence
    return ""


def _limits(pipeline: Sequence[Mapping[str, Any]]) -> list[tuple[list[Mapping[str, Any]], Mapping[str, Any], int]]:
    """For each limit behind a sort: the stages up to the sort, its keys, and how many documents it lets through."""
    found = []
    for number, (before, stage) in enumerate(pairwise([{}, *pipeline])):
        if "$limit" not in stage:
            continue
        skip, end = 0, number
        if "$skip" in before:
            skip, end = before["$skip"], number - 1
        keys = pipeline[end - 1].get("$sort", {}) if end else {}
        if keys:
            found.append((list(pipeline[:end]), keys, skip + stage["$limit"]))
    return found


def _cut(found: Any, keys: Mapping[str, Any], cut: int) -> str:
    if not isinstance(found, Answer) or len(found.rows) <= cut:
        return ""
    last, following = found.rows[cut - 1], found.rows[cut]
    if last == following or any(_at(last, path) != _at(following, path) for path in keys):
        return ""
    shown = {path: _at(last, path) for path in keys}
    return f"the limit cuts a tie at {shown!r:.150}: add a key that tells the documents apart."


def _at(document: Any, path: str) -> Any:
    for name in path.split("."):
        document = document.get(name) if isinstance(document, Mapping) else None
    return document
