"""Builds the sample benchmark from its sources: rows, documents, items, cards; the same bytes everywhere."""

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from benchmark_data.bundles.sample21.authored_items import AuthoredItem, read_authored
from benchmark_data.bundles.sample21.databases import (
    BASE_SEED,
    DOCMAP,
    FOLDER,
    ITEMS,
    SampleDatabase,
    sample_databases,
)
from benchmark_data.bundles.sample21.instance import checked_docmap, source_digest, write_instance
from benchmark_data.bundles.sample21.relations import relations_of
from benchmark_data.bundles.sample21.release import (
    HEADER,
    PinnedDatabase,
    Release,
    UnpinnedSourcesError,
    read_release,
)
from benchmark_data.bundles.sample21.splits import splits
from benchmark_data.card_file import measure_database, write_cards
from benchmark_data.digest import file_digest
from benchmark_data.docmap.engine import Migration
from benchmark_data.docmap.fetch import working_copy
from benchmark_data.docmap.source import connect_read_only, count_rows, read_schema
from benchmark_data.docmap.types import Docmap
from benchmark_data.docmap.walk import links_of
from benchmark_data.faults import FaultLog
from benchmark_data.load import load_bundle, raise_faults
from benchmark_data.manifest import ITEMS as ITEM_LINES
from benchmark_data.manifest import MANIFEST
from benchmark_data.types import Bundle, Difficulty, EngineRequirements, Item, Relation, Split
from benchmark_data.validate import PREDICTIONS
from benchmark_data.write import CollectionSource, DatabaseSource, Step, write_bundle

Ratings = Mapping[str, Mapping[int, Difficulty]]
"""By database, the difficulty of each item by its number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """What a database was made from: number and digest of its rows, number of its tables, its design."""

    digest: str
    tables: int
    rows: int
    docmap: Docmap


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A bundle as it was built.

    Args:
        bundle: in the folder that it was written to.
        items: digest of its items file.
        origins: of each database, by its name.
    """

    bundle: Bundle
    items: str
    origins: Mapping[str, Origin]

    def release(self, ratings: Ratings) -> Release:
        """What would be pinned of it."""
        return Release(
            digest=self.bundle.digest,
            items=self.items,
            engine=self.bundle.engine,
            databases={
                database.db_id: PinnedDatabase(
                    rows=self.origins[database.db_id].digest,
                    digest=database.digest,
                    difficulty=ratings[database.db_id],
                )
                for database in self.bundle.databases
            },
        )


def sample21_build(
    destination: Path, *, overwrite: bool = False, progress: Callable[[Step], None] | None = None
) -> Bundle:
    """Build the sample benchmark as its release is pinned; no document database is needed.

    Args:
        destination: the bundle's folder; must not exist, or be empty, or be a bundle that `overwrite` gives up.
        overwrite: replace a bundle that is there.
        progress: told of each database.

    Raises:
        UnpinnedSourcesError: the sources are not those of the release; nothing was written.
        FaultyBundleError: the sources have faults, or the destination is in use; nothing was written.
        OSError: the disk refused.
    """
    pinned = read_release()
    ratings = {db_id: one.difficulty for db_id, one in pinned.databases.items()}
    samples = sample_databases(tuple(ratings))
    with bundle_folder(destination, overwrite=overwrite) as folder:
        built = write_sample(folder, samples=samples, ratings=ratings, engine=pinned.engine, progress=progress)
        found = built.release(ratings)
        if found != pinned:
            raise UnpinnedSourcesError(pin_difference(pinned, found))
        copy_predictions(folder)
    return load_bundle(destination, check_digests=False)


@contextlib.contextmanager
def bundle_folder(destination: Path, *, overwrite: bool) -> Iterator[Path]:
    """A folder to write a bundle into, which takes the destination's place when all went well.

    Raises:
        FaultyBundleError: the destination is in use.
        OSError: the disk refused.
    """
    is_bundle = (destination / MANIFEST).is_file()
    if destination.exists() and not (is_bundle and overwrite) and (is_bundle or any(destination.iterdir())):
        log = FaultLog(destination.name)
        log.add("in_use", "the destination is in use; a bundle is replaced where overwriting is asked for.")
        raise_faults([log])
    destination.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{destination.name}-", dir=destination.parent) as parent:
        yield Path(parent) / "bundle"
        if destination.exists():
            destination.rename(Path(parent) / "old")
        (Path(parent) / "bundle").rename(destination)


def write_sample(
    folder: Path,
    *,
    samples: Sequence[SampleDatabase],
    ratings: Ratings,
    engine: EngineRequirements,
    progress: Callable[[Step], None] | None = None,
) -> Built:
    """Write a bundle with cards into a new folder.

    Args:
        folder: must not exist.
        samples: the databases.
        ratings: of every item of each.
        engine: what gold asks of a document database.
        progress: told of each database.

    Raises:
        FaultyBundleError: the sources have faults.
        UnpinnedSourcesError: there is an item without a rating.
    """
    origins: dict[str, Origin] = {}
    items = [item for sample in samples for item in rated_items(sample, ratings.get(sample.db_id, {}))]
    bundle = write_bundle(
        folder,
        header=replace(HEADER, engine=engine),
        databases=_sources(samples, origins),
        items=items,
        progress=progress,
        total=len(samples),
    )
    cards = {database.db_id: measure_database(database) for database in bundle.databases}
    return Built(bundle=write_cards(bundle, cards), items=file_digest(folder / ITEM_LINES), origins=origins)


def rated_items(sample: SampleDatabase, rated: Mapping[int, Difficulty]) -> Iterator[Item]:
    """The items of a database as the bundle has them.

    Raises:
        FaultyBundleError: the items have faults.
        UnpinnedSourcesError: an item has no rating, or a rating no item.
    """
    log = FaultLog(sample.file(ITEMS))
    authored = read_authored(sample, log)
    raise_faults([log])
    if {item.number for item in authored} != set(rated):
        raise UnpinnedSourcesError(f"{sample.file(ITEMS)}: the items are not those that were rated.")
    split = splits(sample.db_id, rated)
    for item in authored:
        yield _item(item, sample.db_id, rated[item.number], split[item.number])


def copy_predictions(folder: Path) -> None:
    """Put the sample prediction files into a bundle's folder, where there are any."""
    if (FOLDER / PREDICTIONS).is_dir():
        shutil.copytree(FOLDER / PREDICTIONS, folder / PREDICTIONS)


def pin_difference(pinned: Release, found: Release) -> str:
    """A sentence on how sources differ from the release."""
    if pinned.databases.keys() != found.databases.keys():
        names = ", ".join(sorted(pinned.databases.keys() ^ found.databases.keys()))
        return f"The databases are not those of the release: {names}."
    parts = []
    for db_id, one in pinned.databases.items():
        other = found.databases[db_id]
        words = {"rows": one.rows != other.rows, "documents": one.digest != other.digest}
        words["difficulties"] = one.difficulty != other.difficulty
        parts += [f"{db_id} ({', '.join(word for word, differs in words.items() if differs)})"] * any(words.values())
    what = ", ".join(parts) or "the items"
    return f"The sources are not those that the release was pinned from: {what} differ."


def _item(item: AuthoredItem, db_id: str, difficulty: Difficulty, split: Split) -> Item:
    return Item(
        question_id=item.question_id,
        db_id=db_id,
        question=item.question,
        evidence=item.evidence,
        difficulty=difficulty,
        split=split,
        gold_query=item.mql,
        sql=item.sql,
        flags=("empty_answer",) if item.empty else (),
    )


def _sources(samples: Iterable[SampleDatabase], origins: dict[str, Origin]) -> Iterator[DatabaseSource]:
    """The databases one after another; each one's source is there while its documents are read."""
    for sample in samples:
        with tempfile.TemporaryDirectory(prefix="sample21-") as folder:
            path = Path(folder) / f"{sample.db_id}.sqlite"
            write_instance(sample, path, seed=BASE_SEED)
            with contextlib.closing(connect_read_only(path)) as connection:
                docmap = checked_docmap(sample, connection)
                tables = read_schema(connection).tables
                origins[sample.db_id] = Origin(
                    digest=source_digest(connection),
                    tables=len(tables),
                    rows=sum(count_rows(connection, table.name) for table in tables),
                    docmap=docmap,
                )
            with working_copy(path, links_of(docmap)) as fetcher:
                migration = Migration(docmap, fetcher, file=sample.file(DOCMAP))
                yield DatabaseSource(
                    db_id=sample.db_id,
                    collections=(*migration.unheld(), *_related(migration.collections(), relations_of(docmap))),
                    description=sample.description,
                )


def _related(
    collections: Iterable[CollectionSource], relations: Mapping[str, tuple[Relation, ...]]
) -> Iterator[CollectionSource]:
    for collection in collections:
        yield replace(collection, relations=relations.get(collection.name, ()))
