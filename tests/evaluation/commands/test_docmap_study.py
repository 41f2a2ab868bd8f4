"""`aptboard docmap study`, from SQLite file to table and plot."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.evaluation.commands.docmap_harbour import QUESTIONS, harbour, run

__all__ = ["harbour"]

pytestmark = pytest.mark.engine


def test_a_study_writes_its_figures_its_table_and_its_plot(harbour: Path) -> None:
    twice = harbour / "twice.sqlite"
    assert run("scale", harbour / "harbour.sqlite", twice, "--factor", "2").exit_code == 0
    done = run(
        "study", harbour / "harbour.sqlite", harbour / "questions.json", "--docmap", harbour / "harbour.yaml",
        "--factor", "3", "--scaled", f"2={twice}", "--repetitions", "2", "--output", harbour / "study",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    record = json.loads((harbour / "study" / "study.json").read_text())
    strategies = ["one_to_one", "one_to_one_indexed", "harbour"]
    assert [(arm["strategy"], arm["factor"]) for arm in record["arms"]] == [
        (name, factor) for factor in (1.0, 2.0, 3.0) for name in strategies
    ]
    assert all(len(query["milliseconds"]) == 2 for arm in record["arms"] for query in arm["queries"])
    assert record["machine"]["cores"] >= 1
    assert ET.parse(harbour / "study" / "study.svg").getroot().tag.endswith("svg")
    assert "| 3× | harbour |" in (harbour / "study" / "study.md").read_text()


def test_a_question_that_is_not_proved_under_each_strategy_is_left_out_and_named(harbour: Path) -> None:
    bad = {"question_id": "bad", "SQL": "SELECT GROUP_CONCAT(name) FROM boat"}
    (harbour / "questions.json").write_text(json.dumps([*QUESTIONS, bad]))
    done = run(
        "study", harbour / "harbour.sqlite", harbour / "questions.json", "--docmap", harbour / "harbour.yaml",
        "--no-indexed", "--perturbations", "0", "--repetitions", "1", "--output", harbour / "study",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "bad is left out: " in done.stderr
    record = json.loads((harbour / "study" / "study.json").read_text())
    assert list(record["left_out"]) == ["bad"]
    assert all(len(arm["queries"]) == 3 for arm in record["arms"])


@pytest.mark.parametrize("given", ["two=x.sqlite", "2=x.sqlite", "-1=harbour.sqlite", "2"])
def test_a_size_that_is_none_is_refused(harbour: Path, given: str) -> None:
    done = run(
        "study", harbour / "harbour.sqlite", harbour / "questions.json", "--docmap", harbour / "harbour.yaml",
        "--scaled", given, "--output", harbour / "study",
    )  # fmt: skip
    assert done.exit_code == 2
    assert not (harbour / "study").exists()
