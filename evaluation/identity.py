"""Which scorer judged: a digest over the code that a verdict depends on."""

import hashlib
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Final


@cache
def scorer_identity() -> str:
    """Version and digest of the scorer, e.g. "aptboard 0.1.0 (3f9c0a1b2c4d)"."""
    return f"aptboard {version('aptboard')} ({scorer_digest()[:12]})"


@cache
def scorer_digest() -> str:
    """SHA-256 over every Python file of the scoring core, names included, in order of name, and what reads for it."""
    root = Path(__file__).parent
    folded = hashlib.sha256()
    for name in LIBRARIES:
        folded.update(f"{name} {version(name)}\0".encode())
    for path in sorted(root.rglob("*.py")):
        relative = path.relative_to(root).as_posix()
        if relative.split("/", 1)[0] not in LEFT_OUT:
            folded.update(f"{relative}\0".encode())
            folded.update(path.read_bytes())
    return folded.hexdigest()


LIBRARIES: Final = ("numpy", "pymongo", "tree-sitter", "tree-sitter-javascript")
"""Whose versions a verdict depends on: another grammar may read a text otherwise, another driver decode an answer."""

LEFT_OUT: Final = frozenset(
    {
        "addresses.py",
        "bundle_gold.py",
        "cli.py",
        "client.py",
        "commands",
        "difficulty.py",
        "embedded",
        "equivalence.py",
        "equivalence_perturbed.py",
        "equivalence_run.py",
        "equivalence_sqlite.py",
        "generation",
        "gold_check.py",
        "identity.py",
        "llm.py",
        "llm_compatible.py",
        "llm_errors.py",
        "llm_pinned.py",
        "llm_providers.py",
        "perturbation.py",
        "practice",
        "predictions",
        "prompts",
        "sample21",
        "study.py",
        "study_machine.py",
        "study_plot.py",
        "study_table.py",
    }
)
"""What no verdict depends on: commands, start-up of embedded parts, reading of files, asking of models, studies."""
