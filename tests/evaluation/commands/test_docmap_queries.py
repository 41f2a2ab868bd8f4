"""`aptboard docmap queries`, from SQLite file to proof and to items."""

import json
import re
from pathlib import Path

import pytest

from benchmark_data.load import load_bundle
from benchmark_data.types import Difficulty
from tests.evaluation.commands.docmap_harbour import QUESTIONS, harbour, run

__all__ = ["harbour"]

pytestmark = pytest.mark.engine


@pytest.mark.parametrize("options", [[], ["--docmap", "harbour.yaml"]], ids=["one-to-one", "docmap"])
def test_each_question_is_compiled_and_proved(harbour: Path, options: list[str]) -> None:
    given = [harbour / word if word.endswith(".yaml") else word for word in options]
    output = harbour / "proofs.jsonl"
    done = run("queries", harbour / "harbour.sqlite", harbour / "questions.json", *given, "--output", output)
    assert done.exit_code == 0, done.output
    assert "3 of 3 proved equal" in done.stdout
    records = [json.loads(line) for line in output.read_text().splitlines()]
    assert [record["question_id"] for record in records] == ["1", "2", "3"]
    assert all(record["gold_query"].startswith("db.") and not record["reason"] for record in records)


def test_a_question_that_cannot_be_compiled_is_named_with_its_reason(harbour: Path) -> None:
    bad = [*QUESTIONS, {"question_id": "bad", "SQL": "SELECT GROUP_CONCAT(name) FROM boat"}]
    (harbour / "questions.json").write_text(json.dumps(bad))
    done = run("queries", harbour / "harbour.sqlite", harbour / "questions.json", "--perturbations", "0")
    assert done.exit_code == 1
    assert "3 of 4 proved equal" in done.stdout
    assert "bad: " in done.stderr


def test_scaled_files_and_altered_copies_are_named_as_instances(harbour: Path) -> None:
    scaled = harbour / "twice.sqlite"
    assert run("scale", harbour / "harbour.sqlite", scaled, "--factor", "2").exit_code == 0
    done = run(
        "queries", harbour / "harbour.sqlite", harbour / "questions.json", "--docmap", harbour / "harbour.yaml",
        "--instance", scaled, "--perturbations", "1", "--output", harbour / "proofs.jsonl",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "Instances: harbour, twice, harbour-perturbed-1." in done.stdout
    records = [json.loads(line) for line in (harbour / "proofs.jsonl").read_text().splitlines()]
    assert [len(record["rows"]) for record in records] == [3, 3, 3]


def test_the_proved_questions_become_the_items_of_a_bundle(harbour: Path) -> None:
    bad = {"question_id": "bad", "SQL": "SELECT GROUP_CONCAT(name) FROM boat"}
    ask = {"question": "Which boats?", "evidence": "big means tons > 10", "difficulty": "simple"}
    (harbour / "questions.json").write_text(json.dumps([{**QUESTIONS[0], **ask}, *QUESTIONS[1:], bad]))
    items, given = harbour / "items.jsonl", harbour / "harbour.yaml"
    done = run("queries", harbour / "harbour.sqlite", harbour / "questions.json", "--docmap", given, "--items", items)
    assert done.exit_code == 1
    done = run("migrate", harbour / "harbour.sqlite", given, harbour / "bundle", "--items", items)
    assert done.exit_code == 0, done.output
    loaded = load_bundle(harbour / "bundle")
    assert [item.question_id for item in loaded.items] == ["1", "2", "3"]
    assert (loaded.items[0].evidence, loaded.items[0].difficulty) == ("big means boats.tons > 10", Difficulty.SIMPLE)
    assert loaded.items[1].question == QUESTIONS[1]["SQL"]


@pytest.mark.parametrize(
    ("content", "told"),
    [("{", "not JSON"), ("{}", "expected a list of objects"), ('[{"question_id": 1}]', "expected a list of objects")],
)
def test_a_file_that_holds_no_questions_is_refused(harbour: Path, content: str, told: str) -> None:
    (harbour / "questions.json").write_text(content)
    done = run("queries", harbour / "harbour.sqlite", harbour / "questions.json")
    assert done.exit_code == 2
    # The message stands in a box that breaks its lines.
    assert "".join(told.split()) in re.sub(r"[^\w]", "", done.output)


def test_a_docmap_with_faults_is_refused_with_each_of_them(harbour: Path) -> None:
    (harbour / "bad.yaml").write_text((harbour / "harbour.yaml").read_text().replace("tons: tons", "tons: tonnes"))
    given = (harbour / "harbour.sqlite", harbour / "questions.json", "--docmap", harbour / "bad.yaml")
    done = run("queries", *given)
    assert done.exit_code == 2
    assert "bad.yaml:10: collections.boats.fields.tons: no column 'tonnes' in table boat" in done.stderr
    assert "the column boat.tons has no home" in done.stderr
