"""Writes a bundle in the form of a mongodump folder, for tools that read dumps."""

import gzip
import json
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

import bson

from benchmark_data.convert.bson_stream import CODEC
from benchmark_data.convert.sources import HEADER_FILE, ITEMS_FILE, header_text
from benchmark_data.errors import Fault, FaultyBundleError
from benchmark_data.items import item_line
from benchmark_data.load import read_documents
from benchmark_data.types import Bundle, Collection
from benchmark_data.write import Progress, Step

# mongorestore takes the indexes from here; without a version it builds those of its own.
_VERSION = {"$numberInt": "2"}


def write_dump(bundle: Bundle, destination: Path, *, packed: bool = False, progress: Progress | None = None) -> None:
    """Write `<db_id>/<collection>.bson` and `.metadata.json`, as mongodump does, into a new folder.

    Items and what the bundle says of itself lie beside the databases, in `items.jsonl` and `bundle.json`; mongorestore
    passes over them. `convert` of `benchmark_data.convert.mongodump` makes a bundle of the same digest of the folder.

    Args:
        bundle: read and checked.
        destination: a folder that must not exist, or be empty.
        packed: pack the files of the databases with gzip, as `mongodump --gzip` does.
        progress: told of each database.

    Raises:
        FaultyBundleError: the destination is in use, or a document of the bundle cannot be read; nothing was written.
        OSError: the disk refused.
    """
    if destination.exists() and (not destination.is_dir() or any(destination.iterdir())):
        message = "the destination exists and is no empty folder."
        raise FaultyBundleError((Fault(file=destination.name, rule="destination_in_use", message=message),))
    destination.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{destination.name}-", dir=destination.parent) as parent:
        folder = Path(parent) / "dump"
        folder.mkdir()
        (folder / HEADER_FILE).write_text(header_text(bundle), encoding="utf-8")
        (folder / ITEMS_FILE).write_text("".join(map(item_line, bundle.items)), encoding="utf-8", newline="\n")
        for database in bundle.databases:
            (folder / database.db_id).mkdir()
            for collection in database.collections:
                _write_collection(folder / database.db_id, collection, packed=packed)
            if progress is not None:
                documents = sum(collection.documents for collection in database.collections)
                progress(Step(db_id=database.db_id, documents=documents, total=len(bundle.databases)))
        folder.replace(destination)


def _write_collection(folder: Path, collection: Collection, *, packed: bool) -> None:
    stem = quote(collection.name, safe=" ")
    ending = ".gz" if packed else ""
    with ExitStack() as stack:
        file = _opened(folder / f"{stem}.bson{ending}", stack, packed=packed)
        for document in read_documents(collection):
            file.write(bson.encode(document, codec_options=CODEC))
    with ExitStack() as stack:
        file = _opened(folder / f"{stem}.metadata.json{ending}", stack, packed=packed)
        file.write(json.dumps(_metadata(collection), ensure_ascii=False, separators=(",", ":")).encode())


def _opened(path: Path, stack: ExitStack, *, packed: bool) -> BinaryIO | gzip.GzipFile:
    raw = stack.enter_context(path.open("wb"))
    # Without name and time in its header, the same bundle gives the same bytes.
    return stack.enter_context(gzip.GzipFile(filename="", mode="wb", fileobj=raw, mtime=0)) if packed else raw


def _metadata(collection: Collection) -> dict[str, Any]:
    indexes: list[dict[str, Any]] = [{"v": _VERSION, "key": {"_id": {"$numberInt": "1"}}, "name": "_id_"}]
    for index in collection.indexes:
        specification: dict[str, Any] = {
            "v": _VERSION,
            "key": {path: {"$numberInt": str(direction)} for path, direction in index.keys},
            "name": "_".join(f"{path}_{direction}" for path, direction in index.keys),
        }
        indexes.append(specification | ({"unique": True} if index.unique else {}))
    return {"options": {}, "indexes": indexes, "collectionName": collection.name, "type": "collection"}
