"""Seals a bundle anew after its data was changed by hand."""

from dataclasses import replace
from pathlib import Path

from benchmark_data.digest import bundle_digest, database_digest, file_digest
from benchmark_data.load import load_bundle
from benchmark_data.manifest import ITEMS, MANIFEST, manifest_text
from benchmark_data.types import Bundle, Database


def reseal(root: Path) -> Bundle:
    """Write the manifest anew after the data of a bundle was changed by hand: counts and digests as they are now.

    Raises:
        FaultyBundleError: the manifest or the items cannot be read.
        OSError: a file of documents cannot be read.
    """
    bundle = load_bundle(root, check_digests=False)
    databases = []
    for database in bundle.databases:
        collections = tuple(
            replace(c, sha256=file_digest(c.path), documents=_count(c.path)) for c in database.collections
        )
        digest = database_digest(collections)
        databases.append(Database(db_id=database.db_id, collections=collections, digest=digest))
    digest = bundle_digest(databases, bundle.items)
    bundle = replace(bundle, databases=tuple(databases), digest=digest)
    new = root / f"{MANIFEST}.new"
    new.write_text(manifest_text(bundle, items_sha256=file_digest(root / ITEMS)), encoding="utf-8")
    new.replace(root / MANIFEST)
    return bundle


def _count(path: Path) -> int:
    with path.open("rb") as lines:
        return sum(1 for line in lines if line.strip())
