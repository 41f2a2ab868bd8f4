"""Reads the documents of a file in Extended JSON: lines, an array, or documents over several lines."""

from collections.abc import Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any

from benchmark_data.convert.bytestream import DAMAGE, Meter, damage_message, open_bytes
from benchmark_data.convert.json_stream import JsonPart, JsonStream, JsonStreamError
from benchmark_data.documents import LINE_BYTES, parse_line
from benchmark_data.errors import Fault
from benchmark_data.extended_json import ExtendedJsonError, parse_document
from benchmark_data.faults import FaultLog

_MARK = b"\xef\xbb\xbf"


class ExportedDocuments:
    """The documents of a file, opened when they are asked for; memory holds one document at a time.

    A faulty line is stepped over. In an array, what is no JSON ends the reading: what follows it cannot be found.

    Args:
        path: the file; packed with gzip if its name ends in ".gz".
        name: the collection's, for the field of faults.
        meter: counts the bytes read.
    """

    def __init__(self, path: Path, name: str, meter: Meter) -> None:
        self._path = path
        self._name = name
        self._meter = meter

    def __iter__(self) -> Iterator[dict[str, Any] | Fault]:
        try:
            with open_bytes(self._path, self._meter) as stream:
                yield from self._documents(stream)
        except DAMAGE as error:
            yield Fault(file="", field=self._name, rule="bad_gzip", message=damage_message(error))
        except OSError as error:
            message = f"the file cannot be read: {error.strerror}."
            yield Fault(file="", field=self._name, rule="missing_file", message=message)

    def _documents(self, stream: BufferedReader) -> Iterator[dict[str, Any] | Fault]:
        ahead = stream.peek().removeprefix(_MARK).lstrip()
        first, end, _ = ahead.partition(b"\n")
        if ahead.startswith(b"["):
            parts = JsonStream(stream)
            yield from parsed(_whole(parts), self._name)
        elif end and not first.rstrip().endswith(b"}"):
            # mongoexport --pretty spreads a document over many lines.
            yield from parsed(_values(JsonStream(stream)), self._name)
        else:
            yield from _lines(stream)


def parsed(parts: Iterable[JsonPart], name: str) -> Iterator[dict[str, Any] | Fault]:
    """The documents of texts that were found in a stream, or a fault for each that is none."""
    index = 0
    try:
        for part in parts:
            place = f"{name}[{index}]"
            index += 1
            try:
                yield parse_document(part.text)
            except ExtendedJsonError as error:
                yield Fault(file="", line=part.line, field=place, rule=error.rule, message=error.message)
    except JsonStreamError as error:
        message = f"{error.message} Nothing after it was read."
        yield Fault(file="", line=error.line, field=f"{name}[{index}]", rule=error.rule, message=message)


def _whole(stream: JsonStream) -> Iterator[JsonPart]:
    yield from stream.elements()
    stream.finish()


def _values(stream: JsonStream) -> Iterator[JsonPart]:
    while stream.peek():
        yield stream.value()


def _lines(stream: BufferedReader) -> Iterator[dict[str, Any] | Fault]:
    number = 0
    while line := stream.readline(LINE_BYTES):
        number += 1
        if len(line) == LINE_BYTES and not line.endswith(b"\n"):
            message = "the line is too long for a document of 16 MiB. Nothing after it was read."
            yield Fault(file="", line=number, rule="too_large", message=message)
            return
        if number == 1:
            line = line.removeprefix(_MARK)
        if not line.strip():
            continue
        log = FaultLog("")
        document = parse_line(line.rstrip(b"\r\n"), number, log)
        yield from log.faults
        if document is not None:
            yield document
