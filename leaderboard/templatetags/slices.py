"""How pages show the board by databases and difficulties."""

from dataclasses import dataclass
from typing import Any, Final

from django import template
from django.template import Context

from leaderboard.selectors.breakdowns import CELL_MARK, BreakdownRow
from leaderboard.selectors.slices import Slice
from leaderboard.templatetags.site import query_with

register = template.Library()

HEAT_STEPS: Final = 5
BAR_HEIGHT: Final = 12


@register.filter
def percent1(share: float) -> str:
    """A share in percent with one place, for tables with many columns: 0.38454 → "38.5"."""
    return f"{100 * share:.1f}"


@register.filter
def heat(share: float) -> int:
    """The step of colour of a share: 0 below 20 %, and so on to 4 from 80 %."""
    # Shares are fractions of small numbers: 3 of 5 is 0.6, and 5 · 0.6 may not fall below 3 by rounding.
    return min(HEAT_STEPS - 1, int(HEAT_STEPS * share + 1e-9))


@register.simple_tag
def heat_steps() -> list[str]:
    """What the steps stand for, in percent."""
    width = 100 // HEAT_STEPS
    return [f"{width * step} to {width * (step + 1)}" for step in range(HEAT_STEPS)]


@register.simple_tag(takes_context=True)
def slice_link(context: Context, part: Slice) -> str:
    """The query string of the board of one slice."""
    plain = {"view": None, "sort": None, "page": None, "database": None, "difficulty": None}
    return query_with(context, **plain | {part.kind.value: part.name})


@register.inclusion_tag("partials/slice_head.html", takes_context=True)
def slice_head(context: Context, part: Slice, sort: str, anchor: str) -> dict[str, Any]:
    """The head of a slice's column: a link to the board of the slice, and one that sorts by the column."""
    column = f"{CELL_MARK}{part.name}"
    order = {column: "ascending", f"-{column}": "descending"}.get(sort, "")
    wanted = column if order == "descending" else f"-{column}"
    return {
        "part": part,
        "order": order,
        "board": slice_link(context, part),
        "sorted": f"{query_with(context, sort=wanted, page=None)}#{anchor}",
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One slice in a strip: its place from above, and its figures in a picture that is 100 units wide."""

    name: str
    percent: str
    y: int
    middle: int
    value: str
    low: str
    high: str


@register.inclusion_tag("partials/slice_bars.html")
def slice_bars(row: BreakdownRow, condition: str) -> dict[str, Any]:
    """An entry's Strict-EX on each slice as bars with intervals."""
    identity = f"{condition}-{row.position}"
    bars = []
    for number, cell in enumerate(row.measured):
        figure = cell.strict_ex
        low = figure.value if figure.low is None else figure.low
        high = figure.value if figure.high is None else figure.high
        top = number * BAR_HEIGHT
        bars.append(
            Bar(
                name=cell.name,
                percent=percent1(figure.value),
                y=top + 2,
                middle=top + BAR_HEIGHT // 2,
                value=f"{100 * figure.value:.2f}",
                low=f"{100 * low:.2f}",
                high=f"{100 * high:.2f}",
            )
        )
    return {"entry": row.entry, "bars": bars, "identity": identity, "height": max(1, len(bars)) * BAR_HEIGHT}
