"""Answers as tables: one column a leaf path, one row a document or value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import itemgetter
from typing import Any, TypeAlias

from evaluation.types import Answer, AnswerKind
from evaluation.values import USUAL_LEAF_TYPES, as_document, is_document

Path: TypeAlias = tuple[str, ...]

# Wider answers are not compared: columns cost memory however few values they have.
COLUMN_LIMIT = 100_000

# Below this share of present cells a level of documents is read field by field instead of column by column.
_DENSE_SHARE = 0.25
_SMALL_GRID = 4096
_ABSENT = object()


class TableTooWideError(Exception):
    """An answer has more than `COLUMN_LIMIT` columns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """The values of one leaf path.

    Args:
        path: keys from the top; `()` for a scalar or a `distinct` value.
        rows: ascending 0-based row numbers of the cells, or None where there is a cell for every row.
        cells: BSON values; None where the field is null or missing. Rows without a cell are null too.
        kinds: the Python types of the cells.
    """

    path: Path
    rows: list[int] | None
    cells: list[Any]
    kinds: set[type]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """An answer as columns over `height` rows."""

    height: int
    columns: tuple[Column, ...]


def answer_height(answer: Answer) -> int:
    """How many rows the answer's table has, without building it."""
    if answer.kind is AnswerKind.DOCUMENT:
        return sum(row is not None for row in answer.rows)
    return len(answer.rows)


def answer_table(answer: Answer) -> Table:
    """Lay an answer out as a table.

    A scalar is a 1×1 table, a `distinct` list one column, `findOne` 0 or 1 rows. Columns are leaf paths through
    sub-documents, never through arrays, united over all rows; an empty sub-document is a leaf.

    Raises:
        TableTooWideError: there are more than `COLUMN_LIMIT` columns.
    """
    cells = list(answer.rows)
    if answer.kind is AnswerKind.DOCUMENT:
        cells = [cell for cell in cells if cell is not None]
    # A document of a cursor is a row, even an empty one; an empty document among `distinct` values is a value.
    as_rows = answer.kind in (AnswerKind.DOCUMENTS, AnswerKind.DOCUMENT)
    columns: list[Column] = []
    pending = [Column(path=(), rows=None, cells=cells, kinds=set(map(type, cells)))]
    while pending:
        column = pending.pop()
        if not _has_documents(column.kinds):
            if column.cells:
                columns.append(column)
        else:
            leaves, children = _split(column, empty_is_leaf=bool(column.path) or not as_rows)
            columns.extend(leaves)
            pending.extend(reversed(children))
        if len(columns) + len(pending) > COLUMN_LIMIT:
            raise TableTooWideError
    return Table(height=len(cells), columns=tuple(columns))


def _has_documents(kinds: set[type]) -> bool:
    return not kinds <= USUAL_LEAF_TYPES and any(map(is_document, kinds))


def _split(column: Column, *, empty_is_leaf: bool) -> tuple[list[Column], list[Column]]:
    """Part a column with sub-documents into its own leaves and the columns one level down."""
    if len(column.kinds) == 1 and (not empty_is_leaf or all(column.cells)):
        rows, documents, leaves = column.rows, column.cells, []
    else:
        numbers = column.rows if column.rows is not None else range(len(column.cells))
        rows, documents, leaf_rows, leaf_cells = [], [], [], []
        for row, cell in zip(numbers, column.cells, strict=True):
            if is_document(type(cell)) and (cell or not empty_is_leaf):
                rows.append(row)
                documents.append(cell)
            elif cell is not _ABSENT:
                leaf_rows.append(row)
                leaf_cells.append(cell)
        kinds = set(map(type, leaf_cells))
        leaves = [Column(path=column.path, rows=leaf_rows, cells=leaf_cells, kinds=kinds)] if leaf_cells else []
    if column.kinds != {dict}:
        documents = [as_document(document) for document in documents]
    return leaves, _fields(column.path, rows, documents)


def _fields(path: Path, rows: list[int] | None, documents: Sequence[Mapping[str, Any]]) -> list[Column]:
    """The columns of the documents' keys, in order of first appearance."""
    names = list(dict.fromkeys(chain.from_iterable(documents)))
    if len(names) > COLUMN_LIMIT:
        raise TableTooWideError
    grid = len(documents) * len(names)
    if grid <= _SMALL_GRID or sum(map(len, documents)) >= _DENSE_SHARE * grid:
        return [_dense_field((*path, name), rows, documents) for name in names]
    found: dict[str, tuple[list[int], list[Any]]] = {name: ([], []) for name in names}
    for row, document in zip(rows if rows is not None else range(len(documents)), documents, strict=True):
        for name, value in document.items():
            found[name][0].append(row)
            found[name][1].append(value)
    return [
        Column(path=(*path, name), rows=numbers, cells=cells, kinds=set(map(type, cells)))
        for name, (numbers, cells) in found.items()
    ]


def _dense_field(path: Path, rows: list[int] | None, documents: Sequence[Mapping[str, Any]]) -> Column:
    name = path[-1]
    try:
        cells = list(map(itemgetter(name), documents))
    except KeyError:
        cells = [document.get(name) for document in documents]
        kinds = set(map(type, cells))
        if _has_documents(kinds):
            # Only here does it matter that a missing field is no leaf of its own.
            cells = [document.get(name, _ABSENT) for document in documents]
        return Column(path=path, rows=rows, cells=cells, kinds=kinds)
    return Column(path=path, rows=rows, cells=cells, kinds=set(map(type, cells)))
