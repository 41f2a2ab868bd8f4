"""Walks over a docmap's fields: what is embedded where, what needs which joins, where orphans go."""

from collections.abc import Iterator
from typing import Any

from benchmark_data.docmap.types import (
    ComputedField,
    Docmap,
    EmbedManyField,
    EmbedOneField,
    Field,
    Link,
    ReferenceField,
    Shape,
)
from benchmark_data.docmap.vocabulary import Role

Embedding = EmbedOneField | EmbedManyField


def all_shapes(docmap: Docmap) -> Iterator[Shape]:
    """The shapes of all roots and of all that is embedded in them."""
    for collection in docmap.collections:
        for root in collection.roots:
            yield from shapes_in(root.shape)


def shapes_in(shape: Shape) -> Iterator[Shape]:
    """A shape and all shapes below it."""
    yield shape
    for field in shape.fields:
        for part in parts_of(field):
            yield from shapes_in(part)


def parts_of(field: Field) -> tuple[Shape, ...]:
    """The shapes that a field embeds."""
    if isinstance(field, EmbedOneField):
        return (field.shape,)
    if isinstance(field, EmbedManyField):
        return (field.shape,) if field.target is None else (field.shape, field.target)
    return ()


def all_fields(docmap: Docmap) -> Iterator[Field]:
    """All fields at any depth."""
    for shape in all_shapes(docmap):
        yield from shape.fields


def links_of(docmap: Docmap) -> list[Link]:
    """Every link that the migration joins along, each once."""
    found: dict[Link, None] = {}
    for field in all_fields(docmap):
        if isinstance(field, ComputedField):
            found.update(dict.fromkeys(field.links))
        elif isinstance(field, ReferenceField | EmbedOneField):
            found[field.link] = None
        elif isinstance(field, EmbedManyField):
            found[field.link] = None
            if field.through is not None:
                found[field.through] = None
    return list(found)


def home_embeddings(docmap: Docmap) -> list[Embedding]:
    """The embeddings that are homes of their rows."""
    return [
        field
        for field in all_fields(docmap)
        if isinstance(field, EmbedOneField | EmbedManyField) and field.role is Role.HOME
    ]


def orphan_collections(docmap: Docmap) -> dict[str, list[Embedding]]:
    """Collections of orphans by name, in file order, with the embeddings whose orphans they take."""
    found: dict[str, list[Embedding]] = {}
    for field in home_embeddings(docmap):
        if field.orphans.collection is not None:
            found.setdefault(field.orphans.collection, []).append(field)
    return found


def is_upwards(field: Embedding) -> bool:
    """Whether the rows that hold the embedding point at the embedded rows."""
    return isinstance(field, EmbedOneField) and field.upwards


def orphan_columns(field: Embedding) -> tuple[str, ...]:
    """Columns that an orphan's document has besides the embedding's fields, because no position implies them."""
    if is_upwards(field):
        return ()
    extra = (field.key_by[1],) if isinstance(field, EmbedManyField) and field.key_by is not None else ()
    return tuple(dict.fromkeys((*field.link.child_columns, *extra)))


def scalar_name(field: Embedding) -> str:
    """The name that an orphan's document gives to the value that stands for an embedded object."""
    shapes = parts_of(field)
    return next(one.column for shape in shapes for one in shape.fields if getattr(one, "path", None) == "")  # type: ignore[union-attr]


def orphan_part(field: Embedding, part: dict[str, Any]) -> dict[str, Any]:
    """An element as fields of an orphan's document."""
    return {scalar_name(field): part.get("")} if field.scalar else part
