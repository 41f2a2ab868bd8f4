"""Texts of every shape are read as the case table says."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.parse.reading import outcome
from tests.realdata import REALDATA, needs_realdata

TABLE = Path(__file__).resolve().parents[1] / "cases" / "texts.jsonl"
CASES: list[dict[str, Any]] = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]


def judged(case: dict[str, Any]) -> None:
    expected = case["expect"]
    found = outcome(case["text"], db_id=case.get("db_id", "concert_singer"))
    if "refuse" in expected:
        assert found.get("refuse") in {expected["refuse"], *expected.get("refuse_also", [])}, found
        return
    wanted = {key: value for key, value in expected.items() if key not in {"note", "clock"}}
    assert json.dumps(found.get("args")) == json.dumps(wanted["args"]), found
    assert found == wanted


@pytest.mark.parametrize("case", CASES, ids=[f"{case['id']} {case['title']}" for case in CASES])
def test_each_text_of_the_table_is_read_as_it_says(case: dict[str, Any]) -> None:
    judged(case)


class TestRealTexts:
    pytestmark = needs_realdata

    def test_each_real_text_is_read_as_its_table_says(self) -> None:
        for line in (REALDATA / "mql" / "texts.jsonl").read_text(encoding="utf-8").splitlines():
            judged(json.loads(line))
