"""Cutting of long lists into pages."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

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


def cut(rows: QuerySet[ModelType, Row], make: Callable[[Row], Item], *, page: int, size: int = PAGE_SIZE) -> Page[Item]:
    """One page of the rows, in two queries; a page beyond the end is the last one."""
    total = rows.count()
    pages = max(1, -(-total // size))
    page = min(max(page, 1), pages)
    first = (page - 1) * size
    return Page(total=total, page=page, pages=pages, items=tuple(make(row) for row in rows[first : first + size]))
