"""Derives where each table has its home in the documents, and how each of its columns is read back from there."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchmark_data.docmap.types import (
    ColumnField,
    Docmap,
    EmbedManyField,
    EmbedOneField,
    Field,
    Link,
    ReferenceField,
    Root,
    Shape,
    Transform,
)
from benchmark_data.docmap.vocabulary import Role
from benchmark_data.docmap.walk import Embedding

Path = tuple[str, ...]
_PLAIN = Transform()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """The column stands at a path of the container: of the document, or of the element of an array.

    Args:
        path: where; ("",) for a scalar element itself.
        transform: to be undone.
    """

    path: Path
    transform: Transform = _PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyed:
    """The column is the key of the element in its map."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FromHolder:
    """The column is a column of the row that holds the element."""

    column: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FromHead:
    """The column is shared by all rows of a bucket, at a path of the document."""

    path: Path
    transform: Transform = _PLAIN


Recovery = Stored | Keyed | FromHolder | FromHead


@dataclass(frozen=True, slots=True, kw_only=True)
class Home:
    """Where the rows of one table have their home.

    Args:
        table: the table.
        path: from the container of the holder to the object, array or map; () for a collection's documents.
        field: the embedding, None for a collection's documents.
        columns: how each column is read back; columns that are missing here cannot be.
        inner: homes inside of this one.
        line: of the docmap.
    """

    table: str
    path: Path
    field: Embedding | None
    columns: dict[str, Recovery]
    inner: "tuple[Home, ...]"
    line: int

    @property
    def is_repeated(self) -> bool:
        """Whether one row may stand in several places: rows are then told apart by their content."""
        return isinstance(self.field, EmbedOneField) and self.field.upwards


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionHome:
    """How a collection is read back: the homes of its documents by the discriminator's value."""

    name: str
    discriminator: Path | None
    homes: tuple[tuple[Any, Home], ...]


def collection_homes(docmap: Docmap) -> list[CollectionHome]:
    """The collections that are homes, in file order, then those of orphans."""
    found = []
    for collection in docmap.collections:
        homes = []
        for root in collection.roots:
            if root.role is not Role.HOME:
                continue
            if collection.bucket is None:
                homes.append((root.value, _root_home(root)))
            else:
                homes.append((None, _bucket_home(root, collection.bucket.items, collection.bucket.by)))
        discriminator = None if collection.discriminator is None else tuple(collection.discriminator.split("."))
        if homes:
            found.append(CollectionHome(name=collection.name, discriminator=discriminator, homes=tuple(homes)))
    held = {name: home for one in found for _, root in one.homes for name, home in _orphan_homes(root)}
    return found + [CollectionHome(name=name, discriminator=None, homes=((None, home),)) for name, home in held.items()]


def every_home(home: Home) -> Iterator[Home]:
    """A home and all homes inside of it."""
    yield home
    for inner in home.inner:
        yield from every_home(inner)


def _root_home(root: Root) -> Home:
    return Home(
        table=root.table,
        path=(),
        field=None,
        columns=_columns(root.shape),
        inner=_inner(root.shape),
        line=root.line,
    )


def _bucket_home(root: Root, items: str, by: tuple[ColumnField, ...]) -> Home:
    shape = Shape(table=root.table, fields=root.fields)
    shared: dict[str, Recovery] = {
        field.column: FromHead(path=parts(field.path), transform=field.transform) for field in by
    }
    return Home(
        table=root.table,
        path=parts(items),
        field=None,
        columns={**shared, **_columns(shape)},
        inner=_inner(shape),
        line=root.line,
    )


def _inner(shape: Shape) -> tuple[Home, ...]:
    return tuple(
        embedded_home(field)
        for field in shape.fields
        if isinstance(field, EmbedOneField | EmbedManyField) and field.role is Role.HOME
    )


def embedded_home(field: Embedding) -> Home:
    """How the rows of an embedding are read back, be it a home or a copy."""
    columns: dict[str, Recovery] = {}
    if not (isinstance(field, EmbedOneField) and field.upwards):
        pairs = zip(field.link.child_columns, field.link.parent_columns, strict=True)
        columns.update({child: FromHolder(column=parent) for child, parent in pairs})
    columns.update(_element_columns(field))
    return Home(
        table=field.shape.table,
        path=parts(field.path),
        field=field,
        columns=columns,
        inner=_inner(field.shape),
        line=field.line,
    )


def _element_columns(field: Embedding) -> dict[str, Recovery]:
    """The embedded table's columns that its element tells by itself."""
    found: dict[str, Recovery] = {}
    if isinstance(field, EmbedManyField):
        if field.key_by is not None and field.key_by[0] == field.shape.table:
            found[field.key_by[1]] = Keyed()
        if field.through is not None and field.target is not None:
            keyed: dict[str, Recovery] = {}
            if field.key_by is not None and field.key_by[0] == field.target.table:
                keyed[field.key_by[1]] = Keyed()
            found.update(_implied(field.through, {**keyed, **_own_columns(field.target)}, ()))
    found.update(_columns(field.shape))
    return found


def _columns(shape: Shape) -> dict[str, Recovery]:
    """The columns that a container tells by itself: its fields, and keys that embedded objects have in them."""
    found: dict[str, Recovery] = {}
    for field in shape.fields:
        if isinstance(field, EmbedOneField) and field.upwards:
            path = parts(field.path)
            found.update(_implied(field.link, _own_columns(field.shape), path, scalar=field.scalar))
    found.update(_own_columns(shape))
    return found


def _implied(link: Link, embedded: "dict[str, Recovery]", path: Path, *, scalar: bool = False) -> "dict[str, Recovery]":
    """Foreign key columns that the embedded row's key tells, if all of them are told."""
    if not all(column in embedded for column in link.parent_columns):
        return {}
    found: dict[str, Recovery] = {}
    for child, parent in zip(link.child_columns, link.parent_columns, strict=True):
        recovery = embedded[parent]
        if isinstance(recovery, Stored) and path:
            inner = recovery.path if not scalar else ()
            recovery = Stored(path=(*path, *inner), transform=recovery.transform)
        found[child] = recovery
    return found


def _own_columns(shape: Shape) -> "dict[str, Recovery]":
    """The columns that stand in the container as fields; of several the first, and a field before a reference."""
    found: dict[str, Recovery] = {}
    for field in sorted(shape.fields, key=lambda field: isinstance(field, ReferenceField)):
        for column, recovery in _told(field):
            found.setdefault(column, recovery)
    return found


def _told(field: Field) -> Iterator[tuple[str, Recovery]]:
    if isinstance(field, ColumnField):
        yield field.column, Stored(path=parts(field.path), transform=field.transform)
    elif isinstance(field, ReferenceField):
        base = (*parts(field.path), field.key) if field.extended else parts(field.path)
        for column in field.columns:
            yield column, Stored(path=base if len(field.columns) == 1 else (*base, column))


def _orphan_homes(home: Home) -> Iterator[tuple[str, Home]]:
    for one in every_home(home):
        if one.field is not None and one.field.orphans.collection is not None:
            yield one.field.orphans.collection, _orphan_home(one, one.field)


def _orphan_home(home: Home, field: Embedding) -> Home:
    """The home of rows without holder: what the position told elsewhere stands in the document itself."""
    columns: dict[str, Recovery] = {}
    for column, recovery in home.columns.items():
        if isinstance(recovery, FromHolder | Keyed):
            columns[column] = Stored(path=(column,))
        elif isinstance(recovery, Stored) and field.scalar and recovery.path == ("",):
            columns[column] = Stored(path=(_scalar(field),), transform=recovery.transform)
        else:
            columns[column] = recovery
    return Home(table=home.table, path=(), field=None, columns=columns, inner=home.inner, line=home.line)


def _scalar(field: Embedding) -> str:
    shapes = (field.shape,) if isinstance(field, EmbedOneField) or field.target is None else (field.shape, field.target)
    return next(one.column for shape in shapes for one in shape.fields if isinstance(one, ColumnField))


def parts(path: str) -> Path:
    """A dotted path as its parts."""
    return tuple(path.split("."))
