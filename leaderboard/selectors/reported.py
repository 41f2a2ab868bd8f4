"""Figures that the benchmark's paper reports: shown apart from the ranking, because this site did not run them."""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from evaluation.types import Condition

REPORTED: Final = Path(__file__).resolve().parents[1] / "reported.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedEntry:
    """A model's figures in one condition, in percent with the digits of the paper; None where it gives none."""

    model: str
    condition: Condition
    strict_ex: str | None
    soft_ex: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedGain:
    """What evidence is reported to bring, in points."""

    model: str
    metric: str
    points: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reported:
    """What is reported, of which benchmark, and where.

    Args:
        source, arxiv: the paper's title and number.
        benchmark, databases, items: what it was measured on.
        entries, gains: the figures.
    """

    source: str
    arxiv: str
    benchmark: str
    databases: int
    items: int
    entries: tuple[ReportedEntry, ...]
    gains: tuple[ReportedGain, ...]


@cache
def reported() -> Reported:
    """The reported figures."""
    content = json.loads(REPORTED.read_text(encoding="utf-8"))
    return Reported(
        source=content["source"]["title"],
        arxiv=content["source"]["arxiv"],
        benchmark=content["benchmark"]["name"],
        databases=content["benchmark"]["databases"],
        items=content["benchmark"]["items"],
        entries=tuple(
            ReportedEntry(**{**entry, "condition": Condition(entry["condition"])}) for entry in content["entries"]
        ),
        gains=tuple(ReportedGain(**gain) for gain in content["gains"]),
    )
