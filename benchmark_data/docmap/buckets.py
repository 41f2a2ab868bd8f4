"""Gathers ordered rows into documents of bounded size: the bucket pattern."""

from collections.abc import Iterable, Iterator
from typing import Any

from benchmark_data.docmap.paths import put
from benchmark_data.docmap.types import Bucket

COUNT = "count"
NUMBER = "bucket"


def bucketed(bucket: Bucket, elements: Iterable[tuple[dict[str, Any], dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    """Documents of elements that come as (the fields that a document's rows share, the row's own fields), in order.

    A document is yielded when it is complete: `_id` with the shared fields and a running number, the shared fields,
    the count of rows, and the rows.
    """
    shared: dict[str, Any] | None = None
    items: list[dict[str, Any]] = []
    number = 0
    for head, item in elements:
        same = shared is not None and repr(head) == repr(shared)
        if shared is not None and (not same or len(items) == bucket.size):
            yield _document(bucket, shared, number, items)
            number, items = (number + 1 if same else 0), []
        shared = head
        items.append(item)
    if shared is not None:
        yield _document(bucket, shared, number, items)


def _document(bucket: Bucket, shared: dict[str, Any], number: int, items: list[dict[str, Any]]) -> dict[str, Any]:
    document = {"_id": {**shared, NUMBER: number}, **shared, COUNT: len(items)}
    put(document, tuple(bucket.items.split(".")), items)
    return document
