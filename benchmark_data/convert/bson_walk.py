"""Walks the bytes of one BSON document, to find what Python's values cannot hold."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

_FIXED = {
    0x01: 8, 0x06: 0, 0x07: 12, 0x08: 1, 0x09: 8, 0x0A: 0, 0x10: 4, 0x11: 8, 0x12: 8, 0x13: 16, 0x7F: 0, 0xFF: 0,
}  # fmt: skip
_TEXTS = (0x02, 0x0D, 0x0E)
_DOCUMENT, _ARRAY, _BINARY, _REGEX, _POINTER, _SCOPED = 0x03, 0x04, 0x05, 0x0B, 0x0C, 0x0F
_RETIRED = {0x06: "undefined", 0x0C: "DBPointer", 0x0E: "symbol"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Oddity:
    """One thing in a document that would be lost.

    Args:
        path: dotted path of the field.
        rule: stable snake_case identifier of the broken rule.
        message: a sentence.
    """

    path: str
    rule: str
    message: str


def oddities(raw: bytes) -> Iterator[Oddity]:
    """Repeated keys and values of retired types, in the order of the bytes; `raw` must be well-formed BSON."""
    waiting: list[tuple[int, str, bool]] = [(0, "", False)]
    while waiting:
        start, prefix, is_array = waiting.pop()
        seen: set[bytes] = set()
        position = start + 4
        while kind := raw[position]:
            end = raw.index(b"\0", position + 1)
            key = raw[position + 1 : end]
            path = prefix + key.decode(errors="replace")
            if key in seen and not is_array:
                yield Oddity(path=path, rule="repeated_key", message="the key stands twice in one document.")
            seen.add(key)
            if kind in _RETIRED:
                message = f"the retired BSON type {_RETIRED[kind]} has no place in a bundle; store another type."
                yield Oddity(path=path, rule="retired_type", message=message)
            if kind in (_DOCUMENT, _ARRAY):
                waiting.append((end + 1, f"{path}.", kind == _ARRAY))
            position = _end(raw, kind, end + 1)


def _end(raw: bytes, kind: int, start: int) -> int:
    """The offset after the value of an element."""
    if kind in _FIXED:
        return start + _FIXED[kind]
    if kind == _REGEX:
        return raw.index(b"\0", raw.index(b"\0", start) + 1) + 1
    (length,) = struct.unpack_from("<i", raw, start)
    if kind in (_DOCUMENT, _ARRAY, _SCOPED):
        return start + int(length)
    extra = {_BINARY: 5, _POINTER: 16}.get(kind, 4)
    return start + int(length) + extra
