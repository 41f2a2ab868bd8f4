"""The resource rules of the guard: how large a query may be."""

from typing import Final

from evaluation.errors import ForbiddenQueryError

STAGES: Final = 100
"""Most stages of one pipeline (attack X056: a server crashed on 500)."""

ALL_STAGES: Final = 300
"""Most stages of a query, those of nested pipelines included."""

PIPELINES: Final = 20
"""Deepest nesting of pipelines."""

DEPTH: Final = 150
"""Deepest nesting of values."""

NODES: Final = 50_000
"""Most values in one query."""

TEXT: Final = 1_000_000
"""Most characters of text in one query."""

DOCUMENTS: Final = 1_000
"""Most documents of one `$documents`."""

REGEX: Final = 1_000
"""Longest regular expression, in characters."""

RANGE: Final = 10_000
"""Most numbers of one `$range` with constant bounds."""

GROWTH: Final = 1e9
"""Largest factor by which an expression may outgrow the values that it is given (attacks X046, X048)."""


def too_complex(message: str) -> ForbiddenQueryError:
    """The refusal of a query that breaks a size rule."""
    return ForbiddenQueryError("too_complex", message)


def amplification(message: str) -> ForbiddenQueryError:
    """The refusal of an expression that grows without bound."""
    return ForbiddenQueryError("amplification", message)
