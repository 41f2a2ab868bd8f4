"""Imports BIRD's questions, with databases and gold queries that come from elsewhere."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmark_data.convert import mongodump, mongoexport
from benchmark_data.convert.bytestream import Meter
from benchmark_data.convert.card_texts import described
from benchmark_data.convert.item_record import ItemReader
from benchmark_data.convert.options import NO_OPTIONS, ConversionOptions
from benchmark_data.convert.records import Record, read_records
from benchmark_data.convert.report import ConversionReport
from benchmark_data.convert.sources import Databases, Target, checked, side_header, write
from benchmark_data.errors import Fault, FaultyBundleError
from benchmark_data.faults import FaultLog
from benchmark_data.fields import Fields
from benchmark_data.json_text import JsonText, JsonTextError
from benchmark_data.load import load_bundle, read_documents
from benchmark_data.manifest import MANIFEST
from benchmark_data.types import Bundle, Collection, Item
from benchmark_data.write import CollectionSource, DatabaseSource, Progress

QUESTIONS = ("dev.json", "train.json", "questions.json", "mini_dev*.json", "mini_dev*.jsonl")
_TAKEN = ("databases", "gold")
_KNOWN = ("question_id", "db_id", "question", "evidence", "SQL", "difficulty")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Origin:
    """The databases for the questions, and the gold that came with them, by question_id."""

    databases: Databases
    gold: Mapping[str, str]


def convert(
    source: Path,
    destination: Path,
    *,
    overwrite: bool = False,
    progress: Progress | None = None,
    options: ConversionOptions = NO_OPTIONS,
) -> ConversionReport:
    """Convert BIRD's questions into a bundle; repeated, it gives the same bytes.

    BIRD has relational databases and SQL. The document databases come from the option `databases`: a bundle, a dump
    or an export. The gold queries come from the option `gold`: JSON or lines of JSON, `{question_id: query}` or
    objects with `question_id` and `gold_query`; without it, from the items of the bundle that has the databases. A
    question without gold is a fault. A file in which no question has a `question_id`, as train.json, is numbered by
    position, from 0. Without a label, the difficulty is "unrated"; all gold is public. BIRD's descriptions of columns,
    where they lie beside the questions, become notes on the fields of collections that are named as a table is.

    Args:
        source: the file of questions, or a folder with exactly one that is named as BIRD names it.
        destination: see `write_bundle`.
        overwrite: replace a bundle that is there.
        progress: told of each database.
        options: `databases` is needed, `gold` is taken beside those of every format.

    Raises:
        FaultyBundleError: with the faults of all records of all files; nothing was written.
    """
    refused = options.refused(_TAKEN)
    if options.databases is None:
        message = "state the bundle, dump or export that has the document databases; BIRD's own are relational."
        raise FaultyBundleError((*refused, Fault(file="--databases", rule="missing_option", message=message)))
    meter = Meter(options.advance)
    folder = source if source.is_dir() else source.parent
    with ExitStack() as stack:
        origin = _origin(options.databases, destination, meter, stack)
        gold_log = FaultLog(options.gold.name if options.gold is not None else "gold")
        gold = origin.gold if options.gold is None else _gold(options.gold, gold_log)
        notes: list[str] = []
        return write(
            Target(destination=destination, overwrite=overwrite, progress=progress),
            header=side_header(folder, options),
            databases=described(origin.databases, folder),
            items=list(_items(source, origin.databases, gold, options, notes)),
            faults=(*refused, *gold_log.summary),
            notes=notes,
        )


def _items(
    source: Path, databases: Databases, gold: Mapping[str, str], options: ConversionOptions, notes: list[str]
) -> Iterator[Item | Fault]:
    log = FaultLog(source.name)
    path = _questions(source, log)
    if path is None:
        yield from log.faults
        return
    log = FaultLog(path.name)
    records = list(read_records(path, log))
    numbered = not any("question_id" in record.value for record in records)
    if numbered and records:
        notes.append(f"No question of {path.name} has a question_id: they are numbered by position, from 0.")
    reader = ItemReader(databases.collections or None)
    items = []
    unused = set(gold)
    for record in records:
        fields = Fields(_renamed(record, gold, numbered=numbered), log, line=record.line)
        unused.discard(_key(fields.record.get("question_id")))
        if "gold_query" not in fields.record:
            message = "there is no gold query for this question; state a file with --gold that has one."
            fields.fault("missing_gold", "gold_query", message)
            fields = Fields({**fields.record, "gold_query": "-"}, log, line=record.line)
        item = reader.read(fields, place=f"line {record.line}" if record.line else f"[{record.key}]")
        items.extend([item] if item is not None else [])
    unrated = sum("difficulty" not in record.value for record in records)
    if unrated:
        notes.append(f"{unrated:,} questions have no difficulty: they are unrated.")
    if unused:
        notes.append(f"{len(unused):,} gold queries belong to no question, as that of {min(unused)}.")
    strange = sorted({name for record in records for name in record.value} - set(_KNOWN))
    if strange:
        notes.append(f"Fields of the source that are not used: {', '.join(strange[:20])}.")
    yield from checked(items, databases.collections, options.check_query, log)


def _renamed(record: Record, gold: Mapping[str, str], *, numbered: bool) -> dict[str, Any]:
    """A question with the names of a bundle's items, and its gold where there is one."""
    mapped = {name: record.value[name] for name in _KNOWN if name in record.value and name != "SQL"}
    if "SQL" in record.value:
        mapped["sql"] = record.value["SQL"]
    if numbered:
        mapped["question_id"] = record.position
    query = gold.get(_key(mapped.get("question_id")))
    return mapped if query is None else mapped | {"gold_query": query}


def _questions(source: Path, log: FaultLog) -> Path | None:
    if not source.is_dir():
        return source
    found = sorted({path for pattern in QUESTIONS for path in source.glob(pattern)})
    if len(found) == 1:
        return found[0]
    there = f"there are {', '.join(path.name for path in found)}: state one." if found else "there is none."
    log.add("missing_file", f"a folder of BIRD has one file of questions, {', '.join(QUESTIONS)}; {there}")
    return None


def _gold(path: Path, log: FaultLog) -> dict[str, str]:
    """The gold queries of a file: an object from question_id to text, or records with both."""
    found: dict[str, str] = {}
    own = FaultLog(path.name)
    pairs = _pairs(path, own)
    for fault in own.faults:
        log.add(fault.rule, fault.message, line=fault.line, field=fault.field)
    for fields in pairs:
        judged = Fields(fields.record, log, line=fields.line)
        question_id, query = judged.identifier("question_id"), judged.text("gold_query")
        if question_id is not None and question_id in found:
            judged.fault("duplicate_question_id", "question_id", f'"{question_id}" has a gold query before this one.')
        if question_id is not None and query is not None:
            found[question_id] = query
    return found


def _pairs(path: Path, log: FaultLog) -> list[Fields]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        log.add("unusable_file", f"the gold queries cannot be read: {error}.")
        return []
    if text.lstrip().startswith("{") and path.suffix not in (".jsonl", ".ndjson"):
        return list(_members(text, log))
    return [Fields(record.value, log, line=record.line) for record in read_records(path, log)]


def _members(text: str, log: FaultLog) -> Iterator[Fields]:
    try:
        for member in JsonText(text).members():
            yield Fields({"question_id": member.key, "gold_query": member.value}, log, line=member.line)
    except JsonTextError as error:
        log.add("bad_json", f"not JSON: {error.message}; nothing after it was read.", line=error.line)


def _key(question_id: Any) -> str:
    return "" if isinstance(question_id, bool) or question_id is None else str(question_id)


def _origin(path: Path, destination: Path, meter: Meter, stack: ExitStack) -> _Origin:
    if (path / MANIFEST).is_file():
        bundle = load_bundle(path)
        return _Origin(databases=_of_bundle(bundle), gold={item.question_id: item.gold_query for item in bundle.items})
    exported = path.is_dir() and any(path.glob("**/*.json")) and not any(path.glob("**/*.bson*"))
    if exported:
        return _Origin(databases=mongoexport.read_databases(path, meter), gold={})
    return _Origin(databases=mongodump.read_databases(path, meter, stack=stack, beside=destination), gold={})


def _of_bundle(bundle: Bundle) -> Databases:
    return Databases(
        sources=tuple(
            DatabaseSource(
                db_id=database.db_id,
                description=database.description,
                collections=tuple(
                    CollectionSource(
                        name=collection.name,
                        documents=_Documents(collection),
                        indexes=collection.indexes,
                        origin=collection.path.relative_to(bundle.root).as_posix(),
                        description=collection.description,
                        fields=collection.fields,
                        relations=collection.relations,
                    )
                    for collection in database.collections
                ),
            )
            for database in bundle.databases
        )
    )


class _Documents:
    def __init__(self, collection: Collection) -> None:
        self._collection = collection

    def __iter__(self) -> Iterator[Mapping[str, Any] | Fault]:
        try:
            yield from read_documents(self._collection)
        except FaultyBundleError as error:
            yield from error.faults
