"""The shell's value constructors, with and without `new`."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from bson.binary import Binary
from bson.decimal128 import Decimal128
from bson.errors import InvalidId
from bson.int64 import Int64
from bson.max_key import MaxKey
from bson.min_key import MinKey
from bson.objectid import ObjectId
from bson.timestamp import Timestamp

from evaluation.errors import ForbiddenQueryError
from evaluation.parse.documents import binary_from_base64, int32_from_text, int64_from_text, uuid_from_text
from evaluation.parse.draft import RejectedValueError
from evaluation.parse.numbers import number_text

Constructor = Callable[[list[Any]], Any]


def construct(name: str, arguments: list[Any]) -> Any:
    """The BSON value that a constructor call makes.

    Raises:
        KeyError: there is no such constructor.
        RejectedValueError: reason "bad_value", or "unsupported_syntax" where the value would be random.
        ForbiddenQueryError: the value would be JavaScript code.
    """
    build = CONSTRUCTORS[name]
    try:
        return build(arguments)
    except (ValueError, TypeError, ArithmeticError, IndexError) as error:
        shown = ", ".join(str(argument)[:40] for argument in arguments[:3])
        raise RejectedValueError("bad_value", f"{name}({shown}) is no value.") from error


def _only(arguments: list[Any]) -> Any:
    [value] = arguments
    return value


def _number_text(arguments: list[Any]) -> str:
    value = _only(arguments)
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal128):
        raise TypeError
    return number_text(value) if isinstance(value, int | float) else str(value).strip()


def _object_id(arguments: list[Any]) -> ObjectId:
    if not arguments:
        raise RejectedValueError("unsupported_syntax", "ObjectId() without a value would be random.")
    value = _only(arguments)
    if isinstance(value, ObjectId):
        return value
    if not isinstance(value, str) or len(value) != 24:
        raise ValueError
    try:
        return ObjectId(value)
    except InvalidId as error:
        raise ValueError from error


def _int32(arguments: list[Any]) -> int:
    value = _only(arguments) if arguments else 0
    if isinstance(value, float):
        return int32_from_text(str(int(value)))
    return int32_from_text(_number_text([value]))


def _int64(arguments: list[Any]) -> Int64:
    value = arguments[0] if arguments else 0
    if isinstance(value, Int64):
        return value
    if len(arguments) > 1:
        low, high = (int(part) & 0xFFFFFFFF for part in arguments[:2])
        whole = (high << 32) | low
        return Int64(whole - 2**64 if whole >= 2**63 else whole)
    if isinstance(value, float):
        return int64_from_text(str(int(value)))
    return int64_from_text(_number_text([value]))


def _double(arguments: list[Any]) -> float:
    return float(_number_text(arguments) if arguments else 0)


def _decimal(arguments: list[Any]) -> Decimal128:
    return Decimal128(_number_text(arguments) if arguments else "0")


def _uuid(arguments: list[Any]) -> Binary:
    if not arguments:
        raise RejectedValueError("unsupported_syntax", "UUID() without a value would be random.")
    value = _only(arguments)
    if not isinstance(value, str):
        raise TypeError
    return uuid_from_text(value)


def _bin_data(arguments: list[Any]) -> Binary:
    subtype, data = arguments
    return _bytes(data, subtype)


def _binary(arguments: list[Any]) -> Binary:
    data, subtype = (*arguments, 0)[:2]
    return _bytes(data, subtype)


def _bytes(data: Any, subtype: Any) -> Binary:
    if (
        not isinstance(data, str)
        or isinstance(subtype, bool)
        or not isinstance(subtype, int)
        or not 0 <= subtype <= 255
    ):
        raise TypeError
    return binary_from_base64(data, subtype)


def _hex_data(arguments: list[Any]) -> Binary:
    subtype, data = arguments
    return Binary(bytes.fromhex(data), int(subtype))


def _md5(arguments: list[Any]) -> Binary:
    return Binary(bytes.fromhex(_only(arguments)), 5)


def _timestamp(arguments: list[Any]) -> Timestamp:
    if len(arguments) == 1 and isinstance(arguments[0], dict):
        arguments = [arguments[0]["t"], arguments[0]["i"]]
    if len(arguments) == 1 and isinstance(arguments[0], Int64):
        arguments = [arguments[0] >> 32, arguments[0] & 0xFFFFFFFF]
    seconds, increment = (*arguments, 0, 0)[:2]
    return Timestamp(int(seconds), int(increment))


def _database_reference(arguments: list[Any]) -> dict[str, Any]:
    collection, identifier = arguments
    return {"$ref": collection, "$id": identifier}


def _code(arguments: list[Any]) -> Any:
    raise ForbiddenQueryError("server_side_js", "JavaScript code values are not allowed.")


def _none(value: Any) -> Constructor:
    def build(arguments: list[Any]) -> Any:
        if arguments:
            raise TypeError
        return value

    return build


CONSTRUCTORS: Final[Mapping[str, Constructor]] = {
    "ObjectId": _object_id,
    "ObjectID": _object_id,
    "ObjectId.createFromHexString": _object_id,
    "NumberInt": _int32,
    "Int32": _int32,
    "NumberLong": _int64,
    "Long": _int64,
    "Int64": _int64,
    "Long.fromString": _int64,
    "Long.fromNumber": _int64,
    "Long.fromInt": _int64,
    "BigInt": _int64,
    "NumberDecimal": _decimal,
    "Decimal128": _decimal,
    "Decimal128.fromString": _decimal,
    "Double": _double,
    "NumberDouble": _double,
    "UUID": _uuid,
    "BinData": _bin_data,
    "Binary": _binary,
    "Binary.createFromBase64": _binary,
    "HexData": _hex_data,
    "MD5": _md5,
    "Timestamp": _timestamp,
    "DBRef": _database_reference,
    "Code": _code,
    "MinKey": _none(MinKey()),
    "MaxKey": _none(MaxKey()),
}
