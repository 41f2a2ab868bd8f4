"""The layout of a docmap: rows at their homes, and copies of other rows beside them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from benchmark_data.docmap.placement import (
    CollectionHome,
    FromHolder,
    Home,
    Stored,
    collection_homes,
)
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.schema import TableSchema
from benchmark_data.docmap.queries.scope import Embedded, RowPlace, Source
from benchmark_data.docmap.queries.typed import Place
from benchmark_data.docmap.types import (
    ColumnField,
    Docmap,
    EmbedManyField,
    EmbedOneField,
    Link,
    ReferenceField,
    Shape,
    Transform,
)
from benchmark_data.docmap.vocabulary import BsonType, FailPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class _TableHome:
    """The home of a table, and the homes that hold it, outermost first."""

    collection: CollectionHome
    chain: tuple[Home, ...]

    @property
    def home(self) -> Home:
        return self.chain[-1]


class DocmapLayout:
    """See `scope.TableLayout`; buckets, maps and discriminators have no rule."""

    def __init__(self, docmap: Docmap) -> None:
        self._homes: dict[str, _TableHome] = {}
        self._shapes: dict[str, Shape] = {
            root.table: root.shape for collection in docmap.collections for root in collection.roots
        }
        orphans = set(_orphan_names(docmap))
        for collection in collection_homes(docmap):
            if collection.name not in orphans:
                for _, root in collection.homes:
                    self._enter(collection, (root,))

    def _enter(self, collection: CollectionHome, chain: tuple[Home, ...]) -> None:
        home = chain[-1]
        self._homes.setdefault(home.table, _TableHome(collection=collection, chain=chain))
        if home.field is not None:
            self._shapes[home.table] = home.field.shape
        for inner in home.inner:
            self._enter(collection, (*chain, inner))

    def rows(self, table: TableSchema) -> RowPlace:
        """The rows at the home of a table.

        Raises:
            UntranslatableSqlError: it has no home, or one without a rule.
        """
        found = self._homes.get(table.name)
        if found is None or found.collection.discriminator is not None:
            raise UntranslatableSqlError(
                "no_home", f"The table {table.name} has no collection and no array of its own."
            )
        steps, prefix = _steps(found.chain, "")
        orphans = found.home.field.orphans if found.home.field is not None else None
        left_out = orphans is not None and (orphans.drop or orphans.collection is not None)
        return RowPlace(
            collection=found.collection.name,
            columns=_columns(found.chain, ""),
            steps=tuple(steps),
            prefix=prefix,
            notes=("orphans_left_out",) if left_out else (),
        )

    def embedded(self, outer: Source, outer_column: str, table: TableSchema, column: str) -> Embedded | None:
        """The joined rows inside the document of `outer`: a copy, the array of children, or the document around."""
        home = self._homes.get(str(outer.table))
        if home is None:
            return None
        names = (outer_column, table.name, column)
        return self._copy(outer, *names) or self._children(outer, home, *names) or self._holder(outer, home, *names)

    def _copy(self, outer: Source, outer_column: str, table: str, column: str) -> Embedded | None:
        """A repeated row beside the key that points at it."""
        for link, path, columns in _copies(self._shapes.get(str(outer.table)), self._homes.get(str(outer.table))):
            if _is(link, outer_column, table, column):
                prefix = _joined(outer.prefix, path)
                placed = {name: place.under(prefix) for name, place in columns.items()}
                own = outer.columns[outer_column]
                if column not in placed:
                    placed[column] = own.place or Place(path=str(own.path))
                # An absent row has no key.
                return Embedded(
                    columns=placed, steps=({"$match": {placed[column].path: {"$ne": None}}},), prefix=prefix
                )
        return None

    def _children(self, outer: Source, home: _TableHome, outer_column: str, table: str, column: str) -> Embedded | None:
        for inner in home.home.inner:
            if inner.table != table or not _is(_link(inner), column, str(outer.table), outer_column):
                continue
            steps, prefix = _steps((home.home, inner), outer.prefix)
            columns = _own(inner, prefix)
            for name, recovery in inner.columns.items():
                if isinstance(recovery, FromHolder):
                    holder = outer.columns[recovery.column.lower()]
                    columns[name.lower()] = holder.place or Place(path=str(holder.path))
            return Embedded(columns=columns, steps=tuple(steps), prefix=prefix)
        return None

    def _holder(self, outer: Source, home: _TableHome, outer_column: str, table: str, column: str) -> Embedded | None:
        if len(home.chain) != 2 or home.chain[0].table != table:
            return None
        if not _is(_link(home.home), outer_column, table, column):
            return None
        return Embedded(columns=_columns(home.chain[:1], outer.holder), steps=(), prefix=outer.holder)


def _orphan_names(docmap: Docmap) -> Iterator[str]:
    for collection in docmap.collections:
        for root in collection.roots:
            yield from _orphans_in(root.shape)


def _orphans_in(shape: Shape) -> Iterator[str]:
    for field in shape.fields:
        if isinstance(field, EmbedOneField | EmbedManyField):
            if field.orphans.collection is not None:
                yield field.orphans.collection
            yield from _orphans_in(field.shape)


def _link(home: Home) -> Link | None:
    return None if home.field is None or home.is_repeated else home.field.link


def _is(link: Link | None, child_column: str, parent: str, parent_column: str) -> bool:
    return (
        link is not None
        and [name.lower() for name in link.child_columns] == [child_column.lower()]
        and link.parent == parent
        and [name.lower() for name in link.parent_columns] == [parent_column.lower()]
    )


def _steps(chain: tuple[Home, ...], start: str) -> tuple[list[dict[str, Any]], str]:
    """The stages that reach the last home of a chain, and the path of its rows."""
    steps: list[dict[str, Any]] = []
    path = start
    for home in chain:
        if not home.path:
            continue
        path = _joined(path, ".".join(home.path))
        if home.field is None or (isinstance(home.field, EmbedManyField) and home.field.key_by is not None):
            raise UntranslatableSqlError("no_home", f"The rows of {home.table} lie in a bucket or a map.")
        many = isinstance(home.field, EmbedManyField)
        steps.append({"$unwind": f"${path}"} if many else {"$match": {path: {"$ne": None}}})
    return steps, path


def _columns(chain: tuple[Home, ...], start: str) -> dict[str, Place]:
    """The columns of the last home of a chain, absolute."""
    _, path = _steps(chain, start)
    home = chain[-1]
    columns = _own(home, path)
    for name, recovery in home.columns.items():
        if isinstance(recovery, FromHolder):
            holder = _columns(chain[:-1], start).get(recovery.column.lower())
            if holder is not None:
                columns[name.lower()] = holder
    return columns


def _own(home: Home, path: str) -> dict[str, Place]:
    found = {}
    for name, recovery in home.columns.items():
        place = _place(recovery.path, recovery.transform) if isinstance(recovery, Stored) else None
        if place is not None:
            found[name.lower()] = place.under(path)
    return found


def _place(path: tuple[str, ...], transform: Transform) -> Place | None:
    """Where a column is, if its own value can be had from there."""
    inner = ".".join(part for part in path if part)
    if transform.on_fail is not FailPolicy.ERROR and not transform.is_plain:
        return None
    if transform.decode:
        return Place(path=inner, codes=transform.decode)
    if transform.type is BsonType.DATE:
        return Place(path=inner, date_format=transform.format)
    # Numbers of all types compare by value.
    numbers = {BsonType.INT, BsonType.LONG, BsonType.DOUBLE}
    return Place(path=inner) if transform.type is None or transform.type in numbers else None


def _copies(shape: Shape | None, home: _TableHome | None) -> Iterator[tuple[Link, str, dict[str, Place]]]:
    """The copies in the rows of a table: the link that leads to each, its path, its columns."""
    field = home.home.field if home is not None else None
    if isinstance(field, EmbedManyField) and field.through is not None and field.target is not None:
        yield field.through, "", _fields(field.target)
    for each in shape.fields if shape is not None else ():
        if isinstance(each, ReferenceField) and each.extended:
            columns = {column.lower(): Place(path=name) for name, column in each.extended}
            columns[each.link.parent_columns[0].lower()] = Place(path=each.key)
            yield each.link, each.path, columns
        if isinstance(each, EmbedOneField) and each.upwards and not each.scalar:
            yield each.link, each.path, _fields(each.shape)


def _fields(shape: Shape) -> dict[str, Place]:
    """The columns of an embedded row, relative to its object."""
    found: dict[str, Place] = {}
    for field in shape.fields:
        if isinstance(field, ColumnField):
            place = _place(tuple(field.path.split(".")), field.transform)
            if place is not None:
                found[field.column.lower()] = place
        if isinstance(field, EmbedOneField) and field.upwards and not field.scalar:
            inner = _fields(field.shape)
            for child, parent in zip(field.link.child_columns, field.link.parent_columns, strict=True):
                if parent.lower() in inner:
                    found[child.lower()] = inner[parent.lower()].under(field.path)
    return found


def _joined(prefix: str, path: str) -> str:
    return ".".join(part for part in (prefix, path) if part)
