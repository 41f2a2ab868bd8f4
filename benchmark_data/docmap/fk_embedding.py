"""Writes the mechanical embedding along foreign keys as a docmap, and counts what it loses."""

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchmark_data.docmap.source import Schema, count_rows, quoted
from benchmark_data.docmap.strategies import Branch, collection_names, docmap_text, field_names, fk_embedding_trees
from benchmark_data.docmap.types import Link

Way = tuple[Link, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A table in a tree: the tree's root, and the links down to the table."""

    root: str
    way: Way

    @property
    def table(self) -> str:
        """The table at the end of the way."""
        return self.way[-1].child if self.way else self.root

    @property
    def held(self) -> int:
        """How deep it is embedded."""
        return len(self.way)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLoss:
    """Rows of a table, and how many of them are in no document at all."""

    rows: int
    lost: int
    copies: int


def fk_embedding(connection: sqlite3.Connection, schema: Schema, db_id: str) -> str:
    """The docmap of the mechanical embedding.

    Where a table stands in several trees, the place that holds most of its rows is its home and the others are
    copies; rows that their home does not hold are dropped, as the embedding drops them.

    Raises:
        RecursionFoundError: tables refer to each other in a circle.
    """
    trees = fk_embedding_trees(schema)
    homes = _homes(connection, schema, trees)
    relationships = {
        link.name: {
            "from": [f"{link.child}.{column}" for column in link.child_columns],
            "to": [f"{link.parent}.{column}" for column in link.parent_columns],
            "declared": False,
        }
        for tree in trees
        for place in _places(tree)
        for link in place.way
        if not link.declared
    }
    names = collection_names(tree.table for tree in trees)
    collections = {}
    for tree in trees:
        fields = _fields(schema, tree, (), Place(root=tree.table, way=()), homes)
        collections[names[tree.table]] = {"table": tree.table, "fields": fields}
    return docmap_text(db_id, collections, relationships)


def losses(connection: sqlite3.Connection, schema: Schema) -> dict[str, TableLoss]:
    """What the mechanical embedding loses: rows in no place at all, by table.

    Raises:
        RecursionFoundError: tables refer to each other in a circle.
    """
    trees = fk_embedding_trees(schema)
    places: dict[str, list[Place]] = {table.name: [] for table in schema.tables}
    for tree in trees:
        for place in _places(tree):
            places[place.table].append(place)
    found = {}
    for table, all_of_it in places.items():
        held = " UNION ".join(_held_sql(schema, place) for place in all_of_it)
        (kept,) = connection.execute(f"SELECT count(*) FROM ({held})").fetchone()  # noqa: S608 quoted
        rows = count_rows(connection, table)
        found[table] = TableLoss(rows=rows, lost=rows - kept, copies=len(all_of_it) - 1)
    return found


def pasted_error(connection: sqlite3.Connection, schema: Schema) -> str:
    """What SQLite says of the first query that pasting a key into SQL text breaks, "" where it breaks none.

    The public construction looks for the children of a row by a query whose text holds the row's key: between
    apostrophes if it is a text, else as Python prints it.

    Raises:
        RecursionFoundError: tables refer to each other in a circle.
    """
    for tree in fk_embedding_trees(schema):
        for place in _places(tree):
            if place.way:
                for key in connection.execute(_odd_keys_sql(place)):
                    broken = _broken_query(connection, place.way[-1], key)
                    if broken:
                        return broken
    return ""


def _broken_query(connection: sqlite3.Connection, link: Link, key: tuple[object, ...]) -> str:
    pairs = zip(link.child_columns, key, strict=True)
    conditions = " AND ".join(
        f"{quoted(column)} = '{cell}'" if isinstance(cell, str) else f"{quoted(column)} = {cell}"
        for column, cell in pairs
    )
    try:
        # Compiled only: what a key does to a query that runs is not wanted here.
        connection.execute(f"EXPLAIN SELECT * FROM {quoted(link.child)} WHERE {conditions}")  # noqa: S608
    except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
        return f"{link.parent} has the key {key!r}, with which the query for {link.child} fails: {error}."
    return ""


def _odd_keys_sql(place: Place) -> str:
    """The keys with which the rows of a place are looked for, those that are NULL or have an apostrophe in them."""
    holder = Place(root=place.root, way=place.way[:-1])
    columns = [f"t{holder.held}.{quoted(column)}" for column in place.way[-1].parent_columns]
    odd = " OR ".join(f"{column} IS NULL OR instr({column}, char(39)) > 0" for column in columns)
    source = f"{quoted(place.root)} AS t0{_joins(holder)}"
    return f"SELECT DISTINCT {', '.join(columns)} FROM {source} WHERE {odd}"  # noqa: S608 quoted


def _places(tree: Branch, root: str = "", way: Way = ()) -> Iterator[Place]:
    root = root or tree.table
    yield Place(root=root, way=way)
    for child in tree.children:
        yield from _places(child, root, way if child.link is None else (*way, child.link))


def _homes(connection: sqlite3.Connection, schema: Schema, trees: tuple[Branch, ...]) -> dict[str, Place]:
    """For each table the place that holds most of its rows, among those that lie in homes; the least deep of equals."""
    places = sorted((place for tree in trees for place in _places(tree)), key=lambda place: place.held)
    homes: dict[str, Place] = {}
    waiting = {place.table for place in places}
    while waiting:
        for table in sorted(waiting):
            mine = [place for place in places if place.table == table]
            if any(link.parent in waiting for place in mine for link in place.way):
                continue
            open_to = [place for place in mine if _lies_in_homes(place, homes)]
            homes[table] = max(open_to, key=lambda place: (_count(connection, schema, place), -place.held))
            waiting.discard(table)
    return homes


def _lies_in_homes(place: Place, homes: Mapping[str, Place]) -> bool:
    return all(
        homes[link.parent] == Place(root=place.root, way=place.way[:depth]) for depth, link in enumerate(place.way)
    )


def _count(connection: sqlite3.Connection, schema: Schema, place: Place) -> int:
    (count,) = connection.execute(f"SELECT count(*) FROM ({_held_sql(schema, place)})").fetchone()  # noqa: S608 quoted
    return int(count)


def _held_sql(schema: Schema, place: Place) -> str:
    """The keys of the rows of the last table that stand in a place."""
    last = f"t{place.held}"
    table = schema.table(place.table)
    keys = ("rowid",) if table is None or table.has_rowid else tuple(map(quoted, table.primary_key))
    selected = ", ".join(f"{last}.{key}" for key in keys)
    return f"SELECT DISTINCT {selected} FROM {quoted(place.root)} AS t0{_joins(place)}"  # noqa: S608 quoted


def _joins(place: Place) -> str:
    """The tables along a place's way, joined to its root."""
    return "".join(
        f" JOIN {quoted(link.child)} AS t{depth} ON "
        + " AND ".join(
            f"t{depth}.{quoted(child)} = t{depth - 1}.{quoted(parent)}"
            for child, parent in zip(link.child_columns, link.parent_columns, strict=True)
        )
        for depth, link in enumerate(place.way, start=1)
    )


def _fields(schema: Schema, tree: Branch, way: Way, place: Place, homes: Mapping[str, Place]) -> dict[str, Any]:
    table = schema.table(tree.table)
    columns = field_names(table.column_names if table is not None else ())
    fields: dict[str, Any] = {path: column for column, path in columns.items()}
    arrays = field_names((child.table for child in tree.children), taken=fields)
    for child in tree.children:
        if child.link is None:
            continue
        deeper = Place(root=place.root, way=(*way, child.link))
        is_home = homes[child.table] == deeper
        embedded: dict[str, Any] = {
            "via": child.link.name,
            "role": "home" if is_home else "copy",
            "fields": _fields(schema, child, deeper.way, deeper, homes),
        }
        if is_home:
            embedded["orphans"] = "drop"
        fields[arrays[child.table]] = {"embed_many": embedded}
    return fields
