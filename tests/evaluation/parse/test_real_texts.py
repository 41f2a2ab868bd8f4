"""Real model output and real gold are read, and none of them crashes the reader."""

import json
import re
from collections import Counter
from typing import Any

from tests.evaluation.parse.reading import outcome
from tests.realdata import REALDATA, needs_realdata

pytestmark = needs_realdata

# Gold that joins with a collection that its own database does not have.
BROKEN_GOLD = {"unknown_collection": 3}


def load(*path: str) -> Any:
    return json.loads(REALDATA.joinpath(*path).read_text(encoding="utf-8"))


def test_all_gold_of_a_real_benchmark_is_read_and_allowed() -> None:
    questions = load("tend", "questions.json")
    files = (REALDATA / "tend" / "databases").glob("*.json")
    collections = {file.stem: tuple(json.loads(file.read_text(encoding="utf-8"))) for file in files}
    outcomes = [
        outcome(question["MQL"], db_id=question["db_id"], collections=collections[question["db_id"]])
        for question in questions
    ]
    assert len(outcomes) == 1495
    assert Counter(found["refuse"] for found in outcomes if "refuse" in found) == BROKEN_GOLD


def test_all_gold_of_a_real_benchmark_is_read_where_the_collections_are_not_known() -> None:
    assert [
        question["question_id"] for question in load("tend", "questions.json") if "refuse" in outcome(question["MQL"])
    ] == []


def test_real_prediction_files_never_crash_the_reader() -> None:
    for name in ("a", "b", "c"):
        outcomes = [outcome(text) for text in load("tend", f"predictions_{name}.json").values()]
        assert sum("refuse" not in found for found in outcomes) >= 85


def test_real_model_output_never_crashes_and_most_of_it_is_read() -> None:
    lines = (REALDATA / "mql" / "llm_outputs.jsonl").read_text(encoding="utf-8").splitlines()
    outcomes = Counter(str(outcome(json.loads(line)["mql"]).get("refuse", "read")) for line in lines)
    assert outcomes.total() == 770
    assert outcomes["read"] >= 580
    assert all(re.fullmatch(r"[a-z_]+", reason) for reason in outcomes)
