"""BIRD's descriptions of columns are read in every encoding that they come in."""

from pathlib import Path

import pytest

from benchmark_data.convert.descriptions import ColumnDescription, read_descriptions

HEADER = "original_column_name,column_name,column_description,data_format,value_description\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_a_description_is_read_in_its_encoding(tmp_path: Path, encoding: str) -> None:
    folder = tmp_path / "database_description"
    folder.mkdir()
    row = 'price ,,price in €,real,"commonsense evidence:\n0 – free"\n,,,,\n'
    (folder / "boats.csv").write_bytes((HEADER + row + "name,its name,,text,\n").encode(encoding))
    found = read_descriptions(tmp_path)
    assert found.columns == (
        ColumnDescription(table="boats", column="price", description="price in €", data_format="real",
                          values="commonsense evidence:\n0 – free", line=2),
        ColumnDescription(table="boats", column="name", title="its name", data_format="text", line=5),
    )  # fmt: skip
    assert [column.text for column in found.columns] == ["price in €\ncommonsense evidence:\n0 – free", "its name"]
    assert found.faults == ()


def test_bytes_of_no_encoding_are_read_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(HEADER.encode() + b"x,,\x81\xff,,\n")
    assert [column.description for column in read_descriptions(tmp_path).columns] == ["\x81ÿ"]


def test_a_short_row_and_spaces_in_the_header_are_forgiven(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("original_column_name , column_description\nx\ny, why\n")
    found = read_descriptions(tmp_path).columns
    assert [(column.column, column.description) for column in found] == [("x", ""), ("y", "why")]


def test_a_file_without_the_column_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("name,text\nx,y\n")
    found = read_descriptions(tmp_path)
    assert found.columns == ()
    assert [(fault.file, fault.line, fault.rule) for fault in found.faults] == [("a.csv", 1, "missing_field")]
