"""Generates the two mechanical baselines as docmaps: a collection for each table, and children embedded in parents."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import yaml

from benchmark_data.docmap.source import Schema, Table
from benchmark_data.docmap.types import Link
from benchmark_data.errors import BenchmarkError
from benchmark_data.names import collection_name_problem


class RecursionFoundError(BenchmarkError):
    """Foreign keys lead in a circle, so that children would be embedded for ever.

    Args:
        circle: the tables, the first one again at the end.
    """

    def __init__(self, circle: tuple[str, ...]) -> None:
        self.circle = circle
        super().__init__(f"recursion: {' → '.join(circle)}: children would be embedded for ever.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """A table in a tree of embeddings: reached from its parent along a link, None at the root."""

    table: str
    link: Link | None
    children: "tuple[Branch, ...]"


def field_names(names: Iterable[str], taken: Iterable[str] = ()) -> dict[str, str]:
    """A legal field name for each column: dots and a leading $ become _, and no two are alike."""
    used = {"", "_id", "_quarantine", *taken}
    found = {}
    for name in names:
        plain = name.replace(".", "_").replace("\0", "_")
        plain = f"_{plain[1:]}" if plain.startswith("$") else plain
        while plain in used:
            plain = f"{plain}_"
        used.add(plain)
        found[name] = plain
    return found


def collection_names(tables: Iterable[str]) -> dict[str, str]:
    """A legal collection name for each table."""
    found: dict[str, str] = {}
    for name in tables:
        plain = name
        if collection_name_problem(plain) is not None:
            plain = "_" + plain.replace("$", "_").replace("\0", "_").replace("..", "_").strip(".")[:150]
        while plain in found.values():
            plain = f"{plain}_"
        found[name] = plain
    return found


def one_to_one(schema: Schema, db_id: str, *, indexed: bool = False) -> str:
    """The docmap in which each table is a collection, and each row a document with the row's columns.

    Args:
        schema: the source's.
        db_id: its name.
        indexed: add an index on each key that a join uses; the published baseline has none.
    """
    names = collection_names(table.name for table in schema.tables)
    collections: dict[str, Any] = {}
    for table in schema.tables:
        fields = field_names(table.column_names)
        content: dict[str, Any] = {"table": table.name, "fields": {path: column for column, path in fields.items()}}
        if indexed:
            keys = [table.primary_key, *(link.child_columns for link in table.links)]
            listed = [{"keys": {fields[column]: 1 for column in key}} for key in dict.fromkeys(keys) if key]
            content.update({"indexes": listed} if listed else {})
        collections[names[table.name]] = content
    return docmap_text(db_id, collections)


def docmap_text(db_id: str, collections: Mapping[str, Any], relationships: Mapping[str, Any] | None = None) -> str:
    """A docmap as YAML, the same text for the same content."""
    content: dict[str, Any] = {"docmap": 1, "source": {"db_id": db_id, "dialect": "sqlite"}}
    if relationships:
        content["relationships"] = dict(relationships)
    content["collections"] = dict(collections)
    return yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120)


def fk_embedding_trees(schema: Schema) -> tuple[Branch, ...]:
    """The trees of the mechanical embedding, as the public TEND construction builds them.

    From each table all that refers to it, directly or not, is reached; tables whose reach is not within another's
    become collections. A table that refers to itself is not embedded in itself; several foreign keys between the same
    two tables are one condition that asks for all of them.

    Raises:
        RecursionFoundError: tables refer to each other in a circle.
    """
    children = {table.name: _merged(schema, table) for table in schema.tables}
    reach = {table.name: _reach(table.name, children, ()) for table in schema.tables}
    starts = [
        name
        for name in reach
        if not any(reach[name] < reach[other] or (reach[name] == reach[other] and other < name) for other in reach)
    ]
    return tuple(_branch(name, None, children) for name in starts)


def _merged(schema: Schema, parent: Table) -> tuple[Link, ...]:
    found: dict[str, list[Link]] = {}
    for link in schema.links:
        if link.parent == parent.name and link.child != parent.name:
            found.setdefault(link.child, []).append(link)
    return tuple(_all_of(links) for _, links in sorted(found.items()))


def _all_of(links: list[Link]) -> Link:
    if len(links) == 1:
        return links[0]
    first = links[0]
    return Link(
        name=f"{first.child}_all_{first.parent}",
        child=first.child,
        child_columns=tuple(column for link in links for column in link.child_columns),
        parent=first.parent,
        parent_columns=tuple(column for link in links for column in link.parent_columns),
        declared=False,
    )


def _reach(name: str, children: Mapping[str, tuple[Link, ...]], way: tuple[str, ...]) -> frozenset[str]:
    if name in way:
        raise RecursionFoundError((*way[way.index(name) :], name))
    below = [_reach(link.child, children, (*way, name)) for link in children[name]]
    return frozenset({name}).union(*below)


def _branch(name: str, link: Link | None, children: Mapping[str, tuple[Link, ...]]) -> Branch:
    return Branch(table=name, link=link, children=tuple(_branch(one.child, one, children) for one in children[name]))
