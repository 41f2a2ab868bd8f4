"""The scorer's digest covers what a verdict depends on, and names what it leaves out."""

from pathlib import Path

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
