"""Reads the hand-written items of a sample database, with the line of every field."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from benchmark_data.bundles.sample21.databases import ITEMS, SampleDatabase
from benchmark_data.docmap.text import Entry, compose
from benchmark_data.faults import FaultLog

_REQUIRED: Final = ("id", "question", "sql", "mql")
_KNOWN: Final = frozenset({*_REQUIRED, "evidence", "empty"})
_FINAL_MARK = re.compile(r"[.?!)]$")


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthoredItem:
    """One item as it is written.

    Args:
        number: its `id`, from 1.
        question_id: the database's name and the number: "market-007".
        question, evidence, sql, mql: texts without white space around them.
        empty: an empty answer is meant.
        lines: 1-based line of each field; that of "id" is the item's.
    """

    number: int
    question_id: str
    question: str
    evidence: str
    sql: str
    mql: str
    empty: bool = False
    lines: Mapping[str, int] = field(default_factory=dict)


def read_authored(database: SampleDatabase, log: FaultLog) -> tuple[AuthoredItem, ...]:
    """All items that can be read, in order of number; every fault goes to `log`.

    Raises:
        OSError: the file cannot be read.
    """
    entry = compose((database.folder / ITEMS).read_text(encoding="utf-8"), log)
    found: dict[int, AuthoredItem] = {}
    for listed in entry.sequence() if entry is not None else ():
        part = replace(listed, field=listed.field.lstrip("."))
        item = _item(part, database.db_id)
        if item is None:
            continue
        if item.number in found:
            part.fault("repeated_id", f"the id {item.number} stands twice.")
        found[item.number] = item
    return tuple(found[number] for number in sorted(found))


def _item(entry: Entry, db_id: str) -> AuthoredItem | None:
    parts = entry.mapping(_KNOWN, required=_REQUIRED)
    if not parts.keys() >= set(_REQUIRED):
        return None
    number = parts["id"].whole_number(1)
    texts = {name: _text(parts[name]) for name in ("question", "sql", "mql")}
    if number is None or not all(texts.values()):
        return None
    if not _FINAL_MARK.search(texts["question"]):
        parts["question"].fault("no_sentence", "the question must end as a sentence does.")
    empty = parts["empty"].value() if "empty" in parts else False
    if not isinstance(empty, bool):
        parts["empty"].fault("not_a_flag", "must be true or false.")
    return AuthoredItem(
        number=number,
        question_id=f"{db_id}-{number:03d}",
        question=" ".join(texts["question"].split()),
        evidence=" ".join(_evidence(parts).split()),
        sql=texts["sql"].rstrip(";").rstrip(),
        mql=texts["mql"].rstrip(";").rstrip(),
        empty=empty is True,
        lines={name: part.line for name, part in parts.items()},
    )


def _text(entry: Entry) -> str:
    return entry.text().strip()


def _evidence(parts: Mapping[str, Entry]) -> str:
    """The evidence; an empty text, or null, is none."""
    if "evidence" not in parts:
        return ""
    value = parts["evidence"].value()
    return "" if value in (None, "") else parts["evidence"].text()
