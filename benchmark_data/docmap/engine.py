"""Migrates: the collections of a docmap as streams of documents, the same bytes in the same order each time."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from benchmark_data.docmap.buckets import bucketed
from benchmark_data.docmap.build import Builder, Document
from benchmark_data.docmap.fetch import Fetcher
from benchmark_data.docmap.paths import put
from benchmark_data.docmap.source import Row, count_rows
from benchmark_data.docmap.types import (
    CollectionMap,
    Docmap,
    EmbedManyField,
    EmbedOneField,
    Link,
    Root,
    Shape,
)
from benchmark_data.docmap.walk import (
    Embedding,
    home_embeddings,
    is_upwards,
    orphan_collections,
    orphan_columns,
    orphan_part,
    parts_of,
)
from benchmark_data.errors import Fault
from benchmark_data.faults import FaultLog
from benchmark_data.write import CollectionSource, DatabaseSource

# Raised when the same docmap and source would give other documents than before.
ENGINE_VERSION = 1
_BATCH_ROWS = 20_000
_MOST_ROOTS = 2_000


class Migration:
    """The documents of a docmap over a prepared copy of its source; `file` names the docmap in faults."""

    def __init__(self, docmap: Docmap, fetcher: Fetcher, *, file: str) -> None:
        self._docmap = docmap
        self._fetcher = fetcher
        self._file = file
        self._counts: dict[str, int] = {}

    def database(self) -> DatabaseSource:
        """All collections, read when they are iterated."""
        return DatabaseSource(db_id=self._docmap.db_id, collections=self.collections())

    def collections(self) -> Iterator[CollectionSource]:
        """The docmap's collections, then those of orphans that there are; each is read when it is iterated."""
        for collection in self._docmap.collections:
            yield CollectionSource(
                name=collection.name,
                documents=self._reported(partial(self._documents, collection)),
                indexes=collection.indexes,
            )
        for name, fields in orphan_collections(self._docmap).items():
            if not any(map(self.has_orphans, fields)):
                continue
            yield CollectionSource(name=name, documents=self._reported(partial(self._orphans, fields)))

    def unheld(self) -> tuple[Fault, ...]:
        """Faults on rows that no embedding holds where the docmap has no place for them."""
        log = FaultLog(self._file)
        for field in home_embeddings(self._docmap):
            if field.orphans.collection is None and not field.orphans.drop:
                count = self.count_orphans(field)
                if count:
                    log.add("orphans", _orphans_message(field, count), line=field.line, field=field.path)
        return log.faults

    def has_orphans(self, field: Embedding) -> bool:
        """Whether there are rows of the embedded table that no embedding holds."""
        batches = self._fetcher.orphans(field.link, upwards=is_upwards(field), expressions=(), size=1)
        return next(batches, None) is not None

    def count_orphans(self, field: Embedding) -> int:
        """How many rows of the embedded table no embedding holds."""
        batches = self._fetcher.orphans(field.link, upwards=is_upwards(field), expressions=(), size=1_000)
        return sum(map(len, batches))

    def _reported(self, batches: Callable[[Builder], Iterator[list[Document]]]) -> Iterator[Document | Fault]:
        """Documents of batches, each batch followed by the faults that were noted in it."""
        log = FaultLog(self._file)
        told = 0
        builder = Builder(self._fetcher, log)
        for documents in batches(builder):
            yield from documents
            yield from log.faults[told:]
            told = len(log.faults)

    def _documents(self, collection: CollectionMap, builder: Builder) -> Iterator[list[Document]]:
        for root in collection.roots:
            if collection.bucket is not None:
                yield from self._buckets(collection, root, builder)
                continue
            shape = root.shape
            for rows in self._fetcher.roots(shape.table, builder.expressions(shape), (), self._batch_size(shape)):
                documents = builder.build(shape, rows)
                if collection.discriminator is not None:
                    for document in documents:
                        put(document, tuple(collection.discriminator.split(".")), root.value)
                yield documents

    def _buckets(self, collection: CollectionMap, root: Root, builder: Builder) -> Iterator[list[Document]]:
        if collection.bucket is None:
            return
        bucket = collection.bucket
        shape, head = Shape(table=root.table, fields=root.fields), Shape(table=root.table, fields=bucket.by)
        order = (*((field.column, False) for field in bucket.by), *bucket.order_by)
        batches = self._fetcher.roots(root.table, builder.expressions(shape), order, _MOST_ROOTS)
        elements = (
            element
            for rows in batches
            for element in zip(builder.build(head, rows), builder.build(shape, rows), strict=True)
        )
        for document in bucketed(bucket, elements):
            yield [document]

    def _orphans(self, fields: Sequence[Embedding], builder: Builder) -> Iterator[list[Document]]:
        for field in fields:
            batches = self._fetcher.orphans(
                field.link,
                upwards=is_upwards(field),
                expressions=builder.expressions(field.shape),
                size=self._batch_size(field.shape),
            )
            for rows in batches:
                yield self._orphan_documents(field, rows, builder)

    def _orphan_documents(self, field: Embedding, rows: Sequence[Row], builder: Builder) -> list[Document]:
        table = self._fetcher.table(field.shape.table)
        if isinstance(field, EmbedOneField):
            parts: list[tuple[object, Document]] = [(None, document) for document in builder.build(field.shape, rows)]
        else:
            parts = builder.elements(field, rows)
        names = [column.name for column in table.columns]
        places = [(name, names.index(name)) for name in orphan_columns(field) if name in names]
        documents = []
        for row, (cell, part) in zip(rows, parts, strict=True):
            document: Document = {name: row[place] for name, place in places}
            if isinstance(field, EmbedManyField) and field.key_by is not None:
                document[field.key_by[1]] = cell
            documents.append({**document, **orphan_part(field, part)})
        return documents

    def _batch_size(self, shape: Shape) -> int:
        """So many root rows that a batch has about `_BATCH_ROWS` rows with all that is embedded in them."""
        return max(1, min(_MOST_ROOTS, int(_BATCH_ROWS / self._weight(shape))))

    def _weight(self, shape: Shape) -> float:
        """How many rows a row of the shape brings with it on average, itself counted."""
        weight = 1.0
        for field in shape.fields:
            if isinstance(field, EmbedOneField):
                weight += self._weight(field.shape)
            elif isinstance(field, EmbedManyField):
                items = self._fan_out(field.link)
                items = items if field.limit is None else min(items, field.limit)
                weight += items * sum(map(self._weight, parts_of(field)))
        return weight

    def _fan_out(self, link: Link) -> float:
        for table in (link.child, link.parent):
            if table not in self._counts:
                self._counts[table] = count_rows(self._fetcher.connection, table)
        return self._counts[link.child] / max(1, self._counts[link.parent])


def _orphans_message(field: Embedding, count: int) -> str:
    link = field.link
    rows = "1 row" if count == 1 else f"{count:,} rows"
    if is_upwards(field):
        reason = f"{rows} of {link.parent} are pointed at by no {link.name}"
    else:
        reason = f"{rows} of {link.child} point at no row of {link.parent} by {', '.join(link.child_columns)}"
    return f"{reason}: no embedding holds them; give them `orphans: {{collection: NAME}}`."
