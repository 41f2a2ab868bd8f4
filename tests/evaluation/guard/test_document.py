"""The page for submitters is what the tables say, and its examples are true."""

import re
from pathlib import Path

import pytest

from evaluation.guard.document import outcome_of, reading_page
from evaluation.guard.examples import FLAGGED, REFUSED

ROOT = Path(__file__).resolve().parents[3]
SOURCES = [*(ROOT / "evaluation" / "parse").glob("*.py"), *(ROOT / "evaluation" / "guard").glob("*.py")]
RAISED = re.compile(
    r'(?:UnparsableTextError|ForbiddenQueryError|RejectedValueError)\(\s*"([a-z_]+)"|reason = "([a-z_]+)"'
)


def test_the_committed_page_is_the_one_that_the_tables_make() -> None:
    page = ROOT / "docs" / "methods" / "reading-queries.md"
    assert page.read_text(encoding="utf-8") == reading_page()


@pytest.mark.parametrize(("name", "example"), [(each.name, each.text) for each in REFUSED if each.text])
def test_each_example_of_a_refusal_is_refused_for_that_reason(name: str, example: str) -> None:
    assert outcome_of(example) == name


@pytest.mark.parametrize(("name", "example"), [(each.name, each.text) for each in FLAGGED])
def test_each_example_of_a_flag_has_that_flag(name: str, example: str) -> None:
    assert name in outcome_of(example).split()


def test_every_reason_in_the_code_is_explained_on_the_page() -> None:
    raised = {
        name for source in SOURCES for found in RAISED.findall(source.read_text("utf-8")) for name in found if name
    }
    assert len(raised) > 15
    assert raised - {each.name for each in REFUSED} == set()
