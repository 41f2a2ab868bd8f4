"""The closed sets of words that a docmap may use."""

from enum import StrEnum


class Role(StrEnum):
    """Whether a placement carries the truth, or repeats what has its home elsewhere."""

    HOME = "home"
    COPY = "copy"


class NullPolicy(StrEnum):
    """How NULL is written: as null, or by leaving the field out."""

    KEEP = "keep"
    OMIT = "omit"


class FailPolicy(StrEnum):
    """What happens to a cell that its transformation cannot bring back exactly.

    KEEP stores the cell as it is, NULL stores null (a loss that the proof counts), QUARANTINE moves it to
    `_quarantine.<column>` of the same object.
    """

    ERROR = "error"
    KEEP = "keep"
    NULL = "null"
    QUARANTINE = "quarantine"


class BsonType(StrEnum):
    """The BSON types that a cell may be given."""

    INT = "int"
    LONG = "long"
    DOUBLE = "double"
    STRING = "string"
    BOOL = "bool"
    DATE = "date"
    BINARY = "binary"


class StorageClass(StrEnum):
    """SQLite's storage classes, as `typeof` names them."""

    INTEGER = "integer"
    REAL = "real"
    TEXT = "text"
    BLOB = "blob"


class Operation(StrEnum):
    """What a computed field does with the rows of its link."""

    COUNT = "count"
    SUM = "sum"
    AVG = "avg"
    MIN = "min"
    MAX = "max"
    LIST = "list"
