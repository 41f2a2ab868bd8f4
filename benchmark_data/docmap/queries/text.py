"""A pipeline as text in mongosh's syntax, or as one Extended JSON object."""

import json
import re
from datetime import UTC, datetime
from typing import Any

from bson.int64 import Int64
from bson.json_util import CANONICAL_JSON_OPTIONS, dumps

_NAME = re.compile(r"^[A-Za-z_$][A-Za-z0-9_$]*$")
_PLAIN_COLLECTION = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*$")
_DATABASE_METHODS = frozenset({"aggregate", "getCollection", "getSiblingDB", "stats", "version", "system", "help"})
_INT32 = range(-(2**31), 2**31)
_WIDTH = 100


def shell_text(collection: str, pipeline: list[dict[str, Any]]) -> str:
    """`db.collection.aggregate([...])`, one stage a line where that fits."""
    plain = _PLAIN_COLLECTION.match(collection) and collection not in _DATABASE_METHODS
    source = f"db.{collection}" if plain else f"db.getCollection({json.dumps(collection, ensure_ascii=False)})"
    stages = ",\n".join(_laid_out(stage, 1) for stage in pipeline)
    return f"{source}.aggregate([\n{stages}\n])" if pipeline else f"{source}.aggregate([])"


def extended_json(collection: str, pipeline: list[dict[str, Any]]) -> str:
    """`{"collection": …, "pipeline": […]}` in canonical Extended JSON."""
    return dumps(
        {"collection": collection, "pipeline": pipeline}, json_options=CANONICAL_JSON_OPTIONS, ensure_ascii=False
    )


def literal_text(value: Any) -> str:
    """One value in mongosh's syntax."""
    return _one_line(value)


def _laid_out(value: Any, level: int) -> str:
    indent = "  " * level
    line = _one_line(value)
    if len(indent) + len(line) <= _WIDTH or not isinstance(value, dict | list) or not value:
        return indent + line
    if isinstance(value, list):
        inside = ",\n".join(_laid_out(each, level + 1) for each in value)
        return f"{indent}[\n{inside}\n{indent}]"
    parts = [f"{'  ' * (level + 1)}{_key(key)}: {_laid_out(each, level + 1).lstrip()}" for key, each in value.items()]
    return f"{indent}{{\n" + ",\n".join(parts) + f"\n{indent}}}"


def _key(name: str) -> str:
    return name if _NAME.match(name) else json.dumps(name, ensure_ascii=False)


def _one_line(value: Any) -> str:
    if isinstance(value, dict):
        return (
            "{ " + ", ".join(f"{_key(key)}: {_one_line(each)}" for key, each in value.items()) + " }" if value else "{}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(_one_line, value)) + "]"
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int):
        # A range looks through all its numbers for a subclass of int.
        is_short = int(value) in _INT32 and not isinstance(value, Int64)
        return str(value) if is_short else f'NumberLong("{value}")'
    if isinstance(value, datetime):
        return f'ISODate("{value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}")'
    return repr(value) if isinstance(value, float) else dumps(value)
