"""A field of the documents that holds a column, and how the column's own value is had from it."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any


class Conversion(StrEnum):
    """How a column's value is made of the stored one; KEY is for the names of a map, SECONDS for dates."""

    LONG = "$toLong"
    DOUBLE = "$toDouble"
    STRING = "$toString"
    KEY = "key"
    SECONDS = "seconds"


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a column is stored, and in which form.

    Args:
        path: the field's path.
        codes: pairs of the column's value and the stored one, where values are replaced.
        date_format: the strftime format of the column's text, where a date is stored.
        conversion: how the column's value is made of the stored one, None where it is the same.
        stored_type: what `$type` calls values that were transformed, where other cells were kept as they are; "" where
            there are no such cells. With `codes`, any text will do.
        quarantine: path of cells that could not be transformed, "" for none.
        is_count: the column is the number of elements in the array at `path`.
    """

    path: str
    codes: tuple[tuple[Any, Any], ...] = ()
    date_format: str | None = None
    conversion: Conversion | None = None
    stored_type: str = ""
    quarantine: str = ""
    is_count: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether the column's own value is stored."""
        transformed = self.codes or self.date_format is not None or self.conversion or self.is_count
        return not transformed and not self.quarantine

    @property
    def is_uniform(self) -> bool:
        """Whether each cell is stored in the transformed form."""
        return not self.stored_type and not self.quarantine

    @property
    def mql(self) -> Any:
        """The column's own value as an expression."""
        found = self._restored(f"${self.path}")
        return {"$ifNull": [found, f"${self.quarantine}"]} if self.quarantine else found

    def _restored(self, field: str) -> Any:
        if self.is_count:
            return {"$size": {"$ifNull": [field, []]}}
        if self.codes:
            branches = [{"case": {"$eq": [field, _literal(kept)]}, "then": _literal(own)} for own, kept in self.codes]
            return {"$switch": {"branches": branches, "default": field if self.stored_type else None}}
        if self.date_format is not None:
            found: Any = {"$dateToString": {"date": field, "format": self.date_format}}
        elif self.conversion is not None:
            found = _converted(self.conversion, field)
        else:
            return field
        return {"$cond": [{"$eq": [{"$type": field}, self.stored_type]}, found, field]} if self.stored_type else found

    def under(self, prefix: str) -> "Place":
        """The same field of a document that lies at `prefix`."""
        if not prefix:
            return self
        quarantine = joined(prefix, self.quarantine) if self.quarantine else ""
        return replace(self, path=joined(prefix, self.path), quarantine=quarantine)

    def without(self, prefix: str) -> "Place":
        """The same field, seen from the document that lies at `prefix`."""
        head = f"{prefix}."
        return replace(self, path=self.path.removeprefix(head), quarantine=self.quarantine.removeprefix(head))

    def moved(self, path: str, name: str) -> "Place":
        """The same field where what lies at `path` was copied to `name`."""
        return replace(self, path=moved(self.path, path, name), quarantine=moved(self.quarantine, path, name))


def _converted(conversion: Conversion, field: str) -> Any:
    if conversion is Conversion.KEY:
        # A column of numbers keeps as text what is no number.
        return {"$convert": {"input": field, "to": "long", "onError": field}}
    if conversion is Conversion.SECONDS:
        return {"$divide": [{"$toLong": field}, 1000]}
    return {conversion.value: field}


def joined(*paths: str) -> str:
    """One path of several, empty ones left out."""
    return ".".join(path for path in paths if path)


def moved(path: str, head: str, name: str) -> str:
    """A path that begins with `head`, with `name` in place of it; others stay."""
    return f"{name}{path[len(head) :]}" if f"{path}.".startswith(f"{head}.") else path


def _literal(value: Any) -> Any:
    # A text that starts with $ would be read as a field.
    return {"$literal": value} if isinstance(value, str) and value[:1] == "$" else value
