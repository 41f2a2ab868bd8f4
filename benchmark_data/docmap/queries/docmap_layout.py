"""The layout of a docmap: rows at their homes, and other rows that lie inside of their documents."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, replace

from benchmark_data.docmap.placement import Home
from benchmark_data.docmap.queries.copies import children_in, copies_in
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.homes import Reached, TableHome, reached, table_homes
from benchmark_data.docmap.queries.place import Place, joined
from benchmark_data.docmap.queries.schema import Schema, TableSchema
from benchmark_data.docmap.queries.scope import Embedded, RowPlace, Source
from benchmark_data.docmap.queries.tidying import Presence
from benchmark_data.docmap.types import Docmap, EmbedOneField, Link, ReferenceField, Shape
from benchmark_data.docmap.walk import Embedding, orphan_collections


@dataclass(frozen=True, slots=True, kw_only=True)
class _Origin:
    """What the objects of a source are.

    Args:
        shape: what is written of each row.
        field: the embedding whose elements they are, None for documents and objects.
        chain: the homes that lead to them from the document at the source's holder; empty for copies.
    """

    shape: Shape | None
    field: Embedding | None = None
    chain: tuple[Home, ...] = ()


class DocmapLayout:
    """See `scope.TableLayout`.

    Args:
        docmap: the design.
        schema: the source's tables.
        collections: those that there are, None for all; a collection of orphans is not there where it would be empty,
            and rows are then read without it.
    """

    def __init__(self, docmap: Docmap, schema: Schema, *, collections: Container[str] | None = None) -> None:
        self.docmap = docmap
        self._schema = schema
        self._orphans = set(orphan_collections(docmap))
        absent = {name for name in self._orphans if collections is not None and name not in collections}
        self._homes = {
            table: [home for home in homes if home.collection.name not in absent]
            for table, homes in table_homes(docmap).items()
        }
        self._roots: Mapping[tuple[str, str], Shape] = {
            (collection.name, root.table): root.shape for collection in docmap.collections for root in collection.roots
        }

    @property
    def indexed(self) -> Mapping[str, frozenset[str]]:
        """By collection, the paths that one of the docmap's indexes begins with."""
        return {
            collection.name: frozenset(index.keys[0][0] for index in collection.indexes)
            for collection in self.docmap.collections
        }

    def rows(self, table: TableSchema) -> RowPlace:
        """The rows at the homes of a table.

        Raises:
            UntranslatableSqlError: it has no home, or one without a rule.
        """
        homes = self._homes.get(table.name, [])
        if not homes:
            raise UntranslatableSqlError("no_home", f"The table {table.name} has no home in the documents.")
        first, *others = homes
        dropped = any(home.field is not None and home.field.orphans.drop for home in first.chain)
        return replace(
            self._place(first),
            notes=("orphans_left_out",) if dropped else (),
            others=tuple(map(self._place, others)),
        )

    def _place(self, found: TableHome) -> RowPlace:
        way = reached(found.chain, self._schema)
        steps = way.steps
        if found.collection.discriminator is not None:
            steps = ({"$match": {".".join(found.collection.discriminator): found.value}}, *steps)
        origin = self._origin(found)
        return RowPlace(
            collection=found.collection.name,
            columns={**way.columns, **self._indexed_keys(found, origin.shape)},
            steps=steps,
            prefix=way.prefix,
            missing=way.missing,
            is_repeated=found.is_repeated,
            origin=origin,
        )

    def _indexed_keys(self, found: TableHome, shape: Shape | None) -> dict[str, Place]:
        """Keys that a reference repeats at a path with an index, where `_id` holds them as well."""
        indexed = self.indexed.get(found.collection.name, frozenset())
        places = {}
        for field in shape.fields if shape is not None and len(found.chain) == 1 and not found.home.path else ():
            single = isinstance(field, ReferenceField) and len(field.columns) == 1 and field.extended
            if isinstance(field, ReferenceField) and single and f"{field.path}.{field.key}" in indexed:
                places[field.columns[0].lower()] = Place(path=f"{field.path}.{field.key}")
        return places

    def _origin(self, found: TableHome) -> _Origin:
        """Documents of orphans have other fields than the embedding, so that nothing is looked for in them."""
        if found.collection.name in self._orphans:
            return _Origin(shape=None)
        field = found.home.field
        shape = self._roots.get((found.collection.name, found.home.table)) if field is None else field.shape
        return _Origin(shape=shape, field=field, chain=found.chain)

    def embedded(self, outer: Source, outer_column: str, table: TableSchema, column: str) -> Embedded | None:
        """The joined rows inside the document of `outer`: a copy, the array of children, or the row around."""
        origin = outer.origin
        if not isinstance(origin, _Origin) or outer.table is None:
            return None
        names = (outer_column, table.name, column)
        return _copy(outer, origin, *names) or self._children(outer, origin, *names) or self._holder(outer, *names)

    def _children(self, outer: Source, origin: _Origin, outer_column: str, table: str, column: str) -> Embedded | None:
        for inner in children_in(origin.shape):
            if inner.table != table or inner.field is None:
                continue
            if not _leads(inner.field.link, column, str(outer.table), outer_column):
                continue
            holder = Reached(steps=(), prefix=outer.prefix, columns=_places(outer), missing={})
            way = reached((inner,), self._schema, holder=holder)
            chain = next((home.chain for home in self._homes.get(table, []) if home.home.field is inner.field), ())
            is_own = bool(origin.chain) and chain[: len(origin.chain)] == origin.chain
            return Embedded(
                columns=way.columns,
                steps=way.steps,
                prefix=way.prefix,
                origin=_Origin(shape=inner.field.shape, field=inner.field, chain=chain if is_own else ()),
                presences=_presence_of(way.prefix) if isinstance(inner.field, EmbedOneField) else {},
            )
        return None

    def _holder(self, outer: Source, outer_column: str, table: str, column: str) -> Embedded | None:
        origin = outer.origin
        chain = origin.chain if isinstance(origin, _Origin) else ()
        if len(chain) < 2 or chain[-2].table != table or chain[-1].is_repeated:
            return None
        field, holder = chain[-1].field, chain[-2].field
        if field is None or not _leads(field.link, outer_column, table, column):
            return None
        way = reached(chain[:-1], self._schema, start=outer.holder)
        shape = self._roots.get((self._collection(chain), table)) if holder is None else holder.shape
        return Embedded(
            columns=way.columns,
            steps=(),
            prefix=way.prefix,
            origin=_Origin(shape=shape, field=holder, chain=chain[:-1]),
        )

    def _collection(self, chain: tuple[Home, ...]) -> str:
        homes = self._homes.get(chain[-1].table, [])
        return next((home.collection.name for home in homes if home.chain == chain), "")

    def repeated_collections(self) -> Iterator[tuple[str, str]]:
        """Pairs of a collection and another one whose rows its documents repeat in part or hold."""
        collections = {table: homes[0].collection.name for table, homes in self._homes.items()}
        for (name, _), shape in self._roots.items():
            for table in _tables_in(shape):
                other = collections.get(table, name)
                if other != name:
                    yield name, other


def _copy(outer: Source, origin: _Origin, outer_column: str, table: str, column: str) -> Embedded | None:
    """A repeated row beside the key that points at it."""
    for copy in copies_in(origin.shape, origin.field):
        if _leads(copy.link, outer_column, table, column):
            prefix = joined(outer.prefix, copy.path)
            columns = {name: place.under(prefix) for name, place in copy.columns.items()}
            own = _places(outer).get(outer_column)
            if own is not None:
                columns.setdefault(column, own)
            path, condition = copy.presence
            path = joined(outer.prefix, path)
            signs = tuple(joined(outer.prefix, sign) for sign in copy.signs)
            return Embedded(
                columns=columns,
                steps=({"$match": {path: condition}},),
                prefix=prefix,
                origin=_Origin(shape=copy.shape),
                presences={path: Presence(test=condition, signs=signs)},
            )
    return None


def _presence_of(path: str) -> dict[str, Presence]:
    return {path: Presence(test={"$ne": None}, signs=(path,))}


def _tables_in(shape: Shape) -> Iterator[str]:
    for copy in copies_in(shape, None):
        yield copy.link.parent
        yield from _tables_in(copy.shape) if copy.shape is not None else ()
    for inner in children_in(shape):
        yield inner.table
        if inner.field is not None:
            yield from (copy.link.parent for copy in copies_in(inner.field.shape, inner.field))
            yield from _tables_in(inner.field.shape)


def _places(source: Source) -> dict[str, Place]:
    """The places of a source's columns; values that are no fields have none."""
    found = {}
    for name, column in source.columns.items():
        if column.place is not None:
            found[name] = column.place
        elif column.path is not None:
            found[name] = Place(path=column.path)
    return found


def _leads(link: Link, child_column: str, parent: str, parent_column: str) -> bool:
    return (
        [name.lower() for name in link.child_columns] == [child_column.lower()]
        and link.parent == parent
        and [name.lower() for name in link.parent_columns] == [parent_column.lower()]
    )
