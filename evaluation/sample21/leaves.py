"""Answers as rows of leaf values in the order of their fields, to be compared with the rows of SQL."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evaluation.types import Answer, AnswerKind

Path = tuple[str, ...]


def leaf_paths(answers: Sequence[Answer]) -> tuple[Path, ...]:
    """The leaf paths of all answers to one query, in the order in which their documents have them.

    A scalar, or a value of `distinct`, has the one path `()`. A path where all values are null is no leaf of its own
    where another answer has an object.
    """
    merged: list[Path] = []
    for document in _documents(answers):
        _merge(merged, [path for path, _ in _leaves(document, ())])
    prefixes = {path[:length] for path in merged for length in range(1, len(path))}
    return tuple(path for path in merged if path not in prefixes)


def leaf_rows(answer: Answer, paths: Sequence[Path]) -> list[tuple[Any, ...]]:
    """The values at the paths, row by row; None where there is none."""
    return [tuple(_value(row, path) for path in paths) for row in answer.rows if _is_row(answer, row)]


def _documents(answers: Sequence[Answer]) -> Iterator[Any]:
    """All rows; the widest first, because they tell the order best."""
    rows = [row for answer in answers for row in answer.rows if _is_row(answer, row)]
    return iter(sorted(rows, key=lambda row: -sum(1 for _ in _leaves(row, ()))))


def _is_row(answer: Answer, row: Any) -> bool:
    return row is not None or answer.kind is not AnswerKind.DOCUMENT


def _leaves(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, Mapping) and value:
        for name, inside in value.items():
            yield from _leaves(inside, (*path, name))
    else:
        yield path, value


def _merge(merged: list[Path], paths: Sequence[Path]) -> None:
    """Put new paths in, each behind its neighbour."""
    place = 0
    for path in paths:
        if path in merged:
            place = merged.index(path) + 1
        else:
            merged.insert(place, path)
            place += 1


def _value(row: Any, path: Path) -> Any:
    for name in path:
        row = row.get(name) if isinstance(row, Mapping) else None
    return row
