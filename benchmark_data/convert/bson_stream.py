"""Reads a file of BSON documents one by one, and names every damage with its offset."""

import struct
from collections.abc import Iterator
from datetime import UTC
from io import BufferedReader
from typing import Any

import bson
from bson.binary import UuidRepresentation
from bson.codec_options import CodecOptions, DatetimeConversion
from bson.errors import BSONError

from benchmark_data.convert.bson_walk import oddities
from benchmark_data.convert.bytestream import DAMAGE, damage_message
from benchmark_data.documents import BSON_BYTES
from benchmark_data.errors import Fault

CODEC: CodecOptions[dict[str, Any]] = CodecOptions(
    tz_aware=True,
    tzinfo=UTC,
    datetime_conversion=DatetimeConversion.DATETIME_AUTO,
    uuid_representation=UuidRepresentation.UNSPECIFIED,
)
SMALLEST = 5
# A length up to here may be a document that MongoDB refuses, and is stepped over; beyond, it is no length at all.
SKIPPED_BYTES = 4 * BSON_BYTES

_BLOCK = 1024 * 1024
_GZIP = b"\x1f\x8b\x08"
_HINT = " It begins as a gzip file does: then its name must end in .gz."


class BsonDamageError(Exception):
    """A stream cannot be read any further.

    Args:
        rule: stable snake_case identifier of the broken rule.
        message: a sentence that says what is wrong.
    """

    def __init__(self, rule: str, message: str) -> None:
        self.rule = rule
        self.message = message
        super().__init__(message)


def read_documents(stream: BufferedReader, *, name: str) -> Iterator[dict[str, Any] | Fault]:
    """Yield the documents of a stream, or a fault where there should be one; memory holds one document at a time.

    A document that cannot be decoded, or is larger than MongoDB stores, is stepped over. A length that cannot be one
    ends the reading: what follows it cannot be found.

    Args:
        stream: BSON documents, one after another.
        name: the collection's, for the field of faults.
    """
    offset = index = 0
    hint = ""
    while True:
        place = f"{name}[{index}]"
        try:
            # A document may begin with these bytes, too: they are told of only where it turns out to be none.
            hint = _HINT if not index and stream.peek(3)[:3] == _GZIP else ""
            length = read_length(stream)
            if length is None:
                return
            if length > BSON_BYTES:
                skip(stream, length - 4)
                yield fault(place, offset, "too_large", too_large(length))
            else:
                yield from _decode(read_rest(stream, length), place, offset, hint)
        except BsonDamageError as error:
            yield fault(place, offset, error.rule, f"{error.message} Nothing after it was read.{hint}")
            return
        except DAMAGE as error:
            yield fault(place, offset, "bad_gzip", damage_message(error))
            return
        offset += length
        index += 1


def read_length(stream: BufferedReader) -> int | None:
    """The length at the beginning of the next document, itself counted; None at the end of the stream.

    Raises:
        BsonDamageError: the stream ends inside of it, or it is no document's length.
    """
    head = stream.read(4)
    return parse_length(head) if head else None


def parse_length(head: bytes) -> int:
    """The length that the first four bytes of a document tell.

    Raises:
        BsonDamageError: there are fewer, or it is no document's length.
    """
    if len(head) < 4:
        raise BsonDamageError("truncated_bson", f"the file is cut off: {len(head)} bytes of a length of 4 are there.")
    (length,) = struct.unpack("<i", head)
    if SMALLEST <= length <= SKIPPED_BYTES:
        return int(length)
    message = f"a document's length cannot be {length:,} bytes; it is between {SMALLEST} and {BSON_BYTES:,}."
    raise BsonDamageError("bad_length", message)


def read_rest(stream: BufferedReader, length: int) -> bytes:
    """The bytes of a whole document whose length was just read.

    Raises:
        BsonDamageError: the stream ends inside of it.
    """
    rest = stream.read(length - 4)
    if len(rest) < length - 4:
        raise BsonDamageError("truncated_bson", cut_off(length, len(rest) + 4))
    return struct.pack("<i", length) + rest


def skip(stream: BufferedReader, count: int) -> None:
    """Step over bytes of a document without keeping them.

    Raises:
        BsonDamageError: the stream ends inside of it.
    """
    left = count
    while left:
        block = stream.read(min(left, _BLOCK))
        if not block:
            raise BsonDamageError("truncated_bson", cut_off(count + 4, count + 4 - left))
        left -= len(block)


def cut_off(length: int, there: int) -> str:
    """A sentence on a document that its file does not hold whole."""
    return f"the file is cut off: {there:,} bytes of a document of {length:,} are there."


def too_large(length: int) -> str:
    """A sentence on a document that MongoDB would not store."""
    return f"the document has {length:,} bytes as BSON; MongoDB stores at most {BSON_BYTES:,}."


def fault(place: str, offset: int, rule: str, message: str) -> Fault:
    """A fault of a document at an offset of its stream; the writer knows the file."""
    return Fault(file="", field=place, rule=rule, message=f"at byte {offset:,}: {message}")


def _decode(raw: bytes, place: str, offset: int, hint: str) -> Iterator[dict[str, Any] | Fault]:
    try:
        document = bson.decode(raw, codec_options=CODEC)
        same = bson.encode(document, codec_options=CODEC) == raw
    except (BSONError, RecursionError) as error:
        yield fault(place, offset, "bad_bson", f"not BSON: {str(error).rstrip('.')}.{hint}")
        return
    # A dict holds a key once, and BSON's retired types come as others: only then is it looked for what was lost.
    lost = [] if same else list(oddities(raw))
    for oddity in lost:
        yield fault(f"{place}.{oddity.path}", offset, oddity.rule, oddity.message)
    if not lost:
        yield document
