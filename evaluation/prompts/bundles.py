"""The prompt writers of all databases of a bundle."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from benchmark_data.card_file import StoredCard, measure_database, read_cards
from benchmark_data.types import Bundle, Database
from evaluation.prompts.build import PromptWriter, prompt_writer
from evaluation.prompts.templates import Template
from evaluation.prompts.types import PromptTooLargeError, question_of


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleWriters:
    """By db_id: the writers, and why a database has none."""

    writers: Mapping[str, PromptWriter]
    too_large: Mapping[str, PromptTooLargeError]


def bundle_writers(
    bundle: Bundle, *, template: Template, room: int | None, db_ids: Collection[str] | None = None
) -> BundleWriters:
    """Writers for the databases of a bundle; cards that are not stored in it are measured.

    Args:
        bundle: where questions, documents and cards are.
        template: the wording.
        room: tokens that a prompt may take; None for any number.
        db_ids: only these; None for all.

    Raises:
        FaultyBundleError: cards or documents cannot be read.
    """
    cards = bundle_cards(bundle, db_ids)
    writers: dict[str, PromptWriter] = {}
    too_large: dict[str, PromptTooLargeError] = {}
    for database in bundle.databases:
        if database.db_id in cards:
            questions = [question_of(item) for item in bundle.items if item.db_id == database.db_id]
            try:
                writers[database.db_id] = prompt_writer(
                    database, cards[database.db_id], questions, template=template, room=room
                )
            except PromptTooLargeError as error:
                too_large[database.db_id] = error
    return BundleWriters(writers=writers, too_large=too_large)


def bundle_cards(bundle: Bundle, db_ids: Collection[str] | None = None) -> dict[str, tuple[StoredCard, ...]]:
    """The cards of each database, from the bundle's file where all of them are there, else measured."""
    wanted = [database for database in bundle.databases if db_ids is None or database.db_id in db_ids]
    stored: dict[str, list[StoredCard]] = {}
    for card in read_cards(bundle) or ():
        stored.setdefault(card.db_id, []).append(card)
    return {database.db_id: _cards(database, stored.get(database.db_id, [])) for database in wanted}


def _cards(database: Database, stored: list[StoredCard]) -> tuple[StoredCard, ...]:
    if {card.collection for card in stored} == {collection.name for collection in database.collections}:
        return tuple(stored)
    return measure_database(database)
