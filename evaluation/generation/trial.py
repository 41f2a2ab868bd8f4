"""Tries a reply's query, for the protocol in which a model may repair what cannot be run."""

from collections.abc import Sequence
from typing import Final

from evaluation.errors import ForbiddenQueryError, UnparsableTextError
from evaluation.gold import reading_context
from evaluation.guard.judge import judge
from evaluation.parse.read import read
from evaluation.types import ExecutionFailure, Executor, Limits

LIMITS: Final = Limits(milliseconds=10_000, rows=1)
"""One row shows that a query runs; a model is told errors only, so more are not needed."""


def query_error(
    text: str, *, db_id: str, collections: Sequence[str], storage_name: str, executor: Executor
) -> str | None:
    """Why the query in a reply cannot be run: the reader's, the guard's or the engine's sentence; None where it can.

    Nothing of the answer and nothing of gold is looked at.

    Raises:
        EngineUnavailableError: the engine is not to be reached.
    """
    try:
        reading = read(text, context=reading_context(db_id=db_id, collections=tuple(collections)))
        judge(reading.query, collections=tuple(collections))
    except (UnparsableTextError, ForbiddenQueryError) as error:
        return error.message
    answer = executor.execute(reading.query, database=storage_name, limits=LIMITS)
    return answer.message if isinstance(answer, ExecutionFailure) else None
