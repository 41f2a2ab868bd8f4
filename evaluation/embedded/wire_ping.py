"""One command to a document database over its own connection, with a hard limit on time, before any authentication.

The driver would do this too, but with a thread of its own that watches the server, retries and caches; a watchdog
wants to know exactly how long this one exchange took.
"""

import socket
import struct
from typing import Any

import bson
from bson.errors import BSONError

OP_MSG = 2013
HEADER = struct.Struct("<iiii")
LARGEST_REPLY = 1 << 20


def answers_ping(*, host: str, port: int, seconds: float) -> bool:
    """Whether the server accepts a connection and answers `ping` within about `seconds`."""
    try:
        return _exchange(host, port, {"ping": 1, "$db": "admin"}, seconds).get("ok") == 1.0
    except (OSError, BSONError, struct.error):
        return False


def _exchange(host: str, port: int, command: dict[str, Any], seconds: float) -> dict[str, Any]:
    body = struct.pack("<iB", 0, 0) + bson.encode(command)
    with socket.create_connection((host, port), timeout=seconds) as connection:
        connection.sendall(HEADER.pack(HEADER.size + len(body), 1, 0, OP_MSG) + body)
        length = HEADER.unpack(_received(connection, HEADER.size))[0]
        if not HEADER.size < length <= LARGEST_REPLY:
            raise OSError(f"a reply of {length} bytes to a ping")
        return bson.decode(_received(connection, length - HEADER.size)[5:])


def _received(connection: socket.socket, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = connection.recv(size - len(parts))
        if not part:
            raise ConnectionResetError("connection closed in the middle of a reply")
        parts += part
    return bytes(parts)
