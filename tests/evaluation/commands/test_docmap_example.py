"""`aptboard docmap example` gives a source, a docmap and questions that the other commands take."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from typer.testing import CliRunner, Result

from benchmark_data.docmap.check import read_checked
from evaluation.cli import app
from evaluation.commands.docmap_sources import questions_of


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["docmap", *map(str, arguments)])


def test_an_example_is_a_source_with_a_docmap_and_questions_that_run_on_it(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "kitchen"
    assert run("example", "kitchen", folder).exit_code == 0
    assert read_checked(folder / "docmap.yaml", folder / "kitchen.sqlite").db_id == "kitchen"
    assert (folder / "design.md").read_text(encoding="utf-8").strip()
    questions = questions_of(folder / "questions.json")
    assert len(questions) >= 20
    assert {question["difficulty"] for question in questions} == {"simple", "moderate", "challenging"}
    with closing(sqlite3.connect(folder / "kitchen.sqlite")) as connection:
        for question in questions:
            connection.execute(question["SQL"]).fetchall()


def test_an_example_does_not_touch_a_folder_that_is_in_use(tmp_path: Path) -> None:
    (tmp_path / "questions.json").write_text("[]")
    result = run("example", "kitchen", tmp_path)
    assert (result.exit_code, json.loads((tmp_path / "questions.json").read_text())) == (2, [])
    assert "no empty folder" in result.stderr


def test_an_unknown_example_is_answered_with_those_there_are(tmp_path: Path) -> None:
    result = run("example", "kitten", tmp_path / "x")
    assert result.exit_code == 2
    assert "there is no such database; complete are: airport, bikes," in result.stderr
