"""Which collection names a query may read."""

from collections.abc import Collection
from typing import Any, Final

from evaluation.errors import ForbiddenQueryError

LONGEST_NAME: Final = 255
SERVER_DATABASES: Final = frozenset({"admin", "local", "config", "$external"})


def check_collection_name(name: str, *, position: int | None = None) -> None:
    """Refuse a name that no user's collection can have, and every `system.` collection (attack X035).

    Raises:
        ForbiddenQueryError: reason "system_collection" or "bad_namespace".
    """
    if "system" in name.split(".")[:-1] or name == "system" or name.startswith("system."):
        raise ForbiddenQueryError("system_collection", f"Collection {name!r} belongs to the server.", position=position)
    if (
        not name
        or len(name) > LONGEST_NAME
        or "$" in name
        or "\0" in name
        or name[0] == "."
        or name[-1] == "."
        or ".." in name
    ):
        raise ForbiddenQueryError("bad_namespace", f"{name[:60]!r} is no name of a collection.", position=position)


def check_collection(name: Any, *, collections: Collection[str] | None) -> None:
    """Refuse a collection outside the item's database.

    Args:
        name: what the query names; anything but text is refused (attack X030: `{db, coll}`).
        collections: the item's collections, or None where they are not known.

    Raises:
        ForbiddenQueryError: reason "bad_namespace", "system_collection" or "unknown_collection".
    """
    if not isinstance(name, str):
        raise ForbiddenQueryError("bad_namespace", "A collection must be named by a plain string.")
    check_collection_name(name)
    if collections is not None and name not in collections:
        raise ForbiddenQueryError("unknown_collection", f"The item's database has no collection {name!r}.")


def check_database(name: Any, *, db_id: str | None, position: int | None = None) -> None:
    """Refuse a database that is not the item's (attacks X034, X036).

    Args:
        db_id: the item's database; where it is None, any name but the server's own databases will do.

    Raises:
        ForbiddenQueryError: reason "other_database".
    """
    if isinstance(name, str) and (name == db_id or (db_id is None and name.lower() not in SERVER_DATABASES)):
        return
    raise ForbiddenQueryError("other_database", f"Database {str(name)[:60]!r} is not the item's.", position=position)
