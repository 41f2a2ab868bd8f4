"""Writes what an importer found as a bundle; what all importers have in common."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmark_data.convert.options import HEADER_FIELDS, ConversionOptions, QueryCheck
from benchmark_data.convert.report import ConversionReport
from benchmark_data.errors import Fault
from benchmark_data.faults import FaultLog
from benchmark_data.fields import Fields, kind_name
from benchmark_data.items import read_items
from benchmark_data.json_text import JsonText, JsonTextError
from benchmark_data.names import bundle_name_problem
from benchmark_data.types import Bundle, Item
from benchmark_data.write import CollectionSource, DatabaseSource, Header, Progress, write_bundle

HEADER_FILE = "bundle.json"
ITEMS_FILE = "items.jsonl"
BESIDE = frozenset({HEADER_FILE, ITEMS_FILE})
"""Files that may lie beside the databases of a dump or export."""

_UNKNOWN = Header(name="unknown", version="0", title="unknown", license="unknown")


@dataclass(frozen=True, slots=True, kw_only=True)
class Databases:
    """The databases found in a source, their documents still unread.

    Args:
        sources: each database, its collections as a tuple; a `Fault` stands for what cannot be one.
        notes: sentences on what was left out, and why.
    """

    sources: tuple[DatabaseSource | Fault, ...]
    notes: tuple[str, ...] = ()

    @property
    def collections(self) -> dict[str, tuple[str, ...]]:
        """The names of the collections of each database."""
        found = (source for source in self.sources if isinstance(source, DatabaseSource))
        return {d.db_id: tuple(c.name for c in d.collections if isinstance(c, CollectionSource)) for d in found}


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """Where a conversion writes, as `write_bundle` takes it."""

    destination: Path
    overwrite: bool
    progress: Progress | None


def write(
    target: Target,
    *,
    header: Header | tuple[Fault, ...],
    databases: Databases,
    items: Iterable[Item | Fault],
    faults: Iterable[Fault] = (),
    notes: Iterable[str] = (),
) -> ConversionReport:
    """Write a bundle and report on it; faults of all parts are raised together.

    Args:
        target: where.
        header: of the bundle, or why there is none.
        databases: in the source's order.
        items: in the order of the items file.
        faults: of other parts, such as a mapping.
        notes: sentences beside those on the databases.

    Raises:
        FaultyBundleError: with all faults found; nothing was written.
    """
    stated = header if isinstance(header, Header) else _UNKNOWN
    first = [*faults, *(header if not isinstance(header, Header) else ())]
    bundle = write_bundle(
        target.destination,
        header=stated,
        databases=(*first, *_repeated(databases), *databases.sources),
        items=items,
        overwrite=target.overwrite,
        progress=target.progress,
        total=len(databases.collections),
    )
    return ConversionReport(bundle=bundle, documents=_count(bundle), notes=(*databases.notes, *notes))


def side_header(folder: Path, options: ConversionOptions) -> Header | tuple[Fault, ...]:
    """What the bundle says of itself: the options, before the source's `bundle.json`."""
    log = FaultLog(HEADER_FILE)
    path = folder / HEADER_FILE
    found = read_json(path, log) if path.is_file() else {}
    if found is not None and not isinstance(found, dict):
        log.add("not_an_object", f"must be an object, not {kind_name(found)}.")
    record = (found if isinstance(found, dict) else {}) | options.header
    return log.faults or header_of(Fields(record, log), log, hint=f'state it with --{{0}} or in "{HEADER_FILE}".')


def header_of(fields: Fields, log: FaultLog, *, hint: str) -> Header | tuple[Fault, ...]:
    """Read name, version, licence, title, citation and whether it is private; the title's default is the name.

    Args:
        fields: where they stand.
        log: where faults go.
        hint: how to state a field that is missing, with {0} for its name.
    """
    for name in ("name", "version", "license"):
        if not fields.record.get(name):
            fields.fault("missing_field", name, f"the bundle's {name} is not known; {hint.format(name)}")
        elif fields.text(name) is not None and name == "name" and (problem := bundle_name_problem(fields.record[name])):
            fields.fault("bad_name", name, problem)
    title, citation, private = fields.optional_text("title"), fields.optional_text("citation"), fields.flag("private")
    if log.total:
        return log.faults
    name, version, licence = (fields.record[key] for key in ("name", "version", "license"))
    return Header(
        name=name, version=version, license=licence, title=title or name, citation=citation or "", private=private
    )


def side_items(path: Path, databases: Databases, check: QueryCheck | None) -> Iterator[Item | Fault]:
    """The items that lie beside the databases, in the form of a bundle's items file."""
    log = FaultLog(path.name)
    collections = databases.collections
    items: tuple[Item, ...] = ()
    try:
        items = read_items(path, log, db_ids=collections or None)
    except OSError as error:
        log.add("missing_file", f"the items cannot be read: {error.strerror}; a dump has none, state --items FILE.")
    yield from checked(items, collections, check, log)


def checked(
    items: Iterable[Item], collections: Mapping[str, tuple[str, ...]], check: QueryCheck | None, log: FaultLog
) -> Iterator[Item | Fault]:
    """The items with their gold judged, or all faults of their file."""
    kept = []
    for item in items:
        known = collections.get(item.db_id)
        problem = check(item, known) if check is not None and known is not None else None
        if problem is not None:
            log.add("bad_gold_query", problem, line=item.line or None, field="gold_query")
        kept.append(item)
    yield from log.summary
    if not log.total:
        yield from kept


def renamed(databases: Databases, db_id: str) -> Databases:
    """The same databases, where the only one takes another name."""
    sources = tuple(replace(s, db_id=db_id) if isinstance(s, DatabaseSource) else s for s in databases.sources)
    return replace(databases, sources=sources)


def read_json(path: Path, log: FaultLog) -> Any:
    """Decode a small JSON file, or note why it cannot be read and return None."""
    try:
        return JsonText(path.read_text(encoding="utf-8-sig")).value()
    except JsonTextError as error:
        log.add("bad_json", f"not JSON: {error.message}.", line=error.line)
    except UnicodeDecodeError as error:
        log.add("not_utf8", f"not UTF-8: the byte at offset {error.start:,} is {error.object[error.start]:#04x}.")
    except OSError as error:
        log.add("missing_file", f"the file cannot be read: {error.strerror}.")
    return None


def header_text(bundle: Bundle) -> str:
    """The text of a `bundle.json`."""
    content = {name: getattr(bundle, name) for name in HEADER_FIELDS} | {"private": bundle.private}
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _repeated(databases: Databases) -> Iterator[Fault]:
    """A fault for each name that two databases, or two collections of one, have."""
    found = [source for source in databases.sources if isinstance(source, DatabaseSource)]
    counts = Counter(database.db_id for database in found)
    for db_id, count in counts.items():
        if count > 1:
            message = f"{count} databases of the source have this name."
            yield Fault(file=db_id, rule="duplicate_db_id", message=message)
    for db_id, names in databases.collections.items():
        for name, count in Counter(names).items():
            if count > 1:
                message = f"{count} files of the source have this collection."
                yield Fault(file=db_id, field=name, rule="duplicate_collection", message=message)


def _count(bundle: Bundle) -> int:
    return sum(collection.documents for database in bundle.databases for collection in database.collections)
