"""A study as Markdown tables: strategies at each size, and each question at each size."""

from collections.abc import Sequence
from math import exp, log
from statistics import fmean

from evaluation.study import ArmResult, Timing


def markdown_table(results: Sequence[ArmResult]) -> str:
    """Two tables: means by strategy and size with their ratio to the first strategy, and medians by question.

    The ratio of means is that of the plot and of the published figure; slow questions decide it. The geometric mean of
    the questions' own ratios counts all questions alike. A time with ≥ is a lower bound: runs broke the limit.
    """
    strategies = list(dict.fromkeys(result.strategy for result in results))
    sizes = sorted({result.factor for result in results})
    by_place = {(result.strategy, result.factor): result for result in results}
    lines = [
        f"| size | strategy | mean of medians, ms | quartiles, ms | {strategies[0]} is slower by | by question |",
        "|---:|---|---:|---:|---:|---:|",
    ]
    for size in sizes:
        first = by_place.get((strategies[0], size))
        lines += [
            _row(by_place[name, size], first) for name in strategies if first is not None and (name, size) in by_place
        ]
    places = [(name, size) for size in sizes for name in strategies if (name, size) in by_place]
    lines += ["", f"| question | {' | '.join(f'{name} {size:g}×' for name, size in places)} |"]
    lines.append(f"|---|{'---:|' * len(places)}")
    medians = {place: {each.question_id: each for each in by_place[place].measured} for place in places}
    questions = sorted({name for found in medians.values() for name in found}, key=lambda name: (len(name), name))
    lines += [f"| {name} | {' | '.join(_median(medians[place].get(name)) for place in places)} |" for name in questions]
    return "\n".join(lines) + "\n"


def _row(result: ArmResult, first: ArmResult) -> str:
    bound = "≥ " if result.censored else ""
    low, high = result.spread or (0.0, 0.0)
    mean, ratio = result.mean or 0.0, (first.mean or 0.0) / (result.mean or 1.0)
    cells = [f"{result.factor:g}×", result.strategy, f"{bound}{mean:.1f}", f"{low:.1f}–{high:.1f}"]
    return f"| {' | '.join([*cells, f'{ratio:.2f}', f'{geometric_ratio(first, result):.2f}'])} |"


def geometric_ratio(first: ArmResult, other: ArmResult) -> float:
    """Geometric mean over the questions that both have of the first's median by the other's; 1 where there is none."""
    medians = {each.question_id: each.median for each in other.measured}
    # A clock may show no time at all for a trivial query.
    ratios = [
        max(each.median, 1e-6) / max(medians[each.question_id], 1e-6)
        for each in first.measured
        if each.question_id in medians
    ]
    return exp(fmean(map(log, ratios))) if ratios else 1.0


def _median(timing: Timing | None) -> str:
    if timing is None:
        return "–"
    return f"{'≥ ' if timing.censored else ''}{timing.median:.1f}"
