"""Memory and speed of importing a dump; `python -m tests.bench.importers BYTES` makes and imports a large one."""

import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import bson
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.objectid import ObjectId

from benchmark_data.convert.archive import MAGIC, TERMINATOR
from benchmark_data.convert.bytestream import BytesRead
from benchmark_data.convert.mongodump import convert
from benchmark_data.convert.options import ConversionOptions
from tests.bench.measurement import Measurement

DEFAULT_BYTES = 16 * 1024 * 1024
MEMORY = 500.0
# Nearly all documents in one collection: what is remembered of each _id counts.
SHARES = {"customers": 0.05, "orders": 0.9, "visits": 0.05}
COLLECTIONS = tuple(SHARES)
_START = datetime(2020, 1, 1, tzinfo=UTC)
_WORDS = ("amber", "birch", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty", "knoll")
_ITEM = {
    "question_id": 1, "db_id": "shop", "question": "How many orders are there?", "evidence": "", "difficulty": "simple",
    "gold_query": "db.orders.countDocuments({})", "split": "public",
}  # fmt: skip


def document(number: int) -> dict[str, Any]:
    """A document of about 1 KiB with many types in it; the same number always gives the same one."""
    words = [_WORDS[(number * step) % len(_WORDS)] for step in range(1, 8)]
    return {
        "_id": ObjectId(number.to_bytes(12, "big")),
        "customer": {"name": " ".join(words[:2]), "city": words[2], "since": _START + timedelta(minutes=number)},
        "total": Decimal128(f"{number % 9973}.{number % 100:02}"),
        "serial": Int64(number * 7_919),
        "weight": number / 7,
        "open": number % 3 == 0,
        "note": None if number % 5 else " ".join(words * 4),
        "lines": [{"sku": f"{word}-{number % 997}", "count": n, "price": n * 1.25} for n, word in enumerate(words)],
        "text": " ".join(words) * 8,
    }


def write_dump(folder: Path, size: int, *, archive: bool = False) -> Path:
    """Write a dump of about `size` bytes of BSON, as a folder or as an archive with interleaved collections."""
    (folder / "items.jsonl").write_text(json.dumps(_ITEM) + "\n")
    (folder / "bundle.json").write_text('{"name": "generated", "version": "1", "license": "MIT"}')
    if archive:
        path = folder / "dump.archive"
        with path.open("wb") as file:
            for part in _archive(size):
                file.write(part)
        return path
    (folder / "shop").mkdir()
    for first, (name, share) in enumerate(SHARES.items()):
        with (folder / "shop" / f"{name}.bson").open("wb") as file:
            for raw in _documents(first, int(size * share)):
                file.write(raw)
    return folder


def _documents(first: int, size: int) -> Iterator[bytes]:
    written, number = 0, first
    while written < size:
        raw = bson.encode(document(number))
        yield raw
        written += len(raw)
        number += len(COLLECTIONS)


def _archive(size: int) -> Iterator[bytes]:
    yield MAGIC + bson.encode({"concurrent_collections": len(COLLECTIONS), "version": "0.1"})
    for name in COLLECTIONS:
        yield bson.encode({"db": "shop", "collection": name, "metadata": "{}", "size": 0, "type": "collection"})
    yield TERMINATOR
    block, number = size // 30, 0
    for turn in range(30):
        yield bson.encode({"db": "shop", "collection": COLLECTIONS[turn % 3], "EOF": False, "CRC": Int64(0)})
        written = 0
        while written < block:
            raw = bson.encode(document(number))
            yield raw
            written += len(raw)
            number += 1
        yield TERMINATOR
    # Archives of the first tools have no checksum: leaving it out keeps the generator simple.
    for name in COLLECTIONS:
        yield bson.encode({"db": "shop", "collection": name, "EOF": True}) + TERMINATOR


def import_dump(source: Path, destination: Path) -> dict[str, float]:
    """Convert in this process, and tell what it took."""
    seen: list[BytesRead] = []

    def advance(read: BytesRead) -> None:
        seen[:] = [read]

    start = time.perf_counter()
    report = convert(source, destination, options=ConversionOptions(advance=advance))
    return {
        "seconds": time.perf_counter() - start,
        "documents": report.documents,
        "peak MiB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "bytes read": seen[0].done,
        "bytes told": seen[0].total,
    }


def trial(size: int, *, archive: bool = False) -> dict[str, float]:
    """Make a dump, import it in a process of its own, and delete both."""
    with tempfile.TemporaryDirectory(prefix="aptboard-importers-") as parent:
        folder = Path(parent) / "dump"
        folder.mkdir()
        source = write_dump(folder, size, archive=archive)
        command = [sys.executable, "-m", "tests.bench.importers", "--import", str(source), str(Path(parent) / "bundle")]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        shutil.rmtree(folder)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures | {"bytes": size}


def measure() -> list[Measurement]:
    """Peak memory of the importing process, and its speed, for a folder and for an archive."""
    found: list[Measurement] = []
    for form, archive in (("folder", False), ("archive", True)):
        figures = trial(DEFAULT_BYTES, archive=archive)
        peak, rate = figures["peak MiB"], DEFAULT_BYTES / 2**20 / figures["seconds"]
        name = f"import of a dump of {DEFAULT_BYTES // 2**20} MiB ({form})"
        limit = f"≤ {MEMORY:g}"
        found.append(Measurement(name=f"{name}: memory", value=peak, unit="MiB", target=limit, met=peak <= MEMORY))
        found.append(Measurement(name=f"{name}: speed", value=rate, unit="MiB/s of BSON"))
    return found


def main(arguments: list[str]) -> None:
    """Import (`--import SRC DST`), or make and import a dump of so many bytes (`BYTES [archive]`)."""
    if arguments[0] == "--import":
        print(json.dumps(import_dump(Path(arguments[1]), Path(arguments[2]))))
    else:
        print(json.dumps(trial(int(arguments[0]), archive="archive" in arguments[1:])))


if __name__ == "__main__":
    main(sys.argv[1:])
