"""Imports what mongoexport writes: a folder for each database, a file of Extended JSON for each collection."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from benchmark_data.convert.bytestream import Meter
from benchmark_data.convert.export_documents import ExportedDocuments
from benchmark_data.convert.options import NO_OPTIONS, ConversionOptions
from benchmark_data.convert.report import ConversionReport
from benchmark_data.convert.sources import BESIDE, ITEMS_FILE, Databases, Target, side_header, side_items, write
from benchmark_data.errors import Fault
from benchmark_data.faults import FaultLog
from benchmark_data.names import collection_name_problem, db_id_problem
from benchmark_data.write import CollectionSource, DatabaseSource, Progress

_ENDINGS = (".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".ndjson.gz")
_NOTE = "mongoexport writes no indexes: the bundle has none."


def convert(
    source: Path,
    destination: Path,
    *,
    overwrite: bool = False,
    progress: Progress | None = None,
    options: ConversionOptions = NO_OPTIONS,
) -> ConversionReport:
    """Convert exported files into a bundle; repeated, it gives the same bytes.

    Each file holds one collection, as lines, as an array or over several lines, in canonical or relaxed Extended JSON.
    Relaxed loses what JSON cannot tell: a whole number is int32 or int64 by its size, another one double.

    Args:
        source: a folder with `<database>/<collection>.json` or `.jsonl` in it, or one database's folder.
        destination: see `write_bundle`.
        overwrite: replace a bundle that is there.
        progress: told of each database.
        options: `items` is taken beside those of every format; see `benchmark_data.convert.mongodump`.

    Raises:
        FaultyBundleError: with the faults of all records of all files; nothing was written.
    """
    databases = read_databases(source, Meter(options.advance))
    return write(
        Target(destination=destination, overwrite=overwrite, progress=progress),
        header=side_header(source, options),
        databases=databases,
        items=side_items(options.items or source / ITEMS_FILE, databases, options.check_query),
        faults=options.refused(("items",)),
        notes=(_NOTE,),
    )


def read_databases(source: Path, meter: Meter) -> Databases:
    """Find the databases of a folder of exported files.

    Args:
        source: a folder of databases, or the folder of one.
        meter: counts the bytes read.
    """
    notes: list[str] = []
    entries = sorted(source.iterdir()) if source.is_dir() else []
    found: list[DatabaseSource | Fault] = []
    if any(_stem(entry) for entry in entries):
        found.extend(_database(source, source.resolve().name, meter, notes))
    else:
        for entry in entries:
            if entry.is_dir():
                found.extend(_database(entry, entry.name, meter, notes))
            elif entry.name not in BESIDE:
                notes.append(f"Left out: {entry.name}, which is no part of an export.")
    if not any(isinstance(source, DatabaseSource) for source in found):
        message = 'an export is a folder with "<database>/<collection>.json" in it.'
        found.append(Fault(file=source.name, rule="missing_file", message=message))
    return Databases(sources=tuple(found), notes=tuple(notes))


def _database(folder: Path, db_id: str, meter: Meter, notes: list[str]) -> Iterator[DatabaseSource | Fault]:
    log = FaultLog(db_id)
    if problem := db_id_problem(db_id):
        log.add("bad_db_id", f"the folder's name gives the db_id, which {problem}")
    files: dict[str, Path] = {}
    for entry in sorted(folder.iterdir()):
        shown = f"{db_id}/{entry.name}"
        stem = _stem(entry)
        if not stem and entry.suffix in (".csv", ".tsv", ".bson"):
            log.add("wrong_form", f'"{shown}" is no Extended JSON; CSV has no types: use mongoexport --type=json.')
        elif not stem and entry.name not in BESIDE:
            notes.append(f"Left out: {shown}, which is no part of an export.")
        elif stem in files:
            log.add("duplicate_file", f'"{shown}" and "{files[stem].name}" are the same collection twice.')
        elif stem:
            files[stem] = entry
    meter.expect(*files.values())
    yield from log.summary
    if files and not any(fault.rule == "bad_db_id" for fault in log.faults):
        collections = tuple(_collection(db_id, stem, path, meter) for stem, path in files.items())
        yield DatabaseSource(db_id=db_id, collections=collections)


def _collection(db_id: str, stem: str, path: Path, meter: Meter) -> CollectionSource | Fault:
    name, origin = unquote(stem), f"{db_id}/{path.name}"
    if problem := collection_name_problem(name):
        return Fault(file=origin, field=name, rule="bad_collection_name", message=problem)
    return CollectionSource(name=name, documents=ExportedDocuments(path, name, meter), origin=origin)


def _stem(entry: Path) -> str:
    """The part of an exported file's name that names its collection; "" for other files."""
    if entry.name in BESIDE or entry.name.endswith((".metadata.json", ".metadata.json.gz")):
        return ""
    ending = next((ending for ending in _ENDINGS if entry.name.endswith(ending) and entry.is_file()), None)
    return "" if ending is None else entry.name.removesuffix(ending)
