"""Answers as tables."""

from typing import Any

import pytest

from evaluation.table import COLUMN_LIMIT, TableTooWideError, answer_table
from evaluation.types import Answer, AnswerKind
from tests.evaluation.answers import documents, scalar, values


def laid_out(answer: Answer) -> Any:
    """Columns by path, with a cell for every row."""
    table = answer_table(answer)
    grid = {}
    for column in table.columns:
        cells = [None] * table.height
        for row, cell in zip(column.rows or range(table.height), column.cells, strict=True):
            cells[row] = cell
        assert column.path not in grid
        assert column.kinds >= set(map(type, column.cells)) - {object}
        grid[column.path] = cells
    return table.height, grid


def test_a_scalar_is_one_cell() -> None:
    assert laid_out(scalar(5)) == (1, {(): [5]})


def test_a_list_of_values_is_one_column() -> None:
    assert laid_out(values("a", None, [1])) == (3, {(): ["a", None, [1]]})


def test_values_that_are_documents_have_leaf_columns_too() -> None:
    assert laid_out(values({"x": 1}, {}, 5)) == (3, {(): [None, {}, 5], ("x",): [1, None, None]})


@pytest.mark.parametrize(("rows", "height"), [((), 0), ((None,), 0), (({"a": 1},), 1)])
def test_one_document_is_one_row_or_none(rows: Any, height: int) -> None:
    assert answer_table(Answer(kind=AnswerKind.DOCUMENT, rows=rows)).height == height


def test_an_empty_document_is_a_row_without_columns() -> None:
    assert laid_out(documents({}, {})) == (2, {})


def test_columns_are_leaf_paths_united_over_rows() -> None:
    rows: tuple[dict[str, Any], ...] = (
        {"a": 1, "d": {"x": 1}},
        {"d": {"y": {"z": None}}},
        {"d": 7, "e": [{"k": 1}]},
        {"d": {}},
    )
    assert laid_out(documents(*rows)) == (
        4,
        {
            ("a",): [1, None, None, None],
            ("d",): [None, None, 7, {}],
            ("d", "x"): [1, None, None, None],
            ("d", "y", "z"): [None, None, None, None],
            ("e",): [None, None, [{"k": 1}], None],
        },
    )


def test_a_field_that_is_missing_or_a_document_is_no_column_of_its_own() -> None:
    assert laid_out(documents({"d": {"x": 1}}, {})) == (2, {("d", "x"): [1, None]})


def test_a_dotted_key_is_not_a_path() -> None:
    assert laid_out(documents({"a.b": 1, "a": {"b": 2}})) == (1, {("a.b",): [1], ("a", "b"): [2]})


def test_ragged_rows_keep_their_cells_only() -> None:
    table = answer_table(documents(*({f"k{number}": number} for number in range(5_000))))
    assert sum(len(column.cells) for column in table.columns) == 5_000
    assert table.columns[7].rows == [7]


def test_more_columns_than_the_limit_are_refused() -> None:
    with pytest.raises(TableTooWideError):
        answer_table(documents({f"k{number}": number for number in range(COLUMN_LIMIT + 1)}))
    with pytest.raises(TableTooWideError):
        answer_table(documents(*({"a": {f"k{n}x{i}": 1 for i in range(1_000)}} for n in range(101))))
