"""Finds the references in documents, and the keys that they point at."""

import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from benchmark_data.docmap.paths import get
from benchmark_data.docmap.placement import Path, Stored, collection_homes, parts
from benchmark_data.docmap.source import Row, quoted
from benchmark_data.docmap.transform import MISSING
from benchmark_data.docmap.types import (
    CollectionMap,
    Docmap,
    EmbedManyField,
    EmbedOneField,
    ReferenceField,
    Shape,
)
from benchmark_data.docmap.walk import all_fields, parts_of


class References:
    """The references of a docmap's documents; only plain keys are followed."""

    def __init__(self, docmap: Docmap) -> None:
        self._targets: dict[str, list[tuple[str, tuple[Path, ...]]]] = {}
        homes = {home.name: home.homes[0][1] for home in collection_homes(docmap)}
        for field in all_fields(docmap):
            if not isinstance(field, ReferenceField) or field.to not in homes:
                continue
            columns = homes[field.to].columns
            stored = [columns.get(column) for column in field.link.parent_columns]
            paths = tuple(one.path for one in stored if isinstance(one, Stored) and one.transform.is_plain)
            named = (reference_name(field), paths)
            if len(paths) == len(stored) and named not in self._targets.setdefault(field.to, []):
                self._targets[field.to].append(named)
        self._followed = {name for targets in self._targets.values() for name, _ in targets}
        self._links = {
            reference_name(field): field.link for field in all_fields(docmap) if isinstance(field, ReferenceField)
        }

    def dangling_in_source(self, connection: sqlite3.Connection) -> dict[str, int]:
        """How many different keys point at no row of the source, by the reference's name."""
        found = {}
        for name in self._followed:
            link = self._links[name]
            columns = [f"child.{quoted(column)}" for column in link.child_columns]
            pairs = zip(columns, link.parent_columns, strict=True)
            match = " AND ".join(f"{column} = parent.{quoted(other)}" for column, other in pairs)
            known = " AND ".join(f"{column} IS NOT NULL" for column in columns)
            sql = (
                f"SELECT count(*) FROM (SELECT DISTINCT {', '.join(columns)} FROM {quoted(link.child)} AS child "  # noqa: S608
                f"WHERE {known} AND NOT EXISTS (SELECT 1 FROM {quoted(link.parent)} AS parent WHERE {match}))"
            )
            (found[name],) = connection.execute(sql).fetchone()
        return found

    def keys(self, collection: str, document: Mapping[str, Any]) -> Iterator[tuple[str, Row]]:
        """What references may point at in a document of a collection: (the reference's name, key)."""
        for name, paths in self._targets.get(collection, ()):
            yield name, tuple(_plain(get(document, path)) for path in paths)

    def pointers(self, collection: CollectionMap, document: Mapping[str, Any]) -> Iterator[tuple[str, Row]]:
        """The references in a document: (the reference's name, key); NULL points nowhere."""
        for root in collection.roots:
            if collection.discriminator is not None and root.value != get(document, parts(collection.discriminator)):
                continue
            containers = [document] if collection.bucket is None else get(document, parts(collection.bucket.items))
            for container in containers if isinstance(containers, list) else ():
                yield from self._pointers(root.shape, container)

    def _pointers(self, shape: Shape, container: Any) -> Iterator[tuple[str, Row]]:
        for field in shape.fields:
            if isinstance(field, ReferenceField) and reference_name(field) in self._followed:
                key = _key(field, container)
                if None not in key:
                    yield reference_name(field), key
            elif isinstance(field, EmbedOneField | EmbedManyField) and not field.scalar:
                value = get(container, parts(field.path))
                elements = value.values() if getattr(field, "key_by", None) and isinstance(value, Mapping) else value
                for part in parts_of(field):
                    for element in _listed(elements):
                        yield from self._pointers(part, element)


def reference_name(field: ReferenceField) -> str:
    """The name under which a reference is counted: the link, and the collection pointed at."""
    return f"{field.link.name} -> {field.to}"


def _listed(value: Any) -> list[Any]:
    if value is MISSING or value is None:
        return []
    return list(value) if not isinstance(value, Mapping) else [value]


def _key(field: ReferenceField, container: Any) -> Row:
    base = (*parts(field.path), field.key) if field.extended else parts(field.path)
    if len(field.columns) == 1:
        return (_plain(get(container, base)),)
    return tuple(_plain(get(container, (*base, column))) for column in field.columns)


def _plain(value: Any) -> Any:
    return None if value is MISSING else int(value) if type(value).__name__ == "Int64" else value
