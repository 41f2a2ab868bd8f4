"""Collects the checks: the functions that the tables of checks are made of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Documents = Sequence[Mapping[str, Any]]
CHECKS: "list[Check]" = []


@dataclass(frozen=True, kw_only=True)
class Check:
    """Data, one operation on it, and what a real mongod answers.

    Args:
        number: its place in the battery, from 1.
        group: what it is counted under.
        name: a phrase.
        data: documents by collection.
        operation: kind of operation, then what it takes; see `running.OPERATIONS`.
        expected: a value, or one of the expectations.
        unordered: the order of the answer's rows does not matter.
        note: what is to be known about it, or None.
        indexes: (collection, keys, options) to build first.
    """

    number: int
    group: str
    name: str
    data: Mapping[str, Documents]
    operation: tuple[Any, ...]
    expected: Any
    unordered: bool = False
    note: str | None = None
    indexes: Sequence[tuple[str, Any, Mapping[str, Any]]] = field(default_factory=list)


def add(group: str, name: str, data: Any, operation: tuple[Any, ...], expected: Any, **options: Any) -> None:
    """A check of any operation; a list of documents is collection "c"."""
    collections = {"c": data} if isinstance(data, list) else data
    CHECKS.append(
        Check(
            number=len(CHECKS) + 1,
            group=group,
            name=name,
            data=collections,
            operation=operation,
            expected=expected,
            **options,
        )
    )


def aggregation(
    group: str,
    name: str,
    data: Any,
    pipeline: Any,
    expected: Any,
    opts: Mapping[str, Any] | None = None,
    coll: str | None = "c",
    **options: Any,
) -> None:
    """A check of a pipeline on collection `coll`, or on the database where that is None."""
    add(group, name, data, ("aggregate", coll, pipeline, opts or {}), expected, **options)


def finding(
    group: str,
    name: str,
    data: Any,
    filter_: Any,
    expected: Any,
    proj: Any = None,
    opts: Mapping[str, Any] | None = None,
    **options: Any,
) -> None:
    """A check of find."""
    add(group, name, data, ("find", "c", filter_, proj, opts or {}), expected, **options)


def expression(
    name: str, value: Any, expected: Any, doc: Mapping[str, Any] | None = None, cat: str = "expr", **options: Any
) -> None:
    """A check of one expression over one document."""
    add(cat, name, [{"_id": 1, **(doc or {})}], ("expression", "c", value), expected, **options)


def matching(
    name: str,
    docs: Sequence[tuple[int, Mapping[str, Any]]],
    filter_: Any,
    ids: Sequence[int],
    cat: str = "match",
    **options: Any,
) -> None:
    """A check of which documents, given as (_id, fields), a filter matches, by $match as well as by find."""
    documents = [{"_id": number, **fields} for number, fields in docs]
    add(cat, name, documents, ("matching", "c", filter_), sorted(ids), **options)
