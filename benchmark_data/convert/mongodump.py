"""Imports what mongodump writes: a folder of BSON files, or an archive."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import unquote

from benchmark_data.convert.archive import is_archive, unpack
from benchmark_data.convert.bytestream import DAMAGE, Meter, damage_message, open_bytes
from benchmark_data.convert.dump_layout import Namespace, databases_of
from benchmark_data.convert.dump_metadata import Metadata, read_metadata
from benchmark_data.convert.options import NO_OPTIONS, ConversionOptions
from benchmark_data.convert.report import ConversionReport
from benchmark_data.convert.sources import BESIDE, ITEMS_FILE, Databases, Target, side_header, side_items, write
from benchmark_data.faults import FaultLog
from benchmark_data.write import Progress

_METADATA = (".metadata.json", ".metadata.json.gz")
_METADATA_BYTES = 16 * 1024 * 1024
_BSON = (".bson", ".bson.gz")
_TOLERATED = BESIDE | {"oplog.bson", "oplog.bson.gz", "prelude.json", "prelude.json.gz"}


def convert(
    source: Path,
    destination: Path,
    *,
    overwrite: bool = False,
    progress: Progress | None = None,
    options: ConversionOptions = NO_OPTIONS,
) -> ConversionReport:
    """Convert a dump into a bundle; repeated, it gives the same bytes.

    A dump has databases only. Its items lie in `items.jsonl` beside it (in the folder of a dump, next to an archive)
    or where the option `items` tells; what the bundle says of itself, in `bundle.json` there or in the options.

    Args:
        source: the folder that mongodump wrote, one database's folder of it, or an archive.
        destination: see `write_bundle`.
        overwrite: replace a bundle that is there.
        progress: told of each database.
        options: `items` is taken beside those of every format.

    Raises:
        FaultyBundleError: with the faults of all records of all files; nothing was written.
    """
    meter = Meter(options.advance)
    beside = source if source.is_dir() else source.parent
    with ExitStack() as stack:
        databases = read_databases(source, meter, stack=stack, beside=destination)
        return write(
            Target(destination=destination, overwrite=overwrite, progress=progress),
            header=side_header(beside, options),
            databases=databases,
            items=side_items(options.items or beside / ITEMS_FILE, databases, options.check_query),
            faults=options.refused(("items",)),
        )


def read_databases(source: Path, meter: Meter, *, stack: ExitStack, beside: Path) -> Databases:
    """Find the databases of a dump.

    Args:
        source: folder or archive.
        meter: counts the bytes read.
        stack: keeps what an archive is unpacked into, until it is closed.
        beside: an archive is unpacked next to this path, where there must be room for it.
    """
    if source.is_file():
        beside.parent.mkdir(parents=True, exist_ok=True)
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix=f".{beside.name}-dump-", dir=beside.parent))
        return unpack(source, Path(folder), meter)
    log = FaultLog(source.name)
    notes: list[str] = []
    namespaces = list(_namespaces(source, notes, log))
    if not namespaces and not log.total:
        message = 'a dump is a folder with "<database>/<collection>.bson" in it, or an archive.'
        log.add("missing_file", message)
    meter.expect(*(namespace.path for namespace in namespaces if namespace.path is not None))
    found = databases_of(namespaces, meter)
    return Databases(sources=(*log.summary, *found.sources), notes=(*notes, *found.notes))


def _namespaces(source: Path, notes: list[str], log: FaultLog) -> Iterator[Namespace]:
    """The namespaces of a dump's folder, or of the one database that the folder is."""
    entries = sorted(source.iterdir()) if source.is_dir() else []
    if any(_stem(entry) and entry.name not in _TOLERATED for entry in entries):
        yield from _database(source, source.resolve().name, notes, log)
        return
    for entry in entries:
        if entry.is_dir():
            yield from _database(entry, entry.name, notes, log)
        elif entry.name.startswith("oplog.bson"):
            notes.append(f"Left out: {entry.name}; the collections are taken as they were dumped.")
        elif entry.is_file() and is_archive(entry):
            log.add("archive_inside", f'"{entry.name}" is an archive; state its own path as the source.')
        elif entry.name not in _TOLERATED:
            notes.append(f"Left out: {entry.name}, which is no part of a dump.")


def _database(folder: Path, db_id: str, notes: list[str], log: FaultLog) -> Iterator[Namespace]:
    documents: dict[str, Path] = {}
    metadata: dict[str, Path] = {}
    for entry in sorted(folder.iterdir()):
        shown = f"{db_id}/{entry.name}"
        if entry.name in _TOLERATED:
            continue
        stem = _stem(entry)
        if not stem:
            notes.append(f"Left out: {shown}, which is no part of a dump.")
            continue
        files = metadata if entry.name.endswith(_METADATA) else documents
        if stem in files:
            log.add("duplicate_file", f'"{shown}" and "{files[stem].name}" are the same collection twice.')
        files[stem] = entry
    for stem in sorted(documents | metadata):
        file = documents.get(stem) or metadata[stem]
        found = _metadata(metadata[stem], f"{db_id}/{metadata[stem].name}", log) if stem in metadata else Metadata()
        yield Namespace(
            db_id=db_id,
            name=found.name or unquote(stem),
            path=documents.get(stem),
            origin=f"{db_id}/{file.name}",
            metadata=found,
        )


def _stem(entry: Path) -> str:
    """The part of a dump file's name that names its collection; "" for other files."""
    for ending in (*_METADATA, *_BSON):
        if entry.name.endswith(ending) and entry.is_file():
            return entry.name.removesuffix(ending)
    return ""


def _metadata(path: Path, shown: str, log: FaultLog) -> Metadata:
    own = FaultLog(shown)
    found = Metadata()
    try:
        with open_bytes(path, Meter()) as stream:
            raw = stream.read(_METADATA_BYTES + 1)
        if len(raw) > _METADATA_BYTES:
            own.add("too_large", f"metadata has at most {_METADATA_BYTES:,} bytes.")
        else:
            found = read_metadata(raw.decode(), own)
    except DAMAGE as error:
        own.add("bad_gzip", damage_message(error))
    except UnicodeDecodeError as error:
        own.add("not_utf8", f"not UTF-8: the byte at offset {error.start:,} is {error.object[error.start]:#04x}.")
    except OSError as error:
        own.add("missing_file", f"the file cannot be read: {error.strerror}.")
    for fault in own.faults:
        log.add(fault.rule, f"{shown}: {fault.message}", line=fault.line, field=fault.field)
    return found
