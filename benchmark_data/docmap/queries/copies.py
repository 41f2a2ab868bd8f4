"""Rows of other tables that lie inside of a row's document: repeated beside a key, or embedded below."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchmark_data.docmap.placement import Home, embedded_home
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.place import Place
from benchmark_data.docmap.queries.stored import stored_place
from benchmark_data.docmap.types import ColumnField, EmbedManyField, EmbedOneField, Link, ReferenceField, Shape
from benchmark_data.docmap.vocabulary import FailPolicy, NullPolicy
from benchmark_data.docmap.walk import Embedding


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """The one row that a key points at, repeated beside the key.

    Args:
        link: from the key to the row.
        path: of the row's object, relative to the holder's; "" where the fields stand among the holder's own.
        columns: places by name in lower case, relative to the row's object.
        presence: path and condition of a filter that keeps the documents in which there is such a row; relative.
        signs: paths that have a value only where there is such a row; relative.
        shape: what is written of the row, None for a reference's extended fields.
    """

    link: Link
    path: str
    columns: Mapping[str, Place]
    presence: tuple[str, dict[str, Any]]
    signs: tuple[str, ...]
    shape: Shape | None


def copies_in(shape: Shape | None, field: Embedding | None) -> Iterator[Copy]:
    """The copies in rows that a shape writes; of a junction, also what it writes of its other side."""
    if isinstance(field, EmbedManyField) and field.through is not None and field.target is not None:
        found = _junction_copy(field.through, field.target)
        if found is not None and not field.scalar:
            yield found
    for each in shape.fields if shape is not None else ():
        if isinstance(each, ReferenceField) and each.extended and len(each.columns) == 1:
            columns = {column.lower(): Place(path=name) for name, column in each.extended}
            columns.setdefault(each.link.parent_columns[0].lower(), Place(path=each.key))
            # A key that dangles has no extended fields beside it; a NULL among these is null.
            presence = (f"{each.path}.{each.extended[0][0]}", {"$exists": True})
            signs = tuple(f"{each.path}.{name}" for name, _ in each.extended)
            yield Copy(link=each.link, path=each.path, columns=columns, presence=presence, signs=signs, shape=None)
        if isinstance(each, EmbedOneField) and each.upwards and not each.scalar:
            yield Copy(
                link=each.link,
                path=each.path,
                columns=_columns(each.shape),
                presence=(each.path, {"$ne": None}),
                signs=(each.path,),
                shape=each.shape,
            )


def children_in(shape: Shape | None) -> Iterator[Home]:
    """The embeddings of rows that point at a shape's row, each with all of them: homes and whole copies."""
    for each in shape.fields if shape is not None else ():
        if isinstance(each, EmbedManyField) and each.limit is None and not each.where:
            yield embedded_home(each)
        if isinstance(each, EmbedOneField) and not each.upwards and not each.scalar:
            yield embedded_home(each)


def _junction_copy(link: Link, target: Shape) -> Copy | None:
    """The other side's fields among the payload; None where they do not tell whether there is such a row."""
    columns = _columns(target)
    key = columns.get(link.parent_columns[0].lower())
    kept = [
        each.path
        for each in target.fields
        if isinstance(each, ColumnField) and each.transform.null is NullPolicy.KEEP and _is_written(each)
    ]
    if key is not None and len(link.parent_columns) == 1:
        presence: tuple[str, dict[str, Any]] = (key.path, {"$ne": None})
    elif kept:
        presence = (kept[0], {"$exists": True})
    else:
        return None
    signs = tuple(place.path for place in columns.values())
    return Copy(link=link, path="", columns=columns, presence=presence, signs=signs, shape=target)


def _is_written(field: ColumnField) -> bool:
    return field.transform.is_plain or field.transform.on_fail is not FailPolicy.QUARANTINE


def _columns(shape: Shape) -> dict[str, Place]:
    """The columns of an embedded row, relative to its object; those that cannot be restored are left out."""
    found: dict[str, Place] = {}
    for field in shape.fields:
        if isinstance(field, ColumnField):
            try:
                found.setdefault(field.column.lower(), _own(field))
            except UntranslatableSqlError:
                continue
        if isinstance(field, EmbedOneField) and field.upwards and not field.scalar:
            inner = _columns(field.shape)
            for child, parent in zip(field.link.child_columns, field.link.parent_columns, strict=True):
                if parent.lower() in inner:
                    found.setdefault(child.lower(), inner[parent.lower()].under(field.path))
        if isinstance(field, ReferenceField) and len(field.columns) == 1:
            path = f"{field.path}.{field.key}" if field.extended else field.path
            found.setdefault(field.columns[0].lower(), Place(path=path))
    return found


def _own(field: ColumnField) -> Place:
    return stored_place(field.column, tuple(field.path.split(".")), field.transform)
