"""Tells which items' scores a change of a bundle can move, and why."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from benchmark_data.types import Bundle, Collection, Database, Item


class Effect(StrEnum):
    """What a change can do to the results of an item, the strongest first."""

    SCORE = "score"
    BREAKDOWN = "breakdown"
    TIMING = "timing"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One change that touches an item: stable snake_case name, and its effect."""

    change: str
    effect: Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemChange:
    """An item that a change touches.

    Args:
        question_id: the item.
        db_id: its database, in the new bundle if it is there.
        reasons: all changes, the strongest effect first.
    """

    question_id: str
    db_id: str
    reasons: tuple[Reason, ...]

    @property
    def effect(self) -> Effect:
        """The strongest effect."""
        return self.reasons[0].effect


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseChange:
    """A database that was changed: `change` is "added", "removed", "content" or "indexes", in the named collections."""

    db_id: str
    change: str
    collections: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleDiff:
    """The difference of two bundles.

    Args:
        old, new: digests.
        databases: those changed, in order of db_id.
        items: those touched, in order of question_id.
        texts: names of changed texts that move nothing: "title", "license", …
    """

    old: str
    new: str
    databases: tuple[DatabaseChange, ...]
    items: tuple[ItemChange, ...]
    texts: tuple[str, ...]

    @property
    def counts(self) -> dict[Effect, int]:
        """How many items each effect touches at most."""
        found = Counter(item.effect for item in self.items)
        return {effect: found[effect] for effect in Effect}

    def as_json(self) -> dict[str, Any]:
        """The difference as JSON values."""
        return {
            "old_digest": self.old,
            "new_digest": self.new,
            "items_by_effect": {effect.value: count for effect, count in self.counts.items()},
            "databases": [
                {"db_id": d.db_id, "change": d.change, "collections": list(d.collections)} for d in self.databases
            ],
            "items": [
                {
                    "question_id": item.question_id,
                    "db_id": item.db_id,
                    "effect": item.effect.value,
                    "changes": [reason.change for reason in item.reasons],
                }
                for item in self.items
            ],
            "texts": list(self.texts),
        }


ITEM_FIELDS = {
    "db_id": Effect.SCORE,
    "question": Effect.SCORE,
    "evidence": Effect.SCORE,
    "gold_query": Effect.SCORE,
    "array_order": Effect.SCORE,
    "difficulty": Effect.BREAKDOWN,
    "split": Effect.NONE,
    "sql": Effect.NONE,
    "flags": Effect.NONE,
}
"""What a change of each field of an item can move. Question and evidence are what a model was asked: predictions made
for the old text do not answer the new one."""

_TEXTS = ("name", "version", "title", "license", "citation", "private", "engine")
_ORDER = list(Effect)


def compare_bundles(old: Bundle, new: Bundle) -> BundleDiff:
    """Compare two versions of a bundle.

    An item's score can move where it was added or removed, where its question, evidence, gold query, array order or
    database's name was changed, and where a document of its database was: a query reads any of them. Another
    difficulty moves the breakdown only. Other indexes move the time that queries take; where a query limits without
    sorting, which rows it gets is the engine's choice with any index.
    """
    databases = tuple(_database_changes(old, new))
    before = {item.question_id: item for item in old.items}
    after = {item.question_id: item for item in new.items}
    items = []
    for question_id in sorted(before | after):
        reasons = _reasons(before.get(question_id), after.get(question_id), databases)
        if reasons:
            item = after.get(question_id) or before[question_id]
            items.append(ItemChange(question_id=question_id, db_id=item.db_id, reasons=reasons))
    texts = [name for name in _TEXTS if getattr(old, name) != getattr(new, name)]
    if _descriptions(old) != _descriptions(new):
        texts.append("descriptions")
    return BundleDiff(old=old.digest, new=new.digest, databases=databases, items=tuple(items), texts=tuple(texts))


def _reasons(old: Item | None, new: Item | None, databases: tuple[DatabaseChange, ...]) -> tuple[Reason, ...]:
    if old is None or new is None:
        return (Reason(change="added" if old is None else "removed", effect=Effect.SCORE),)
    found = [
        Reason(change=name, effect=effect)
        for name, effect in ITEM_FIELDS.items()
        if getattr(old, name) != getattr(new, name)
    ]
    for change in databases:
        if change.db_id == new.db_id and change.change in {"content", "indexes"}:
            effect = Effect.SCORE if change.change == "content" else Effect.TIMING
            found.append(Reason(change=f"database_{change.change}", effect=effect))
    return tuple(sorted(found, key=lambda reason: _ORDER.index(reason.effect)))


def _database_changes(old: Bundle, new: Bundle) -> Iterator[DatabaseChange]:
    before = {database.db_id: database for database in old.databases}
    after = {database.db_id: database for database in new.databases}
    for db_id in sorted(before | after):
        if db_id not in before or db_id not in after:
            database = after.get(db_id) or before[db_id]
            change = "removed" if db_id in before else "added"
            yield DatabaseChange(db_id=db_id, change=change, collections=tuple(c.name for c in database.collections))
        else:
            yield from _collection_changes(before[db_id], after[db_id])


def _collection_changes(old: Database, new: Database) -> Iterator[DatabaseChange]:
    before = {collection.name: collection for collection in old.collections}
    after = {collection.name: collection for collection in new.collections}
    content, indexes = [], []
    for name in sorted(before | after):
        one, other = before.get(name), after.get(name)
        if one is None or other is None or one.sha256 != other.sha256:
            content.append(name)
        elif _index_set(one) != _index_set(other):
            indexes.append(name)
    if content:
        yield DatabaseChange(db_id=new.db_id, change="content", collections=tuple(content))
    if indexes:
        yield DatabaseChange(db_id=new.db_id, change="indexes", collections=tuple(indexes))


def _index_set(collection: Collection) -> frozenset[tuple[tuple[tuple[str, int], ...], bool]]:
    return frozenset((index.keys, index.unique) for index in collection.indexes)


def _descriptions(bundle: Bundle) -> list[Any]:
    return [
        (d.db_id, d.description, [(c.name, c.description, c.fields, c.relations) for c in d.collections])
        for d in bundle.databases
    ]
