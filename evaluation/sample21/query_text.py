"""Writes a query as shell text on one line."""

import json
import re
from collections.abc import Mapping
from typing import Any

from bson.int64 import Int64
from bson.regex import Regex

from benchmark_data.docmap.queries.text import literal_text
from evaluation.types import Operation, Query

_NAME = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*")
_BARE_SLASH = re.compile(r"(?<!\\)/")
_ESCAPED_SLASH = r"\\/"
_FLAGS = ((re.IGNORECASE, "i"), (re.MULTILINE, "m"), (re.DOTALL, "s"))


def query_text(query: Query) -> str:
    """The query as `db.collection.method(…)`; read again, it is the same query.

    What a reader does with the answer (`length_only`, `index`, `path`) is not written.
    """
    arguments = query.arguments
    call = f"db.{query.collection}.{query.operation.value}"
    if query.operation is Operation.AGGREGATE:
        return f"{call}({value_text(list(arguments.get('pipeline', ())))})"
    if query.operation is Operation.ESTIMATED_DOCUMENT_COUNT:
        return f"{call}()"
    condition = value_text(arguments.get("filter") or {})
    if query.operation is Operation.DISTINCT:
        return f"{call}({json.dumps(arguments['key'], ensure_ascii=False)}, {condition})"
    if query.operation not in {Operation.FIND, Operation.FIND_ONE}:
        return f"{call}({condition})"
    projection = arguments.get("projection")
    text = f"{call}({condition}{f', {value_text(projection)}' if projection else ''})"
    return text + "".join(
        f".{name}({value_text(arguments[name])})" for name in ("sort", "skip", "limit") if arguments.get(name)
    )


def value_text(value: Any) -> str:
    """A value in the shell's syntax."""
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(key)}: {value_text(part)}" for key, part in value.items())
        return f"{{{inside}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(value_text, value))}]"
    if isinstance(value, Regex):
        flags = "".join(letter for flag, letter in _FLAGS if value.flags & flag)
        return f"/{_BARE_SLASH.sub(_ESCAPED_SLASH, value.pattern)}/{flags}"
    if isinstance(value, Int64):
        return f'NumberLong("{int(value)}")'
    return literal_text(value)


def _key(name: str) -> str:
    return name if _NAME.fullmatch(name) else json.dumps(name, ensure_ascii=False)
