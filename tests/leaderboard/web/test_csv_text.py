"""CSV that a spreadsheet shows and does not run, and that a program reads back as it was."""

import csv
import io
import re
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leaderboard.web.csv_text import Value, cell, csv_lines, guarded


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('=HYPERLINK("https://evil.example","Score")', '\'=HYPERLINK("https://evil.example","Score")'),
        ("+1", "'+1"),
        ("-1+1|cmd", "'-1+1|cmd"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
        (" =1+1", "' =1+1"),
        ('"=1+1', "'\"=1+1"),
        ("＝1+1", "'＝1+1"),
        ("a;=1+1", "a;'=1+1"),
        ("a; \t@x", "a;' \t'@x"),
        ('a;"=1+1";b', 'a;\'"=1+1";b'),
        ("a\t-1", "a\t'-1"),
        ("a\n=1", "a\n'=1"),
        ("", ""),
        ("GPT-5 (T=0, k=+3) a@b", "GPT-5 (T=0, k=+3) a@b"),
        ("a;b", "a;b"),
        ("100 %", "100 %"),
    ],
)
def test_a_text_that_would_be_run_is_shown_as_text(text: str, written: str) -> None:
    assert guarded(text) == written


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (-0.5, "-0.5"),
        (-3, "-3"),
        (Decimal("-0.00341000"), "-0.00341000"),
        (1 / 3, "0.3333333333333333"),
        (0.0, "0.0"),
        (0, "0"),
        (None, ""),
        (True, "true"),
        (False, "false"),
        (datetime(2026, 11, 30, 1, 2, 3, tzinfo=timezone(timedelta(hours=2))), "2026-11-29T23:02:03Z"),
        (datetime(2026, 11, 30, 1, 2, 3, 400, tzinfo=UTC), "2026-11-30T01:02:03.000400Z"),
        (UUID(int=5), "00000000-0000-0000-0000-000000000005"),
        ("-0.5", "'-0.5"),
    ],
)
def test_numbers_stay_numbers_with_all_their_digits(value: Value, written: str) -> None:
    assert cell(value) == written


def test_heads_are_guarded_like_cells_and_lines_end_as_rfc_4180_has_it() -> None:
    lines = list(csv_lines(["=a", 'b"c', "d,e"], [["x\ny", "=1", -1]]))
    assert lines == ['\'=a,"b""c","d,e"\r\n', '"x\ny",\'=1,-1\r\n']


def begins_a_formula(text: str) -> bool:
    """Whether a spreadsheet that splits at semicolons, tabs and line ends would take a part for a formula."""
    parts = re.split(r"[;\t\r\n]", text)
    return any(part.lstrip(" \"'")[:1] in tuple("=+-@＝＋－＠") and not part.startswith("'") for part in parts if part)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text("=+-@;\t\r\n\"', aＷ＝1", max_size=8), min_size=1, max_size=3))
def test_no_text_begins_a_formula_and_every_row_is_read_back(texts: list[str]) -> None:
    lines = "".join(csv_lines(texts, [texts]))
    head, row = csv.reader(io.StringIO(lines, newline=""))
    assert head == row == [guarded(text) for text in texts]
    assert not any(begins_a_formula(text) for text in row)
    assert [text.replace("'", "") for text in row] == [text.replace("'", "") for text in texts]
