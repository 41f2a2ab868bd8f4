"""Finds everything that is wrong with a bundle in one pass."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmark_data.card_file import check_cards
from benchmark_data.digest import file_digest
from benchmark_data.documents import check_documents
from benchmark_data.errors import Fault
from benchmark_data.faults import FaultLog
from benchmark_data.gold_answers import check_gold
from benchmark_data.load import (
    Parts,
    compare_count,
    compare_digests,
    digest_message,
    read_parts,
    relative_name,
    side_files,
)
from benchmark_data.manifest import CARDS, GOLD, ITEMS, MANIFEST, Manifest
from benchmark_data.types import Collection, Item, SideFile

QueryCheck = Callable[[Item, Sequence[str]], str | None]
"""Given an item and the names of its database's collections: why the gold query cannot be scored, or None."""

PREDICTIONS = "predictions"
_BESIDE = frozenset({MANIFEST, ITEMS, "README.md", "LICENSE", "LICENSE.md", "CITATION.cff"})
_PREDICTION_FILES = (".json", ".jsonl", ".json.gz", ".jsonl.gz")


def validate(root: Path, *, check_query: QueryCheck | None = None) -> tuple[Fault, ...]:
    """All faults of the bundle in the folder `root`; empty where there are none.

    Manifest, items, every document, names, counts, digests and stray files are looked at in one pass. Of each file at
    most `LISTED_FAULTS` faults are listed, and a last one tells how many more there are.

    Args:
        root: the bundle's folder.
        check_query: judges the gold query of each item, which this package cannot read itself.
    """
    parts = read_parts(root)
    if check_query is not None:
        _check_gold(parts, check_query)
    logs = [parts.manifest_faults, parts.item_faults]
    logs.extend(_documents(root, parts))
    if parts.manifest is not None:
        compare_count(parts.manifest, parts)
        _check_items_digest(root, parts.manifest.items_sha256, parts.item_faults)
        if not any(log.total for log in logs):
            compare_digests(parts.manifest, parts.items, log=parts.manifest_faults)
        logs.extend(_side_files(root, parts.manifest, parts.items))
        logs.extend(_stray_files(root, parts.manifest))
    return tuple(fault for log in logs for fault in log.summary)


def _check_gold(parts: Parts, check_query: QueryCheck) -> None:
    names: dict[str, tuple[str, ...]] = {}
    if parts.manifest is not None:
        names = {d.db_id: tuple(c.name for c in d.collections) for d in parts.manifest.databases}
    for item in parts.items:
        problem = check_query(item, names.get(item.db_id, ())) if item.db_id in names else None
        if problem is not None:
            parts.item_faults.add("bad_gold_query", problem, line=item.line, field="gold_query")


def _documents(root: Path, parts: Parts) -> Iterator[FaultLog]:
    """Check the files of all collections; without a manifest, those that lie where documents lie."""
    if parts.manifest is None:
        for path in sorted((root / "databases").glob("*/*.jsonl")):
            log = FaultLog(relative_name(path, root))
            check_documents(path, log)
            yield log
        return
    for database in parts.manifest.databases:
        for collection in database.collections:
            log = FaultLog(relative_name(collection.path, root))
            _check_collection(collection, log, parts.manifest_faults)
            yield log


def _check_collection(collection: Collection, log: FaultLog, manifest_faults: FaultLog) -> None:
    try:
        found = check_documents(collection.path, log)
    except OSError as error:
        log.add("missing_file", f"the file cannot be read: {error.strerror}.")
        return
    if found.documents != collection.documents:
        message = f"the manifest states {collection.documents:,} documents, the file has {found.documents:,}."
        manifest_faults.add("wrong_count", message, field=f"{log.file}.documents")
    if collection.sha256 not in ("", found.sha256):
        log.add("wrong_digest", digest_message(collection.sha256, found.sha256))


def _check_items_digest(root: Path, stated: str, log: FaultLog) -> None:
    try:
        digest = file_digest(root / ITEMS)
    except OSError:
        return  # read_parts has told of it already
    if stated not in ("", digest):
        log.add("wrong_digest", digest_message(stated, digest))


def _side_files(root: Path, manifest: Manifest, items: tuple[Item, ...]) -> Iterator[FaultLog]:
    """Check cards and gold answers, where the manifest lists them: digests, records, and what they were made from."""
    if manifest.cards is not None:
        log = FaultLog(CARDS)
        count = len(check_cards(root / CARDS, manifest.databases, log))
        _compare_side_file(root / CARDS, manifest.cards, count, log)
        yield log
    if manifest.gold is not None:
        log = FaultLog(GOLD)
        answers = check_gold(root / GOLD, manifest.databases, items, log, private=manifest.private)
        _compare_side_file(root / GOLD, manifest.gold, sum(1 for _ in answers), log)
        yield log


def _compare_side_file(path: Path, stated: SideFile, count: int, log: FaultLog) -> None:
    if not log.total and stated.count != count:
        log.add("wrong_count", f"the manifest states {stated.count:,} lines, the file has {count:,}.")
    try:
        digest = file_digest(path)
    except OSError:
        return  # told already
    if stated.sha256 not in ("", digest):
        log.add("wrong_digest", digest_message(stated.sha256, digest))


def _stray_files(root: Path, manifest: Manifest) -> Iterator[FaultLog]:
    """Files that no digest covers: somebody believes that they count."""
    listed = {relative_name(c.path, root) for d in manifest.databases for c in d.collections}
    known = _BESIDE | listed | set(side_files(manifest))
    for path in sorted(root.rglob("*")):
        name = relative_name(path, root)
        log = FaultLog(name)
        if path.is_symlink():
            log.add("symbolic_link", "a bundle holds plain files and folders only.")
        elif path.is_file() and not (name in known or _is_prediction_file(name)):
            log.add("stray_file", "the manifest does not list this file; list it, or take it out.")
        yield log


def _is_prediction_file(name: str) -> bool:
    """Sample prediction files may lie beside the data, outside every digest."""
    folder, _, file = name.partition("/")
    return folder == PREDICTIONS and file.endswith(_PREDICTION_FILES) and "/" not in file
