"""Reading of what judged queries returned, where the answer is still kept: rows as texts, cut short."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings

from evaluation.errors import UnparsableTextError
from evaluation.execution import execution_key, result_unpack
from evaluation.gold import reading_context
from evaluation.parse.read import read
from evaluation.rendering import shown_value
from evaluation.types import Answer, Limits
from leaderboard.models.executions import Execution
from leaderboard.models.releases import ReleaseDatabase

MOST_ROWS: Final = 5
ROW_LENGTH: Final = 300
LONGEST_TEXT: Final = 20_000
"""Characters of a predicted text that is read again for a page."""

LARGEST_ANSWER: Final = 16_384
"""Bytes of a packed answer that is unpacked for a page; unpacked it may have a thousand times as many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedText:
    """A predicted text that was run: on which engine, and how many rows gold has, which bounds what was read."""

    text: str
    engine: str
    gold_rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnedRows:
    """The first rows that a query returned; `total` were read, and `complete` says whether there were no more."""

    rows: tuple[str, ...]
    total: int
    complete: bool


def returned_rows(database: ReleaseDatabase, wanted: Sequence[JudgedText | None]) -> tuple[ReturnedRows | None, ...]:
    """What texts returned on one database, in one query; None where the answer is not kept, or is too large to show."""
    keys = [None if one is None else _key(database, one) for one in wanted]
    rows = Execution.objects.filter(pk__in=[key for key in keys if key], size__lte=LARGEST_ANSWER)
    kept = dict(rows.values_list("pk", "content"))
    return tuple(_shown(bytes(kept[key])) if key in kept else None for key in keys)


def _key(database: ReleaseDatabase, judged: JudgedText) -> str | None:
    """The key under which the worker kept the answer, made as it makes it (`evaluation.score.attempt`)."""
    if len(judged.text) > LONGEST_TEXT:
        return None
    context = reading_context(db_id=database.db_id, collections=tuple(database.collections))
    try:
        query = read(judged.text, context=context).query
    except UnparsableTextError:
        return None
    limits = Limits(milliseconds=settings.QUERY_MILLISECONDS, rows=judged.gold_rows + 1)
    return execution_key(query, database_digest=database.digest, limits=limits, engine=judged.engine)


def _shown(packed: bytes) -> ReturnedRows | None:
    result = result_unpack(packed)
    if not isinstance(result, Answer):
        return None
    rows = tuple(shown_value(row, length=ROW_LENGTH) for row in result.rows[:MOST_ROWS])
    return ReturnedRows(rows=rows, total=len(result.rows), complete=result.complete)
