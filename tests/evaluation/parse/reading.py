"""What the tests of reading share: a context on a pinned clock, and a reading as plain values."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from evaluation.errors import ForbiddenQueryError, UnparsableTextError
from evaluation.guard.canonical import canonical_arguments
from evaluation.guard.judge import judge
from evaluation.parse.read import read
from evaluation.types import Query, ReadingContext

NOW = datetime(2024, 3, 15, 12, tzinfo=UTC)


def context(*, db_id: str | None = "shop", collections: Sequence[str] = ()) -> ReadingContext:
    """A reading context on the pinned clock."""
    return ReadingContext(db_id=db_id, collections=tuple(collections), now=NOW)


def query_of(text: str, **known: Any) -> Query:
    """The query of a text."""
    return read(text, context=context(**known)).query


def outcome(text: str, *, db_id: str | None = "shop", collections: Sequence[str] = ()) -> dict[str, Any]:
    """What becomes of a text, in the form of the case tables."""
    try:
        reading = read(text, context=context(db_id=db_id, collections=collections))
        flags = {*reading.flags, *judge(reading.query, collections=collections or None)}
    except (UnparsableTextError, ForbiddenQueryError) as error:
        return {"refuse": error.reason}
    query = reading.query
    after: dict[str, Any] = {"length": True} if query.length_only else {}
    after |= {"index": query.index} if query.index is not None else {}
    after |= {"map": list(query.path)} if query.path else {}
    result: dict[str, Any] = {
        "collection": query.collection,
        "operation": query.operation.value,
        "args": json.loads(canonical_arguments(query)),
    }
    return result | ({"flags": sorted(flags)} if flags else {}) | ({"post": after} if after else {})


def refusal(text: str, **known: Any) -> str:
    """The reason for which a text is refused; "" where it is not."""
    return str(outcome(text, **known).get("refuse", ""))
