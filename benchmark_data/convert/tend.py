"""Imports the TEND benchmark: a JSON file for each database, and one with all questions."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bson.int64 import Int64

from benchmark_data.convert.options import NO_OPTIONS, ConversionOptions
from benchmark_data.convert.report import ConversionReport
from benchmark_data.errors import Fault, FaultyBundleError
from benchmark_data.faults import FaultLog
from benchmark_data.fields import Fields, kind_name
from benchmark_data.json_text import JsonText, JsonTextError, RepeatedKeys, repeated_keys
from benchmark_data.names import collection_name_problem, db_id_problem, question_id_problem
from benchmark_data.types import Difficulty, Item, Split
from benchmark_data.write import CollectionSource, DatabaseSource, Header, Progress, write_bundle

QUESTIONS = "questions.json"
DATABASES = "databases"

HEADER = Header(
    name="tend",
    version="1",
    title="TEND (Text-to-NoSQL)",
    license="CC-BY-SA-4.0",
    citation="TEND, the Text-to-NoSQL dataset, built on Spider.",
)

_INT32 = range(-(2**31), 2**31)
_KNOWN = ("question_id", "db_id", "question", "paraphrases", "SQL", "MQL", "split")


def convert(
    source: Path,
    destination: Path,
    *,
    overwrite: bool = False,
    progress: Progress | None = None,
    options: ConversionOptions = NO_OPTIONS,
) -> ConversionReport:
    """Convert the TEND files in the folder `source` into a bundle; repeated, it gives the same bytes.

    JSON integers become int32 or int64 by their size, all other numbers double. Documents stay as they are: TEND has
    no `_id`, and none is added. TEND has neither evidence nor difficulty: "" and "unrated". Its own splits (train,
    test) say nothing about secrecy: all gold is public. Paraphrases are left out.

    Args:
        source: the folder with `questions.json` and `databases/*.json`.
        destination: see `write_bundle`.
        overwrite: replace a bundle that is there.
        progress: told of each database.
        options: those of every format.

    Raises:
        FaultyBundleError: with the faults of all records of all files; nothing was written.
    """
    if refused := options.refused(()):
        raise FaultyBundleError(refused)
    files = sorted((source / DATABASES).glob("*.json"))
    if not files:
        message = f'a TEND folder has "{QUESTIONS}" and "{DATABASES}/<db_id>.json" in it.'
        raise FaultyBundleError((Fault(file=DATABASES, rule="missing_file", message=message),))
    bundle = write_bundle(
        destination,
        header=options.over(HEADER),
        databases=_databases(files),
        items=_items(source / QUESTIONS, {file.stem for file in files}),
        overwrite=overwrite,
        progress=progress,
        total=len(files),
    )
    documents = sum(collection.documents for database in bundle.databases for collection in database.collections)
    notes = ("TEND has no evidence and no difficulty: every item is unrated, both conditions ask the same.",)
    return ConversionReport(bundle=bundle, documents=documents, notes=notes)


def _databases(files: list[Path]) -> Iterator[DatabaseSource | Fault]:
    for file in files:
        log = FaultLog(f"{DATABASES}/{file.name}")
        if problem := db_id_problem(file.stem):
            log.add("bad_db_id", f"the file's name gives the db_id, which {problem}")
        content = _object(file, log)
        yield from log.faults
        if content is not None:
            yield DatabaseSource(db_id=file.stem, collections=_collections(content, log.file))


def _collections(content: dict[str, Any], file: str) -> Iterator[CollectionSource | Fault]:
    for name in sorted(content):
        if problem := collection_name_problem(name):
            yield Fault(file=file, field=name, rule="bad_collection_name", message=problem)
        elif not isinstance(content[name], list):
            message = f"a collection must be an array of documents, not {kind_name(content[name])}."
            yield Fault(file=file, field=name, rule="wrong_type", message=message)
        else:
            yield CollectionSource(name=name, documents=_documents(name, content[name], file), origin=file)


def _documents(name: str, documents: list[Any], file: str) -> Iterator[dict[str, Any] | Fault]:
    for index, document in enumerate(documents):
        place = f"{name}[{index}]"
        if not isinstance(document, dict):
            message = f"a document must be an object, not {kind_name(document)}."
            yield Fault(file=file, field=place, rule="not_an_object", message=message)
            continue
        for key in repeated_keys(document):
            message = f"the key {key!r} stands twice in one object."
            yield Fault(file=file, field=place, rule="repeated_key", message=message)
        yield _bson(document)


def _bson(value: Any) -> Any:
    """JSON values as BSON values: an integer outside int32 is an int64, as every driver would store it."""
    if isinstance(value, dict):
        return {key: _bson(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_bson(part) for part in value]
    if isinstance(value, int) and not isinstance(value, bool) and value not in _INT32:
        return Int64(value)
    return value


def _items(path: Path, db_ids: set[str]) -> Iterator[Item | Fault]:
    log = FaultLog(path.name)
    items: dict[str, Item] = {}
    places: dict[str, str] = {}
    try:
        for member in JsonText(path.read_text(encoding="utf-8")).elements():
            place = f"[{member.key}]"
            item = _item(member.value, log, member.line, place, db_ids)
            if item is not None and (first := places.setdefault(item.question_id, place)) != place:
                message = f'"{item.question_id}" was used before, at {first}.'
                log.add("duplicate_question_id", message, line=member.line, field=f"{place}.question_id")
            elif item is not None:
                items[item.question_id] = item
    except (OSError, UnicodeDecodeError, JsonTextError) as error:
        _note(error, log)
    yield from log.summary
    for question_id in sorted(items, key=_order):
        yield items[question_id]


def _item(record: Any, log: FaultLog, line: int, place: str, db_ids: set[str]) -> Item | None:
    if not isinstance(record, dict):
        log.add("not_an_object", f"a question must be an object, not {kind_name(record)}.", line=line, field=place)
        return None
    fields = Fields(record, log, line=line, prefix=f"{place}.")
    fields.only(_KNOWN)
    for key in repeated_keys(record):
        fields.fault("repeated_key", key, "this field stands twice in one object.")
    question_id = fields.identifier("question_id")
    if question_id is not None and (problem := question_id_problem(question_id)):
        fields.fault("bad_question_id", "question_id", problem)
    db_id, question, gold_query = fields.text("db_id"), fields.text("question"), fields.text("MQL")
    sql = fields.optional_text("SQL")
    if db_id is not None and db_id not in db_ids:
        fields.fault("unknown_db_id", "db_id", f'there is no file "{DATABASES}/{db_id}.json".')
    if question_id is None or db_id is None or question is None or gold_query is None:
        return None
    return Item(
        question_id=question_id,
        db_id=db_id,
        question=question,
        evidence="",
        difficulty=Difficulty.UNRATED,
        split=Split.PUBLIC,
        gold_query=gold_query,
        sql=sql,
    )


def _order(question_id: str) -> tuple[int, int, str]:
    """Numbers by their value before texts."""
    return (0, int(question_id), "") if question_id.isdecimal() else (1, 0, question_id)


def _object(path: Path, log: FaultLog) -> dict[str, Any] | None:
    try:
        content = JsonText(path.read_text(encoding="utf-8")).value()
    except (OSError, UnicodeDecodeError, JsonTextError) as error:
        _note(error, log)
        return None
    if not isinstance(content, dict):
        log.add("not_an_object", f"must be an object from collection to documents, not {kind_name(content)}.")
        return None
    for key in content.repeated if isinstance(content, RepeatedKeys) else ():
        log.add("repeated_key", "this collection stands twice in the file.", field=key)
    return content


def _note(error: OSError | UnicodeDecodeError | JsonTextError, log: FaultLog) -> None:
    """Note why a file of the source cannot be read."""
    if isinstance(error, JsonTextError):
        log.add("bad_json", f"not JSON: {error.message}; nothing after it was read.", line=error.line)
    elif isinstance(error, UnicodeDecodeError):
        log.add("not_utf8", f"not UTF-8: the byte at offset {error.start:,} is {error.object[error.start]:#04x}.")
    else:
        log.add("missing_file", f"the file cannot be read: {error.strerror}.")
