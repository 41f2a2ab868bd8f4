"""Writes a query in every style that is read: the reverse of reading, for the round trip."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.json_util import CANONICAL_JSON_OPTIONS, dumps
from bson.objectid import ObjectId
from bson.regex import Regex

from evaluation.types import Operation, Query

_SNAKE = {"findOne": "find_one", "countDocuments": "count_documents"}


def javascript(value: Any, *, bare_keys: bool = False, quote: str = '"') -> str:
    """A BSON value as shell text."""
    if isinstance(value, dict):
        keys = (_key(key, bare_keys, quote) for key in value)
        parts = (javascript(part, bare_keys=bare_keys, quote=quote) for part in value.values())
        return "{ " + ", ".join(f"{key}: {part}" for key, part in zip(keys, parts, strict=True)) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(javascript(part, bare_keys=bare_keys, quote=quote) for part in value) + "]"
    if isinstance(value, str):
        return _quoted(value, quote)
    return _scalar(value)


def _key(key: str, bare: bool, quote: str) -> str:
    return key if bare and re.fullmatch(r"[A-Za-z_$][A-Za-z0-9_$]*", key) else _quoted(key, quote)


def _quoted(text: str, quote: str) -> str:
    body = json.dumps(text)[1:-1]
    return f'"{body}"' if quote == '"' else "'" + body.replace('\\"', '"').replace("'", "\\'") + "'"


def _scalar(value: Any) -> str:
    if isinstance(value, Int64):
        return f'NumberLong("{value}")'
    if isinstance(value, Decimal128):
        return f'NumberDecimal("{value}")'
    if isinstance(value, ObjectId):
        return f'ObjectId("{value}")'
    if isinstance(value, datetime):
        return f'ISODate("{value:%Y-%m-%dT%H:%M:%S}.{value.microsecond // 1000:03d}Z")'
    if isinstance(value, Regex):
        return f'new RegExp({json.dumps(value.pattern)}, "{"i" if value.flags else ""}")'
    return json.dumps(value)


def python(value: Any) -> str:
    """A BSON value as pymongo text."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {python(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(python, value)) + "]"
    if isinstance(value, Int64):
        return f"Int64({int(value)})"
    if isinstance(value, Decimal128 | ObjectId):
        return f"{type(value).__name__}({str(value)!r})"
    if isinstance(value, datetime):
        parts = (value.year, value.month, value.day, value.hour, value.minute, value.second, value.microsecond)
        return f"datetime({', '.join(map(str, parts))})"
    if isinstance(value, Regex):
        return f"re.compile({value.pattern!r}{', re.I' if value.flags else ''})"
    return repr(value)


def shell_call(query: Query, write: Callable[[Any], str] = javascript) -> str:
    """A query as one shell call with chained calls."""
    arguments = query.arguments
    head = f"db.getCollection({write(query.collection)}).{query.operation}"
    match query.operation:
        case Operation.AGGREGATE:
            return f"{head}({write(arguments['pipeline'])})"
        case Operation.DISTINCT:
            return f"{head}({write(arguments['key'])}, {write(arguments['filter'])})"
        case Operation.FIND | Operation.FIND_ONE:
            given = [arguments["filter"], *([arguments["projection"]] if "projection" in arguments else [])]
            names = [name for name in ("sort", "skip", "limit") if name in arguments]
            chained = "".join(f".{name}({write(arguments[name])})" for name in names)
            return f"{head}({', '.join(map(write, given))}){chained}"
    return f"{head}({write(arguments['filter'])})"


def _bare(value: Any) -> str:
    return javascript(value, bare_keys=True, quote="'")


def fenced(query: Query) -> str:
    """The call in a fence inside prose."""
    return f"Here it is:\n```javascript\n{shell_call(query, _bare)};\n```\nIt isn't hard."


def in_prose(query: Query) -> str:
    """The call on lines of its own in prose."""
    return f"The query would be:\n\n{shell_call(query)}\n\nThat's all."


def with_variables(query: Query) -> str:
    """A script that names the first argument."""
    first = query.arguments.get("pipeline", query.arguments.get("filter"))
    call = shell_call(query)
    written = javascript(first)
    return f"// the parts\nconst part = {written};\n{call.replace(written, 'part', 1)};" if written in call else call


def query_document(query: Query) -> str:
    """`{collection, operation, …}` in canonical Extended JSON."""
    return dumps(
        {"collection": query.collection, "operation": query.operation.value, **query.arguments},
        json_options=CANONICAL_JSON_OPTIONS,
    )


def envelope(query: Query) -> str:
    """A JSON object around the call."""
    return json.dumps({"explanation": "It finds them.", "query": shell_call(query)})


def command(query: Query) -> str:
    """`db.runCommand(…)`, where there is a command for the query."""
    arguments = dict(query.arguments)
    if query.operation in {Operation.FIND_ONE, Operation.COUNT_DOCUMENTS}:
        return shell_call(query)
    if query.operation in {Operation.COUNT, Operation.DISTINCT}:
        arguments["query"] = arguments.pop("filter")
    return f"db.runCommand({javascript({query.operation.value: query.collection, **arguments})})"


def pymongo(query: Query) -> str:
    """The call as a pymongo program."""
    arguments = dict(query.arguments)
    if query.operation is Operation.COUNT:
        return shell_call(query)
    method = _SNAKE.get(query.operation.value, query.operation.value)
    named = ", ".join(
        f"{name}={_pairs(value) if name == 'sort' else python(value)}" for name, value in arguments.items()
    )
    return f"coll = db[{query.collection!r}]\nresult = coll.{method}({named})"


def _pairs(sort: Mapping[str, Any]) -> str:
    return "[" + ", ".join(f"({key!r}, {python(value)})" for key, value in sort.items()) + "]"


STYLES: dict[str, Callable[[Query], str]] = {
    "shell": shell_call,
    "bare keys": lambda query: shell_call(query, _bare),
    "fence": fenced,
    "prose": in_prose,
    "variables": with_variables,
    "document": query_document,
    "envelope": envelope,
    "command": command,
    "pymongo": pymongo,
}
