"""How the rows of a table are reached in the documents of its home, and where their columns then lie."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchmark_data.docmap.placement import CollectionHome, FromHead, FromHolder, Home, Keyed, collection_homes
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.place import Conversion, Place, joined
from benchmark_data.docmap.queries.schema import Schema
from benchmark_data.docmap.queries.stored import recovered_place, stored_place
from benchmark_data.docmap.types import Docmap, EmbedManyField


@dataclass(frozen=True, slots=True, kw_only=True)
class TableHome:
    """One home of a table.

    Args:
        collection: where it is.
        value: the discriminator's value in its documents.
        chain: the homes that hold it, outermost first, itself last.
    """

    collection: CollectionHome
    value: Any
    chain: tuple[Home, ...]

    @property
    def home(self) -> Home:
        """The home itself."""
        return self.chain[-1]

    @property
    def is_repeated(self) -> bool:
        """Whether one row may stand in several documents."""
        return any(home.is_repeated for home in self.chain)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """Rows that stages reach.

    Args:
        steps: the stages after which each document has one row.
        prefix: path of the row's object.
        columns: places by name in lower case, absolute.
        missing: why a column has none, by name in lower case.
    """

    steps: tuple[dict[str, Any], ...]
    prefix: str
    columns: Mapping[str, Place]
    missing: Mapping[str, str]


def table_homes(docmap: Docmap) -> dict[str, list[TableHome]]:
    """The homes of each table: the one that the docmap names first, then collections of orphans."""
    found: dict[str, list[TableHome]] = {}
    for collection in collection_homes(docmap):
        for value, root in collection.homes:
            for chain in _chains((root,)):
                home = TableHome(collection=collection, value=value, chain=chain)
                found.setdefault(chain[-1].table, []).append(home)
    return found


def _chains(chain: tuple[Home, ...]) -> Iterator[tuple[Home, ...]]:
    yield chain
    for inner in chain[-1].inner:
        yield from _chains((*chain, inner))


def reached(chain: tuple[Home, ...], schema: Schema, *, start: str = "", holder: Reached | None = None) -> Reached:
    """The rows of the last home of a chain.

    Args:
        chain: homes, each in the one before.
        schema: the source's tables.
        start: path of the document that the first one is, "" for the pipeline's.
        holder: the row that the first one is embedded in, if it is no document.

    Raises:
        UntranslatableSqlError: "no_home": a single cell stands for the row, so that an absent row looks like NULL.
    """
    found = holder or Reached(steps=(), prefix=start, columns={}, missing={})
    for home in chain:
        found = _inside(home, found, schema, start)
    return found


def _inside(home: Home, holder: Reached, schema: Schema, start: str) -> Reached:
    path = joined(holder.prefix, *home.path)
    steps, prefix, key = _unfolded(home, path)
    columns: dict[str, Place] = {}
    missing: dict[str, str] = {}
    for name, recovery in home.columns.items():
        lower = name.lower()
        try:
            if isinstance(recovery, FromHolder):
                place = holder.columns.get(recovery.column.lower())
            elif isinstance(recovery, Keyed):
                numeric = _is_numeric(schema, home.table, name)
                place = Place(path=key, conversion=Conversion.KEY if numeric else None)
            elif isinstance(recovery, FromHead):
                place = stored_place(name, recovery.path, recovery.transform).under(start)
            else:
                own = recovered_place(name, recovery)
                place = own.under(prefix) if own is not None else None
        except UntranslatableSqlError as error:
            missing[lower] = error.message
            continue
        if place is not None:
            columns[lower] = place
    return Reached(steps=(*holder.steps, *steps), prefix=prefix, columns=columns, missing=missing)


def _unfolded(home: Home, path: str) -> tuple[list[dict[str, Any]], str, str]:
    """The stages that give one document for each row, the path of the row's object, the path of its key in a map."""
    if not home.path:
        return [], path, ""
    field = home.field
    if isinstance(field, EmbedManyField) and field.key_by is not None:
        return [{"$set": {path: {"$objectToArray": f"${path}"}}}, {"$unwind": f"${path}"}], f"{path}.v", f"{path}.k"
    if field is None or isinstance(field, EmbedManyField):
        return [{"$unwind": f"${path}"}], path, ""
    if field.scalar:
        raise UntranslatableSqlError("no_home", f"A row of {home.table} is a single cell; NULL and no row look alike.")
    return [{"$match": {path: {"$ne": None}}}], path, ""


def _is_numeric(schema: Schema, table: str, column: str) -> bool:
    """Whether digits in a map's key were a number: affinity turns them into one, except of columns without any."""
    record = schema.table(table)
    found = record.column(column) if record is not None else None
    return found is not None and found.affinity.is_numeric
