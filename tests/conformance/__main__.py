"""`make conformance`: runs the battery on a document database and fails if it is worse than it was."""

import argparse
import contextlib
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pymongo import MongoClient

from evaluation.embedded.document_database import provided, urls_from_environment
from tests.conformance.battery import NOT_CORE, battery
from tests.conformance.running import CORRECT, Outcome, Verdict, run_check

BASELINE_FILE = Path(__file__).with_name("baseline.json")
BASELINE: dict[str, int] = json.loads(BASELINE_FILE.read_text(encoding="utf-8"))
LEAST_CORE_CORRECT = 595
SOCKET_MILLISECONDS = 25_000


def main(arguments: Sequence[str]) -> int:
    """Run, print a table, and compare with the baseline; 1 if anything is worse."""
    parser = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    parser.add_argument("--uri", help="a server to write to; by default MONGO_LOADER_URL, or the embedded engine")
    parser.add_argument("--verbose", action="store_true", help="print every check that did not pass")
    parser.add_argument("--record", action="store_true", help="make what is found the new baseline")
    parsed = parser.parse_args(arguments)
    with _server(parsed.uri) as uri:
        outcomes = run_battery(uri)
    sys.stdout.write("\n".join(report(outcomes, verbose=parsed.verbose)) + "\n")
    if parsed.record:
        BASELINE_FILE.write_text(json.dumps(correct_by_group(outcomes), indent=2) + "\n", encoding="utf-8")
    faults = shortfalls(outcomes, BASELINE)
    sys.stdout.write("\n".join(faults or ["conformance: as good as the baseline or better"]) + "\n")
    return 1 if faults else 0


@contextlib.contextmanager
def _server(uri: str | None) -> Iterator[str]:
    named = urls_from_environment()
    if uri or named:
        yield uri or (named.loader if named else "")
        return
    with tempfile.TemporaryDirectory(prefix="aptboard-conformance-") as home, provided(Path(home)) as urls:
        yield urls.loader


def run_battery(uri: str) -> list[Outcome]:
    """Run every check in a database of this process's own, which is dropped afterwards."""
    name = f"aptboard_conformance_{os.getpid()}"
    client: MongoClient[dict[str, Any]] = MongoClient(
        uri, serverSelectionTimeoutMS=8_000, socketTimeoutMS=SOCKET_MILLISECONDS
    )
    with client:
        try:
            return [run_check(client[name], check) for check in battery()]
        finally:
            client.drop_database(name)


def correct_by_group(outcomes: Sequence[Outcome]) -> dict[str, int]:
    """How many checks of each group went right."""
    correct = Counter(outcome.check.group for outcome in outcomes if outcome.verdict in CORRECT)
    return {group: correct[group] for group in dict.fromkeys(outcome.check.group for outcome in outcomes)}


def core_correct(outcomes: Sequence[Outcome]) -> int:
    """How many checks of the core groups went right."""
    return sum(count for group, count in correct_by_group(outcomes).items() if group not in NOT_CORE)


def shortfalls(outcomes: Sequence[Outcome], baseline: dict[str, int]) -> list[str]:
    """What is worse than the baseline, as sentences."""
    found = correct_by_group(outcomes)
    faults = [
        f"conformance: group {group} fell from {least} to {found.get(group, 0)} correct"
        for group, least in baseline.items()
        if found.get(group, 0) < least
    ]
    core = core_correct(outcomes)
    if core < LEAST_CORE_CORRECT:
        faults.append(f"conformance: {core} core checks are correct, at least {LEAST_CORE_CORRECT} have to be")
    return faults


def report(outcomes: Sequence[Outcome], *, verbose: bool) -> Iterator[str]:
    """The lines of the table."""
    if verbose:
        for outcome in outcomes:
            if outcome.verdict is not Verdict.PASS:
                check = outcome.check
                yield f"{check.number:03d} {outcome.verdict:7} {check.group:10} {check.name}: {outcome.why}"
    yield f"{'group':<12}{'n':>5}" + "".join(f"{verdict:>9}" for verdict in Verdict)
    groups = dict.fromkeys(outcome.check.group for outcome in outcomes)
    for group in groups:
        yield _line(group, [outcome for outcome in outcomes if outcome.check.group == group])
    yield _line("all", outcomes)
    core = sum(outcome.check.group not in NOT_CORE for outcome in outcomes)
    yield f"core correct: {core_correct(outcomes)} of {core}"


def _line(title: str, outcomes: Sequence[Outcome]) -> str:
    counts = Counter(outcome.verdict for outcome in outcomes)
    return f"{title:<12}{len(outcomes):>5}" + "".join(f"{counts[verdict]:>9}" for verdict in Verdict)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
