"""Names of BSON types, as MongoDB's `$type` operator knows them."""

import re
import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from bson.code import Code
from bson.datetime_ms import DatetimeMS
from bson.dbref import DBRef
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.max_key import MaxKey
from bson.min_key import MinKey
from bson.objectid import ObjectId
from bson.regex import Regex
from bson.timestamp import Timestamp

_NAMES: dict[type, str] = {
    str: "string",
    float: "double",
    Int64: "long",
    bool: "bool",
    type(None): "null",
    dict: "object",
    list: "array",
    tuple: "array",
    datetime: "date",
    DatetimeMS: "date",
    ObjectId: "objectId",
    Decimal128: "decimal",
    bytes: "binData",
    uuid.UUID: "binData",
    Regex: "regex",
    re.Pattern: "regex",
    Code: "javascript",
    Timestamp: "timestamp",
    MinKey: "minKey",
    MaxKey: "maxKey",
    DBRef: "object",
}
_INT32 = 2**31
# Subclasses: Code is a str, Int64 an int, Binary a byte string; dates and documents have many.
_BASES: tuple[tuple[Any, str], ...] = (
    (Code, "javascript"), (str, "string"), (bytes, "binData"), (datetime, "date"), (Mapping, "object"),
    (list, "array"), (float, "double"),
)  # fmt: skip


def type_name(value: Any) -> str:
    """The alias of the type that a value has when it is stored: "int", "long", "double", "objectId", …

    Raises:
        TypeError: BSON has no such type.
    """
    kind = type(value)
    if kind is int:
        return "int" if -_INT32 <= value < _INT32 else "long"
    name = _NAMES.get(kind)
    if name is not None:
        return name
    for base, name in _BASES:
        if isinstance(value, base):
            return name
    raise TypeError(f"{kind.__name__} is no BSON type")
