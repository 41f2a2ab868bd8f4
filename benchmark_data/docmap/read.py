"""Reads a docmap's text into its records, resolved against the schema of its source."""

from typing import Any

from benchmark_data.docmap.links import LinkResolver, suggestion
from benchmark_data.docmap.read_columns import column_name, read_columns, read_id, read_order
from benchmark_data.docmap.read_fields import FieldReader
from benchmark_data.docmap.source import Schema, Table
from benchmark_data.docmap.text import Entry, compose
from benchmark_data.docmap.types import (
    AccessPattern,
    AuthoredCheck,
    Bucket,
    CollectionMap,
    Docmap,
    Root,
    Waiver,
)
from benchmark_data.docmap.vocabulary import Role
from benchmark_data.faults import FaultLog
from benchmark_data.types import Index

_TOP = frozenset({"docmap", "source", "relationships", "workload", "collections", "waivers", "checks"})
_ONE_TABLE = frozenset({"table", "_id", "fields", "role", "bucket", "indexes"})
_SEVERAL = frozenset({"discriminator", "variants", "indexes"})
_VERSION = "1"


def read_docmap(text: str, schema: Schema, log: FaultLog) -> Docmap | None:
    """Read a docmap as far as it can be read, noting every fault; None if there is nothing to go on with."""
    entry = compose(text, log)
    if entry is None:
        return None
    keys = entry.mapping(_TOP, required=("docmap", "source", "collections"))
    if "docmap" in keys and keys["docmap"].text() != _VERSION:
        keys["docmap"].fault("bad_version", f"the version must be {_VERSION}.")
    if "collections" not in keys:
        return None
    links = LinkResolver(schema)
    if "relationships" in keys:
        links.add(keys["relationships"])
    reader = CollectionReader(schema, links, keys["collections"])
    return Docmap(
        db_id=_db_id(keys),
        collections=reader.collections(),
        links=links.by_name,
        workload=tuple(map(_pattern, keys["workload"].sequence())) if "workload" in keys else (),
        waivers=tuple(reader.waivers(keys["waivers"])) if "waivers" in keys else (),
        checks=tuple(filter(None, map(_check, keys["checks"].sequence()))) if "checks" in keys else (),
    )


def _db_id(keys: dict[str, Entry]) -> str:
    if "source" not in keys:
        return ""
    source = keys["source"].mapping(frozenset({"db_id", "dialect"}), required=("db_id",))
    if "dialect" in source and source["dialect"].text() != "sqlite":
        source["dialect"].fault("unknown_word", "the dialect must be sqlite.")
    return source["db_id"].text() if "db_id" in source else ""


class CollectionReader:
    """Reads the collections of a docmap."""

    def __init__(self, schema: Schema, links: LinkResolver, entry: Entry) -> None:
        self._schema = schema
        self._parts = entry.mapping()
        roots = {}
        for name, part in self._parts.items():
            keys = part.mapping() if part.is_mapping else {}
            if "table" in keys:
                roots[name] = keys["table"].text()
        self._fields = FieldReader(schema, links, roots)

    def collections(self) -> tuple[CollectionMap, ...]:
        """All collections that could be read."""
        return tuple(self._collection(name, part) for name, part in self._parts.items())

    def _collection(self, name: str, entry: Entry) -> CollectionMap:
        several = entry.is_mapping and "discriminator" in entry.mapping()
        required = ("variants",) if several else ("table", "fields")
        keys = entry.mapping(_SEVERAL if several else _ONE_TABLE, required=required)
        if several:
            parts = keys["variants"].pairs() if "variants" in keys else ()
            variants = [(value, part, part.mapping(_ONE_TABLE - {"bucket", "indexes"})) for value, part in parts]
        else:
            variants = [(None, entry, keys)]
        roots = [self._root(part, part_keys, value) for value, part, part_keys in variants]
        bucket = self._bucket(keys["bucket"], keys) if "bucket" in keys else None
        return CollectionMap(
            name=name,
            line=entry.line,
            roots=tuple(root for root in roots if root is not None),
            discriminator=keys["discriminator"].text() if several else None,
            bucket=bucket,
            indexes=tuple(filter(None, map(_index, keys["indexes"].sequence()))) if "indexes" in keys else (),
        )

    def _table(self, keys: dict[str, Entry]) -> Table | None:
        if "table" not in keys:
            return None
        name = keys["table"].text()
        table = self._schema.table(name)
        if table is None and name:
            names = [table.name for table in self._schema.tables]
            keys["table"].fault("unknown_table", f"no table {name!r}; {suggestion(name, names)}")
        return table

    def _root(self, entry: Entry, keys: dict[str, Entry], value: Any) -> Root | None:
        table = self._table(keys)
        if table is None or "fields" not in keys:
            return None
        return Root(
            table=table.name,
            line=entry.line,
            id_fields=read_id(keys["_id"], table) if "_id" in keys else (),
            fields=self._fields.shape(keys["fields"], table).fields,
            value=value,
            role=(keys["role"].choice(Role) if "role" in keys else None) or Role.HOME,
        )

    def _bucket(self, entry: Entry, keys: dict[str, Entry]) -> Bucket | None:
        table = self._table(keys)
        parts = entry.mapping(frozenset({"by", "size", "items", "order_by"}), required=("by", "size", "items"))
        if table is None or not {"by", "size", "items"} <= parts.keys():
            return None
        return Bucket(
            by=read_columns(parts["by"], "", table),
            size=parts["size"].whole_number(1) or 1,
            items=parts["items"].text(),
            order_by=read_order(parts["order_by"], table) if "order_by" in parts else (),
        )

    def waivers(self, entry: Entry) -> "list[Waiver]":
        """What is left out on purpose."""
        found = []
        for part in entry.sequence():
            keys = part.mapping(frozenset({"table", "column", "reason"}), required=("table", "reason"))
            table = self._table(keys)
            if table is None or "reason" not in keys:
                continue
            column = column_name(table, keys["column"].text(), keys["column"]) if "column" in keys else None
            if "column" not in keys or column is not None:
                waiver = Waiver(table=table.name, column=column, reason=keys["reason"].text(), line=part.line)
                found.append(waiver)
        return found


def _index(entry: Entry) -> Index | None:
    keys = entry.mapping(frozenset({"keys", "unique"}), required=("keys",))
    if "keys" not in keys:
        return None
    found = {path: part.value() for path, part in keys["keys"].mapping().items()}
    if not found or any(way not in {1, -1} for way in found.values()):
        keys["keys"].fault("bad_index", "must map paths to 1 or -1.")
        return None
    return Index(keys=tuple(found.items()), unique="unique" in keys and keys["unique"].value() is True)


def _pattern(entry: Entry) -> AccessPattern:
    keys = entry.mapping(frozenset({"id", "text", "rate", "root", "reads"}), required=("id", "text", "rate"))
    rate = keys["rate"].value() if "rate" in keys else 0
    if not isinstance(rate, int | float) or isinstance(rate, bool) or rate < 0:
        keys["rate"].fault("not_a_number", "must be a number of operations per time unit.")
        rate = 0
    return AccessPattern(
        id=keys["id"].text() if "id" in keys else "",
        text=keys["text"].text() if "text" in keys else "",
        rate=float(rate),
        root=keys["root"].text() if "root" in keys else "",
        reads=keys["reads"].texts() if "reads" in keys else (),
    )


def _check(entry: Entry) -> AuthoredCheck | None:
    keys = entry.mapping(frozenset({"name", "sql", "pipeline", "compare"}), required=("name", "sql", "pipeline"))
    if not {"name", "sql", "pipeline"} <= keys.keys():
        return None
    parts = keys["pipeline"].sequence()
    stages = parts[1].value() if len(parts) == 2 else None
    if not isinstance(stages, list) or not all(isinstance(stage, dict) for stage in stages):
        keys["pipeline"].fault("bad_check", "must be a collection and a list of stages.")
        return None
    if "compare" in keys and keys["compare"].text() != "multiset":
        keys["compare"].fault("unknown_word", "results are compared as a multiset.")
    return AuthoredCheck(
        name=keys["name"].text(), sql=keys["sql"].text(), collection=parts[0].text(), pipeline=tuple(stages)
    )
