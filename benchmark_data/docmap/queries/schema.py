"""The relational schema that SQL is read against: tables, columns, affinities and what the cells really hold."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Affinity(StrEnum):
    """SQLite's type affinity of a column or a CAST; see "Datatypes In SQLite", section 3."""

    INTEGER = "integer"
    REAL = "real"
    NUMERIC = "numeric"
    TEXT = "text"
    BLOB = "blob"

    @property
    def is_numeric(self) -> bool:
        """Whether text that is compared with such a value is read as a number where it looks like one."""
        return self in {Affinity.INTEGER, Affinity.REAL, Affinity.NUMERIC}


class Kind(StrEnum):
    """What values an expression can have, NULL aside."""

    INTEGER = "integer"
    REAL = "real"
    NUMBER = "number"
    TEXT = "text"
    NULL = "null"
    ANY = "any"

    @property
    def is_number(self) -> bool:
        """Whether all values are numbers."""
        return self in {Kind.INTEGER, Kind.REAL, Kind.NUMBER}


_CLASSES = {
    frozenset({"integer"}): Kind.INTEGER,
    frozenset({"real"}): Kind.REAL,
    frozenset({"integer", "real"}): Kind.NUMBER,
    frozenset({"text"}): Kind.TEXT,
}
_BY_AFFINITY = {
    Affinity.INTEGER: Kind.INTEGER,
    Affinity.REAL: Kind.REAL,
    Affinity.TEXT: Kind.TEXT,
    Affinity.NUMERIC: Kind.NUMBER,
    Affinity.BLOB: Kind.ANY,
}


def affinity_of(declared: str) -> Affinity:
    """The affinity of a declared type, by SQLite's five rules in their order."""
    name = declared.upper()
    if "INT" in name:
        return Affinity.INTEGER
    if any(part in name for part in ("CHAR", "CLOB", "TEXT")):
        return Affinity.TEXT
    if not name or "BLOB" in name:
        return Affinity.BLOB
    if any(part in name for part in ("REAL", "FLOA", "DOUB")):
        return Affinity.REAL
    return Affinity.NUMERIC


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column.

    Args:
        name: as the table spells it.
        declared: its declared type, "" if it has none.
        nullable: False for NOT NULL columns and the row id's alias.
        classes: SQLite storage classes that its cells have ("integer", "real", "text", "blob"), without "null"; None
            where the cells were not looked at.
        collation: "BINARY" unless declared otherwise.
    """

    name: str
    declared: str = ""
    nullable: bool = True
    classes: frozenset[str] | None = None
    collation: str = "BINARY"

    @property
    def affinity(self) -> Affinity:
        """By the declared type."""
        return affinity_of(self.declared)

    @property
    def kind(self) -> Kind:
        """What the cells hold; by the declared type where they were not looked at, or are all NULL."""
        if self.classes:
            return _CLASSES.get(self.classes, Kind.ANY)
        declared = self.declared.upper()
        # SQLite has no dates: a DATE column has numeric affinity and holds text.
        if self.affinity is Affinity.NUMERIC and ("DATE" in declared or "TIME" in declared):
            return Kind.TEXT
        return _BY_AFFINITY[self.affinity]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSchema:
    """One table.

    Args:
        name: as the database spells it.
        columns: in order.
        primary_key: the key's columns.
        rows: how many there are, for estimates of cost alone.
    """

    name: str
    columns: tuple[Column, ...]
    primary_key: tuple[str, ...] = ()
    rows: int = 1_000

    def column(self, name: str) -> Column | None:
        """The column of that name; SQLite's names ignore case."""
        return next((each for each in self.columns if each.name.lower() == name.lower()), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """All tables of a database, by their names in lower case."""

    tables: Mapping[str, TableSchema] = field(default_factory=dict)

    def table(self, name: str) -> TableSchema | None:
        """The table of that name; SQLite's names ignore case."""
        return self.tables.get(name.lower())


def schema_from(tables: tuple[TableSchema, ...]) -> Schema:
    """The schema of these tables."""
    return Schema(tables={table.name.lower(): table for table in tables})
