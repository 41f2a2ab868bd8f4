"""Reads the lines of the files beside the scored data: JSON objects, one a line, every fault noted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmark_data.faults import FaultLog
from benchmark_data.fields import kind_name
from benchmark_data.json_text import JsonText, JsonTextError, repeated_keys

# A gold answer may be as long as the engine lets one be.
LINE_BYTES = 512 * 1024 * 1024


def read_records(path: Path, log: FaultLog) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file with their line numbers; what is no object is noted and left out."""
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(LINE_BYTES):
                number += 1
                record = _record(line, number, log)
                if record is not None:
                    yield number, record
    except OSError as error:
        log.add("missing_file", f"the file cannot be read: {error.strerror}.")


def _record(line: bytes, number: int, log: FaultLog) -> dict[str, Any] | None:
    if len(line) == LINE_BYTES and not line.endswith(b"\n"):
        log.add("too_large", f"the line has more than {LINE_BYTES:,} bytes.", line=number)
        return None
    try:
        record = JsonText(line.decode(), first_line=number).value()
    except UnicodeDecodeError as error:
        log.add("not_utf8", f"not UTF-8: byte {error.start + 1} of the line is {line[error.start]:#04x}.", line=number)
        return None
    except JsonTextError as error:
        log.add("bad_json", f"not JSON: {error.message}.", line=number)
        return None
    if not isinstance(record, dict):
        log.add("not_an_object", f"a line must be a JSON object, not {kind_name(record)}.", line=number)
        return None
    for key in repeated_keys(record):
        log.add("repeated_key", "this member stands more than once in the line.", line=number, field=key)
    return record
