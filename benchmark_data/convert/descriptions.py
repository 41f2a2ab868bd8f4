"""Reads BIRD's descriptions of columns, which come in several encodings."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmark_data.errors import Fault
from benchmark_data.faults import FaultLog

FOLDER = "database_description"

_COLUMNS = ("original_column_name", "column_name", "column_description", "data_format", "value_description")
_ENCODINGS = ("utf-8-sig", "cp1252", "latin-1")


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnDescription:
    """What BIRD tells of one column; "" where it tells nothing.

    Args:
        table: the file's name without its ending.
        column: the column's name in the database (original_column_name).
        title: its name in words (column_name).
        description: column_description.
        data_format: data_format, such as "text" or "integer".
        values: value_description.
        line: 1-based line of the file where the row begins.
    """

    table: str
    column: str
    title: str = ""
    description: str = ""
    data_format: str = ""
    values: str = ""
    line: int = 0

    @property
    def text(self) -> str:
        """The description as a paragraph for a collection's card."""
        parts = (self.description or self.title, self.values)
        return "\n".join(part for part in parts if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Descriptions:
    """The columns described in a folder, in order of file and row, and what could not be read."""

    columns: tuple[ColumnDescription, ...]
    faults: tuple[Fault, ...]


def read_descriptions(folder: Path) -> Descriptions:
    """Read `<table>.csv` files with the columns' descriptions.

    BIRD's files are UTF-8 with or without a byte-order mark, or Windows-1252; the first of them that fits is taken.
    Rows without a column name are passed over: BIRD's files have empty ones at the end.

    Args:
        folder: `database_description`, or the database's folder that it lies in.
    """
    place = folder / FOLDER if (folder / FOLDER).is_dir() else folder
    columns: list[ColumnDescription] = []
    faults: list[Fault] = []
    for path in sorted(place.glob("*.csv")):
        log = FaultLog(path.name)
        columns.extend(_columns(path, log))
        faults.extend(log.summary)
    return Descriptions(columns=tuple(columns), faults=tuple(faults))


def _columns(path: Path, log: FaultLog) -> Iterator[ColumnDescription]:
    try:
        text = decoded(path.read_bytes())
    except OSError as error:
        log.add("missing_file", f"the file cannot be read: {error.strerror}.")
        return
    reader = csv.reader(text.splitlines(keepends=True))
    line = 1
    positions: dict[str, int] = {}
    try:
        for row in reader:
            cells = [cell.strip() for cell in row]
            if not positions:
                positions = {name.lower(): position for position, name in enumerate(cells)}
                if _COLUMNS[0] not in positions:
                    message = f"the header has no {_COLUMNS[0]}; it has: {', '.join(cells)}."
                    log.add("missing_field", message, line=line, field=_COLUMNS[0])
                    return
            else:
                column, title, description, data_format, values = (
                    cells[positions[name]] if positions.get(name, len(cells)) < len(cells) else "" for name in _COLUMNS
                )
                if column:
                    yield ColumnDescription(
                        table=path.stem,
                        column=column,
                        title=title,
                        description=description,
                        data_format=data_format,
                        values=values,
                        line=line,
                    )
            line = reader.line_num + 1
    except csv.Error as error:
        log.add("bad_csv", f"not CSV: {error}; nothing after it was read.", line=line)


def decoded(data: bytes) -> str:
    """The text of bytes in one of the encodings that BIRD's files have; the last one takes any byte."""
    for encoding in _ENCODINGS[:-1]:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode(_ENCODINGS[-1])
