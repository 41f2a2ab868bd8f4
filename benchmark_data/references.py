"""Guesses which values of one collection name documents of another, from the values and from the names."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchmark_data.card import RelationCard
from benchmark_data.cards import CollectionProfile, main_kind
from benchmark_data.privacy import tokens
from benchmark_data.profile import PathProfile
from benchmark_data.tally import Tally, containment

CONTAINED = 0.95
_KINDS = frozenset({"number", "string", "objectId", "binData", "date"})
_SAYS_NOTHING = frozenset({"_id", "id", "name", "title", "code", "key", "number", "date", "type"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    collection: str
    path: str
    kind: str
    tally: Tally


def guess_relations(profiles: Mapping[str, CollectionProfile]) -> dict[str, tuple[RelationCard, ...]]:
    """The likely references between the collections of one database, by the collection that they start from.

    A path refers to a field of another collection if that field is unique and in every document there, at least 95 % of
    the path's different values stand among its values (by sketch where they are many), and their names say so as well:
    the path's last part has the collection's name in it, in singular or plural, or is called as the field. Of several
    such fields, `_id` is taken before others. Two collections of small numbers alone would be contained in each other
    by chance: hence the names.
    """
    found: dict[str, list[RelationCard]] = {name: [] for name in profiles}
    targets = [place for name, profile in profiles.items() for place in _targets(name, profile)]
    for name, profile in profiles.items():
        for place in _places(name, profile):
            target = next((target for target in targets if _refers(place, target)), None)
            if target is not None:
                relation = RelationCard(path=place.path, collection=target.collection, field=target.path, guessed=True)
                found[name].append(relation)
    return {name: tuple(relations) for name, relations in found.items()}


def _places(name: str, profile: CollectionProfile) -> Iterator[_Place]:
    for path, measured, _ in profile.paths():
        kind = main_kind(measured)
        if kind in _KINDS and measured.tally.total:
            yield _Place(collection=name, path=path, kind=kind, tally=measured.tally)


def _targets(name: str, profile: CollectionProfile) -> list[_Place]:
    """Fields that could be referred to, `_id` first."""
    unique = {path for path, measured, _ in profile.paths() if _is_key(measured, profile.documents)}
    places = [place for place in _places(name, profile) if place.path in unique and "." not in place.path]
    return sorted(places, key=lambda place: (place.path != "_id", place.path))


def _is_key(measured: PathProfile, documents: int) -> bool:
    tally = measured.tally
    everywhere = measured.values == measured.documents == documents == tally.total
    slack = 0 if tally.exact else 0.2 * documents
    return documents > 1 and everywhere and tally.distinct >= documents - slack


def _refers(place: _Place, target: _Place) -> bool:
    if (place.collection, place.path) == (target.collection, target.path) or place.kind != target.kind:
        return False
    if place.path == "_id" or not _names_agree(place, target):
        return False
    share = containment(place.tally, target.tally)
    return share is not None and share >= CONTAINED


def _names_agree(place: _Place, target: _Place) -> bool:
    last = next((part for part in reversed(place.path.split(".")) if part not in {"[]", "*"}), "")
    if last == target.path and last not in _SAYS_NOTHING:
        return place.collection != target.collection
    words = {_singular(word) for word in tokens(last)}
    collection = [_singular(word) for word in tokens(target.collection)]
    return bool(words.intersection({collection[-1], "".join(collection)} if collection else ()))


def _singular(word: str) -> str:
    """A rough singular, good enough to find "country" and "countries" equal."""
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + instead
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 2 else word
