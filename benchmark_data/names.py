"""The rules for names that a bundle may use: databases, collections, indexed paths, the bundle itself."""

import re

from benchmark_data.fields import is_storable

# The namespace "database.collection" may have 255 bytes; `Database.storage_name` takes at most 63 and the dot one.
_COLLECTION_BYTES = 255 - 63 - 1

_BUNDLE_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_DB_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_QUESTION_ID = re.compile(r"[^\s\x00-\x1f\x7f]{1,200}")


def bundle_name_problem(name: str) -> str | None:
    """Why a text cannot be a bundle's name, or None."""
    if _BUNDLE_NAME.fullmatch(name):
        return None
    return "must be 1 to 63 lower-case letters, digits and hyphens, and begin with a letter or digit."


def db_id_problem(db_id: str) -> str | None:
    """Why a text cannot name a database, or None; it becomes a folder's name."""
    return None if _DB_ID.fullmatch(db_id) else "must be 1 to 64 letters A–Z, a–z, digits, underscores and hyphens."


def question_id_problem(question_id: str) -> str | None:
    """Why a text cannot be a question_id, or None; it stands in addresses and file names."""
    return None if _QUESTION_ID.fullmatch(question_id) else "must be 1 to 200 characters without spaces or controls."


def collection_name_problem(name: str) -> str | None:
    """Why MongoDB, or its shell, refuses a text as the name of a collection, or None."""
    if not name or not is_storable(name):
        return "must be a text of at least one character that UTF-8 can write."
    if "$" in name or "\0" in name:
        return "must not have $ or the NUL character in it."
    if name.startswith("system."):
        return 'must not begin with "system.", which is the server\'s own.'
    if name[0] == "." or name[-1] == "." or ".." in name:
        return "must not begin or end with a dot, nor have two dots in a row."
    if len(name.encode()) > _COLLECTION_BYTES:
        return f"must have at most {_COLLECTION_BYTES} bytes."
    return None


def indexed_path_problem(path: str) -> str | None:
    """Why a text cannot be a path of an index, or None."""
    if "\0" in path or not is_storable(path) or any(not part or part[0] == "$" for part in path.split(".")):
        return "must be a dotted path without empty parts, parts that begin with $, or NUL."
    return None
