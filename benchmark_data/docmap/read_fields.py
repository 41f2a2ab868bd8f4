"""Reads the fields of a docmap's collections: each verb of the vocabulary into its record."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from benchmark_data.docmap.links import LinkResolver
from benchmark_data.docmap.read_columns import column_name, read_column, read_columns, read_order, read_transform
from benchmark_data.docmap.source import Schema, Table
from benchmark_data.docmap.text import Entry
from benchmark_data.docmap.types import (
    ColumnField,
    ComputedField,
    ConstField,
    DeriveField,
    EmbedManyField,
    EmbedOneField,
    Field,
    Link,
    Orphans,
    ReferenceField,
    Shape,
)
from benchmark_data.docmap.vocabulary import NullPolicy, Operation, Role

_ONE_KEYS = frozenset({"via", "fields", "scalar", "role", "orphans", "null"})
_MANY_KEYS = frozenset(
    {"via", "through", "fields", "payload", "scalar", "key_by", "order_by", "limit", "max_items", "where", "role"}
) | {"orphans"}
_REFERENCE_KEYS = frozenset({"column", "columns", "to", "extended", "key", "null"})
_COMPUTED_KEYS = frozenset({"via", "op", "expr", "round", "empty", "where"})
_OUTER_KEYS = frozenset({"role", "null"})
_DEPTH = 20


class FieldReader:
    """Reads fields against a schema; `roots` names the table of each collection that can be referred to."""

    def __init__(self, schema: Schema, links: LinkResolver, roots: Mapping[str, str]) -> None:
        self._schema = schema
        self._links = links
        self._roots = roots
        self._verbs: dict[str, Callable[[Entry, str, Table], Field | None]] = {
            "embed_one": self._embed_one,
            "embed_many": self._embed_many,
            "reference": self._reference,
            "computed": self._computed,
            "const": lambda entry, path, _: ConstField(path=path, line=entry.line, value=entry.value()),
            "derive": lambda entry, path, _: DeriveField(path=path, line=entry.line, expression=entry.text()),
        }

    def shape(self, entry: Entry, table: Table) -> Shape:
        """A mapping of dotted paths to fields."""
        fields = [self._field(part, path, table) for path, part in entry.mapping().items()]
        return Shape(table=table.name, fields=tuple(field for field in fields if field is not None))

    def _field(self, entry: Entry, path: str, table: Table) -> Field | None:
        keys = entry.mapping() if entry.is_mapping else {}
        verbs = [verb for verb in self._verbs if verb in keys]
        if not verbs:
            return read_column(entry, path, table)
        for name in keys.keys() - {verbs[0]} - _OUTER_KEYS:
            keys[name].fault("unknown_key", f"does not stand beside {verbs[0]!r}.")
        field = self._verbs[verbs[0]](keys[verbs[0]], path, table)
        if isinstance(field, EmbedOneField | EmbedManyField) and "role" in keys:
            # The specification's example writes an embed_one's role beside it as well as in it.
            return replace(field, role=keys["role"].choice(Role) or Role.COPY)
        return field

    def _embed_one(self, entry: Entry, path: str, table: Table) -> EmbedOneField | None:
        keys = entry.mapping(_ONE_KEYS, required=("via",))
        link = self._links.find(keys["via"], table.name) if "via" in keys else None
        other = None if link is None else self._schema.table(_other_end(link, table))
        if link is None or other is None:
            return None
        shape, scalar = self._content(entry, keys, (other,))
        return EmbedOneField(
            path=path,
            line=entry.line,
            link=link,
            upwards=link.child == table.name,
            shape=shape,
            scalar=scalar,
            role=self._role(keys),
            orphans=self._orphans(keys),
            null=(keys["null"].choice(NullPolicy) if "null" in keys else None) or NullPolicy.KEEP,
        )

    def _embed_many(self, entry: Entry, path: str, table: Table) -> EmbedManyField | None:
        keys = entry.mapping(_MANY_KEYS, required=("via",))
        link = self._links.find(keys["via"], table.name) if "via" in keys else None
        if link is None:
            return None
        child = self._schema.table(link.child)
        if link.parent != table.name or child is None:
            keys["via"].fault("wrong_link", f"{link.name} points away from {table.name}: embed_one follows it.")
            return None
        through = self._links.find(keys["through"], child.name) if "through" in keys else None
        target = None if through is None else self._schema.table(through.parent)
        if "through" in keys and (through is None or through.child != child.name or target is None):
            if through is not None:
                keys["through"].fault("wrong_link", f"{through.name} does not lead on from {child.name}.")
            return None
        tables = (child,) if target is None else (target, child)
        shape, scalar = self._content(entry, keys, tables)
        payload = self.shape(keys["payload"], child) if "payload" in keys else Shape(table=child.name, fields=())
        if shape.table == child.name:
            # Without `through`, the fields are the child's; with it, a scalar of the junction is its payload.
            payload = Shape(table=child.name, fields=(*shape.fields, *payload.fields))
        return EmbedManyField(
            path=path,
            line=entry.line,
            link=link,
            shape=payload,
            through=through,
            target=None
            if target is None
            else shape
            if shape.table == target.name
            else Shape(table=target.name, fields=()),
            scalar=scalar,
            key_by=self._key(keys["key_by"], tables) if "key_by" in keys else None,
            order_by=read_order(keys["order_by"], child) if "order_by" in keys else (),
            limit=keys["limit"].whole_number(1) if "limit" in keys else None,
            max_items=keys["max_items"].whole_number(1) if "max_items" in keys else None,
            where=keys["where"].text() if "where" in keys else "",
            role=self._role(keys),
            orphans=self._orphans(keys),
        )

    def _content(self, entry: Entry, keys: dict[str, Entry], tables: tuple[Table, ...]) -> tuple[Shape, bool]:
        """What is embedded: `fields` of the first table, or one `scalar` of any."""
        if ("fields" in keys) == ("scalar" in keys):
            entry.fault("bad_embed", "must have either `fields` or `scalar`.")
            return Shape(table=tables[0].name, fields=()), False
        if entry.field.count(".embed_") > _DEPTH:
            entry.fault("nested_too_deep", f"embeds are nested deeper than {_DEPTH}.")
            return Shape(table=tables[0].name, fields=()), False
        if "fields" in keys:
            return self.shape(keys["fields"], tables[0]), False
        part = keys["scalar"]
        scalar_keys = part.mapping() if part.is_mapping else {}
        name = scalar_keys.get("column", part)
        found = None if part.is_mapping and "column" not in scalar_keys else self._key(name, tables)
        if found is None:
            return Shape(table=tables[0].name, fields=()), True
        field = ColumnField(path="", line=part.line, column=found[1], transform=read_transform(scalar_keys))
        return Shape(table=found[0], fields=(field,)), True

    def _key(self, entry: Entry, tables: tuple[Table, ...]) -> tuple[str, str] | None:
        """A column of one of the tables, "table.column" or the bare name, as (table, column)."""
        name = entry.text()
        for table in tables:
            if name.startswith(f"{table.name}.") and table.column(name.removeprefix(f"{table.name}.")) is not None:
                return table.name, name.removeprefix(f"{table.name}.")
        for table in tables:
            if table.column(name) is not None:
                return table.name, name
        column_name(tables[0], name, entry)
        return None

    def _role(self, keys: dict[str, Entry]) -> Role:
        return (keys["role"].choice(Role) if "role" in keys else None) or Role.COPY

    def _orphans(self, keys: dict[str, Entry]) -> Orphans:
        entry = keys.get("orphans")
        if entry is None:
            return Orphans()
        if entry.is_mapping:
            found = entry.mapping(frozenset({"collection"}), required=("collection",))
            return Orphans(collection=found["collection"].text() or None) if "collection" in found else Orphans()
        word = entry.text()
        if word not in {"error", "drop"}:
            entry.fault("unknown_word", "must be `error`, `drop` or {collection: NAME}.")
        return Orphans(drop=word == "drop")

    def _reference(self, entry: Entry, path: str, table: Table) -> ReferenceField | None:
        keys = entry.mapping(_REFERENCE_KEYS, required=("to",))
        named = keys.get("columns") or keys.get("column")
        if named is None:
            entry.fault("missing_key", "the key 'column' is missing.")
        if named is None or "to" not in keys:
            return None
        columns = tuple(column_name(table, name, named) for name in named.texts())
        collection = keys["to"].text()
        parent = self._schema.table(self._roots.get(collection, ""))
        if parent is None:
            keys["to"].fault("unknown_collection", f"no collection {collection!r} of one table in this docmap.")
        if parent is None or None in columns:
            return None
        known = tuple(column for column in columns if column is not None)
        link = self._links.pointing(table.name, known, parent.name)
        if link is None:
            message = (
                f"no relationship from {table.name} ({', '.join(known)}) to {parent.name}; add it to `relationships`."
            )
            entry.fault("unknown_link", message)
            return None
        extended = read_columns(keys["extended"], "", parent) if "extended" in keys else ()
        return ReferenceField(
            path=path,
            line=entry.line,
            columns=known,
            to=collection,
            link=link,
            extended=tuple((field.path, field.column) for field in extended),
            key=keys["key"].text() if "key" in keys else "_id",
            null=(keys["null"].choice(NullPolicy) if "null" in keys else None) or NullPolicy.KEEP,
        )

    def _computed(self, entry: Entry, path: str, table: Table) -> ComputedField | None:
        keys = entry.mapping(_COMPUTED_KEYS, required=("via", "op"))
        operation = keys["op"].choice(Operation) if "op" in keys else None
        links = self._way_down(keys["via"], table) if "via" in keys else ()
        expression = keys["expr"].text() if "expr" in keys else ""
        if operation not in (None, Operation.COUNT) and not expression:
            entry.fault("missing_key", f"the key 'expr' is missing: {operation} of what?")
        if operation is None or not links:
            return None
        return ComputedField(
            path=path,
            line=entry.line,
            links=links,
            operation=operation,
            expression=expression,
            digits=keys["round"].whole_number() if "round" in keys else None,
            empty=keys["empty"].value() if "empty" in keys else 0 if operation is Operation.COUNT else None,
            where=keys["where"].text() if "where" in keys else "",
        )

    def _way_down(self, entry: Entry, table: Table) -> tuple[Link, ...]:
        steps = entry.sequence() if entry.is_list else (entry,)
        found: list[Link] = []
        for step in steps:
            link = self._links.find(step, found[-1].child if found else table.name)
            if link is not None and link.parent != (found[-1].child if found else table.name):
                step.fault(
                    "wrong_link", f"{link.name} points away from {link.child}: computed fields go down to children."
                )
                link = None
            if link is None:
                return ()
            found.append(link)
        return tuple(found)


def _other_end(link: Link, table: Table) -> str:
    """The table at the other end; a link of a table with itself is followed upwards."""
    return link.parent if link.child == table.name else link.child
