"""Seals a bundle anew after its data was changed by hand."""

from dataclasses import replace
from pathlib import Path

from benchmark_data.digest import bundle_digest, database_digest, file_digest
from benchmark_data.load import load_bundle
from benchmark_data.manifest import CARDS, GOLD, ITEMS, MANIFEST, manifest_text
from benchmark_data.types import Bundle, SideFile


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
        databases.append(replace(database, collections=collections, digest=database_digest(collections)))
    bundle = replace(
        bundle,
        databases=tuple(databases),
        digest=bundle_digest(databases, bundle.items),
        cards=side_file(root / CARDS),
        gold=side_file(root / GOLD),
    )
    write_manifest(bundle)
    return bundle


def write_manifest(bundle: Bundle) -> None:
    """Put a bundle's manifest in its place at once; until then the old one stands.

    Raises:
        OSError: the items file cannot be read, or the folder not written.
    """
    root = bundle.root
    new = root / f"{MANIFEST}.new"
    new.write_text(manifest_text(bundle, items_sha256=file_digest(root / ITEMS)), encoding="utf-8")
    new.replace(root / MANIFEST)


def side_file(path: Path) -> SideFile | None:
    """What a manifest states of a file beside the scored data; None where there is none.

    Raises:
        OSError: the file cannot be read.
    """
    return SideFile(count=_count(path), sha256=file_digest(path)) if path.is_file() else None


def _count(path: Path) -> int:
    with path.open("rb") as lines:
        return sum(1 for line in lines if line.strip())
