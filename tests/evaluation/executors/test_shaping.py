"""Rows and fields that the shell takes from an answer."""

from typing import Any

import pytest

from evaluation.executors.errors import StoppedQueryError
from evaluation.executors.shaping import limits_to_read, shaped
from evaluation.types import Answer, AnswerKind, Limits, Operation, Query

ROWS: tuple[dict[str, Any], ...] = ({"a": 1, "b": {"c": [5, 6]}}, {"a": None, "b": {"c": []}}, {"b": {}})


def query(*, index: int | None = None, path: tuple[str, ...] = ()) -> Query:
    return Query(collection="t", operation=Operation.FIND, arguments={}, index=index, path=path)


def answer(*rows: Any, kind: AnswerKind = AnswerKind.DOCUMENTS) -> Answer:
    return Answer(kind=kind, rows=rows)


CASES: list[tuple[str, Query, AnswerKind, tuple[Any, ...]]] = [
    ("the whole answer", query(), AnswerKind.DOCUMENTS, ROWS),
    ("one document", query(index=1), AnswerKind.DOCUMENT, ROWS[1:2]),
    ("a document that is not there", query(index=9), AnswerKind.DOCUMENT, ()),
    ("a field of each; missing is null", query(path=("a",)), AnswerKind.VALUES, (1, None, None)),
    ("a field of one", query(index=0, path=("b", "c")), AnswerKind.VALUES, ([5, 6],)),
    ("an element of an array", query(index=0, path=("b", "c", "1")), AnswerKind.VALUES, (6,)),
    ("an element that is not there", query(index=1, path=("b", "c", "1")), AnswerKind.VALUES, (None,)),
    ("the length of an array", query(index=0, path=("b", "c", "length")), AnswerKind.VALUES, (2,)),
]


@pytest.mark.parametrize(("asked", "kind", "rows"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_answer_is_what_the_shell_would_hold(asked: Query, kind: AnswerKind, rows: tuple[Any, ...]) -> None:
    found = shaped(answer(*ROWS), asked)
    assert (found.kind, found.rows) == (kind, rows)


@pytest.mark.parametrize("path", [("a", "x"), ("x", "y"), ("b", "c", "0", "d", "e")])
def test_a_property_of_nothing_fails_as_in_the_shell(path: tuple[str, ...]) -> None:
    with pytest.raises(StoppedQueryError, match=path[-1]):
        shaped(answer(*ROWS), query(path=path))


def test_a_value_of_a_list_stays_a_list_of_one() -> None:
    found = shaped(answer("x", "y", kind=AnswerKind.VALUES), query(index=1))
    assert (found.kind, found.rows) == (AnswerKind.VALUES, ("y",))


def test_as_many_rows_are_read_as_the_index_needs() -> None:
    assert limits_to_read(query(index=3), Limits(rows=2)).rows == 4
    assert limits_to_read(query(), Limits(rows=2)).rows == 2
    assert shaped(Answer(kind=AnswerKind.DOCUMENTS, rows=ROWS, complete=False), query(index=0)).complete
