"""The items of a bundle: one JSON object a line."""

import json
import re
from collections.abc import Collection, Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any

from benchmark_data.faults import FaultLog
from benchmark_data.fields import Fields, kind_name, shown
from benchmark_data.json_text import JsonText, JsonTextError, RepeatedKeys, repeated_keys
from benchmark_data.names import question_id_problem
from benchmark_data.types import ArrayOrder, Difficulty, Item, Split

_KNOWN = (
    "question_id",
    "db_id",
    "question",
    "evidence",
    "difficulty",
    "split",
    "gold_query",
    "sql",
    "array_order",
    "flags",
)
_FLAG = re.compile(r"[a-z][a-z0-9_]{0,63}")
_LINE_BYTES = 4 * 1024 * 1024


def read_items(path: Path, log: FaultLog, *, db_ids: Collection[str] | None) -> tuple[Item, ...]:
    """Read all items that can be read, and note every fault of every line.

    Args:
        path: the items file.
        log: where faults go.
        db_ids: the bundle's databases; None where they could not be read, then no db_id is judged.

    Raises:
        OSError: the file cannot be read.
    """
    items: list[Item] = []
    lines: dict[str, int] = {}
    with path.open("rb") as file:
        for number, record in _records(file, log):
            fields = Fields(record, log, line=number)
            question_id = _question_id(fields, lines, number)
            item = _item(fields, question_id, number, db_ids)
            if item is not None:
                items.append(item)
    return tuple(items)


def item_fields(item: Item) -> dict[str, Any]:
    """An item as the JSON object that stands in the items file; fields at their default are left out."""
    fields: dict[str, Any] = {
        "question_id": item.question_id,
        "db_id": item.db_id,
        "question": item.question,
        "evidence": item.evidence,
        "difficulty": item.difficulty.value,
        "gold_query": item.gold_query,
    }
    if item.sql is not None:
        fields["sql"] = item.sql
    fields["split"] = item.split.value
    if item.array_order is not ArrayOrder.ORDERED:
        fields["array_order"] = item.array_order.value
    if item.flags:
        fields["flags"] = list(item.flags)
    return fields


def item_line(item: Item) -> str:
    """An item as one line of the items file, with its end."""
    return json.dumps(item_fields(item), ensure_ascii=False, separators=(", ", ": ")) + "\n"


def _records(file: BufferedReader, log: FaultLog) -> Iterator[tuple[int, dict[str, Any]]]:
    number = 0
    while line := file.readline(_LINE_BYTES):
        number += 1
        if len(line) == _LINE_BYTES and not line.endswith(b"\n"):
            log.add("too_large", f"the line has more than {_LINE_BYTES:,} bytes; no more lines were read.", line=number)
            break
        record = _record(line, number, log)
        if record is not None:
            yield number, record
    if not number:
        log.add("empty_file", "the file is empty; a bundle has at least one item.")


def _record(line: bytes, number: int, log: FaultLog) -> dict[str, Any] | None:
    if not line.strip():
        log.add("blank_line", "a blank line is no item.", line=number)
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
        log.add("not_an_object", f"an item must be a JSON object, not {kind_name(record)}.", line=number)
        return None
    if isinstance(record, RepeatedKeys):
        for key in repeated_keys(record):
            log.add("repeated_key", "this field stands more than once in the line.", line=number, field=key)
    return record


def _question_id(fields: Fields, lines: dict[str, int], number: int) -> str | None:
    question_id = fields.identifier("question_id")
    if question_id is None:
        return None
    if problem := question_id_problem(question_id):
        fields.fault("bad_question_id", "question_id", problem)
    if (first := lines.setdefault(question_id, number)) != number:
        message = f"{shown(question_id)} was used before, in line {first}."
        fields.fault("duplicate_question_id", "question_id", message)
    return question_id


def _item(fields: Fields, question_id: str | None, line: int, db_ids: Collection[str] | None) -> Item | None:
    """Read one item; every field is looked at even where an earlier one has a fault."""
    fields.only(_KNOWN)
    db_id = fields.text("db_id")
    if db_id is not None and db_ids is not None and db_id not in db_ids:
        fields.fault("unknown_db_id", "db_id", f"the bundle has no database {shown(db_id)}.")
    question = fields.text("question")
    evidence = fields.text("evidence", empty=True)
    difficulty = fields.choice("difficulty", Difficulty)
    split = fields.choice("split", Split)
    gold_query = fields.text("gold_query")
    sql = fields.optional_text("sql")
    array_order = fields.choice("array_order", ArrayOrder, default=ArrayOrder.ORDERED)
    flags = _flags(fields)
    if question_id is None or db_id is None or question is None or evidence is None or gold_query is None:
        return None
    if difficulty is None or split is None or array_order is None:
        return None
    return Item(
        question_id=question_id,
        db_id=db_id,
        question=question,
        evidence=evidence,
        difficulty=difficulty,
        split=split,
        gold_query=gold_query,
        sql=sql,
        array_order=array_order,
        flags=flags,
        line=line,
    )


def _flags(fields: Fields) -> tuple[str, ...]:
    found: list[str] = []
    for index, flag in enumerate(fields.array("flags") if "flags" in fields.record else ()):
        place = f"flags[{index}]"
        if not isinstance(flag, str) or not _FLAG.fullmatch(flag):
            fields.fault(
                "bad_flag", place, "must be a text in snake_case of at most 64 letters, digits and underscores."
            )
        elif flag in found:
            fields.fault("duplicate_flag", place, f'"{flag}" stands twice.')
        else:
            found.append(flag)
    return tuple(found)
