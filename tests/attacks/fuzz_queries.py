"""A coverage-guided fuzz run over reading and guarding: `python -m tests.attacks.fuzz_queries --minutes 10`."""

import argparse
import json
import random
import re
import sys
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

from evaluation.errors import ForbiddenQueryError, UnparsableTextError
from evaluation.guard.canonical import canonical
from evaluation.guard.judge import judge
from evaluation.guard.lists import ENTRIES, REFUSED_OPERATORS
from evaluation.parse.read import read
from evaluation.types import ReadingContext
from tests.attacks.independent_walker import violations

COLLECTIONS = ("t", "u", "films")
CONTEXT = ReadingContext(db_id="fuzz", collections=COLLECTIONS, now=datetime(2024, 3, 15, 12, tzinfo=UTC))
CASES = Path(__file__).resolve().parents[1]
TABLES = (CASES / "evaluation" / "cases" / "texts.jsonl", CASES / "attacks" / "cases" / "queries.jsonl")
SLOW_SECONDS = 1.0
_CODE = """
db. .find( .aggregate([ .sort({ .toArray() .limit(1) ) ( ] [ } { : , ; ' \\" ` ``` /x/ \\\\u0024 \\\\
// /* */ new => ... ${ null None undefined ISODate( new_Date( ObjectId( 1e9 -0 0x1 5n __proto__ system.users
db.getSiblingDB( runCommand( from: pipeline: coll: $$value $$NOW 't' 'u' {$literal: $facet:{a:[ function(){ print(
list( {'a':True}"""
TOKENS = (
    *(entry.name for entry in ENTRIES),
    *REFUSED_OPERATORS,
    *_CODE.split(),
    *("use admin", "const x=", "for d in ", "\n", "\0", "\ud83d", "é", "💥", " ", "\u2028", "\ufeff"),
)
_WORD = re.compile(r"[$\w]+|\s+|[^\w\s]")
_GROUP = re.compile(r"\{[^{}]*\}|\[[^\[\]]*\]|\([^()]*\)|\.\w+\([^()]*\)")


class Coverage:
    """The lines of our code that the last text reached, and all lines that any text reached."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, int]] = set()
        self.fresh = 0

    def trace(self, frame: FrameType, event: str, argument: Any) -> Any:
        """A trace function for `sys.settrace`."""
        name = frame.f_code.co_filename
        if "/evaluation/parse/" not in name and "/evaluation/guard/" not in name:
            return None
        return self.line

    def line(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Note one line."""
        key = (frame.f_code.co_filename, frame.f_lineno)
        if key not in self.seen:
            self.seen.add(key)
            self.fresh += 1
        return self.line


def seeds() -> list[str]:
    """The texts of the case tables."""
    texts = []
    for table in TABLES:
        for line in table.read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            texts.append(str(record.get("text", record.get("payload", ""))))
    return texts


def mutated(corpus: list[str], chance: random.Random) -> str:
    """A text of the corpus after one to five changes."""
    text = chance.choice(corpus)
    for _ in range(chance.randint(1, 5)):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + int(chance.expovariate(0.15)))
        match chance.randrange(11):
            case 7 | 8:
                text = _with_another_word(text, chance)
            case 9 | 10:
                text = _with_another_group(text, chance.choice(corpus), chance)
            case 0:
                text = text[:start] + text[end:]
            case 1:
                text = text[:start] + chance.choice(TOKENS) + text[end:]
            case 2:
                text = text[:start] + chance.choice(TOKENS) + text[start:]
            case 3:
                text = text[:end] + text[start:end] * chance.randint(1, 4) + text[end:]
            case 4:
                other = chance.choice(corpus)
                place = chance.randrange(len(other) + 1)
                text = text[:start] + other[place : place + chance.randint(1, 80)] + text[start:]
            case 5:
                text = text[:start] + chr(chance.choice((chance.randrange(128), chance.randrange(0x3000)))) + text[end:]
            case _:
                text = text[:end]
    return text[:5_000]


def _with_another_word(text: str, chance: random.Random) -> str:
    """The text with one of its words replaced by a word of the grammar, or by another of its own."""
    words = _WORD.findall(text)
    if words:
        words[chance.randrange(len(words))] = chance.choice((*TOKENS, *words))
    return "".join(words)


def _with_another_group(text: str, other: str, chance: random.Random) -> str:
    """The text with a pair of brackets and its inside replaced by one of another text, so that brackets still match."""
    groups, others = list(_GROUP.finditer(text)), _GROUP.findall(other)
    if not groups or not others:
        return text
    place = chance.choice(groups)
    return text[: place.start()] + str(chance.choice(others)) + text[place.end() :]


def verdict(text: str) -> str:
    """What becomes of a text; AssertionError where something is allowed that the lists do not allow."""
    try:
        reading = read(text, context=CONTEXT)
        judge(reading.query, collections=COLLECTIONS)
    except (UnparsableTextError, ForbiddenQueryError) as error:
        return str(error.reason)
    found = list(violations(reading.query, collections=COLLECTIONS))
    assert not found, found
    canonical(reading.query)
    return "allowed"


def run(*, minutes: float, seed: int) -> int:
    """Fuzz for that long; the number of texts that crashed, hung or were wrongly allowed."""
    chance, coverage, corpus = random.Random(seed), Coverage(), seeds()
    outcomes: Counter[str] = Counter()
    failures = 0
    slowest = 0.0
    end = time.monotonic() + minutes * 60
    while time.monotonic() < end:
        text = mutated(corpus, chance)
        coverage.fresh = 0
        started = time.process_time()
        sys.settrace(coverage.trace)
        try:
            outcome = verdict(text)
        except Exception as error:  # noqa: BLE001 - the border of the fuzz run: any crash is a finding
            outcome = f"CRASH {type(error).__name__}"
            failures += 1
            print(f"{outcome}: {error}: {text!r}")
        finally:
            sys.settrace(None)
        taken = time.process_time() - started
        slowest = max(slowest, taken)
        if taken > SLOW_SECONDS:
            failures += 1
            print(f"HANG {taken:.2f} s: {text!r}")
        outcomes[outcome] += 1
        if coverage.fresh and len(corpus) < 20_000:
            corpus.append(text)
    print(f"{outcomes.total()} texts, {len(coverage.seen)} lines, corpus {len(corpus)}, seed {seed}")
    print(f"slowest {slowest:.3f} s")
    print(", ".join(f"{name} {count}" for name, count in outcomes.most_common()))
    return failures


def main() -> None:
    """Run the fuzz from the command line; exit code 1 where anything was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    arguments = parser.parse_args()
    sys.exit(1 if run(minutes=arguments.minutes, seed=arguments.seed) else 0)


if __name__ == "__main__":
    main()
