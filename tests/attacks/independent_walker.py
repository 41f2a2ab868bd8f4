"""A second, simpler reading of the guard's lists: what an allowed query may hold."""

import re
from collections.abc import Collection, Iterator
from typing import Any

from bson.code import Code

from evaluation.guard.lists import ENTRIES, REFUSED_OPERATORS, Kind
from evaluation.types import Query

STAGE_NAMES = {entry.name for entry in ENTRIES if entry.kind is Kind.STAGE}
OPERATOR_NAMES = {
    entry.name for entry in ENTRIES if entry.kind not in {Kind.STAGE, Kind.METHOD, Kind.VARIABLE} and "$" in entry.name
}
VARIABLE_NAMES = {entry.name for entry in ENTRIES if entry.kind is Kind.VARIABLE}
METHOD_NAMES = {entry.name for entry in ENTRIES if entry.kind is Kind.METHOD}
SOURCES = {"$lookup": "from", "$graphLookup": "from", "$unionWith": "coll"}


def violations(query: Query, *, collections: Collection[str] | None) -> Iterator[str]:
    """Everything in a query that the lists do not allow."""
    if query.operation.value not in METHOD_NAMES:
        yield f"method {query.operation}"
    yield from _name(query.collection, collections)
    for value in query.arguments.values():
        yield from _inside(value, collections, pipeline=False)


def _name(name: Any, collections: Collection[str] | None) -> Iterator[str]:
    if not isinstance(name, str) or "$" in name or "\0" in name or name.startswith("system.") or not name:
        yield f"collection {name!r}"
    elif collections is not None and name not in collections:
        yield f"unknown collection {name!r}"


def _inside(value: Any, collections: Collection[str] | None, *, pipeline: bool) -> Iterator[str]:
    if isinstance(value, list):
        for part in value:
            stage = isinstance(part, dict) and len(part) == 1 and next(iter(part)) in STAGE_NAMES
            yield from _inside(part, collections, pipeline=stage)
    elif isinstance(value, dict):
        for key, part in value.items():
            if key in REFUSED_OPERATORS:
                yield f"refused {key}"
            if key[:1] == "$" and key not in OPERATOR_NAMES and not (pipeline and key in STAGE_NAMES):
                yield f"operator {key}"
            if pipeline and key in SOURCES:
                yield from _source(key, part, collections)
            if key != "$literal":
                yield from _inside(part, collections, pipeline=False)
    elif isinstance(value, Code):
        yield "code"
    elif isinstance(value, str):
        found = re.match(r"\$\$([A-Z][A-Za-z0-9_]*)(\.|$)", value)
        if found and found[1] not in VARIABLE_NAMES and not value.endswith("\n"):
            yield f"variable {value[:40]}"


def _source(stage: str, part: Any, collections: Collection[str] | None) -> Iterator[str]:
    if stage == "$unionWith" and isinstance(part, str):
        yield from _name(part, collections)
    elif not isinstance(part, dict):
        yield f"{stage} {part!r}"
    elif SOURCES[stage] in part:
        yield from _name(part[SOURCES[stage]], collections)
    elif not (part.get("pipeline") and list(part["pipeline"][0]) == ["$documents"]):
        yield f"{stage} without a collection"
