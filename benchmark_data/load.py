"""Reads a bundle's folder into its records."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmark_data.digest import bundle_digest, database_digest, file_digest
from benchmark_data.documents import parse_line
from benchmark_data.errors import LISTED_FAULTS, Fault, FaultyBundleError
from benchmark_data.faults import FaultLog
from benchmark_data.items import read_items
from benchmark_data.manifest import CARDS, GOLD, ITEMS, MANIFEST, Manifest, read_manifest
from benchmark_data.types import Bundle, Collection, Item, SideFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The records of a bundle as far as they could be read, before files and digests are compared.

    Args:
        manifest: None where it could not be read at all.
        items: those without a fault.
        manifest_faults: faults of the manifest.
        item_faults: faults of the items file.
    """

    manifest: Manifest | None
    items: tuple[Item, ...]
    manifest_faults: FaultLog
    item_faults: FaultLog


def load_bundle(root: Path, *, check_digests: bool = True) -> Bundle:
    """Read the bundle in the folder `root`.

    The documents are hashed but not read; `benchmark_data.validate.validate` reads them as well.

    Args:
        root: the bundle's folder.
        check_digests: compare all files with the counts and digests that the manifest states; without it none is
            judged, the files of documents need not be there, and `Bundle.digest` is computed from what the manifest
            states of them.

    Raises:
        FaultyBundleError: with all faults found.
    """
    parts = read_parts(root)
    logs = [parts.manifest_faults, parts.item_faults]
    if check_digests and parts.manifest is not None:
        compare_count(parts.manifest, parts)
        logs.extend(_compare_files(root, parts.manifest))
        complete = not any(log.total for log in logs)
        if complete:
            logs.append(compare_digests(parts.manifest, parts.items, log=FaultLog(MANIFEST)))
    raise_faults(logs)
    return assemble(root, parts)


def read_parts(root: Path) -> Parts:
    """Read manifest and items, noting all their faults."""
    manifest_faults, item_faults = FaultLog(MANIFEST), FaultLog(ITEMS)
    manifest = read_manifest(root, manifest_faults)
    db_ids = None if manifest is None else {database.db_id for database in manifest.databases}
    items: tuple[Item, ...] = ()
    try:
        items = read_items(root / ITEMS, item_faults, db_ids=db_ids)
    except OSError as error:
        item_faults.add("missing_file", f"the file cannot be read: {error.strerror}.")
    return Parts(manifest=manifest, items=items, manifest_faults=manifest_faults, item_faults=item_faults)


def assemble(root: Path, parts: Parts) -> Bundle:
    """The bundle of faultless parts; its digests are computed, not taken from the manifest."""
    if parts.manifest is None:
        raise FaultyBundleError(parts.manifest_faults.faults)
    manifest = parts.manifest
    databases = tuple(replace(d, digest=database_digest(d.collections)) for d in manifest.databases)
    return Bundle(
        name=manifest.name,
        version=manifest.version,
        title=manifest.title,
        license=manifest.license,
        citation=manifest.citation,
        databases=databases,
        items=parts.items,
        digest=bundle_digest(databases, parts.items),
        root=root,
        private=manifest.private,
        engine=manifest.engine,
        cards=manifest.cards,
        gold=manifest.gold,
    )


def compare_count(manifest: Manifest, parts: Parts) -> None:
    """Note where the items file has not as many items as the manifest states; faulty lines are told already."""
    if manifest.items not in (None, len(parts.items)) and not parts.item_faults.total:
        message = f"the manifest states {manifest.items:,} items, the file has {len(parts.items):,}."
        parts.manifest_faults.add("wrong_count", message, field="items.count")


def compare_digests(manifest: Manifest, items: tuple[Item, ...], *, log: FaultLog) -> FaultLog:
    """Note where the digests of databases and bundle are not those of the records that the manifest lists."""
    databases = []
    for database in manifest.databases:
        digest = database_digest(database.collections)
        databases.append(replace(database, digest=digest))
        if database.digest not in ("", digest):
            log.add("wrong_digest", digest_message(database.digest, digest), field=f"databases.{database.db_id}.digest")
    digest = bundle_digest(databases, items)
    if manifest.digest not in ("", digest):
        log.add("wrong_digest", digest_message(manifest.digest, digest), field="digest")
    return log


def digest_message(stated: str, computed: str) -> str:
    """A sentence on a digest that is not the one stated, both cut to what the eye can compare."""
    return f"the manifest states {stated[:16]}…, computed is {computed[:16]}…: the data was changed after sealing."


def side_files(manifest: Manifest) -> dict[str, SideFile]:
    """The files beside the scored data that a manifest lists, by name."""
    listed = {CARDS: manifest.cards, GOLD: manifest.gold}
    return {name: side for name, side in listed.items() if side is not None}


def relative_name(path: Path, root: Path) -> str:
    """The name of a bundle's file in faults."""
    return path.relative_to(root).as_posix()


def raise_faults(logs: list[FaultLog]) -> None:
    """Raise all faults of several files as one error, if there are any.

    Raises:
        FaultyBundleError: at most `LISTED_FAULTS` listed, all counted.
    """
    faults: list[Fault] = [fault for log in logs for fault in log.faults]
    if faults:
        raise FaultyBundleError(tuple(faults[:LISTED_FAULTS]), total=sum(log.total for log in logs))


def _compare_files(root: Path, manifest: Manifest) -> Iterator[FaultLog]:
    files = [(root / ITEMS, manifest.items_sha256)]
    files += [(root / name, side.sha256) for name, side in side_files(manifest).items()]
    files += [(c.path, c.sha256) for database in manifest.databases for c in database.collections]
    for path, stated in files:
        log = FaultLog(relative_name(path, root))
        try:
            digest = file_digest(path)
        except OSError as error:
            # read_parts has told of the items file already.
            if path.name != ITEMS:
                log.add("missing_file", f"the file cannot be read: {error.strerror}.")
        else:
            if stated not in ("", digest):
                log.add("wrong_digest", digest_message(stated, digest))
        yield log


def read_documents(collection: Collection) -> Iterator[dict[str, Any]]:
    """Yield the documents of a collection in file order, BSON types kept: `Int64` stays `Int64`, dates are aware UTC.

    A date outside the years 1 to 9999 comes as `bson.datetime_ms.DatetimeMS`.

    Raises:
        FaultyBundleError: a line is no document, or the file cannot be read; the fault names file and line.
    """
    log = FaultLog(collection.path.name)
    try:
        file = collection.path.open("rb")
    except OSError as error:
        log.add("missing_file", f"the file cannot be read: {error.strerror}.")
        raise FaultyBundleError(log.faults) from error
    with file:
        for number, line in enumerate(file, start=1):
            document = parse_line(line, number, log)
            if document is None:
                raise FaultyBundleError(log.faults)
            yield document
