"""Documents as the shell would send them: key order, duplicate keys, Extended JSON wrappers."""

import base64
import binascii
import uuid
from collections.abc import Callable, Iterable, Mapping
from decimal import InvalidOperation
from typing import Any, Final

from bson.binary import Binary
from bson.decimal128 import Decimal128
from bson.errors import InvalidId
from bson.int64 import Int64
from bson.max_key import MaxKey
from bson.min_key import MinKey
from bson.objectid import ObjectId
from bson.regex import Regex
from bson.timestamp import Timestamp

from evaluation.errors import ForbiddenQueryError, UnparsableTextError
from evaluation.parse.dates import date_from_iso, date_from_milliseconds
from evaluation.parse.draft import RejectedValueError

LARGEST_INDEX: Final = 2**32 - 2
"""Keys up to here are array indexes to JavaScript, which moves them to the front of an object."""


def document_build(pairs: Iterable[tuple[str, Any]], *, flags: set[str], javascript: bool = True) -> Any:
    """Build a document from its pairs, or the value that an Extended JSON wrapper stands for.

    Args:
        pairs: keys and BSON values as written; the last of two equal keys wins and sets "duplicate_key".
        flags: gets the flags of the reading.
        javascript: move integer-like keys to the front in ascending order, as JavaScript does (case T071).

    Raises:
        UnparsableTextError: a key is `__proto__` (attack X026) or holds a NUL character.
        RejectedValueError: a wrapper such as `{"$oid": …}` holds a value that it cannot hold.
    """
    document: dict[str, Any] = {}
    indexes = False
    for key, value in pairs:
        if key in document:
            flags.add("duplicate_key")
        elif key == "__proto__" or "\0" in key:
            raise UnparsableTextError("unsupported_syntax", f"The key {key!r} is not allowed.")
        elif key.isdigit():
            indexes = True
        document[key] = value
    if indexes and javascript:
        document = _indexes_first(document)
    if len(document) == 1 or "$type" in document or "$binary" in document:
        return unwrap(document)
    return document


def _is_index(key: str) -> bool:
    return (
        key.isascii()
        and key.isdigit()
        and (key == "0" or key[0] != "0")
        and len(key) <= 10
        and int(key) <= LARGEST_INDEX
    )


def _indexes_first(document: dict[str, Any]) -> dict[str, Any]:
    indexes = sorted((key for key in document if _is_index(key)), key=int)
    return {key: document[key] for key in indexes} | document


def unwrap(document: dict[str, Any]) -> Any:
    """The value of an Extended JSON wrapper, or the document itself where it is none."""
    if len(document) > 2:
        return document
    if "$binary" in document and isinstance(document.get("$type"), str):
        return _binary({"base64": document["$binary"], "subType": document["$type"]})
    if len(document) != 1:
        return document
    [(key, value)] = document.items()
    decode = _WRAPPERS.get(key)
    if decode is None:
        return document
    try:
        return decode(value)
    except (ValueError, TypeError, KeyError, InvalidOperation, InvalidId, OverflowError) as error:
        raise RejectedValueError("bad_value", f"{key} cannot hold {str(value)[:60]!r}.") from error


def _oid(value: Any) -> ObjectId:
    if not isinstance(value, str) or len(value) != 24:
        raise ValueError
    return ObjectId(value)


def _date(value: Any) -> Any:
    if isinstance(value, str):
        return date_from_iso(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError
    return date_from_milliseconds(value)


def _text_of(convert: Callable[[str], Any]) -> Callable[[Any], Any]:
    def decode(value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise TypeError
        return convert(str(value))

    return decode


def int32_from_text(text: str) -> int:
    """An int32; ValueError outside its range."""
    number = int(text)
    if not -(2**31) <= number < 2**31:
        raise ValueError
    return number


def int64_from_text(text: str) -> Int64:
    """An int64; ValueError outside its range."""
    number = int(text)
    if not -(2**63) <= number < 2**63:
        raise ValueError
    return Int64(number)


def _binary(value: Any) -> Binary:
    data, subtype = value["base64"], value["subType"]
    return binary_from_base64(data, int(subtype, 16) if isinstance(subtype, str) else subtype)


def binary_from_base64(data: str, subtype: int) -> Binary:
    """Binary data; ValueError where the text is not base64 or the subtype not a byte."""
    try:
        return Binary(base64.b64decode(data, validate=True), subtype)
    except binascii.Error as error:
        raise ValueError(str(error)) from error


def uuid_from_text(text: Any) -> Binary:
    """A UUID as binary data of subtype 4; ValueError where the text is none."""
    return Binary.from_uuid(uuid.UUID(text))


def regex_build(pattern: str, options: str) -> Regex[str]:
    """A BSON regular expression; ValueError for an option that BSON does not have."""
    if set(options) - set("ilmsux") or len(set(options)) != len(options) or "\0" in pattern:
        raise ValueError
    return Regex(pattern, options)


def _regular_expression(value: Any) -> Regex[str]:
    return regex_build(value["pattern"], value.get("options", ""))


def _timestamp(value: Any) -> Timestamp:
    return Timestamp(value["t"], value["i"])


def _code(value: Any) -> Any:
    raise ForbiddenQueryError("server_side_js", "JavaScript code values are not allowed.")


def _double(text: str) -> float:
    return float(text.replace("Infinity", "inf"))


_WRAPPERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "$oid": _oid,
    "$date": _date,
    "$numberInt": _text_of(int32_from_text),
    "$numberLong": _text_of(int64_from_text),
    "$numberDouble": _text_of(_double),
    "$numberDecimal": _text_of(Decimal128),
    "$uuid": uuid_from_text,
    "$binary": _binary,
    "$regularExpression": _regular_expression,
    "$timestamp": _timestamp,
    "$minKey": lambda value: MinKey(),
    "$maxKey": lambda value: MaxKey(),
    "$undefined": lambda value: None,
    "$symbol": _text_of(str),
    "$code": _code,
}
WRAPPER_NAMES: Final = frozenset(_WRAPPERS)
