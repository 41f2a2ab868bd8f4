"""Judges the words of sample items: evidence that gives the query away, and questions that are asked twice."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import combinations
from typing import Any, Final

from benchmark_data.bundles.sample21.authored_items import AuthoredItem
from evaluation.sample21.proofs import ItemFault
from evaluation.types import Query

_OPERATOR: Final = re.compile(r"\$\w+|\$\$")
_STAGE: Final = re.compile(
    r"\b(?:aggregate|countDocuments|unwind|\w*lookup|pipeline|elemMatch|facet|addFields|sortByCount|objectToArray"
    r"|arrayElemAt|dateToString|setWindowFields|graphLookup|replaceRoot|group by|SELECT|JOIN|GROUP BY|ORDER BY)\b"
)
_FEWEST_TOKENS: Final = 7
_GIVEN_AWAY: Final = 0.7
_ALIKE: Final = 0.9
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|“[^”]*”|‘[^’]*’|\d[\d.,:/-]*|(?<=\w )[A-Z]\w+")


def wording_faults(item: AuthoredItem, query: Query | None) -> Iterator[ItemFault]:
    """What is wrong with an item's question and evidence."""
    for name, text in (("question", item.question), ("evidence", item.evidence)):
        if found := _OPERATOR.search(text) or _STAGE.search(text):
            message = f"{found[0]!r} is a word of a query language: say it in a person's words."
            yield ItemFault(field=name, rule="query_words", message=message)
    if item.evidence and query is not None:
        share = given_away(item.evidence, query)
        if share >= _GIVEN_AWAY:
            message = f"the evidence has {share:.0%} of the query's paths and values, in its order: it gives it away."
            yield ItemFault(field="evidence", rule="gives_query_away", message=message)


def given_away(evidence: str, query: Query) -> float:
    """Which share of the query's paths and values stand in the evidence in the query's order; 0 for short queries.

    A short query has so few of them that any evidence on it names most.
    """
    tokens = list(dict.fromkeys(_tokens(query.arguments)))
    if len(tokens) < _FEWEST_TOKENS:
        return 0.0
    positions = []
    for token in tokens:
        found = re.search(rf"(?<![\w.]){re.escape(token)}(?![\w])", evidence)
        if found:
            positions.append(found.start())
    return _longest_rise(positions) / len(tokens)


def repeated_questions(items: Sequence[AuthoredItem]) -> Iterator[tuple[AuthoredItem, AuthoredItem, float]]:
    """Pairs of items whose questions differ in names and numbers only, or hardly at all, with their likeness."""
    plain = {item.question_id: _QUOTED.sub("*", item.question).lower() for item in items}
    for first, second in combinations(items, 2):
        left, right = plain[first.question_id].split(), plain[second.question_id].split()
        if min(len(left), len(right)) < 0.7 * max(len(left), len(right)):
            continue
        likeness = SequenceMatcher(None, left, right, autojunk=False).ratio()
        if likeness >= _ALIKE:
            yield first, second, likeness


def _tokens(value: Any) -> Iterator[str]:
    """Paths and values of a query in its order; operators are none, nor is what is only 0 or 1."""
    if isinstance(value, Mapping):
        for name, inside in value.items():
            if not name.startswith("$") and name not in {"pipeline", "filter", "projection", "sort", "_id"}:
                yield name
            yield from _tokens(inside)
    elif isinstance(value, list | tuple):
        for inside in value:
            yield from _tokens(inside)
    elif isinstance(value, str):
        yield value.lstrip("$")
    elif isinstance(value, int | float) and not isinstance(value, bool) and value not in {0, 1, -1}:
        yield f"{value:g}"


def _longest_rise(positions: Sequence[int]) -> int:
    """Length of the longest increasing subsequence."""
    best: list[int] = []
    for number, position in enumerate(positions):
        best.append(1 + max((best[i] for i in range(number) if positions[i] < position), default=0))
    return max(best, default=0)
