"""The references between collections that a docmap makes, as a bundle's manifest lists them."""

from collections.abc import Iterator

from benchmark_data.docmap.types import CollectionMap, Docmap, EmbedManyField, EmbedOneField, ReferenceField, Shape
from benchmark_data.docmap.walk import parts_of
from benchmark_data.types import Relation


def relations_of(docmap: Docmap) -> dict[str, tuple[Relation, ...]]:
    """By collection, where its documents name documents of others; references of several columns are left out."""
    return {collection.name: tuple(dict.fromkeys(_of_collection(collection))) for collection in docmap.collections}


def _of_collection(collection: CollectionMap) -> Iterator[Relation]:
    for root in collection.roots:
        shape = root.shape if collection.bucket is None else Shape(table=root.table, fields=root.fields)
        prefix = "" if collection.bucket is None else f"{collection.bucket.items}.[]."
        yield from _of_shape(shape, prefix)


def _of_shape(shape: Shape, prefix: str) -> Iterator[Relation]:
    for field in shape.fields:
        if isinstance(field, ReferenceField) and len(field.columns) == 1:
            path = f"{prefix}{field.path}.{field.key}" if field.extended else f"{prefix}{field.path}"
            yield Relation(path=path, collection=field.to, field="_id")
        elif isinstance(field, EmbedOneField | EmbedManyField) and not field.scalar:
            step = "." if isinstance(field, EmbedOneField) else ".[]." if field.key_by is None else ".*."
            for part in parts_of(field):
                yield from _of_shape(part, f"{prefix}{field.path}{step}")
