"""The records of a docmap that was read and resolved against its source's schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmark_data.docmap.vocabulary import BsonType, FailPolicy, NullPolicy, Operation, Role, StorageClass
from benchmark_data.types import Index


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A relationship: each row of `child` points with `child_columns` at `parent_columns` of `parent`.

    `name` is "child.column" for a declared foreign key ("child.(a, b)" for several columns), or the docmap's own.
    """

    name: str
    child: str
    child_columns: tuple[str, ...]
    parent: str
    parent_columns: tuple[str, ...]
    declared: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Transform:
    """How a cell becomes a BSON value; without type and decode, the storage class decides.

    Args:
        type: the BSON type to give, None to keep the cell's.
        stored: the storage class that the cells have; None for the one natural to `type`.
        decode: pairs of cell and document value; no value stands twice.
        format: strftime format of dates that are stored as text.
        null: how NULL is written.
        on_fail: what happens to a cell that cannot be brought back exactly.
    """

    type: BsonType | None = None
    stored: StorageClass | None = None
    decode: tuple[tuple[Any, Any], ...] = ()
    format: str = "%Y-%m-%d"
    null: NullPolicy = NullPolicy.KEEP
    on_fail: FailPolicy = FailPolicy.ERROR

    @property
    def is_plain(self) -> bool:
        """Whether each cell is stored as it is."""
        return self.type is None and not self.decode


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnField:
    """A column of the row, at the dotted path `path`."""

    path: str
    line: int
    column: str
    transform: Transform = Transform()


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstField:
    """The same value in each document."""

    path: str
    line: int
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class DeriveField:
    """A SQLite expression over the row's columns; never a home."""

    path: str
    line: int
    expression: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComputedField:
    """An aggregate over the rows that point at this row; never a home.

    Args:
        links: the way down, child by child: the first link's parent is this row's table.
        expression: SQLite expression over the last child's columns; "" for a count of rows.
        digits: decimals to round to, None for none.
        empty: the value where there is no row.
        where: SQLite condition on the last child's columns, "" for all rows.
    """

    path: str
    line: int
    links: tuple[Link, ...]
    operation: Operation
    expression: str = ""
    digits: int | None = None
    empty: Any = None
    where: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceField:
    """The key of a document in another collection.

    Without `extended` the path holds the key itself (of several columns: an object). With it, the path holds an
    object: the key under `key`, and repeated fields of the other row beside it.

    Args:
        columns: the columns that point.
        to: the collection pointed at.
        link: the link that the columns make.
        extended: pairs of field name and column of the other row.
        key: the key's name in the object, where there is one.
        null: how a NULL key is written.
    """

    path: str
    line: int
    columns: tuple[str, ...]
    to: str
    link: Link
    extended: tuple[tuple[str, str], ...] = ()
    key: str = "_id"
    null: NullPolicy = NullPolicy.KEEP


@dataclass(frozen=True, slots=True, kw_only=True)
class Orphans:
    """What becomes of rows that no embedding holds: an error, dropped (a counted loss), or a collection for them."""

    collection: str | None = None
    drop: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What is written of one row of one table."""

    table: str
    fields: "tuple[Field, ...]"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedOneField:
    """One other row as an object, or one cell of it.

    Args:
        link: followed upwards (this row points at the embedded one) if `upwards`, else downwards (1:1 child).
        shape: what is written of the embedded row; with `scalar`, one ColumnField whose value stands for the object.
        null: how "no such row" is written.
    """

    path: str
    line: int
    link: Link
    upwards: bool
    shape: Shape
    scalar: bool = False
    role: Role = Role.COPY
    orphans: Orphans = Orphans()
    null: NullPolicy = NullPolicy.KEEP


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedManyField:
    """The rows that point at this row, as an array, or as an object keyed by a column.

    Args:
        link: from the child rows to this row.
        shape: what is written of each child row; with `through`, the junction's payload.
        through: the junction's link to its other side, if the child is a junction.
        target: what is written of the row on the other side of `through`.
        scalar: elements are the value of the one field of `shape` or `target`, not objects.
        key_by: (table, column) whose value is the key of the element; None for an array.
        order_by: (column, descending) pairs on the child's columns; the child's key is appended, so order is total.
        limit: at most so many elements (subset pattern, always a copy), None for all.
        max_items: a document with more is an error, None for no bound.
        where: SQLite condition on the child's columns, "" for all rows (otherwise always a copy).
    """

    path: str
    line: int
    link: Link
    shape: Shape
    through: Link | None = None
    target: Shape | None = None
    scalar: bool = False
    key_by: tuple[str, str] | None = None
    order_by: tuple[tuple[str, bool], ...] = ()
    limit: int | None = None
    max_items: int | None = None
    where: str = ""
    role: Role = Role.COPY
    orphans: Orphans = Orphans()


Field = ColumnField | ConstField | DeriveField | ComputedField | ReferenceField | EmbedOneField | EmbedManyField


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """The rows of one table as documents of a collection.

    Args:
        table: the table.
        id_fields: what `_id` is made of: none (made at loading), one field at "_id", or fields at "_id.<name>".
        fields: all others.
        value: the discriminator's value in documents of this table.
        role: a copy repeats a table that has its home elsewhere.
    """

    table: str
    line: int
    id_fields: tuple[ColumnField, ...]
    fields: tuple[Field, ...]
    value: Any = None
    role: Role = Role.HOME

    @property
    def shape(self) -> Shape:
        """`_id` and all other fields."""
        return Shape(table=self.table, fields=(*self.id_fields, *self.fields))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """Rows gathered into documents: `by` fields, `_id` of them and a running number, `count`, and an array of rows.

    Args:
        by: fields whose cells all rows of a document share.
        size: the most rows in a document.
        items: path of the array; its elements have the root's fields.
        order_by: (column, descending) pairs that order the rows.
    """

    by: tuple[ColumnField, ...]
    size: int
    items: str
    order_by: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionMap:
    """One collection: of one table, or of several that a discriminator tells apart."""

    name: str
    line: int
    roots: tuple[Root, ...]
    discriminator: str | None = None
    bucket: Bucket | None = None
    indexes: tuple[Index, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessPattern:
    """One operation that the design is for; `rate` is per time unit of the author's choice."""

    id: str
    text: str
    rate: float
    root: str = ""
    reads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """A column (None: the whole table) that is left out on purpose."""

    table: str
    column: str | None
    reason: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthoredCheck:
    """A pair of SQL on the source and aggregation on the documents whose results must be equal as multisets."""

    name: str
    sql: str
    collection: str
    pipeline: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Docmap:
    """A docmap, resolved.

    Args:
        db_id: the source's name.
        links: by name, declared by the database or added by the docmap.
    """

    db_id: str
    links: Mapping[str, Link]
    collections: tuple[CollectionMap, ...]
    workload: tuple[AccessPattern, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    checks: tuple[AuthoredCheck, ...] = ()
