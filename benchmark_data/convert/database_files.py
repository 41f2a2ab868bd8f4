"""Reads databases that are one JSON file each: an object from collections to their documents."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark_data.convert.bytestream import DAMAGE, Meter, damage_message, open_bytes
from benchmark_data.convert.export_documents import parsed
from benchmark_data.convert.json_stream import JsonStream, JsonStreamError
from benchmark_data.errors import Fault
from benchmark_data.faults import FaultLog
from benchmark_data.names import collection_name_problem
from benchmark_data.write import CollectionSource, DatabaseSource

_MARK = b"\xef\xbb\xbf"
_BLOCK = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where the array of a collection begins: offset in bytes after a byte-order mark, 1-based line."""

    name: str
    offset: int
    line: int


def read_database(path: Path, db_id: str, origin: str, meter: Meter) -> Iterator[DatabaseSource | Fault]:
    """Find the collections of a file in one pass; their documents are read in a second, one by one.

    Args:
        path: the file; packed with gzip if its name ends in ".gz".
        db_id: the database's name.
        origin: the file's name for messages.
        meter: counts the bytes of both passes.
    """
    meter.expect(path, path)
    log = FaultLog(origin)
    places: dict[str, _Place] = {}
    try:
        with open_bytes(path, meter) as stream:
            for place in _places(JsonStream(stream), log):
                if place.name in places:
                    log.add("repeated_key", "this collection stands twice in the file.", field=place.name)
                places[place.name] = place
    except JsonStreamError as error:
        log.add(error.rule, f"{error.message} Nothing after it was read.", line=error.line)
    except DAMAGE as error:
        log.add("bad_gzip", damage_message(error))
    except OSError as error:
        log.add("missing_file", f"the file cannot be read: {error.strerror}.")
    yield from log.summary
    collections = tuple(_collection(path, places[name], origin, meter) for name in sorted(places))
    yield DatabaseSource(db_id=db_id, collections=collections)


def _places(stream: JsonStream, log: FaultLog) -> Iterator[_Place]:
    for name in stream.members():
        if stream.peek() == "[":
            offset, line = stream.place
            for _ in stream.elements():
                pass
            yield _Place(name=name, offset=offset, line=line)
        else:
            part = stream.value()
            log.add("wrong_type", "a collection must be an array of documents.", line=part.line, field=name)
    stream.finish()


def _collection(path: Path, place: _Place, origin: str, meter: Meter) -> CollectionSource | Fault:
    if problem := collection_name_problem(place.name):
        return Fault(file=origin, line=place.line, field=place.name, rule="bad_collection_name", message=problem)
    return CollectionSource(name=place.name, documents=_Documents(path, place, meter), origin=origin)


class _Documents:
    def __init__(self, path: Path, place: _Place, meter: Meter) -> None:
        self._path = path
        self._place = place
        self._meter = meter

    def __iter__(self) -> Iterator[dict[str, Any] | Fault]:
        with open_bytes(self._path, self._meter) as stream:
            left = self._place.offset + (len(_MARK) if stream.peek(3)[:3] == _MARK else 0)
            while left and (block := stream.read(min(left, _BLOCK))):
                left -= len(block)
            yield from parsed(JsonStream(stream, line=self._place.line).elements(), self._place.name)
