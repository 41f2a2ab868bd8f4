"""GLOB as a regular expression says of each text what SQLite says."""

import re
import sqlite3
from contextlib import closing

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmark_data.docmap.queries.globs import glob_expression

texts = st.text(alphabet="ab-^]\\[*?.Z\n", max_size=6)


def says_sqlite(text: str, pattern: str) -> bool:
    with closing(sqlite3.connect(":memory:")) as connection:
        return bool(connection.execute("SELECT ? GLOB ?", (text, pattern)).fetchone()[0])


def says_the_expression(text: str, pattern: str) -> bool:
    expression, options = glob_expression(pattern)
    return re.search(expression, text, re.DOTALL if "s" in options else 0) is not None


@pytest.mark.parametrize(
    ("pattern", "text", "is_match"),
    [
        ("", "", True),
        ("", "a", False),
        ("*", "a\nb", True),
        ("a*", "A", False),
        ("a?c", "abc", True),
        ("[]]", "]", True),
        ("[^]]", "]", False),
        ("[a-c]", "b", True),
        ("[c-a]", "b", False),
        ("[a-]", "-", True),
        ("[abc", "a", False),
        ("a.b", "axb", False),
        ("*b\n", "ab", False),
    ],
)
def test_a_pattern_matches_what_sqlite_says(pattern: str, text: str, is_match: bool) -> None:
    assert says_sqlite(text, pattern) is is_match
    assert says_the_expression(text, pattern) is is_match


@settings(max_examples=600, deadline=None)
@given(texts, texts)
@example("b", "[a-c-e]")
@example("-", "[a-c-e]")
def test_any_pattern_matches_what_sqlite_says(text: str, pattern: str) -> None:
    assert says_the_expression(text, pattern) is says_sqlite(text, pattern)
