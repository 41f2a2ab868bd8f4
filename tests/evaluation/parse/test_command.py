"""`aptboard parse` answers each line, tells the bad lines, and says so by its exit code."""

import json
from pathlib import Path
from typing import Any

import typer
from typer.testing import CliRunner, Result

from evaluation.commands.parse import parse

APP = typer.Typer()
APP.command()(parse)


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(APP, list(arguments), input=stdin)


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_each_text_is_answered_in_order(tmp_path: Path) -> None:
    file = tmp_path / "texts.jsonl"
    records = [
        {"id": 1, "text": "db.t.distinct('a', { b: NumberLong(1) }).length"},
        {"id": "two", "text": "db.t.drop()"},
        {"id": 3, "text": "db.t.find({ a: })"},
        {"id": 4, "text": '[{"$limit": 1}]', "collections": ["t"]},
        {"id": 5, "text": "db.u.find()", "collections": ["t"]},
        {"id": 6, "text": "use shop\ndb.t.find({}, {x: 1}).toArray().map(d => d.x)[0]", "db_id": "shop"},
    ]
    file.write_text("\n".join(map(json.dumps, records)) + "\n\n", encoding="utf-8")
    result = run(str(file))
    assert result.exit_code == 0
    answers = lines(result)
    assert answers[0] == {
        "id": 1,
        "ok": True,
        "collection": "t",
        "operation": "distinct",
        "arguments": {"key": "a", "filter": {"b": {"$numberLong": "1"}}},
        "flags": [],
        "post": {"length": True},
    }
    assert answers[1] == {
        "id": "two",
        "ok": False,
        "outcome": "forbidden",
        "reason": "write_operation",
        "position": 9,
        "message": "drop() is not a read.",
    }
    assert {key: answers[2][key] for key in ("ok", "outcome", "reason")} == {
        "ok": False,
        "outcome": "unparsable",
        "reason": "syntax_error",
    }
    assert answers[3]["collection"] == "t"
    assert answers[4]["reason"] == "unknown_collection"
    assert answers[5]["post"] == {"index": 0, "map": ["x"]}


def test_bad_lines_are_told_by_number_and_good_lines_are_answered() -> None:
    records = ["{", '{"id": 1, "text": "db.t.find()"}', '{"id": 2}', "[]", '{"id": 3, "text": "", "collections": "t"}']
    result = run("-", stdin="\n".join(records))
    assert result.exit_code == 2
    assert [answer["id"] for answer in lines(result)] == [1]
    assert [line.split(":")[1] for line in result.stderr.splitlines()] == ["1", "3", "4", "5"]


def test_the_clock_can_be_set() -> None:
    record = json.dumps({"id": 1, "text": "db.t.find({ a: new Date() })"})
    result = run("-", "--now", "2020-01-01T00:00:00", stdin=record)
    assert lines(result)[0]["arguments"]["filter"]["a"] == {"$date": {"$numberLong": "1577836800000"}}


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    assert run(str(tmp_path / "none.jsonl")).exit_code == 2
