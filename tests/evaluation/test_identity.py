"""The scorer's digest covers what a verdict depends on, and names what it leaves out."""

from pathlib import Path

import grimp

import evaluation.identity
from evaluation.identity import LEFT_OUT, scorer_digest, scorer_identity


def test_everything_that_is_left_out_exists() -> None:
    root = Path(evaluation.identity.__file__).parent
    assert [name for name in LEFT_OUT if not (root / name).exists()] == []


def test_the_core_of_scoring_is_not_left_out() -> None:
    assert LEFT_OUT.isdisjoint(
        {"parse", "guard", "executors", "values.py", "table.py", "compare.py", "score.py", "gold.py"}
    )


def test_the_identity_names_version_and_digest() -> None:
    assert scorer_digest()[:12] in scorer_identity()


def test_nothing_that_is_left_out_is_imported_by_what_judges() -> None:
    graph = grimp.build_graph("evaluation", "benchmark_data")
    judges = {f"evaluation.{name}" for name in ("score", "judgement", "execution", "aggregate", "executors.connect")}
    closure = judges | set.union(*(graph.find_upstream_modules(judge) for judge in judges))
    # The digest names itself on scores; what it leaves out are files and packages right below `evaluation`.
    left_out = {f"evaluation.{name.removesuffix('.py')}" for name in LEFT_OUT} - {"evaluation.identity"}
    assert {module for module in closure if ".".join(module.split(".")[:2]) in left_out} == set()
