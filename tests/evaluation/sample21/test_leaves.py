"""Answers become rows of leaf values in the order of their fields."""

from typing import Any

import pytest

from evaluation.sample21.leaves import leaf_paths, leaf_rows
from evaluation.types import Answer, AnswerKind


def documents(*rows: Any) -> Answer:
    return Answer(kind=AnswerKind.DOCUMENTS, rows=rows)


CASES: list[tuple[str, Answer, list[str], list[tuple[Any, ...]]]] = [
    ("flat", documents({"a": 1, "b": "x"}), ["a", "b"], [(1, "x")]),
    ("nested", documents({"a": {"b": 1, "c": {"d": 2}}}), ["a.b", "a.c.d"], [(1, 2)]),
    ("an array is a leaf", documents({"a": [{"b": 1}]}), ["a"], [([{"b": 1}],)]),
    (
        "a gap in the middle",
        documents({"a": 1, "c": 3}, {"a": 1, "b": 2, "c": 3}),
        ["a", "b", "c"],
        [(1, None, 3), (1, 2, 3)],
    ),
    ("a gap at the front", documents({"b": 2}, {"a": 1, "b": 2}), ["a", "b"], [(None, 2), (1, 2)]),
    ("null for an object", documents({"a": None}, {"a": {"b": 1}}), ["a.b"], [(None,), (1,)]),
    ("an empty object", documents({"a": {}}), ["a"], [({},)]),
    ("a scalar", Answer(kind=AnswerKind.SCALAR, rows=(7,)), [""], [(7,)]),
    ("distinct values", Answer(kind=AnswerKind.VALUES, rows=("x", None)), [""], [("x",), (None,)]),
    ("nothing found", Answer(kind=AnswerKind.DOCUMENT, rows=(None,)), [], []),
    ("one found", Answer(kind=AnswerKind.DOCUMENT, rows=({"a": 1},)), ["a"], [(1,)]),
]


@pytest.mark.parametrize(("answer", "paths", "rows"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_an_answer_is_laid_out(answer: Answer, paths: list[str], rows: list[tuple[Any, ...]]) -> None:
    found = leaf_paths([answer])
    assert [".".join(path) for path in found] == paths
    assert leaf_rows(answer, found) == rows


def test_the_order_of_columns_comes_from_all_answers_together() -> None:
    first, second = documents({"a": 1, "c": 3}), documents({"b": 2, "c": 3})
    assert leaf_paths([first, second]) == (("a",), ("b",), ("c",)) or leaf_paths([first, second])[-1] == ("c",)
    assert set(leaf_paths([first, second])) == {("a",), ("b",), ("c",)}
