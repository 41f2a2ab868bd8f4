"""Measures what a collection's documents look like, in one streaming pass of bounded memory."""

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from math import isfinite
from typing import Any

from benchmark_data.card import CollectionCard, FieldCard, Plain, Span, TypeCount
from benchmark_data.privacy import is_personal, number_is_harmless, text_is_harmless
from benchmark_data.profile import Extent, PathProfile, Room

EXAMPLES = 5
# Keys that look like data are data from so many on.
DATA_KEYS = 3
# Keys of any look are data where so many have values of one type, each in at most this share of the objects.
SPARSE_KEYS, SPARSE_SHARE = 25, 0.2
IDENTIFYING = 10**6

_DATA_KEY = re.compile(
    r"\d+|\d{4}-\d{2}(-\d{2})?([T ].*)?|[0-9a-f]{24}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\S+@\S+", re.IGNORECASE
)
_KINDS = {"int": "number", "long": "number", "double": "number", "decimal": "number"}


class CollectionProfile:
    """The measuring of one collection: documents go in one by one, the card comes out at the end."""

    def __init__(self) -> None:
        self._room = Room()
        self._root = PathProfile(self._room)
        self._gathered = False

    @property
    def documents(self) -> int:
        """How many documents came."""
        return self._root.documents

    def add(self, document: Mapping[str, Any]) -> None:
        """Take in a document of BSON values."""
        self._root.add(document, self._root.documents)

    def paths(self) -> Iterator[tuple[str, PathProfile, PathProfile]]:
        """All paths with their profiles and those of their parents; keys that are data are put together first."""
        if not self._gathered:
            _gather_data_keys(self._root)
            self._gathered = True
        yield from self._root.walk("")

    def card(self) -> CollectionCard:
        """What was measured; no more documents may be added afterwards."""
        fields = tuple(_field(path, profile, parent, self.documents) for path, profile, parent in self.paths())
        return CollectionCard(documents=self.documents, fields=fields, truncated=self._room.truncated)


def measure(documents: Iterable[Mapping[str, Any]]) -> CollectionCard:
    """The card of a collection; the same documents in the same order always give the same card.

    Memory is bounded whatever the documents are: at most about 2,000 paths are kept apart, of each at most 256 values
    and 256 hashes. Keys that are data, such as dates or ids used as keys, are put together under `*`: from three on
    that look like numbers, dates, ids or addresses, and from 25 on that have values of one type and each stand in at
    most a fifth of the objects.
    """
    profile = CollectionProfile()
    for document in documents:
        profile.add(document)
    return profile.card()


def main_kind(profile: PathProfile) -> str:
    """The most frequent type of a path's values besides null, all numbers taken as one; "" where there is none."""
    counts: dict[str, int] = {}
    for name, count in profile.types.items():
        if name != "null":
            kind = _KINDS.get(name, name)
            counts[kind] = counts.get(kind, 0) + count
    return max(counts, key=lambda kind: (counts[kind], kind), default="")


def _gather_data_keys(profile: PathProfile) -> None:
    data = [key for key in profile.children if _DATA_KEY.fullmatch(key)]
    if len(data) >= DATA_KEYS or (data and profile.rest is not None):
        profile.gather(data)
    sparse = [key for key, child in profile.children.items() if child.values <= SPARSE_SHARE * profile.objects]
    if len(sparse) >= SPARSE_KEYS and len({main_kind(profile.children[key]) for key in sparse} - {""}) == 1:
        profile.gather(sparse)
    for part in (*profile.children.values(), profile.rest, profile.element):
        if part is not None:
            _gather_data_keys(part)


def _field(path: str, profile: PathProfile, parent: PathProfile, documents: int) -> FieldCard:
    personal = is_personal(path)
    types = sorted(profile.types.items(), key=lambda item: (-item[1], item[0]))
    in_object = not path.endswith(("[]", "*"))
    return FieldCard(
        path=path,
        documents=profile.documents,
        share=round(profile.documents / documents, 4),
        optional=in_object and profile.values < parent.objects,
        types=tuple(TypeCount(name=name, count=count) for name, count in types),
        numbers=None if personal or _identifies(profile) else _span(profile.numbers),
        dates=None if personal else _dates(profile.milliseconds),
        lengths=_span(profile.lengths),
        characters=_span(profile.characters),
        distinct=profile.tally.distinct,
        distinct_exact=profile.tally.exact,
        examples=() if personal else _examples(path, profile),
        keys=_keys(path, parent) if path.endswith("*") else (),
        distinct_keys=parent.keys.distinct if path.endswith("*") else 0,
    )


def _identifies(profile: PathProfile) -> bool:
    """Whether the numbers are long and all different, so that each may stand for somebody."""
    largest = profile.numbers.largest
    unique = profile.tally.distinct >= 0.9 * profile.tally.total > 0.9
    return largest is not None and unique and largest >= IDENTIFYING and largest == int(largest)


def _span(extent: Extent) -> Span | None:
    if extent.smallest is None:
        return None
    smallest, largest = _number(extent.smallest), _number(extent.largest)
    return None if smallest is None or largest is None else Span(smallest=smallest, largest=largest)


def _number(value: Any) -> int | float | None:
    if isinstance(value, int):
        return value
    number = float(value)
    return number if isfinite(number) else None


def _dates(extent: Extent) -> Span | None:
    if extent.smallest is None:
        return None
    return Span(smallest=_date_text(extent.smallest), largest=_date_text(extent.largest))


def _date_text(milliseconds: int) -> str:
    """ISO 8601 without what is zero; a date outside of years 1 to 9999 as milliseconds since 1970."""
    try:
        date = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return f"{milliseconds} ms"
    if milliseconds % 86_400_000 == 0:
        return date.date().isoformat()
    return date.isoformat(timespec="milliseconds" if milliseconds % 1_000 else "seconds").replace("+00:00", "Z")


def _examples(path: str, profile: PathProfile) -> tuple[Plain, ...]:
    tally = profile.tally
    if tally.total < 2 * tally.distinct and profile.types.keys() - {"bool", "null"}:
        return ()
    found = [
        (-times, str(plain), plain)
        for value, times in tally.counts.items()
        if times >= 2 and (plain := _plain(value, path)) is not None
    ]
    return tuple(plain for _, _, plain in sorted(found, key=lambda one: one[:2])[:EXAMPLES])


def _plain(value: Any, path: str) -> Plain | None:
    """A counted value as an example; None where it must not be one."""
    match value:
        case str():
            return value if text_is_harmless(value, path=path) else None
        case ("plain", bool() as truth):
            return truth
        case ("date", int(milliseconds)):
            return _date_text(milliseconds)
        case tuple():
            return None
        case int() | float():
            return value if number_is_harmless(value) else None
    return None


def _keys(path: str, parent: PathProfile) -> tuple[str, ...]:
    """The most frequent keys that were put together, as far as they are harmless."""
    if is_personal(path):
        return ()
    ranked = sorted(parent.keys.counts.items(), key=lambda item: (-item[1], str(item[0])))
    harmless = [key for key, _ in ranked if isinstance(key, str) and text_is_harmless(key, path=path)]
    return tuple(harmless[:EXAMPLES])
