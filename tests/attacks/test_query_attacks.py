"""Hostile queries get the verdict of the case table, in every wrapping that a text can have."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaluation.errors import ForbiddenQueryError, UnparsableTextError
from evaluation.guard.judge import judge
from evaluation.parse.read import read
from tests.attacks.independent_walker import violations
from tests.evaluation.parse.reading import context
from tests.realdata import REALDATA, needs_realdata

TABLE = Path(__file__).parent / "cases" / "queries.jsonl"
CASES: list[dict[str, Any]] = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]
COLLECTIONS = ("t",)
# Payloads that the given table describes in words.
DESCRIBED = {
    "X055": "db.t.find(" + "{a:" * 10_000 + "1" + "}" * 10_000 + ")",
    "X056": "db.t.aggregate([" + ",".join(["{$lookup:{from:'t',pipeline:[],as:'x'}}"] * 500) + "])",
    "X057": " " * 5_000_000,
    "X061": "db.t.aggregate([], {allowDiskUse: true})",
}
WRAPPINGS: dict[str, Callable[[str], str]] = {
    "bare": lambda text: text,
    "fence": lambda text: f"The answer:\n```js\n{text}\n```\nDone.",
    "envelope": lambda text: json.dumps({"query": text}),
    "semicolon and comment": lambda text: f"/* a */\n{text} ; // b",
}


def verdict(text: str) -> tuple[str, tuple[str, ...]]:
    """The reason of the refusal, "" where the query is allowed; and its flags."""
    try:
        reading = read(text, context=context(db_id="x", collections=COLLECTIONS))
        flags = judge(reading.query, collections=COLLECTIONS)
    except (UnparsableTextError, ForbiddenQueryError) as error:
        return error.reason, ()
    assert list(violations(reading.query, collections=COLLECTIONS)) == []
    return "", (*reading.flags, *flags)


def judged(payload: str, expected: str) -> None:
    reason, flags = verdict(payload)
    kind, _, name = expected.partition(":")
    if kind == "refuse":
        assert reason == name
    else:
        assert reason == ""
        assert kind in {"allow", "run_limited", "flag"}
        assert kind != "flag" or name in flags


@pytest.mark.parametrize("case", CASES, ids=[f"{case['id']} {case['vector']}" for case in CASES])
def test_each_attack_gets_its_verdict(case: dict[str, Any]) -> None:
    judged(case["payload"], case["expect"])


@pytest.mark.parametrize("wrapping", [name for name in WRAPPINGS if name != "bare"])
def test_no_wrapping_turns_a_refusal_into_a_query(wrapping: str) -> None:
    for case in CASES:
        # A Python program in JavaScript comments is no program any more, but prose around a query.
        if case["expect"].startswith("refuse") and not case["payload"].startswith("import "):
            assert verdict(WRAPPINGS[wrapping](case["payload"]))[0] != "", case["id"]


class TestGivenTable:
    pytestmark = needs_realdata

    def test_each_vector_of_the_given_table_gets_its_verdict(self) -> None:
        for line in (REALDATA / "mql" / "abuse.jsonl").read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            judged(DESCRIBED.get(case["id"], case["payload"]), case["expect"])
