"""Imports a source of unknown form, whose mapping file tells where its items and databases lie."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmark_data.convert.bytestream import Meter
from benchmark_data.convert.item_record import ItemReader
from benchmark_data.convert.mapped_databases import DatabaseFinder
from benchmark_data.convert.mapped_items import ItemMapper
from benchmark_data.convert.mapping import REQUIRED, ItemFiles, read_mapping
from benchmark_data.convert.mapping_paths import absent, matches
from benchmark_data.convert.options import NO_OPTIONS, ConversionOptions, QueryCheck
from benchmark_data.convert.records import Record, read_records
from benchmark_data.convert.report import ConversionReport
from benchmark_data.convert.sources import Databases, Target, checked, write
from benchmark_data.errors import Fault, FaultyBundleError
from benchmark_data.faults import FaultLog
from benchmark_data.fields import Fields
from benchmark_data.types import Item
from benchmark_data.write import Progress

MAPPING = "mapping.toml"


def convert(
    source: Path,
    destination: Path,
    *,
    overwrite: bool = False,
    progress: Progress | None = None,
    options: ConversionOptions = NO_OPTIONS,
) -> ConversionReport:
    """Convert a source into a bundle as its mapping tells; repeated, it gives the same bytes.

    Args:
        source: the folder that the mapping's paths begin at.
        destination: see `write_bundle`.
        overwrite: replace a bundle that is there.
        progress: told of each database.
        options: `mapping` is the mapping file, `mapping.toml` in the source if it is not stated.

    Raises:
        FaultyBundleError: with the faults of the mapping and of all records of all files; nothing was written.
    """
    path = options.mapping or source / MAPPING
    log = FaultLog(path.name)
    mapping = read_mapping(path, log, options)
    if mapping is None:
        raise FaultyBundleError((*options.refused(("mapping",)), *log.faults))
    meter = Meter(options.advance)
    notes: list[str] = []
    with ExitStack() as stack:
        databases = DatabaseFinder(source=source, destination=destination, meter=meter, stack=stack, log=log).find(
            mapping.databases
        )
        reader = _Reader(databases, options.check_query)
        # The items are read first: what the mapping has wrong about them stands before the faults of documents.
        items: list[Item | Fault] = []
        for group in mapping.items:
            items.extend(_items(group, source, reader, log, notes))
        return write(
            Target(destination=destination, overwrite=overwrite, progress=progress),
            header=mapping.header,
            databases=databases,
            items=items,
            faults=(*options.refused(("mapping",)), *log.summary),
            notes=notes,
        )


def _items(
    group: ItemFiles, source: Path, reader: "_Reader", log: FaultLog, notes: list[str]
) -> Iterator[Item | Fault]:
    mapper = ItemMapper(group, log)
    found: list[tuple[FaultLog, list[Item]]] = []
    for file in _files(group, source, log):
        own, items = FaultLog(file.relative_to(source).as_posix()), list[Item]()
        for record in read_records(file, own, inside=group.records):
            items.extend(reader.read(mapper.map(record, own), record, own))
        found.append((own, items))
    # What the mapper tells at the end goes into the logs of the files as well.
    notes.extend(mapper.finish())
    for own, items in found:
        yield from checked(items, reader.databases.collections, reader.check_query, own)


class _Reader:
    def __init__(self, databases: Databases, check_query: QueryCheck | None) -> None:
        self.databases = databases
        self.check_query = check_query
        self._db_ids = sorted(databases.collections)
        self._reader = ItemReader(self._db_ids or None)
        self._count = 0

    def read(self, mapped: dict[str, Any], record: Record, log: FaultLog) -> Iterator[Item]:
        """The item of a record; what the mapper has missed is not told again, but all else is judged."""
        self._count += 1
        gaps = [name for name in REQUIRED if name not in mapped]
        filler = {
            "question_id": f"#{self._count}",
            "db_id": next(iter(self._db_ids), "-"),
            "question": "-",
            "gold_query": "-",
        }
        fields = Fields({name: filler[name] for name in gaps} | mapped, log, line=record.line)
        item = self._reader.read(fields, place=f"{log.file}:{record.line or record.key}")
        if item is not None and not gaps:
            yield item


def _files(group: ItemFiles, source: Path, log: FaultLog) -> Iterator[Path]:
    for pattern in group.files:
        found = sorted(path for path in matches(source, pattern) if path.is_file())
        if not found:
            log.add("missing_file", absent(source, pattern), line=group.line, field="items.files")
        yield from found
