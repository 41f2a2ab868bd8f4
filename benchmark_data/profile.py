"""Profiles the values of each path of a collection's documents, one document after another, in bounded memory."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Any

from bson.datetime_ms import DatetimeMS
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.objectid import ObjectId

from benchmark_data.bson_types import type_name
from benchmark_data.tally import Tally

# Children of one object that are kept apart before the rare ones are put together under `*`.
KEYS_KEPT = 300
# Of the objects of its parent: a key in fewer of them is rare when there are too many keys.
RARE = 0.1
PATHS_KEPT = 2_000

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(slots=True)
class Extent:
    """The smallest and the largest of the numbers that came."""

    smallest: Any = None
    largest: Any = None

    def add(self, value: Any) -> None:
        """Take in a number."""
        if self.smallest is None:
            self.smallest = self.largest = value
        elif value < self.smallest:
            self.smallest = value
        elif value > self.largest:
            self.largest = value

    def merge(self, other: "Extent") -> None:
        """Take in all that another has seen."""
        if other.smallest is not None:
            self.add(other.smallest)
            self.add(other.largest)


@dataclass(slots=True)
class Room:
    """How many more paths a collection's profile may keep apart."""

    left: int = PATHS_KEPT
    truncated: bool = False


@dataclass(slots=True, eq=False)
class PathProfile:
    """What came at one path.

    Attributes:
        room: shared by all paths of a collection.
        documents, last: how many documents have it; the number of the last one.
        values: how many values came.
        objects: how many of them were objects, filled or empty.
        children: profiles below, by key; `element` for an array's elements; `rest` for keys put together.
        keys: the keys that were put together in `rest`.
        milliseconds: dates, since 1970.
    """

    room: Room
    documents: int = 0
    last: int = -1
    values: int = 0
    objects: int = 0
    types: dict[str, int] = field(default_factory=dict)
    tally: Tally = field(default_factory=Tally)
    numbers: Extent = field(default_factory=Extent)
    milliseconds: Extent = field(default_factory=Extent)
    lengths: Extent = field(default_factory=Extent)
    characters: Extent = field(default_factory=Extent)
    children: "dict[str, PathProfile]" = field(default_factory=dict)
    element: "PathProfile | None" = None
    rest: "PathProfile | None" = None
    keys: Tally = field(default_factory=Tally)

    def add(self, value: Any, document: int) -> None:
        """Take in one value of the document with this number."""
        if self.last != document:
            self.last = document
            self.documents += 1
        self.values += 1
        name = type_name(value)
        self.types[name] = self.types.get(name, 0) + 1
        _TAKERS.get(name, PathProfile._take_other)(self, value, document)

    def _take_text(self, value: Any, _document: int) -> None:
        self.characters.add(len(value))
        self.tally.add(value)

    def _take_number(self, value: Any, _document: int) -> None:
        number = value.to_decimal() if isinstance(value, Decimal128) else value
        if not isinstance(number, float | int) and not number.is_finite():
            self.tally.add(("number", str(number)))
        elif isinstance(number, float) and not isfinite(number):
            self.tally.add(("number", repr(number)))
        else:
            number = int(number) if isinstance(number, Int64) else number
            self.numbers.add(number)
            self.tally.add(number)

    def _take_date(self, value: Any, _document: int) -> None:
        milliseconds = date_milliseconds(value)
        self.milliseconds.add(milliseconds)
        self.tally.add(("date", milliseconds))

    def _take_plain(self, value: Any, _document: int) -> None:
        self.tally.add(value if isinstance(value, ObjectId) else ("plain", value))

    def _take_null(self, _value: Any, _document: int) -> None:
        """Null is counted as a type, and is no value among others."""

    def _take_other(self, value: Any, _document: int) -> None:
        self.tally.add(("other", repr(value)[:1_000]))

    def _take_array(self, value: Any, document: int) -> None:
        self.lengths.add(len(value))
        if value and self.element is None:
            self.element = self._made()
        if self.element is not None:
            for part in value:
                self.element.add(part, document)

    def _take_object(self, value: Mapping[str, Any], document: int) -> None:
        self.objects += 1
        children = self.children
        for key, part in value.items():
            child = children.get(key)
            if child is None:
                child = self._child(key)
                if child is None:
                    continue
            child.add(part, document)

    def _child(self, key: str) -> "PathProfile | None":
        """The profile of a key that is not among the children; None where there is no room for one."""
        if len(self.children) >= KEYS_KEPT:
            self._gather_rare()
        if self.rest is None and len(self.children) < KEYS_KEPT and self.room.left > 0:
            self.children[key] = child = PathProfile(self.room)
            self.room.left -= 1
            return child
        self.room.truncated = self.room.truncated or self.room.left <= 0
        self.keys.add(key)
        if self.rest is None:
            self.rest = self._made()
        return self.rest

    def _made(self) -> "PathProfile | None":
        """A profile that is needed although the paths are used up; beyond twice the number, nothing is looked at."""
        if self.room.left <= -PATHS_KEPT:
            self.room.truncated = True
            return None
        self.room.left -= 1
        return PathProfile(self.room)

    def _gather_rare(self) -> None:
        self.gather([key for key, child in self.children.items() if child.values < RARE * self.objects])

    def gather(self, keys: list[str]) -> None:
        """Put children together under `*`."""
        for key in keys:
            child = self.children.pop(key)
            self.keys.add(key, child.values)
            if self.rest is None:
                self.rest = child
            else:
                self.rest.merge(child)
        if self.rest is not None:
            self.rest.documents = min(self.rest.documents, self.documents)

    def merge(self, other: "PathProfile") -> None:
        """Take in all that another path has seen; documents that had both are counted twice."""
        self.documents += other.documents
        self.last = max(self.last, other.last)
        self.values += other.values
        self.objects += other.objects
        for name, count in other.types.items():
            self.types[name] = self.types.get(name, 0) + count
        self.tally.merge(other.tally)
        self.keys.merge(other.keys)
        for mine, theirs in (
            (self.numbers, other.numbers),
            (self.milliseconds, other.milliseconds),
            (self.lengths, other.lengths),
            (self.characters, other.characters),
        ):
            mine.merge(theirs)
        for key, child in other.children.items():
            _merge_child(self, key, child)
        self.element = _merged(self.element, other.element)
        self.rest = _merged(self.rest, other.rest)
        self.room.left += 1

    def walk(self, path: str) -> "Iterator[tuple[str, PathProfile, PathProfile]]":
        """All paths below with their profiles and those of their parents, a path before what is below it."""
        parts = [*self.children.items(), ("*", self.rest), ("[]", self.element)]
        for name, child in parts:
            if child is not None:
                place = f"{path}.{name}" if path else name
                yield place, child, self
                yield from child.walk(place)


def date_milliseconds(value: Any) -> int:
    """A date as milliseconds since 1970; one without a zone is read as UTC, as BSON stores it."""
    if isinstance(value, DatetimeMS):
        return int(value)
    date: datetime = value if value.tzinfo else value.replace(tzinfo=UTC)
    return (date - _EPOCH) // _MILLISECOND


def _merge_child(profile: PathProfile, key: str, child: PathProfile) -> None:
    known = profile.children.get(key)
    if known is not None:
        known.merge(child)
        known.documents = min(known.documents, profile.documents)
    elif profile.rest is None and len(profile.children) < KEYS_KEPT:
        profile.children[key] = child
    else:
        profile.keys.add(key, child.values)
        profile.rest = _merged(profile.rest, child)


def _merged(mine: PathProfile | None, other: PathProfile | None) -> PathProfile | None:
    if mine is None or other is None:
        return mine or other
    mine.merge(other)
    return mine


_Taker = Callable[[PathProfile, Any, int], None]
_TAKERS: dict[str, _Taker] = {
    "string": PathProfile._take_text,
    **dict.fromkeys(("int", "long", "double", "decimal"), PathProfile._take_number),
    "date": PathProfile._take_date,
    **dict.fromkeys(("bool", "objectId"), PathProfile._take_plain),
    "null": PathProfile._take_null,
    "array": PathProfile._take_array,
    "object": PathProfile._take_object,
}
