"""Hand-written items are read with the line of every field, and every fault of them is told at once."""

from pathlib import Path

import pytest

from benchmark_data.bundles.sample21.authored_items import read_authored
from benchmark_data.faults import FaultLog
from tests.benchmark_data.bundles.sample21.bakery import bakery

GOOD = "- {id: 1, question: 'Who bakes?', sql: SELECT 1;, mql: db.bakers.find()}"

FAULTY = [
    ("- {id: 1, sql: SELECT 1, mql: x}", 1, "0", "missing_key"),
    ("- {id: x, question: 'Who?', sql: SELECT 1, mql: x}", 1, "0.id", "not_a_number"),
    ("- {id: 0, question: 'Who?', sql: SELECT 1, mql: x}", 1, "0.id", "not_a_number"),
    (f"{GOOD}\n- {{id: 1, question: 'Who?', sql: SELECT 1, mql: x}}", 2, "1", "repeated_id"),
    ("- {id: 1, question: Who, sql: SELECT 1, mql: x}", 1, "0.question", "no_sentence"),
    ("- {id: 1, question: 'Who?', sql: '', mql: x}", 1, "0.sql", "not_a_text"),
    ("- id: 1\n  question: Who?\n  sql: SELECT 1\n  mql: x\n  hint: y", 5, "0.hint", "unknown_key"),
    ("- {id: 1, question: 'Who?', sql: SELECT 1, mql: x, empty: perhaps}", 1, "0.empty", "not_a_flag"),
    ("- {id: 1, question: 'Who?', sql: SELECT 1, mql: x, evidence: [a]}", 1, "0.evidence", "not_a_text"),
    ("id: 1", 1, "", "not_a_list"),
    ("- [", 1, "", "bad_yaml"),
]


@pytest.mark.parametrize(
    ("text", "line", "field", "rule"), FAULTY, ids=[rule + str(n) for n, (*_, rule) in enumerate(FAULTY)]
)
def test_a_fault_is_told_with_its_line_and_field(tmp_path: Path, text: str, line: int, field: str, rule: str) -> None:
    log = FaultLog("bakery/items.yaml")
    read_authored(bakery(tmp_path, items=text), log)
    assert [(fault.line, fault.field, fault.rule) for fault in log.faults] == [(line, field, rule)]


def test_an_item_keeps_the_lines_of_its_fields(tmp_path: Path) -> None:
    log = FaultLog("x")
    items = read_authored(bakery(tmp_path), log)
    assert log.total == 0
    assert [item.question_id for item in items] == ["bakery-001", "bakery-002", "bakery-003"]
    assert items[1].lines["id"] == 6
    assert items[1].lines["mql"] == 11
    assert items[1].evidence == "loaves of unknown grain have no `loaves.grain`"
    assert items[0].evidence == ""


def test_texts_come_without_white_space_and_semicolons_at_their_ends(tmp_path: Path) -> None:
    text = "- id: 2\n  question: >-\n    Who\n    bakes?\n  sql: |\n    SELECT 1;\n  mql: |\n    db.bakers.find();\n"
    (item,) = read_authored(bakery(tmp_path, items=text), FaultLog("x"))
    assert (item.question, item.sql, item.mql) == ("Who bakes?", "SELECT 1", "db.bakers.find()")


def test_evidence_may_be_left_out_null_or_empty(tmp_path: Path) -> None:
    lines = [
        f"- {{id: {number}, question: 'Who?', sql: SELECT 1, mql: x{given}}}"
        for number, given in enumerate(("", ", evidence: ''", ", evidence: null", ", evidence: ~"), start=1)
    ]
    log = FaultLog("x")
    assert [item.evidence for item in read_authored(bakery(tmp_path, items="\n".join(lines)), log)] == [""] * 4
    assert log.total == 0
