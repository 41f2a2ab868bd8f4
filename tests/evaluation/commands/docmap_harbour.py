"""A small source with questions and a docmap in a folder, and one call for each command on it."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from evaluation.cli import app
from evaluation.embedded.document_database import DocumentDatabaseUrls

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
