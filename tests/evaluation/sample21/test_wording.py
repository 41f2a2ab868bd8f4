"""Evidence tells what one has to know, and never the query; no question is asked twice."""

from collections.abc import Mapping
from typing import Any

import pytest

from benchmark_data.bundles.sample21.authored_items import AuthoredItem
from evaluation.sample21.wording import given_away, repeated_questions, wording_faults
from evaluation.types import Operation, Query


def item(number: int = 1, question: str = "Who bakes?", evidence: str = "") -> AuthoredItem:
    return AuthoredItem(
        number=number, question_id=f"x-{number}", question=question, evidence=evidence, sql="SELECT 1", mql="x"
    )


def match(filter_: Mapping[str, Any]) -> Query:
    return Query(collection="loaves", operation=Operation.FIND, arguments={"filter": filter_})


LONG = match({"kind": "R", "state": {"$ne": "X"}, "price.cents": {"$gte": 2000}, "baker.village": "Fosse"})

EVIDENCE = [
    ("a return is a line with `lines.kind` = 'R'", []),
    ("use $match on `kind`", ["query_words"]),
    ("unwind the loaves first", ["query_words"]),
    ("prices are in $, village in capitals", []),
    ("`kind` 'R' where `state` is not 'X', `price.cents` from 2000 up, `baker.village` 'Fosse'", ["gives_query_away"]),
    ("in Fosse bread costs 2000 and more", []),
    ("'Fosse' is a `baker.village`, 2000 a `price.cents`; 'X' a `state` and 'R' a `kind`", []),
    ("an aggregate of stones is no loaf", ["query_words"]),
]


@pytest.mark.parametrize(("evidence", "rules"), EVIDENCE, ids=[str(n) for n in range(len(EVIDENCE))])
def test_evidence_is_judged(evidence: str, rules: list[str]) -> None:
    assert [fault.rule for fault in wording_faults(item(evidence=evidence), LONG)] == rules


def test_a_short_query_cannot_be_given_away() -> None:
    assert given_away("`kind` is 'R' for rye", match({"kind": "R"})) == 0


def test_the_share_given_away_counts_what_stands_in_the_order_of_the_query() -> None:
    forward = "kind R state X price.cents 2000 baker.village Fosse"
    backward = " ".join(reversed(forward.split()))
    assert given_away(forward, LONG) == 1
    assert given_away(backward, LONG) == pytest.approx(1 / 8)


PAIRS = [
    ("How many bakers live in Elmstead?", "How many bakers live in Fosse?", True),
    ("Which loaves weigh more than 800 grams?", "Which loaves weigh more than 900 grams?", True),
    ("Which loaves weigh more than 800 grams?", "Which bakers baked more than 12 loaves of rye?", False),
    ("List the bakers of 'Elmstead'.", "List the bakers of 'Saint-Brieuc'.", True),
    ("How many bakers are there?", "How many bakers are there in each village, largest first?", False),
]


@pytest.mark.parametrize(("first", "second", "alike"), PAIRS, ids=[str(n) for n in range(len(PAIRS))])
def test_questions_that_differ_in_a_name_only_are_told(first: str, second: str, alike: bool) -> None:
    found = list(repeated_questions([item(1, first), item(2, second)]))
    assert bool(found) is alike
