"""Reads the records of a file of questions: a JSON array or object, lines of JSON, or CSV."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark_data.faults import FaultLog
from benchmark_data.fields import kind_name
from benchmark_data.json_text import JsonText, JsonTextError, Member, repeated_keys

_LINES = (".jsonl", ".ndjson")
_CSV_FIELD_CHARACTERS = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One record of a file.

    Args:
        value: its fields.
        line: 1-based line where it begins, None where it cannot be told.
        key: its key in an object of records, its position as text elsewhere.
        position: 0-based position in its file.
    """

    value: dict[str, Any]
    line: int | None
    key: str
    position: int


def read_records(path: Path, log: FaultLog, *, inside: str = "") -> Iterator[Record]:
    """Yield the records of a file that are objects, and note what is wrong with the others.

    Args:
        path: the file; `.jsonl` and `.ndjson` hold a record a line, `.csv` a header and rows, others one JSON value.
        log: where faults go.
        inside: dotted path of the array or object that has the records, "" if it is the file itself.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        log.add("missing_file", f"the file cannot be read: {error.strerror}.")
        return
    except UnicodeDecodeError as error:
        log.add("not_utf8", f"not UTF-8: the byte at offset {error.start:,} is {error.object[error.start]:#04x}.")
        return
    if path.suffix == ".csv":
        yield from _rows(text, log)
        return
    members = _lines(text, log) if path.suffix in _LINES else _members(text, log, inside)
    for position, member in enumerate(members):
        line = member.line or None
        if not isinstance(member.value, dict):
            message = f"a record must be an object, not {kind_name(member.value)}."
            log.add("not_an_object", message, line=line, field=f"[{member.key}]")
            continue
        for key in repeated_keys(member.value):
            log.add("repeated_key", "this field stands twice in one object.", line=line, field=f"[{member.key}].{key}")
        yield Record(value=member.value, line=line, key=member.key, position=position)


def _members(text: str, log: FaultLog, inside: str) -> Iterator[Member]:
    whole = JsonText(text)
    try:
        if inside:
            yield from _inside(whole.value(), inside, log)
        elif text.lstrip().startswith("{"):
            yield from whole.members()
        else:
            yield from whole.elements()
    except JsonTextError as error:
        log.add("bad_json", f"not JSON: {error.message}; nothing after it was read.", line=error.line)


def _inside(value: Any, inside: str, log: FaultLog) -> Iterator[Member]:
    for part in inside.split("."):
        if not isinstance(value, dict) or part not in value:
            there = ", ".join(value) if isinstance(value, dict) else kind_name(value)
            log.add("missing_field", f'"{part}" of records = "{inside}" is not there; there is: {there}.', field=inside)
            return
        value = value[part]
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if pairs is None:
        log.add("wrong_type", f"must be an array or object of records, not {kind_name(value)}.", field=inside)
        return
    for key, record in pairs:
        yield Member(key=str(key), value=record, line=0, start=0, end=0)


def _lines(text: str, log: FaultLog) -> Iterator[Member]:
    # Not splitlines(): a text may have other line separators in it.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = JsonText(line, first_line=number).value()
        except JsonTextError as error:
            log.add("bad_json", f"not JSON: {error.message}.", line=number)
            continue
        yield Member(key=str(number - 1), value=value, line=number, start=0, end=0)


def _rows(text: str, log: FaultLog) -> Iterator[Record]:
    csv.field_size_limit(_CSV_FIELD_CHARACTERS)
    reader = csv.DictReader(text.splitlines(keepends=True), strict=True)
    line, position = 2, 0
    try:
        for row in reader:
            if None in row or None in row.values():
                log.add(
                    "bad_row", f"the row has not the {len(reader.fieldnames or ())} fields of the header.", line=line
                )
            else:
                yield Record(value=dict(row), line=line, key=str(position), position=position)
            line, position = reader.line_num + 1, position + 1
    except csv.Error as error:
        log.add("bad_csv", f"not CSV: {error}; nothing after it was read.", line=line)
