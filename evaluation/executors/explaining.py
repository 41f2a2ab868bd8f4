"""Asks a MongoDB server how many documents it looked at for a query."""

from collections.abc import Iterator, Mapping
from typing import Any

from pymongo import MongoClient
from pymongo.errors import PyMongoError

from evaluation.types import Operation, Query

_COUNTED = "totalDocsExamined"


class DocumentsExamined:
    """A `study.Examined` on the server that `url` names; connects when first used."""

    def __init__(self, url: str) -> None:
        self._client: MongoClient[dict[str, Any]] = MongoClient(url, connect=False)

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def __call__(self, query: Query, database: str) -> int | None:
        """The documents that the server counts for an aggregation; None where it does not tell, or refuses."""
        if query.operation is not Operation.AGGREGATE:
            return None
        asked = {"aggregate": query.collection, "pipeline": query.arguments["pipeline"], "cursor": {}}
        try:
            plan = self._client[database].command({"explain": asked, "verbosity": "executionStats"})
        except PyMongoError:
            return None
        return examined_in(plan)


def examined_in(plan: Any) -> int | None:
    """The sum over all parts of a plan, joined collections among them; None where no part tells."""
    found = list(_counts(plan))
    return sum(found) if found else None


def _counts(plan: Any) -> Iterator[int]:
    if isinstance(plan, Mapping):
        for name, inside in plan.items():
            if name == _COUNTED and isinstance(inside, int):
                yield inside
            else:
                yield from _counts(inside)
    elif isinstance(plan, list):
        for inside in plan:
            yield from _counts(inside)
