"""Canonical Extended JSON: one document a line, every BSON type kept."""

import binascii
import json
from collections import Counter
from collections.abc import Mapping
from datetime import UTC
from decimal import InvalidOperation
from typing import Any, NoReturn

from bson import json_util
from bson.codec_options import DatetimeConversion
from bson.errors import BSONError
from bson.int64 import Int64
from bson.json_util import JSONMode, JSONOptions

from benchmark_data.errors import BenchmarkError

# Dates that Python's datetime cannot hold come back as DatetimeMS, so that no stored date is lost.
OPTIONS: JSONOptions = JSONOptions(
    json_mode=JSONMode.CANONICAL,
    tz_aware=True,
    tzinfo=UTC,
    datetime_conversion=DatetimeConversion.DATETIME_AUTO,
)

_INT32 = range(-(2**31), 2**31)
_INT64 = range(-(2**63), 2**63)
_WRAPPER_ERRORS = (
    ArithmeticError,
    AttributeError,
    BSONError,
    InvalidOperation,
    KeyError,
    TypeError,
    ValueError,
    binascii.Error,
)


class ExtendedJsonError(BenchmarkError):
    """A text is not one document in Extended JSON.

    Args:
        rule: stable snake_case identifier of the broken rule.
        message: a sentence that says what is wrong and what would be right.
    """

    def __init__(self, rule: str, message: str) -> None:
        self.rule = rule
        self.message = message
        super().__init__(message)


def parse_document(text: str) -> dict[str, Any]:
    """Read one line as a document; numbers without a wrapper are read as relaxed Extended JSON reads them.

    Raises:
        ExtendedJsonError: the text is not JSON, not an object, repeats a key, or holds a broken type wrapper.
    """
    try:
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise ExtendedJsonError("bad_json", f"not JSON: {error.msg} at column {error.colno}.") from error
    except RecursionError as error:
        raise ExtendedJsonError("nested_too_deep", "objects and arrays are nested too deeply to be read.") from error
    except ValueError as error:
        # int() refuses literals of more than 4,300 digits with a plain ValueError.
        raise ExtendedJsonError("bad_json", f"not JSON that can be read: {error}.") from error
    if not isinstance(value, dict):
        raise ExtendedJsonError("not_an_object", "a line must be one JSON object, the document.")
    return value


def decode_value(value: Any) -> Any:
    """Read decoded JSON, wrappers and all, as BSON values.

    Raises:
        ExtendedJsonError: it holds a broken type wrapper.
    """
    if isinstance(value, dict):
        return _object([(key, decode_value(part)) for key, part in value.items()])
    if isinstance(value, list):
        return [decode_value(part) for part in value]
    return Int64(value) if type(value) is int and value not in _INT32 else value


def format_document(document: Mapping[str, Any]) -> str:
    """Write a document as one line of canonical Extended JSON, without the line's end; characters stay UTF-8."""
    return json_util.dumps(document, json_options=OPTIONS, ensure_ascii=False, separators=(",", ":"))


def _object(pairs: list[tuple[str, Any]]) -> Any:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        repeated, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ExtendedJsonError("repeated_key", f"the key {repeated!r} stands twice in one object.")
    if not any(key.startswith("$") for key in fields):
        return fields
    return _wrapper(fields)


def _wrapper(fields: dict[str, Any]) -> Any:
    """Decode a type wrapper; json_util lets integers outside their type through, and keys that it does not know."""
    for name, values in (("$numberInt", _INT32), ("$numberLong", _INT64)):
        text = fields.get(name)
        if isinstance(text, str) and text.removeprefix("-").isdecimal() and len(text) < 40 and int(text) not in values:
            raise ExtendedJsonError("bad_value", f"{text} does not fit {name}.")
    try:
        value = json_util.object_hook(fields, OPTIONS)
    except _WRAPPER_ERRORS as error:
        raise ExtendedJsonError("bad_value", f"{_shown(fields)} is no Extended JSON value: {error}.") from error
    if value is fields:
        name = next(key for key in fields if key.startswith("$"))
        raise ExtendedJsonError("field_name", f"the field name {name!r} begins with $ and is no Extended JSON type.")
    return value


def _shown(fields: Mapping[str, Any]) -> str:
    text = repr(dict(fields))
    return text if len(text) <= 80 else f"{text[:77]}…"


def _constant(name: str) -> NoReturn:
    raise ExtendedJsonError("bad_json", f'{name} is no JSON; write {{"$numberDouble": "{name}"}}.')
