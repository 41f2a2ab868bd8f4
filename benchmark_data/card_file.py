"""The cards of a bundle: measured, written into its folder, and read from there."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from benchmark_data.card import CardError, CollectionCard, FieldCard, RelationCard
from benchmark_data.cards import CollectionProfile
from benchmark_data.faults import FaultLog
from benchmark_data.fields import Fields
from benchmark_data.load import raise_faults, read_documents
from benchmark_data.manifest import CARDS
from benchmark_data.references import guess_relations
from benchmark_data.seal import side_file, write_manifest
from benchmark_data.side_lines import read_records
from benchmark_data.types import Bundle, Collection, Database

_MEMBERS = ("db_id", "collection", "sha256", "card")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCard:
    """A card in its bundle.

    Args:
        db_id, collection: of which collection it is.
        sha256: digest of the file of documents that it was measured on.
        card: the card.
    """

    db_id: str
    collection: str
    sha256: str
    card: CollectionCard


def measure_database(database: Database, *, progress: Callable[[int], None] = lambda _: None) -> tuple[StoredCard, ...]:
    """Measure all collections of a database, guess how they refer to each other, and add what the makers say.

    Args:
        database: of a bundle.
        progress: told how many documents were read since it was told last.

    Raises:
        FaultyBundleError: a document cannot be read.
    """
    profiles = {collection.name: _profile(collection, progress) for collection in database.collections}
    guessed = guess_relations(profiles)
    return tuple(
        StoredCard(
            db_id=database.db_id,
            collection=collection.name,
            sha256=collection.sha256,
            card=_described(profiles[collection.name].card(), collection, guessed[collection.name]),
        )
        for collection in database.collections
    )


def write_cards(bundle: Bundle, cards: Mapping[str, tuple[StoredCard, ...]]) -> Bundle:
    """Put the cards of all databases, by db_id, into a bundle's folder and list them in its manifest.

    The digest of the bundle stays what it is.

    Raises:
        OSError: the folder cannot be written.
    """
    path = bundle.root / CARDS
    lines = [_line(card) for database in bundle.databases for card in cards[database.db_id]]
    new = path.with_name(f"{CARDS}.new")
    new.write_text("".join(lines), encoding="utf-8", newline="\n")
    new.replace(path)
    changed = replace(bundle, cards=side_file(path))
    write_manifest(changed)
    return changed


def read_cards(bundle: Bundle) -> tuple[StoredCard, ...]:
    """The cards that lie in a bundle's folder; none where its manifest lists none.

    Raises:
        FaultyBundleError: with all faults of the file.
    """
    if bundle.cards is None:
        return ()
    log = FaultLog(CARDS)
    cards = check_cards(bundle.root / CARDS, bundle.databases, log)
    raise_faults([log])
    return cards


def check_cards(path: Path, databases: tuple[Database, ...], log: FaultLog) -> tuple[StoredCard, ...]:
    """Read the cards and note every fault: of their form, of collections that are not there, and of changed data."""
    collections = {(d.db_id, c.name): c.sha256 for d in databases for c in d.collections}
    found: dict[tuple[str, str], StoredCard] = {}
    for number, record in read_records(path, log):
        fields = Fields(record, log, line=number)
        card = _card(fields)
        if card is None:
            continue
        place = (card.db_id, card.collection)
        if place in found:
            fields.fault("duplicate_card", "collection", "this collection has a card already.")
        if place not in collections:
            fields.fault("unknown_collection", "collection", "the bundle has no such collection.")
        elif card.sha256 != collections[place]:
            fields.fault("stale_card", "sha256", "the documents were changed after measuring; write the cards anew.")
        found[place] = card
    return tuple(found.values())


def _profile(collection: Collection, progress: Callable[[int], None]) -> CollectionProfile:
    profile = CollectionProfile()
    for document in read_documents(collection):
        profile.add(document)
        if profile.documents % 1_000 == 0:
            progress(1_000)
    progress(profile.documents % 1_000)
    return profile


def _described(card: CollectionCard, collection: Collection, guessed: tuple[RelationCard, ...]) -> CollectionCard:
    notes = {note.path: note.description for note in collection.fields}
    given = {
        relation.path: RelationCard(
            path=relation.path, collection=relation.collection, field=relation.field, guessed=False
        )
        for relation in collection.relations
    }
    fields = tuple(_noted(field, notes) for field in card.fields)
    relations = (*given.values(), *(relation for relation in guessed if relation.path not in given))
    return replace(card, description=collection.description, fields=fields, relations=relations)


def _noted(field: FieldCard, notes: Mapping[str, str]) -> FieldCard:
    return replace(field, description=notes[field.path]) if field.path in notes else field


def _line(stored: StoredCard) -> str:
    content = {
        "db_id": stored.db_id,
        "collection": stored.collection,
        "sha256": stored.sha256,
        "card": stored.card.as_json(),
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def _card(fields: Fields) -> StoredCard | None:
    fields.only(_MEMBERS)
    db_id, collection, sha256 = fields.text("db_id"), fields.text("collection"), fields.text("sha256")
    content = fields.object("card")
    if content is None or db_id is None or collection is None or sha256 is None:
        return None
    try:
        card = CollectionCard.from_json(content.record)
    except CardError as error:
        fields.fault("bad_card", "card", f"{error}.")
        return None
    return StoredCard(db_id=db_id, collection=collection, sha256=sha256, card=card)
