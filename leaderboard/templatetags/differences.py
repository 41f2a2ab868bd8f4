"""How pages write and draw differences between entries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from evaluation.contrasts import GroupContrast
from evaluation.types import Outcome
from leaderboard.selectors.board import Figure
from leaderboard.selectors.comparison import ComparedEntry, ComparedRun
from leaderboard.selectors.evidence import EvidenceRow

register = template.Library()

MARKS: Final = (
    "M0 -5A5 5 0 1 0 0 5A5 5 0 1 0 0 -5Z",
    "M0 -6L6 0L0 6L-6 0Z",
    "M-4.5 -4.5H4.5V4.5H-4.5Z",
    "M0 -6L6 5H-6Z",
    "M0 6L6 -5H-6Z",
)
"""The outlines of circle, diamond, square, and triangles up and down, around their middle: one for each entry."""

MARK: Final = 14
LANE: Final = 7
"""Height of a mark, and how far the next entry's stands below it, so that equal entries do not hide each other."""


@register.filter
def p_value(value: float) -> str:
    """A p-value: 0.0312 → "0.0312", 0.00001 → "< 0.0001"."""
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


@register.simple_tag
def entry_mark(entry: ComparedEntry) -> SafeString:
    """An entry's shape and letter, which stand for it in tables and pictures."""
    return format_html(
        '<span class="entry-mark"><svg class="mark mark-{}" viewBox="-7 -7 14 14" aria-hidden="true" focusable="false">'
        '<path d="{}" /></svg> {}</span>',
        entry.place + 1,
        MARKS[entry.place],
        entry.letter,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A mark in a picture: where, in which shape and colour."""

    x: str
    y: int
    outline: str
    number: int


@register.inclusion_tag("partials/dot_strip.html")
def dot_strip(group: GroupContrast, runs: Sequence[ComparedRun]) -> dict[str, Any]:
    """The shares of some entries on one axis from 0 to 100, 200 units wide; the numbers stand beside it."""
    dots = [
        Dot(
            x=f"{200 * share.share:.1f}",
            y=MARK // 2 + LANE * lane,
            outline=MARKS[run.compared.place],
            number=run.compared.place + 1,
        )
        for lane, (share, run) in enumerate(zip(group.entries, runs, strict=True))
        if share.share is not None
    ]
    return {"dots": dots, "height": MARK + LANE * (len(runs) - 1)}


@register.filter
def side_by_side(group: GroupContrast) -> list[dict[str, Any]]:
    """The entries of a group with their differences from the first; that of the first itself is None."""
    differences = [None, *group.differences[1:]]
    return [
        {"share": entry.share, "difference": difference, "won": entry.won, "lost": entry.lost}
        for entry, difference in zip(group.entries, differences, strict=True)
    ]


@register.filter
def outcomes_side_by_side(runs: Sequence[ComparedRun]) -> list[dict[str, Any]]:
    """The classes of outcomes that any of the runs has, from right to wrong, with the number of items in each run."""
    counts = [(outcome, [run.report.outcomes.get(outcome, 0) for run in runs]) for outcome in reversed(Outcome)]
    return [{"outcome": outcome, "counts": found} for outcome, found in counts if any(found)]


@register.filter
def outcome_list(outcomes: Mapping[Outcome, int]) -> list[dict[str, Any]]:
    """The classes of outcomes with their numbers, from right to wrong."""
    return [{"outcome": outcome, "count": outcomes[outcome]} for outcome in reversed(Outcome) if outcome in outcomes]


ROW: Final = 30
AXIS_LEFT, AXIS_WIDTH, AXIS_TOP = 230, 360, 36
LONGEST_NAME: Final = 28


@dataclass(frozen=True, slots=True, kw_only=True)
class Dumbbell:
    """One entry in the picture: a hollow mark without evidence, a full one with it, and the gain beside them."""

    name: str
    y: int
    without: str
    given: str
    gain: Figure


@register.inclusion_tag("partials/dumbbells.html")
def dumbbells(rows: Sequence[EvidenceRow], what: str) -> dict[str, Any]:
    """Strict-EX of entries without and with evidence on one axis; a table under it says the same in numbers."""
    marks = [
        Dumbbell(
            name=row.entry if len(row.entry) <= LONGEST_NAME else f"{row.entry[: LONGEST_NAME - 1]}…",
            y=AXIS_TOP + ROW * number + ROW // 2,
            without=_on_axis(row.without),
            given=_on_axis(row.given),
            gain=row.gain,
        )
        for number, row in enumerate(rows)
    ]
    ticks = [{"x": _on_axis(percent / 100), "label": percent} for percent in (0, 25, 50, 75, 100)]
    bottom = AXIS_TOP + ROW * len(marks)
    return {"marks": marks, "ticks": ticks, "top": AXIS_TOP, "bottom": bottom, "height": bottom + 8, "what": what}


def _on_axis(share: float) -> str:
    return f"{AXIS_LEFT + AXIS_WIDTH * share:.1f}"
