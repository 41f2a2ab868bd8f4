"""The query under construction while a text is read."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from evaluation.types import Operation, Query


class RejectedValueError(Exception):
    """A method, constructor or wrapper was given something that it cannot take; the reader adds the place.

    Args:
        reason: stable identifier, e.g. "bad_argument".
        message: a sentence for the submitter.
    """

    def __init__(self, reason: str, message: str) -> None:
        self.reason = reason
        self.message = message
        super().__init__(message)


class Held(StrEnum):
    """What the shell holds in its hand after the calls read so far."""

    CURSOR = "cursor"
    ARRAY = "array"
    DOCUMENT = "document"
    VALUE = "value"


@dataclass(slots=True, kw_only=True, eq=False)
class Draft:
    """One query, to which chained calls still add.

    Args:
        collection, operation, arguments: as in `Query`.
        held: what later calls are made on.
        length_only, index, path: what the shell does with the answer, as in `Query`.
    """

    collection: str
    operation: Operation
    arguments: dict[str, Any]
    held: Held
    length_only: bool = False
    index: int | None = None
    path: tuple[str, ...] = ()

    def query(self) -> Query:
        """The finished query."""
        return Query(
            collection=self.collection,
            operation=self.operation,
            arguments=self.arguments,
            length_only=self.length_only,
            index=self.index,
            path=self.path,
        )
