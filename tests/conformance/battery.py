"""All checks in their order."""

import importlib

from tests.conformance.building import CHECKS, Check

# In the order in which the checks are numbered.
SUBJECTS = (
    "match",
    "project",
    "order",
    "group",
    "bucket",
    "lookup",
    "window",
    "arithmetic",
    "strings",
    "dates",
    "arrays",
    "conditions",
    "find",
    "refusals",
    "realistic",
    "array_paths",
    "javascript",
    "commands",
    "indexes",
    "missing",
)
NOT_CORE = frozenset({"regex", "errors", "js", "write", "command"})


def battery() -> tuple[Check, ...]:
    """Every check; a module of checks registers its own when it is imported first."""
    for subject in SUBJECTS:
        importlib.import_module(f"tests.conformance.checks.{subject}")
    return tuple(CHECKS)
