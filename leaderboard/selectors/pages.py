"""Cutting of long lists into pages."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db.models import Model, QuerySet

ModelType = TypeVar("ModelType", bound=Model)
Row = TypeVar("Row")
Item = TypeVar("Item")

PAGE_SIZE = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[Item]):
    """One page of a list; `page` counts from 1, and `pages` is at least 1."""

    total: int
    page: int
    pages: int
    items: tuple[Item, ...]


def cut(
    rows: QuerySet[ModelType, Row],
    make: Callable[[Row], Item],
    *,
    page: int,
    size: int = PAGE_SIZE,
    widen: Callable[[QuerySet[ModelType, Any]], QuerySet[ModelType, Row]] | None = None,
) -> Page[Item]:
    """One page of the rows, in two queries; a page beyond the end is the last one.

    Args:
        rows: in their order.
        make: the record of a row.
        page: from 1.
        size: rows of a page.
        widen: where rows are dear, `rows` hold no more than their order needs, and this gives those of one page whole;
            a database would join all of them to cut out one page, and even to count them.
    """
    total = rows.count()
    pages = max(1, -(-total // size))
    page = min(max(page, 1), pages)
    first = (page - 1) * size
    cutting = rows[first : first + size]
    whole = cutting if widen is None else widen(cutting.values("pk"))
    return Page(total=total, page=page, pages=pages, items=tuple(make(row) for row in whole))
