"""Reads the metadata that mongodump writes for each collection: kind, options, indexes."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from benchmark_data.faults import FaultLog
from benchmark_data.fields import kind_name
from benchmark_data.json_text import JsonText, JsonTextError
from benchmark_data.names import indexed_path_problem
from benchmark_data.types import Index

_PLAIN = frozenset({"v", "key", "name", "ns", "unique", "background"})
_NUMBERS = ("$numberInt", "$numberLong", "$numberDouble")


class Kind(StrEnum):
    """What a namespace of a dump is."""

    COLLECTION = "collection"
    VIEW = "view"
    TIMESERIES = "timeseries"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """What a bundle takes of a collection's metadata.

    Args:
        name: the collection's own name, "" where it is not stated.
        kind: what it is.
        indexes: those that a bundle can hold.
        left_out: a phrase on each index and option that it cannot.
    """

    name: str = ""
    kind: Kind = Kind.COLLECTION
    indexes: tuple[Index, ...] = ()
    left_out: tuple[str, ...] = ()


def read_metadata(text: str, log: FaultLog) -> Metadata:
    """Read the text of a metadata file; what is wrong is noted.

    It is read as plain JSON, not as Extended JSON: definitions of views, validators and wildcard indexes have keys that
    begin with $ and are no type wrappers.
    """
    try:
        content = JsonText(text).value() if text.strip() else {}
    except JsonTextError as error:
        log.add("bad_json", f"not JSON: {error.message}.", line=error.line)
        return Metadata()
    if not isinstance(content, dict):
        log.add("not_an_object", f"must be an object, not {kind_name(content)}.")
        return Metadata()
    options = content.get("options") or {}
    specifications = content.get("indexes") or []
    if not isinstance(options, dict) or not isinstance(specifications, list):
        log.add("wrong_type", '"options" must be an object and "indexes" an array.')
        return Metadata()
    name = content.get("collectionName")
    indexes, left_out = _indexes(specifications, log)
    # Which collection it is decides what becomes of it; its storage options change no answer but for the collation.
    dropped = ["the option collation"] if options.get("collation") else []
    return Metadata(
        name=name if isinstance(name, str) else "",
        kind=_kind(content.get("type"), options),
        indexes=indexes,
        left_out=(*dropped, *left_out),
    )


def _kind(stated: object, options: dict[str, Any]) -> Kind:
    if stated == Kind.VIEW or "viewOn" in options:
        return Kind.VIEW
    return Kind.TIMESERIES if stated == Kind.TIMESERIES or "timeseries" in options else Kind.COLLECTION


def _indexes(specifications: list[Any], log: FaultLog) -> tuple[tuple[Index, ...], list[str]]:
    kept: dict[tuple[tuple[str, int], ...], Index] = {}
    left_out: list[str] = []
    for position, specification in enumerate(specifications):
        if not isinstance(specification, dict) or not isinstance(specification.get("key"), dict):
            log.add("bad_index", 'an index must be an object with a "key".', field=f"indexes[{position}]")
            continue
        if list(specification["key"]) == ["_id"]:
            continue
        reason = next(_reasons(specification), None)
        keys = tuple((path, _direction(value) or 1) for path, value in specification["key"].items())
        if reason is None and keys in kept:
            reason = "another one has the same keys"
        if reason is None:
            kept[keys] = Index(keys=keys, unique=specification.get("unique") is True)
        else:
            left_out.append(f"the index {specification.get('name', position)} ({reason})")
    return tuple(kept.values()), left_out


def _reasons(specification: dict[str, Any]) -> Iterator[str]:
    """Why a bundle cannot hold an index: of a TTL index, to begin with, documents would die."""
    if not specification["key"]:
        yield "no keys"
    for path, value in specification["key"].items():
        if isinstance(value, str):
            yield f"type {value}"
        elif _direction(value) is None or indexed_path_problem(path):
            yield f"key {path}"
    for name, value in specification.items():
        if name not in _PLAIN and value not in (False, None):
            yield f"option {name}"


def _direction(value: Any) -> int | None:
    """1 or -1: MongoDB sorts by the sign of any number; mongodump writes it bare or in a type wrapper."""
    if isinstance(value, dict) and len(value) == 1:
        ((wrapper, text),) = value.items()
        try:
            value = float(text) if wrapper in _NUMBERS and isinstance(text, str) else None
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value == 0:
        return None
    return 1 if value > 0 else -1
