"""Keeping what prompts may say of a release's databases."""

from typing import Any

from benchmark_data.card_file import StoredCard
from benchmark_data.types import Bundle, Database
from evaluation.prompts.bundles import bundle_cards
from leaderboard.models.descriptions import DatabaseDescription
from leaderboard.models.releases import Release


def descriptions_store(release: Release, bundle: Bundle) -> int:
    """Keep the descriptions of databases that have none yet; gives the number of them.

    Raises:
        FaultyBundleError: cards or documents cannot be read.
    """
    missing = dict(release.databases.filter(description=None).values_list("db_id", "pk"))
    cards = bundle_cards(bundle, missing.keys())
    databases = {database.db_id: database for database in bundle.databases}
    DatabaseDescription.objects.bulk_create(
        [
            DatabaseDescription(database_id=key, content=description_content(databases[db_id], cards[db_id]))
            for db_id, key in missing.items()
        ],
        ignore_conflicts=True,
    )
    return len(missing)


def description_content(database: Database, cards: tuple[StoredCard, ...]) -> dict[str, Any]:
    """The description of one database as JSON values."""
    by_name = {card.collection: card.card for card in cards}
    return {
        "description": database.description,
        "collections": [
            {
                "name": collection.name,
                "indexes": [{"keys": list(index.keys), "unique": index.unique} for index in collection.indexes],
                "card": by_name[collection.name].as_json(),
            }
            for collection in database.collections
        ],
    }
