"""The record that every benchmark module reports."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One measured figure beside its target.

    Args:
        name: what was measured, e.g. "compare 100,000 × 4, rows shuffled".
        value: the figure, finite.
        unit: its unit, e.g. "ms" or "× sorted(map(repr))".
        target: the target in words, e.g. "≤ 6"; "" where the figure only informs.
        met: whether the target was met; None where there is no target.
    """

    name: str
    value: float
    unit: str
    target: str = ""
    met: bool | None = None
