"""The gold answers of a bundle: what each gold query returned, on which engine, and on which content."""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from bson import json_util

from benchmark_data.extended_json import OPTIONS, ExtendedJsonError, decode_value
from benchmark_data.faults import FaultLog
from benchmark_data.fields import Fields
from benchmark_data.load import raise_faults
from benchmark_data.manifest import GOLD
from benchmark_data.seal import side_file, write_manifest
from benchmark_data.side_lines import read_records
from benchmark_data.types import Bundle, Database, Item, Split

_MEMBERS = ("question_id", "engine", "database", "gold_query", "kind", "rows", "failure")


class GoldKind(StrEnum):
    """How a gold answer arrived."""

    DOCUMENTS = "documents"
    VALUES = "values"
    SCALAR = "scalar"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldAnswerRecord:
    """What one gold query returned.

    Args:
        question_id: the item.
        engine: name and version of the engine, such as "MongoDB 7.0.14".
        database: digest of the database's content at that time.
        gold_query: hex SHA-256 of the gold query's UTF-8 bytes at that time.
        kind: how the answer arrived; None where the query failed.
        rows: BSON values.
        failure: why there is no answer, "" where there is one.
    """

    question_id: str
    engine: str
    database: str
    gold_query: str
    kind: GoldKind | None = None
    rows: tuple[Any, ...] = ()
    failure: str = ""


def query_digest(gold_query: str) -> str:
    """Hex SHA-256 of a gold query's text."""
    return hashlib.sha256(gold_query.encode()).hexdigest()


def may_be_stored(bundle: Bundle, item: Item) -> bool:
    """Whether the answer to an item's gold may lie in the bundle: hidden gold stays in private bundles."""
    return bundle.private or item.split is Split.PUBLIC


def write_gold(bundle: Bundle, answers: Iterable[GoldAnswerRecord]) -> Bundle:
    """Put gold answers into a bundle's folder and list them in its manifest; the bundle's digest stays what it is.

    Until all are written, the file that was there stands.

    Raises:
        OSError: the folder cannot be written.
    """
    path = bundle.root / GOLD
    new = path.with_name(f"{GOLD}.new")
    try:
        with new.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(map(_line, answers))
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)
    changed = replace(bundle, gold=side_file(path))
    write_manifest(changed)
    return changed


def read_gold(bundle: Bundle) -> Iterator[GoldAnswerRecord]:
    """The gold answers that lie in a bundle's folder, one by one; none where its manifest lists none.

    Raises:
        FaultyBundleError: after the last one, with all faults of the file.
    """
    if bundle.gold is None:
        return
    log = FaultLog(GOLD)
    yield from check_gold(bundle.root / GOLD, bundle.databases, bundle.items, log, private=bundle.private)
    raise_faults([log])


def check_gold(
    path: Path, databases: tuple[Database, ...], items: tuple[Item, ...], log: FaultLog, *, private: bool
) -> Iterator[GoldAnswerRecord]:
    """Read gold answers and note every fault: of their form, of items that are not there, and of changed data."""
    known = {item.question_id: item for item in items}
    digests = {database.db_id: database.digest for database in databases}
    seen: set[str] = set()
    for number, record in read_records(path, log):
        fields = Fields(record, log, line=number)
        answer = _answer(fields)
        if answer is None:
            continue
        item = known.get(answer.question_id)
        if answer.question_id in seen:
            fields.fault("duplicate_question_id", "question_id", "this item has an answer already.")
        elif item is None:
            fields.fault("unknown_question_id", "question_id", "the bundle has no such item.")
        else:
            _compare(fields, answer, item, digests.get(item.db_id, ""), private=private)
        seen.add(answer.question_id)
        yield answer


def _compare(fields: Fields, answer: GoldAnswerRecord, item: Item, digest: str, *, private: bool) -> None:
    if item.split is Split.HIDDEN and not private:
        message = "an answer to hidden gold lies in a bundle that is not private."
        fields.fault("hidden_gold", "question_id", message)
    if answer.database != digest:
        message = "the database was changed after this answer was computed; compute gold anew."
        fields.fault("stale_gold", "database", message)
    if answer.gold_query != query_digest(item.gold_query):
        message = "the gold query was changed after this answer was computed; compute gold anew."
        fields.fault("stale_gold", "gold_query", message)


def _line(answer: GoldAnswerRecord) -> str:
    content: dict[str, Any] = {
        "question_id": answer.question_id,
        "engine": answer.engine,
        "database": answer.database,
        "gold_query": answer.gold_query,
    }
    if answer.kind is None:
        content["failure"] = answer.failure
    else:
        content |= {"kind": answer.kind.value, "rows": list(answer.rows)}
    text: str = json_util.dumps(content, json_options=OPTIONS, ensure_ascii=False, separators=(",", ":"))
    return text + "\n"


def _answer(fields: Fields) -> GoldAnswerRecord | None:
    fields.only(_MEMBERS)
    question_id, engine = fields.identifier("question_id"), fields.text("engine")
    database, gold_query = fields.text("database"), fields.text("gold_query")
    kind: GoldKind | None = None
    rows: tuple[Any, ...] | None = ()
    failure: str | None = ""
    if "failure" in fields.record:
        failure = fields.text("failure")
        if "kind" in fields.record or "rows" in fields.record:
            fields.fault("two_answers", "failure", "a query either failed or has rows.")
    else:
        kind, rows = fields.choice("kind", GoldKind), _rows(fields)
        if kind is None or rows is None:
            return None
    if question_id is None or engine is None or database is None or gold_query is None:
        return None
    if failure is None or rows is None:
        return None
    return GoldAnswerRecord(
        question_id=question_id,
        engine=engine,
        database=database,
        gold_query=gold_query,
        kind=kind,
        rows=rows,
        failure=failure,
    )


def _rows(fields: Fields) -> tuple[Any, ...] | None:
    rows = fields.array("rows")
    try:
        return tuple(decode_value(row) for row in rows)
    except ExtendedJsonError as error:
        fields.fault(error.rule, "rows", error.message)
        return None
