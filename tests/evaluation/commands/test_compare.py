"""`aptboard compare`."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from evaluation.commands.compare import compare
from evaluation.commands.extended_json import read_extended_json

app = typer.Typer()
app.command()(compare)

CASES = Path(__file__).parents[1] / "cases" / "scoring.jsonl"
GOOD = '{"id": "x", "gold": [{"a": {"$numberInt": "1"}}], "pred": [{"b": {"$numberLong": "1"}}]}'


def run(*arguments: Any, text: str | None = None) -> Any:
    return CliRunner().invoke(app, list(arguments), input=text)


def test_each_line_of_the_case_table_is_answered() -> None:
    result = run(str(CASES))
    assert result.exit_code == 0, result.stderr
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    cases = [json.loads(line) for line in CASES.read_text().splitlines()]
    assert [(a["id"], a["strict"], a["soft"]) for a in answers] == [
        (c["id"], c["expect_strict"], c["expect_soft"]) for c in cases
    ]
    assert set(answers[0]) == {"id", "strict", "soft", "outcome", "diagnostics", "message"}


BAD_LINES = {
    "no JSON": "nope",
    "no object": "[1]",
    "no rows": '{"gold": {}, "pred": []}',
    "no prediction": '{"gold": []}',
    "a row that is no document": '{"gold": [1], "pred": []}',
    "an unknown kind": '{"gold": [], "pred": [], "pred_kind": "table"}',
    "a kind that is no text": '{"gold": [], "pred": [], "pred_kind": ["scalar"]}',
    "two scalars": '{"gold": [1, 2], "pred": [], "gold_kind": "scalar"}',
    "two documents": '{"gold": [{}, {}], "pred": [], "gold_kind": "document"}',
    "an unknown array order": '{"gold": [], "pred": [], "meta": {"array_order": "any"}}',
    "meta that is no object": '{"gold": [], "pred": [], "meta": 5}',
    "an impossible ObjectId": '{"gold": [{"a": {"$oid": "zz"}}], "pred": []}',
    "an impossible date": '{"gold": [{"a": {"$date": {"$numberLong": "x"}}}], "pred": []}',
    "an impossible decimal": '{"gold": [{"a": {"$numberDecimal": "x"}}], "pred": []}',
}


@pytest.mark.parametrize("name", BAD_LINES)
def test_a_bad_line_is_reported_with_its_number_and_the_others_are_answered(name: str) -> None:
    result = run("-", text="\n".join([GOOD, "", BAD_LINES[name], GOOD]))
    assert result.exit_code == 2
    assert [json.loads(line)["outcome"] for line in result.stdout.splitlines()] == ["correct", "correct"]
    assert result.stderr.startswith("-:3: ")
    assert len(result.stderr.splitlines()) == 1


def test_bytes_that_are_no_utf8_are_a_bad_line() -> None:
    result = CliRunner().invoke(app, ["-"], input=b"\xff\n" + GOOD.encode())
    assert result.exit_code == 2
    assert "-:1:" in result.stderr


def test_a_file_that_is_not_there_is_reported(tmp_path: Path) -> None:
    result = run(str(tmp_path / "none.jsonl"))
    assert result.exit_code == 2
    assert "No such file" in result.stderr


def test_hidden_keeps_gold_out_of_the_message() -> None:
    line = '{"gold": [{"secret": "canary"}], "pred": [{"a": 1}]}'
    assert "canary" in run("-", text=line).stdout
    assert "canary" not in run("-", "--hidden", text=line).stdout


def test_lines_deeper_than_the_recursion_limit_are_answered() -> None:
    depth = 5_000
    rows = ["[" * depth + leaf + "]" * depth for leaf in ("1", "1.0", '"1"')]
    lines = [f'{{"gold": [{{"a": {rows[0]}}}], "pred": [{{"b": {row}}}]}}' for row in rows]
    result = run("-", text="\n".join(lines))
    assert result.exit_code == 0, result.stderr
    assert [json.loads(line)["strict"] for line in result.stdout.splitlines()] == [True, True, False]


@pytest.mark.parametrize(
    "middle",
    [
        "",
        ' "x" ',
        "-1.5e3",
        'true, false, null, {"$numberLong": "5"}, {"$oid": "65a1b2c3d4e5f60718293a4b"}',
        '{"a": {}, "b": [ ], "\\u00e9": "\\n"}',
    ],
)
def test_deep_lines_read_as_shallow_ones_do(middle: str) -> None:
    depth = 4_000
    deep = read_extended_json("[" * depth + middle + "]" * depth)
    for _ in range(depth - 1):
        (deep,) = deep
    assert deep == read_extended_json(f"[{middle}]")


@pytest.mark.parametrize("middle", ["1 2", "{1: 2}", '{"a" 1}', '{"a": 1', "nul", ",", '"x', "1]]"])
def test_deep_lines_that_are_no_json_are_refused(middle: str) -> None:
    depth = 4_000
    with pytest.raises(ValueError, match=r"."):
        read_extended_json("[" * depth + middle + "]" * depth)
