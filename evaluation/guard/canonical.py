"""The canonical text of a query: equal texts are the same query."""

from typing import Any

from bson.json_util import CANONICAL_JSON_OPTIONS, dumps

from evaluation.types import Query


def canonical_arguments(query: Query) -> str:
    """The arguments of a query in canonical Extended JSON; key order is kept, because sorts and groups need it."""
    return dumps(dict(query.arguments), json_options=CANONICAL_JSON_OPTIONS, ensure_ascii=False)


def canonical(query: Query) -> str:
    """The whole query in canonical Extended JSON, a stable key for a cache of answers.

    What the reader does with the answer (`length_only`, `index`, `path`) is part of it where it is set. The arguments
    stand in the order of their names; inside them the order of keys is kept.
    """
    record: dict[str, Any] = {
        "collection": query.collection,
        "operation": query.operation.value,
        "arguments": dict(sorted(query.arguments.items())),
    }
    after = {"length": query.length_only, "index": query.index, "path": list(query.path)}
    record |= {name: value for name, value in after.items() if value is not None and value is not False and value != []}
    return dumps(record, json_options=CANONICAL_JSON_OPTIONS, ensure_ascii=False)
