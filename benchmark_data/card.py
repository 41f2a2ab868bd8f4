"""The records of a collection card: what a collection's documents look like, field by field."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Plain = str | int | float | bool
"""A value as JSON holds it; dates are texts in ISO 8601."""


class CardError(ValueError):
    """A decoded JSON value is no collection card; the message says which part of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeCount:
    """How many values of one BSON type a path has; the name is MongoDB's alias, such as "int" or "objectId"."""

    name: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """The smallest and the largest of some values: numbers, lengths, or dates as ISO 8601 texts."""

    smallest: int | float | str
    largest: int | float | str


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCard:
    """One path of a collection's documents.

    Args:
        path: dotted; `[]` stands for the elements of an array, `*` for keys that are data.
        documents: how many documents have the path at least once; where keys were put together under `*` afterwards, at
            most so many.
        share: their share of all documents, 0 to 1, rounded to four places.
        optional: some of the objects that could hold it do not.
        types: of the values found, the most frequent first.
        numbers, dates: range of the values; None where there are none, or where they may be personal data.
        lengths: range of the arrays' lengths; None where there is no array.
        characters: range of the texts' lengths; None where there is no text.
        distinct: how many different values there are, estimated where `distinct_exact` is False; null, objects and
            arrays do not count.
        examples: frequent values that are not personal data, see `benchmark_data.privacy`.
        keys: examples of the data that stand as keys, where the path ends in `*`.
        distinct_keys: how many different keys were put together there, estimated above a few hundred.
        description: what the benchmark's makers say of it.
    """

    path: str
    documents: int
    share: float
    optional: bool
    types: tuple[TypeCount, ...]
    numbers: Span | None = None
    dates: Span | None = None
    lengths: Span | None = None
    characters: Span | None = None
    distinct: int = 0
    distinct_exact: bool = True
    examples: tuple[Plain, ...] = ()
    keys: tuple[str, ...] = ()
    distinct_keys: int = 0
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationCard:
    """A reference from this collection to another; `guessed` where values and names suggest it and nobody said so."""

    path: str
    collection: str
    field: str
    guessed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionCard:
    """What one collection's documents look like.

    Args:
        documents: how many were measured.
        fields: in order of first appearance, a path before what is below it.
        truncated: there were more paths than are kept apart, so that rare ones were put together under `*`.
        relations: to other collections.
        description: what the benchmark's makers say of the collection.
    """

    documents: int
    fields: tuple[FieldCard, ...]
    truncated: bool = False
    relations: tuple[RelationCard, ...] = ()
    description: str = ""

    def as_json(self) -> dict[str, Any]:
        """The card as JSON values; members that say nothing are left out."""
        content: dict[str, Any] = {"documents": self.documents}
        if self.description:
            content["description"] = self.description
        if self.truncated:
            content["truncated"] = True
        content["fields"] = [_field_as_json(field) for field in self.fields]
        if self.relations:
            content["relations"] = [
                {"path": r.path, "collection": r.collection, "field": r.field, "guessed": r.guessed}
                for r in self.relations
            ]
        return content

    @classmethod
    def from_json(cls, content: Any) -> "CollectionCard":
        """The card that `as_json` wrote.

        Raises:
            CardError: the value is no card.
        """
        reading = _Reading(content, "the card", ("documents", "description", "truncated", "fields", "relations"))
        return cls(
            documents=reading.count("documents"),
            fields=tuple(_field_from_json(part) for part in reading.parts("fields", required=True)),
            truncated=reading.value("truncated", bool, False),
            relations=tuple(_relation_from_json(part) for part in reading.parts("relations")),
            description=reading.value("description", str, ""),
        )


_SPANS = ("numbers", "dates", "lengths", "characters")


def _field_as_json(field: FieldCard) -> dict[str, Any]:
    content: dict[str, Any] = {
        "path": field.path,
        "documents": field.documents,
        "share": field.share,
        "optional": field.optional,
        "types": {one.name: one.count for one in field.types},
    }
    for name in _SPANS:
        span: Span | None = getattr(field, name)
        if span is not None:
            content[name] = [span.smallest, span.largest]
    content |= {"distinct": field.distinct, "distinct_exact": field.distinct_exact}
    if field.examples:
        content["examples"] = list(field.examples)
    if field.keys:
        content["keys"] = list(field.keys)
    if field.distinct_keys:
        content["distinct_keys"] = field.distinct_keys
    if field.description:
        content["description"] = field.description
    return content


_FIELD_MEMBERS = (
    "path", "documents", "share", "optional", "types", *_SPANS, "distinct", "distinct_exact", "examples", "keys",
    "distinct_keys", "description",
)  # fmt: skip


def _field_from_json(content: Any) -> FieldCard:
    path = content.get("path") if isinstance(content, dict) else None
    reading = _Reading(content, f"the field {path!r}", _FIELD_MEMBERS)
    spans = {name: reading.span(name, texts=name == "dates") for name in _SPANS}
    return FieldCard(
        path=reading.value("path", str),
        documents=reading.count("documents"),
        share=reading.share("share"),
        optional=reading.value("optional", bool),
        types=reading.types("types"),
        distinct=reading.count("distinct"),
        distinct_exact=reading.value("distinct_exact", bool),
        examples=tuple(reading.values("examples", str | int | float | bool)),
        keys=tuple(reading.values("keys", str)),
        distinct_keys=reading.count("distinct_keys", 0),
        description=reading.value("description", str, ""),
        **spans,
    )


def _relation_from_json(content: Any) -> RelationCard:
    reading = _Reading(content, "a relation", ("path", "collection", "field", "guessed"))
    return RelationCard(
        path=reading.value("path", str),
        collection=reading.value("collection", str),
        field=reading.value("field", str),
        guessed=reading.value("guessed", bool),
    )


class _Reading:
    """One JSON object under reading; the first thing that is wrong with it is raised."""

    def __init__(self, content: Any, place: str, known: tuple[str, ...]) -> None:
        if not isinstance(content, Mapping):
            raise CardError(f"{place} must be an object")
        unknown = sorted(set(content) - set(known))
        if unknown:
            raise CardError(f"{place} has the unknown member {unknown[0]!r}")
        self._content, self._place = content, place

    def value(self, name: str, kind: Any, default: Any = None) -> Any:
        """A member of a type; required where there is no default."""
        value = self._content.get(name, default)
        if not isinstance(value, kind):
            raise CardError(f'"{name}" of {self._place} is missing or of a wrong type')
        return value

    def count(self, name: str, default: int | None = None) -> int:
        """A whole number, 0 or more; required where there is no default."""
        value = self.value(name, int, default)
        if isinstance(value, bool) or value < 0:
            raise CardError(f'"{name}" of {self._place} must be a whole number, 0 or more')
        return int(value)

    def share(self, name: str) -> float:
        """A number from 0 to 1."""
        value = self.value(name, int | float)
        if isinstance(value, bool) or not 0 <= value <= 1:
            raise CardError(f'"{name}" of {self._place} must be a number from 0 to 1')
        return float(value)

    def parts(self, name: str, *, required: bool = False) -> list[Any]:
        """An array, empty where it is missing and not required."""
        value: list[Any] = self.value(name, list, None if required else [])
        return value

    def values(self, name: str, kind: Any) -> list[Any]:
        """An array of values of a type, empty where missing."""
        values = self.parts(name)
        if not all(isinstance(value, kind) for value in values):
            raise CardError(f'"{name}" of {self._place} has a value of a wrong type')
        return values

    def span(self, name: str, *, texts: bool) -> Span | None:
        """A pair of two numbers, or texts; None where missing."""
        if name not in self._content:
            return None
        values = self.values(name, str if texts else int | float)
        if len(values) != 2 or any(isinstance(value, bool) for value in values):
            raise CardError(f'"{name}" of {self._place} must be the smallest and the largest value')
        return Span(smallest=values[0], largest=values[1])

    def types(self, name: str) -> tuple[TypeCount, ...]:
        """An object from type to count, the most frequent first: a store of JSON may give its members in any order."""
        counts = _Reading(self.value(name, dict), f'"{name}" of {self._place}', tuple(self._content[name]))
        types = [TypeCount(name=kind, count=counts.count(kind)) for kind in self._content[name]]
        return tuple(sorted(types, key=lambda one: (-one.count, one.name)))
