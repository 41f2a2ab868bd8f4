"""Puts values at dotted paths of documents, and gets them from there."""

from collections.abc import Mapping
from typing import Any

from benchmark_data.docmap.transform import MISSING


def put(document: dict[str, Any], parts: tuple[str, ...], value: Any) -> None:
    """Set the value at a path, making the objects on the way."""
    for part in parts[:-1]:
        document = document.setdefault(part, {})
    document[parts[-1]] = value


def get(document: Any, parts: tuple[str, ...]) -> Any:
    """The value at a path, or MISSING where there is none; lists are not looked into."""
    for part in parts:
        if not isinstance(document, Mapping) or part not in document:
            return MISSING
        document = document[part]
    return document
