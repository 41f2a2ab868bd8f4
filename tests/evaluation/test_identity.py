"""The scorer's digest covers what a verdict depends on, and names what it leaves out."""

import sys
from pathlib import Path

import grimp
import pytest

import evaluation.identity
from evaluation.identity import LEFT_OUT, LIBRARIES, scorer_digest, scorer_identity


def test_everything_that_is_left_out_exists() -> None:
    root = Path(evaluation.identity.__file__).parent
    assert [name for name in LEFT_OUT if not (root / name).exists()] == []


def test_the_core_of_scoring_is_not_left_out() -> None:
    assert LEFT_OUT.isdisjoint(
        {"parse", "guard", "executors", "values.py", "table.py", "compare.py", "score.py", "gold.py"}
    )


def test_the_identity_names_version_and_digest() -> None:
    assert scorer_digest()[:12] in scorer_identity()


def test_the_digest_changes_with_the_version_of_what_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    known = scorer_digest()
    monkeypatch.setattr("evaluation.identity.version", lambda _: "9.9.9")
    assert scorer_digest.__wrapped__() != known


def test_the_digest_covers_every_library_that_judges() -> None:
    graph = grimp.build_graph("evaluation", "benchmark_data", include_external_packages=True)
    judges = {f"evaluation.{name}" for name in ("score", "judgement", "execution", "executors.connect")}
    closure = judges | set.union(*(graph.find_upstream_modules(judge) for judge in judges))
    ours = ("evaluation", "benchmark_data", *sys.stdlib_module_names)
    found = {module for module in closure if module.split(".")[0] not in ours}
    assert found == {name.replace("-", "_") for name in LIBRARIES} | {"bson"}


def test_nothing_that_is_left_out_is_imported_by_what_judges() -> None:
    graph = grimp.build_graph("evaluation", "benchmark_data")
    judges = {f"evaluation.{name}" for name in ("score", "judgement", "execution", "aggregate", "executors.connect")}
    closure = judges | set.union(*(graph.find_upstream_modules(judge) for judge in judges))
    # The digest names itself on scores; what it leaves out are files and packages right below `evaluation`.
    left_out = {f"evaluation.{name.removesuffix('.py')}" for name in LEFT_OUT} - {"evaluation.identity"}
    assert {module for module in closure if ".".join(module.split(".")[:2]) in left_out} == set()
