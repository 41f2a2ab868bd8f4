"""Draws a study as SVG: time against size, one line a strategy, quartiles as bars, logarithmic."""

from collections.abc import Sequence
from html import escape
from itertools import groupby, pairwise
from math import ceil, floor, log10

from evaluation.study import Point

_WIDTH, _HEIGHT = 720, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 260, 30, 50
_LABEL = 15
# Told apart by people who do not see all colours (Okabe and Ito), and by their marks.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
_DASHES = ("", "6 3", "2 3", "8 3 2 3", "4 4", "1 2")


def svg_plot(points: Sequence[Point], *, title: str, note: str = "") -> str:
    """The plot as an SVG document; empty axes where there is no point.

    Args:
        title: said by screen readers and shown above.
        note: shown under the horizontal axis, after its name.
    """
    factors = sorted({point.factor for point in points}) or [1.0]
    low = floor(log10(min((max(point.low, 1e-3) for point in points), default=1.0)))
    high = max(ceil(log10(max((max(point.high, 1e-3) for point in points), default=10.0))), low + 1)
    scale = _Scale(factors, low, high)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="12">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
        _text(_LEFT, 18, title),
        *_axes(scale, factors, low, high, note),
    ]
    ordered = sorted(points, key=lambda point: (point.strategy, point.factor))
    lines = [list(members) for _, members in groupby(ordered, key=lambda point: point.strategy)]
    heights = _apart([scale.y(members[-1].milliseconds) for members in lines])
    for number, (members, height) in enumerate(zip(lines, heights, strict=True)):
        parts += _line(scale, members, number, height)
    return "\n".join([*parts, "</svg>"]) + "\n"


class _Scale:
    """From sizes and milliseconds to places in the picture."""

    def __init__(self, factors: Sequence[float], low: int, high: int) -> None:
        self._first, self._last = log10(factors[0]), log10(factors[-1])
        self._low, self._high = low, high

    def x(self, factor: float) -> float:
        width = _WIDTH - _LEFT - _RIGHT
        span = self._last - self._first
        return round(_LEFT + (width * (log10(factor) - self._first) / span if span else width / 2), 1)

    def y(self, milliseconds: float) -> float:
        share = (log10(max(milliseconds, 1e-3)) - self._low) / (self._high - self._low)
        return round(_HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share, 1)


def _axes(scale: _Scale, factors: Sequence[float], low: int, high: int, note: str) -> list[str]:
    bottom, right = _HEIGHT - _BOTTOM, _WIDTH - _RIGHT
    parts = []
    for power in range(low, high + 1):
        height = scale.y(10.0**power)
        parts.append(f'<line x1="{_LEFT}" x2="{right}" y1="{height}" y2="{height}" stroke="#dddddd"/>')
        parts.append(_text(_LEFT - 6, height + 4, f"{10.0**power:,g} ms", anchor="end"))
    for factor in factors:
        parts.append(_text(scale.x(factor), bottom + 16, f"{factor:g}×", anchor="middle"))
    parts.append(f'<line x1="{_LEFT}" x2="{right}" y1="{bottom}" y2="{bottom}" stroke="#333333"/>')
    caption = f"size of the source; {note}" if note else "size of the source"
    parts.append(_text(_LEFT, bottom + 36, caption))
    return parts


def _apart(heights: Sequence[float]) -> list[float]:
    """Heights of labels, moved down where one would lie on another."""
    moved = list(heights)
    order = sorted(range(len(moved)), key=lambda place: moved[place])
    for before, after in pairwise(order):
        moved[after] = max(moved[after], moved[before] + _LABEL)
    return moved


def _line(scale: _Scale, members: Sequence[Point], number: int, height: float) -> list[str]:
    """A strategy's line, its points with their quartiles, and its label at a height."""
    colour, dash = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
    places = " ".join(f"{scale.x(point.factor)},{scale.y(point.milliseconds)}" for point in members)
    parts = [f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>']
    for point in members:
        x, y = scale.x(point.factor), scale.y(point.milliseconds)
        parts.append(
            f'<line x1="{x}" x2="{x}" y1="{scale.y(point.low)}" y2="{scale.y(point.high)}" stroke="{colour}"/>'
        )
        # A hollow mark is a lower bound.
        fill = "#ffffff" if point.censored else colour
        parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{fill}" stroke="{colour}" stroke-width="2"/>')
    last = members[-1]
    label = f"{last.strategy} {_amount(last.milliseconds)} ms" + (" or more" if last.censored else "")
    parts.append(_text(scale.x(last.factor) + 10, height + 4, label, colour=colour))
    return parts


def _amount(milliseconds: float) -> str:
    return f"{milliseconds:,.0f}" if milliseconds >= 100 else f"{milliseconds:.3g}"


def _text(x: float, y: float, text: str, *, anchor: str = "start", colour: str = "#222222") -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{colour}">{escape(text)}</text>'
