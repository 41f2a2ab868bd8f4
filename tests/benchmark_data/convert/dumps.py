"""Makes small dumps, exports and archives for tests."""

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import bson
from bson.int64 import Int64

from benchmark_data.convert.archive import MAGIC, TERMINATOR

ITEM: dict[str, Any] = {
    "question_id": 1,
    "db_id": "zoo",
    "question": "How many animals are there?",
    "evidence": "",
    "difficulty": "simple",
    "gold_query": "db.animals.countDocuments({})",
    "split": "public",
}
ANIMALS: tuple[dict[str, Any], ...] = (
    {"_id": 1, "name": "ape", "legs": 2},
    {"_id": 2, "name": "Bär", "legs": Int64(4)},
)
BUNDLE = {"name": "zoo", "version": "1", "license": "MIT"}


def beside(folder: Path, items: Sequence[Mapping[str, Any]] = (ITEM,)) -> Path:
    """Put items and what the bundle says of itself into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "items.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in items), encoding="utf-8")
    (folder / "bundle.json").write_text(json.dumps(BUNDLE), encoding="utf-8")
    return folder


def put(path: Path, content: bytes | str | Iterable[Mapping[str, Any]] | Mapping[str, Any]) -> None:
    """Write bytes, a text, an object as JSON, or documents as BSON; packed where the name says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    match content:
        case bytes():
            data = content
        case str():
            data = content.encode()
        case Mapping():
            data = json.dumps(content).encode()
        case _:
            data = b"".join(map(bson.encode, content))
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)


def zoo(folder: Path, files: Mapping[str, Any] | None = None) -> Path:
    """A dump of one database with one collection, and other files in it."""
    beside(folder)
    for name, content in ({"zoo/animals.bson": ANIMALS} | dict(files or {})).items():
        if content is not None:
            put(folder / name, content)
    return folder


def crc64(data: bytes) -> int:
    """CRC-64/XZ bit by bit, as the tools of MongoDB state it: a signed number."""
    value = 2**64 - 1
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = (value >> 1) ^ (0xC96C5795D7870F42 if value & 1 else 0)
    value ^= 2**64 - 1
    return value if value < 2**63 else value - 2**64


def archive(
    blocks: Sequence[tuple[str, Sequence[Mapping[str, Any]]]],
    *,
    metadata: Mapping[str, Mapping[str, Any]] | None = None,
    crc: int | None = None,
    ended: bool = True,
) -> bytes:
    """The bytes of an archive: blocks of (namespace, documents) in the order given, then the end of each namespace."""
    names = dict.fromkeys([*(name for name, _ in blocks), *(metadata or {})])
    parts = [MAGIC, bson.encode({"concurrent_collections": 4, "version": "0.1", "server_version": "7.0.0"})]
    for name in names:
        own = dict((metadata or {}).get(name, {}))
        entry = {**_header(name), "metadata": json.dumps(own), "size": 0, "type": own.get("type", "collection")}
        parts.append(bson.encode(entry))
    parts.append(TERMINATOR)
    written: dict[str, bytes] = {}
    for name, documents in blocks:
        data = b"".join(map(bson.encode, documents))
        written[name] = written.get(name, b"") + data
        parts += [bson.encode({**_header(name), "EOF": False, "CRC": Int64(0)}), data, TERMINATOR]
    for name, data in written.items() if ended else ():
        check = crc64(data) if crc is None else crc
        parts += [bson.encode({**_header(name), "EOF": True, "CRC": Int64(check)}), TERMINATOR]
    return b"".join(parts)


def _header(namespace: str) -> dict[str, Any]:
    db_id, _, name = namespace.partition(".")
    return {"db": db_id, "collection": name}
