"""Short texts for values and columns in messages to submitters."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from bson.datetime_ms import DatetimeMS
from bson.decimal128 import Decimal128
from bson.errors import InvalidBSON
from bson.objectid import ObjectId

from evaluation.table import Path
from evaluation.values import ARRAY_TYPES, as_document, is_document

VALUE_LENGTH = 60
PATH_LENGTH = 60


def shown_value(value: Any, *, length: int = VALUE_LENGTH) -> str:
    """A value as a person would write it in the shell, cut after `length` characters."""
    parts: list[str] = []
    size = 0
    for part in _parts(value, length):
        parts.append(part)
        size += len(part)
        if size > length:
            break
    text = "".join(parts)
    return text if len(text) <= length else text[: length - 1] + "…"


def shown_path(path: Path) -> str:
    """A column's name: keys joined by dots, a key with a dot or blank in quotes; a bare value has no name."""
    if not path:
        return "the value"
    text = ".".join(key if key and not set(key) & set('. "\n\t') else json.dumps(key) for key in path[:20])
    return text if len(text) <= PATH_LENGTH else text[: PATH_LENGTH - 1] + "…"


def _parts(value: Any, length: int) -> Iterator[str]:
    """Pieces of the text, without recursion; the reader stops when it has enough."""
    stack: list[Iterator[Any]] = [iter([value])]
    closing: list[str] = [""]
    while stack:
        item = next(stack[-1], _END)
        if item is _END:
            stack.pop()
            yield closing.pop()
        elif isinstance(item, _Text):
            yield item
        elif type(item) in ARRAY_TYPES:
            yield "["
            stack.append(_separated(item))
            closing.append("]")
        elif is_document(type(item)):
            yield "{"
            stack.append(_fields(as_document(item)))
            closing.append("}")
        else:
            yield _scalar(item, length)


class _Text(str):
    """Punctuation among values."""

    __slots__ = ()


_END = object()


def _separated(items: Any) -> Iterator[Any]:
    for number, item in enumerate(items):
        if number:
            yield _Text(", ")
        yield item


def _fields(document: Any) -> Iterator[Any]:
    for number, (name, value) in enumerate(document.items()):
        yield _Text((", " if number else "") + str(name)[:VALUE_LENGTH] + ": ")
        yield value


def _scalar(value: Any, length: int) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if type(value) is str:
        # Cut before quoting: a text may have megabytes.
        return json.dumps(value[: length + 1], ensure_ascii=False)
    if isinstance(value, int | float | Decimal128):
        return str(value)
    if isinstance(value, ObjectId):
        return f'ObjectId("{value}")'
    if isinstance(value, DatetimeMS | datetime):
        return _date(value)
    if isinstance(value, bytes):
        return f"binary of {len(value)} bytes, subtype {getattr(value, 'subtype', 0)}"
    return repr(value)


def _date(value: DatetimeMS | datetime) -> str:
    if isinstance(value, DatetimeMS):
        try:
            moment = value.as_datetime()
        except InvalidBSON:
            return f"date {int(value)} ms"
    else:
        moment = value
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
