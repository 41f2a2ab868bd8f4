"""Proves that a migration lost nothing: reads the source back out of the documents and compares row by row."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bson

from benchmark_data.docmap.check_homes import waived_columns
from benchmark_data.docmap.content import ContentSum
from benchmark_data.docmap.engine import Migration
from benchmark_data.docmap.fetch import Fetcher, working_copy
from benchmark_data.docmap.inverse import Inverse, Unreadable
from benchmark_data.docmap.ledger import Difference, Ledger
from benchmark_data.docmap.placement import CollectionHome, collection_homes, every_home
from benchmark_data.docmap.references import References
from benchmark_data.docmap.source import iterate_rows
from benchmark_data.docmap.types import CollectionMap, Docmap
from benchmark_data.docmap.walk import links_of
from benchmark_data.errors import Fault

Documents = Callable[[str], Iterable[Mapping[str, Any]]]
"""Reads the documents of a collection, by its name."""

_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionFinding:
    """What was found in one collection.

    Args:
        documents: how many there are.
        expected: how many the migration makes.
        is_recomputed: whether the documents, copies and computed values among them, are those that the migration
            makes of the source again.
        unreadable: places that no migration writes.
        examples: some of them.
    """

    name: str
    documents: int
    expected: int
    is_recomputed: bool
    unreadable: int = 0
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceFinding:
    """References that were followed: how many keys are pointed at, and how many of them are not there."""

    name: str
    keys: int
    dangling: int
    dangling_in_source: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """All that was found in one place of the documents: in the files, or in a server.

    Args:
        place: "written" or "loaded".
        tables: by table, the difference between source and what was read back; only columns that are not waived count.
        collections: in file order, orphans' last.
        references: in order of name.
    """

    place: str
    tables: Mapping[str, Difference]
    collections: tuple[CollectionFinding, ...]
    references: tuple[ReferenceFinding, ...]

    @property
    def missing(self) -> int:
        """Source rows that cannot be read back."""
        return sum(difference.missing for difference in self.tables.values())

    @property
    def extra(self) -> int:
        """Rows read back that the source does not have."""
        return sum(difference.extra for difference in self.tables.values())

    @property
    def is_lossless(self) -> bool:
        """Whether every row comes back, no other does, and everything redundant agrees with its home."""
        return (
            self.missing == self.extra == 0
            and all(one.is_recomputed and one.documents == one.expected for one in self.collections)
            and all(one.unreadable == 0 for one in self.collections)
            and all(one.dangling <= one.dangling_in_source for one in self.references)
        )


def prove(docmap: Docmap, source: Path, places: Mapping[str, Documents]) -> tuple[Findings, ...]:
    """Prove, for each place that documents lie in, that the source can be read back from there.

    Args:
        docmap: checked against the source.
        source: the SQLite file.
        places: "written", "loaded" and the like, with the reader of each.

    Raises:
        SourceError: the source cannot be read.
        FaultyBundleError: a reader finds a broken file.
    """
    with working_copy(source, links_of(docmap)) as fetcher:
        expected = _expected(docmap, fetcher)
        return tuple(_Examination(docmap, fetcher, expected).of(place, read) for place, read in places.items())


def _expected(docmap: Docmap, fetcher: Fetcher) -> dict[str, ContentSum]:
    """The content of each collection, made again from the source."""
    found = {}
    has_id = makes_ids(docmap)
    for collection in Migration(docmap, fetcher, file="").collections():
        content = found[collection.name] = ContentSum()
        for document in collection.documents:
            if not isinstance(document, Fault):
                content.add(_encoded(document, has_id=has_id[collection.name]))
    return found


def makes_ids(docmap: Docmap) -> dict[str, bool]:
    """Whether the documents of a collection bring their own `_id`: an `_id` made at loading tells nothing."""
    found = {home.name: False for home in collection_homes(docmap)}
    for collection in docmap.collections:
        found[collection.name] = collection.bucket is not None or all(root.id_fields for root in collection.roots)
    return found


def _encoded(document: Mapping[str, Any], *, has_id: bool) -> bytes:
    if not has_id and "_id" in document:
        document = {key: value for key, value in document.items() if key != "_id"}
    return bson.encode(document)


class _Examination:
    def __init__(self, docmap: Docmap, fetcher: Fetcher, expected: Mapping[str, ContentSum]) -> None:
        self._docmap = docmap
        self._fetcher = fetcher
        self._expected = expected
        self._homes = {home.name: home for home in collection_homes(docmap)}
        self._collections = {collection.name: collection for collection in docmap.collections}
        self._references = References(docmap)
        self._columns = {
            table.name: tuple(name for name in table.column_names if name not in waived_columns(docmap, table))
            for table in fetcher.schema.tables
        }

    def of(self, place: str, read: Documents) -> Findings:
        has_id = makes_ids(self._docmap)
        with Ledger() as rows, Ledger() as references:
            for table, columns in self._columns.items():
                if columns:
                    rows.add_left(table, iterate_rows(self._fetcher.connection, table, columns))
            collections = tuple(
                self._collection(name, read(name), rows, references, has_id=has_id[name]) for name in self._expected
            )
            homes = [one for home in self._homes.values() for _, root in home.homes for one in every_home(root)]
            repeated = frozenset(home.table for home in homes if home.is_repeated)
            return Findings(
                place=place,
                tables=rows.differences(repeated),
                collections=collections,
                references=self._dangling(references),
            )

    def _collection(
        self, name: str, documents: Iterable[Mapping[str, Any]], rows: Ledger, references: Ledger, *, has_id: bool
    ) -> CollectionFinding:
        home = self._homes.get(name)
        inverse = self._inverse(home)
        content = ContentSum()
        problems: list[str] = []
        unreadable = 0
        for document in documents:
            content.add(_encoded(document, has_id=has_id))
            for found in inverse.rows(document) if inverse is not None else ():
                if not isinstance(found, Unreadable):
                    rows.add_right(found.table, found.cells)
                    continue
                unreadable += 1
                problems.append(f"{found.table}: {found.message}")
                del problems[_SHOWN:]
            self._note_references(self._collections.get(name), name, document, references)
        expected = self._expected[name]
        return CollectionFinding(
            name=name,
            documents=content.documents,
            expected=expected.documents,
            is_recomputed=content.total == expected.total,
            unreadable=unreadable,
            examples=tuple(problems),
        )

    def _inverse(self, home: CollectionHome | None) -> Inverse | None:
        return None if home is None else Inverse(home, self._fetcher.schema, self._columns)

    def _note_references(
        self, collection: CollectionMap | None, name: str, document: Mapping[str, Any], references: Ledger
    ) -> None:
        for target, key in self._references.keys(name, document):
            references.add_right(target, key)
        if collection is not None:
            for target, key in self._references.pointers(collection, document):
                references.add_left(target, [key])

    def _dangling(self, references: Ledger) -> tuple[ReferenceFinding, ...]:
        in_source = self._references.dangling_in_source(self._fetcher.connection)
        return tuple(
            ReferenceFinding(name=name, keys=keys, dangling=dangling, dangling_in_source=in_source.get(name, 0))
            for name, (keys, dangling) in references.pointed().items()
        )
