"""What the shell would do with an answer after it came: take one of its rows, take a field of each."""

from dataclasses import replace
from typing import Any, Final

from evaluation.executors.errors import StoppedQueryError
from evaluation.types import Answer, AnswerKind, FailureKind, Limits, Query

_MISSING: Final = object()


def limits_to_read(query: Query, limits: Limits) -> Limits:
    """The limits for reading: `toArray()[3]` needs four rows, however few the caller compares."""
    return limits if query.index is None else replace(limits, rows=query.index + 1)


def shaped(answer: Answer, query: Query) -> Answer:
    """The answer after the query's `index` and `path`.

    Raises:
        StoppedQueryError: a document has nothing at a step of the path before the last.
    """
    if query.index is not None:
        one = AnswerKind.DOCUMENT if answer.kind is AnswerKind.DOCUMENTS else answer.kind
        answer = replace(answer, kind=one, rows=answer.rows[query.index : query.index + 1], complete=True)
    if query.path:
        rows = tuple(_at(row, query.path) for row in answer.rows)
        answer = replace(answer, kind=AnswerKind.VALUES, rows=rows)
    return answer


def _at(row: Any, path: tuple[str, ...]) -> Any:
    value = row
    for step in path:
        if value is None or value is _MISSING:
            # The shell would throw: a property of undefined, or of null, cannot be read.
            message = f"{'.'.join(path)} of a document cannot be read: nothing is there before {step}"
            raise StoppedQueryError(FailureKind.INVALID, message)
        value = _property(value, step)
    return None if value is _MISSING else value


def _property(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        return value.get(name, _MISSING)
    if isinstance(value, list):
        if name == "length":
            return len(value)
        return value[int(name)] if name.isdecimal() and int(name) < len(value) else _MISSING
    return _MISSING
