"""`aptboard docmap queries` and `aptboard docmap study`, from SQLite file to proof and plot."""

import json
import re
import sqlite3
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from evaluation.cli import app
from evaluation.embedded.document_database import DocumentDatabaseUrls

pytestmark = pytest.mark.engine

QUESTIONS: list[dict[str, Any]] = [
    {"question_id": 1, "SQL": "SELECT name FROM boat WHERE tons > 10"},
    {"question_id": 2, "SQL": "SELECT b.name, COUNT(*) FROM boat b JOIN trip t ON t.boat_id = b.id GROUP BY b.id"},
    {"question_id": 3, "SQL": "SELECT AVG(tons) FROM boat"},
]
DOCMAP = """
docmap: 1
source: {db_id: harbour, dialect: sqlite}
collections:
  boats:
    table: boat
    _id: id
    fields:
      name: name
      tons: tons
      trips: {embed_many: {via: trip.boat_id, role: home, order_by: [id], fields: {_id: id, day: day}}}
"""


@pytest.fixture
def harbour(tmp_path: Path, document_database: DocumentDatabaseUrls, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source of two tables, its questions and a docmap; the commands use the test run's engine."""
    monkeypatch.setenv("MONGO_URL", document_database.reader)
    monkeypatch.setenv("MONGO_LOADER_URL", document_database.loader)
    with sqlite3.connect(tmp_path / "harbour.sqlite") as connection:
        connection.executescript("""
            CREATE TABLE boat (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tons REAL);
            CREATE TABLE trip (id INTEGER PRIMARY KEY, boat_id INTEGER NOT NULL REFERENCES boat(id), day TEXT);
        """)
        connection.executemany("INSERT INTO boat VALUES (?, ?, ?)", [(n, f"b{n}", 4.5 * n) for n in range(1, 9)])
        connection.executemany("INSERT INTO trip VALUES (?, ?, ?)", [(n, n % 8 + 1, f"d{n}") for n in range(30)])
    connection.close()
    (tmp_path / "questions.json").write_text(json.dumps(QUESTIONS))
    (tmp_path / "harbour.yaml").write_text(DOCMAP)
    return tmp_path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["docmap", *map(str, arguments)])


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


def test_a_study_writes_its_figures_and_its_plot(harbour: Path) -> None:
    scaled = harbour / "twice.sqlite"
    assert run("scale", harbour / "harbour.sqlite", scaled, "--factor", "2").exit_code == 0
    done = run(
        "study", harbour / "harbour.sqlite", harbour / "questions.json", "--docmap", harbour / "harbour.yaml",
        "--scaled", f"2={scaled}", "--repetitions", "2", "--output", harbour / "study",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    record = json.loads((harbour / "study" / "study.json").read_text())
    assert [(arm["strategy"], arm["factor"]) for arm in record["arms"]] == [
        ("one_to_one", 1.0), ("harbour", 1.0), ("one_to_one", 2.0), ("harbour", 2.0),
    ]  # fmt: skip
    assert all(len(query["milliseconds"]) == 2 for arm in record["arms"] for query in arm["queries"])
    assert ET.parse(harbour / "study" / "study.svg").getroot().tag.endswith("svg")


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
