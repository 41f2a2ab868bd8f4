"""Checks the documents of one collection in one streaming pass."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bson
from bson.errors import BSONError
from bson.regex import Regex

from benchmark_data.extended_json import ExtendedJsonError, parse_document
from benchmark_data.faults import FaultLog
from benchmark_data.fields import is_storable
from benchmark_data.identities import Identities

BSON_BYTES = 16 * 1024 * 1024
NESTING = 100
# No document of 16 MiB needs a longer line: canonical Extended JSON takes at most about six times its BSON bytes.
LINE_BYTES = 8 * BSON_BYTES

_INT64_LIMIT = 2**63


@dataclass(frozen=True, slots=True, kw_only=True)
class FileCount:
    """What one pass over a collection's file found: documents counted, and the hex SHA-256 of its bytes."""

    documents: int
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """What keeps a document, or one of its fields, from being stored."""

    field: str
    rule: str
    message: str


class DocumentCheck:
    """Finds what MongoDB would refuse in the documents of one collection, given one after another."""

    def __init__(self) -> None:
        self._identities = Identities()

    def problems(self, document: Mapping[str, Any], *, place: int) -> list[Problem]:
        """All problems of the next document; `place` is its line or position, named when its _id comes again."""
        found = list(_value_problems(document, "", 0))
        if not found:
            found.extend(_size_problems(document))
        if not found and "_id" in document:
            found.extend(self._id_problems(document["_id"], place))
        return found

    def _id_problems(self, value: Any, place: int) -> Iterator[Problem]:
        if isinstance(value, list | Regex):
            yield Problem(field="_id", rule="bad_id", message="an _id must not be an array or a regular expression.")
            return
        first = self._identities.first(value, place)
        if first != place:
            yield Problem(field="_id", rule="duplicate_id", message=f"the _id {value!r} was used before, at {first}.")


def check_documents(path: Path, log: FaultLog) -> FileCount:
    """Read a collection's file once: count, hash, and note every fault of every line.

    Raises:
        OSError: the file cannot be read.
    """
    check = DocumentCheck()
    sha256 = hashlib.sha256()
    number = documents = 0
    with path.open("rb") as file:
        while line := file.readline(LINE_BYTES):
            number += 1
            sha256.update(line)
            if len(line) == LINE_BYTES and not line.endswith(b"\n"):
                _skip_line(file, sha256)
                log.add("too_large", "the line is too long for a document of 16 MiB.", line=number)
                continue
            documents += bool(line.strip())
            document = parse_line(line, number, log)
            for problem in check.problems(document, place=number) if document is not None else ():
                log.add(problem.rule, problem.message, line=number, field=problem.field)
    return FileCount(documents=documents, sha256=sha256.hexdigest())


def parse_line(line: bytes, number: int, log: FaultLog) -> dict[str, Any] | None:
    """Read one line of a collection's file as a document, or note why it is none."""
    if not line.strip():
        log.add("blank_line", "a blank line is no document.", line=number)
        return None
    try:
        return parse_document(line.decode())
    except UnicodeDecodeError as error:
        log.add("not_utf8", f"not UTF-8: byte {error.start + 1} of the line is {line[error.start]:#04x}.", line=number)
    except ExtendedJsonError as error:
        log.add(error.rule, error.message, line=number)
    return None


def _skip_line(file: Any, sha256: Any) -> None:
    while (rest := file.readline(LINE_BYTES)) and not rest.endswith(b"\n"):
        sha256.update(rest)
    sha256.update(rest)


def _value_problems(value: Any, path: str, depth: int) -> Iterator[Problem]:
    if depth > NESTING:
        message = f"nested deeper than the {NESTING} levels that MongoDB stores."
        yield Problem(field=path, rule="nested_too_deep", message=message)
    elif isinstance(value, Mapping):
        for key, part in value.items():
            place = f"{path}.{key}" if path else str(key)
            yield from _key_problems(key, place)
            yield from _value_problems(part, place, depth + 1)
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _value_problems(part, f"{path}.{index}", depth + 1)
    elif isinstance(value, str) and not is_storable(value):
        message = "the text has half of a surrogate pair in it, which is no character."
        yield Problem(field=path, rule="bad_text", message=message)
    elif isinstance(value, int) and not -_INT64_LIMIT <= value < _INT64_LIMIT:
        yield Problem(field=path, rule="bad_value", message=f"{value} does not fit a 64-bit integer.")


def _key_problems(key: Any, path: str) -> Iterator[Problem]:
    if not isinstance(key, str):
        yield Problem(field=path, rule="field_name", message=f"the field name {key!r} is no text.")
    elif key.startswith("$"):
        yield Problem(field=path, rule="field_name", message="a field name must not begin with $.")
    elif "\0" in key or not is_storable(key):
        yield Problem(field=path, rule="field_name", message="a field name must be UTF-8 without the NUL character.")


def _size_problems(document: Mapping[str, Any]) -> Iterator[Problem]:
    try:
        size = len(bson.encode(document))
    except (BSONError, OverflowError, ValueError) as error:
        yield Problem(field="", rule="bad_value", message=f"cannot be written as BSON: {error}.")
        return
    if size > BSON_BYTES:
        message = f"the document has {size:,} bytes as BSON; MongoDB stores at most {BSON_BYTES:,}."
        yield Problem(field="", rule="too_large", message=message)
