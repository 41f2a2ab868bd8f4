"""Writing of tables as CSV (RFC 4180) that a spreadsheet shows and does not run."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Final, TypeAlias
from uuid import UUID

CSV_TYPE: Final = "text/csv; charset=utf-8; header=present"

Value: TypeAlias = str | int | float | Decimal | datetime | UUID | None

FORMULA: Final = re.compile(r"""(?:^|(?<=[;\t\r\n]))(?=[\s"']*[=+\-@＝＋－＠]|[\t\r\n])""")
"""Where a cell begins that a spreadsheet would take for a formula, or would cut off.

Cells begin after a semicolon and a tab as well: spreadsheets of many languages split there, whatever the file says. The
last four signs are full-width forms, which some take for the plain ones.
"""


def guarded(text: str) -> str:
    """A text as it may stand in a spreadsheet: a quote goes before what would be run there.

    The attack is an entry named `=HYPERLINK("https://…","Score")`, which whoever opens the file would click. Only texts
    are guarded: a number that is negative stays a number.

    "=1+1" → "'=1+1", "a;=1+1" → "a;'=1+1", "-0.5" → "'-0.5", "GPT (T=0)" → "GPT (T=0)"
    """
    return FORMULA.sub("'", text)


def cell(value: Value) -> str:
    """One value: numbers with all their digits, times in UTC, true and false, nothing for None."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case Decimal():
            return f"{value:f}"
        case int() | float():
            return repr(value)
        case _:
            return guarded(str(value))


class _Line:
    """Takes what the writer of the standard library writes, one line at a time."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        """Keep the line."""
        self.text = text


def csv_lines(head: Sequence[str], rows: Iterable[Sequence[Value]]) -> Iterator[str]:
    """The lines of a table, the head first, each with CR LF."""
    line = _Line()
    writer = csv.writer(line)
    writer.writerow([guarded(name) for name in head])
    yield line.text
    for row in rows:
        writer.writerow([cell(value) for value in row])
        yield line.text
