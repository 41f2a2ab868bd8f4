"""How pages write figures, names and states."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django import template
from django.contrib.auth.models import User
from django.http import QueryDict
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

from evaluation.gold_check import FindingKind
from evaluation.stats import Estimate
from evaluation.types import Condition, Outcome
from leaderboard.models.states import RunState
from leaderboard.models.webhooks import DeliveryState
from leaderboard.selectors.board import Figure
from leaderboard.selectors.notices import notices_new
from leaderboard.selectors.submissions import SubmissionStatus
from leaderboard.selectors.tokens import TokenState
from leaderboard.web.faults import fault_summary
from leaderboard.web.names import CONDITION_NAMES, file_size

register = template.Library()

NOTHING: Final = "–"


@register.filter
def percent(share: float | None) -> str:
    """A share from 0 to 1 in the paper's form: 0.38454 → "38.45", None → "–"."""
    return NOTHING if share is None else f"{100 * share:.2f}"


@register.filter
def interval(figure: Figure | Estimate) -> str:
    """The 95 % interval of a figure: "36.20 – 40.71", or "" where there is none."""
    if figure.low is None or figure.high is None:
        return ""
    return f"{percent(figure.low)} – {percent(figure.high)}"


@register.filter
def milliseconds(value: float | None) -> str:
    """A duration: 12.3 → "12 ms", 1234.5 → "1.2 s", None → "–"."""
    if value is None:
        return NOTHING
    return f"{value:.0f} ms" if value < 1000 else f"{value / 1000:.1f} s"


@register.filter
def dollars(amount: Decimal | None) -> str:
    """US dollars without zeros at the end, and two places at least: 0.00341000 → "0.00341", None → "–"."""
    if amount is None:
        return NOTHING
    whole, _, part = f"{amount:,f}".partition(".")
    return f"{whole}.{part.rstrip('0').ljust(2, '0')}"


@register.filter
def about(seconds: float | None) -> str:
    """An estimate: 8 → "less than a minute", 200 → "about 3 minutes", 9000 → "about 2.5 hours", None → "–"."""
    if seconds is None:
        return NOTHING
    if seconds < 60:
        return "less than a minute"
    minutes = seconds / 60
    if minutes < 100:
        return f"about {minutes:.0f} minute{'' if round(minutes) == 1 else 's'}"
    return f"about {minutes / 60:.1f} hours"


@register.filter
def duration(seconds: float | None) -> str:
    """A measured time: 0.42 → "0.4 s", 75 → "1 min 15 s", 7300 → "2 h 1 min", None → "–"."""
    if seconds is None:
        return NOTHING
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, left = divmod(minutes, 60)
    return f"{hours} h {left} min" if hours else f"{minutes} min {rest} s"


@register.filter
def share4(share: float | None) -> str:
    """A share that must be exact: 1 → "1.0000", None → "–"."""
    return NOTHING if share is None else f"{share:.4f}"


FINDING_NAMES: Final = {
    FindingKind.UNEQUAL: "does not equal itself",
    FindingKind.AMBIGUOUS: "ambiguous: ties or a first one are cut by the order of documents",
    FindingKind.NULL_ORDER: "ambiguous: null is taken for the smallest value",
    FindingKind.TEXT_NUMBERS: "ambiguous: numbers are sorted as text",
    FindingKind.MIXED_TYPES: "ambiguous: values of several types are sorted together",
    FindingKind.ARRAY_ORDER: "ambiguous: the order inside arrays follows that of documents",
    FindingKind.SLOW: "slow",
    FindingKind.UNCHECKED: "could not be asked in another order",
}


@register.filter
def finding_name(kind: FindingKind) -> str:
    """What a check of gold found, in words."""
    return FINDING_NAMES[kind]


@register.filter
def signed_points(share: float | None) -> str:
    """A difference of shares in points: 0.0123 → "+1.23", -0.01 → "−1.00", None → "–"."""
    return NOTHING if share is None else f"{100 * share:+.2f}".replace("-", "−")


@register.filter
def gain_interval(figure: Figure | None) -> str:
    """The 95 % interval of a difference in points: "−0.50 to +2.10", or "" where there is none."""
    if figure is None or figure.low is None or figure.high is None:
        return ""
    return f"{signed_points(figure.low)} to {signed_points(figure.high)}"


@register.filter
def short_digest(digest: str) -> str:
    """The first characters of a digest, enough to compare by eye."""
    return digest[:12]


register.filter("fault_summary", fault_summary)
register.filter("file_size", file_size)


@register.filter
def condition_name(condition: str) -> str:
    """The name of a condition for people."""
    return CONDITION_NAMES[Condition(condition)]


@register.filter
def plain(word: str) -> str:
    """An identifier as words: "row_count" → "row count"."""
    return word.replace("_", " ")


TIE_SHAPES: Final = "●◆■▲▼★"


@register.simple_tag
def tie_mark(group: int) -> SafeString:
    """The mark of a tie group: a shape and a number, so that it is read without colour and aloud."""
    return format_html(
        '<span class="tie"><span aria-hidden="true">{}</span> <span class="visually-hidden">tie group</span> {}</span>',
        TIE_SHAPES[(group - 1) % len(TIE_SHAPES)],
        group,
    )


BADGES: Final[dict[str, tuple[str, str]]] = {
    RunState.QUEUED: ("wait", "○"),
    RunState.GENERATING: ("wait", "◔"),
    RunState.SCORING: ("wait", "◐"),
    RunState.FINISHED: ("good", "✓"),
    RunState.FAILED: ("bad", "✗"),
    RunState.CANCELLED: ("none", "–"),
    RunState.INCOMPLETE: ("warn", "!"),
    SubmissionStatus.SCORED: ("good", "✓"),
    TokenState.ACTIVE: ("good", "✓"),
    TokenState.EXPIRED: ("warn", "!"),
    TokenState.REVOKED: ("none", "–"),
    DeliveryState.WAITING: ("wait", "○"),
    DeliveryState.DELIVERED: ("good", "✓"),
    DeliveryState.GIVEN_UP: ("bad", "✗"),
    Outcome.CORRECT: ("good", "✓"),
    Outcome.EXTRA_COLUMNS: ("wait", "◐"),
    Outcome.ROW_COUNT: ("warn", "≠"),
    Outcome.MISSING_COLUMN: ("warn", "≠"),
    Outcome.MISALIGNED: ("warn", "≠"),
    Outcome.UNPARSABLE: ("bad", "✗"),
    Outcome.FORBIDDEN: ("bad", "✗"),
    Outcome.INVALID: ("bad", "✗"),
    Outcome.TIMED_OUT: ("bad", "✗"),
    Outcome.TOO_LARGE: ("bad", "✗"),
    Outcome.MISSING: ("none", "–"),
    Outcome.UNSCORED: ("none", "?"),
}
"""Colour and shape of every word that a badge may show."""


@register.simple_tag
def badge(word: str) -> SafeString:
    """A state or an outcome with its shape."""
    colour, shape = BADGES[word]
    return format_html(
        '<span class="badge badge-{}"><span aria-hidden="true">{}</span> {}</span>', colour, shape, plain(word)
    )


@register.inclusion_tag("partials/whisker.html")
def whisker(figure: Figure) -> dict[str, Any]:
    """A share with its interval as a picture, 100 units wide; the numbers stand beside it."""
    low = figure.value if figure.low is None else figure.low
    high = figure.value if figure.high is None else figure.high
    return {"low": f"{100 * low:.2f}", "high": f"{100 * high:.2f}", "value": f"{100 * figure.value:.2f}"}


STRIP_COLOURS: Final = {"good": "correct", "wait": "close", "warn": "wrong", "bad": "failed", "none": "none"}


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeRow:
    """One class of outcomes: its share of the items, and its place in the strip, 100 units wide."""

    outcome: Outcome
    count: int
    share: float
    colour: str
    x: str
    width: str


@register.inclusion_tag("partials/outcome_strip.html")
def outcome_strip(outcomes: Mapping[str, int]) -> dict[str, Any]:
    """How the items ended, as a strip from right to wrong; a table beside it says the same in numbers."""
    return {"rows": outcome_rows(outcomes)}


@register.inclusion_tag("partials/outcomes.html")
def outcome_table(outcomes: Mapping[str, int], condition: str) -> dict[str, Any]:
    """How many items ended in each class, from right to wrong."""
    return {"rows": outcome_rows(outcomes), "total": sum(outcomes.values()), "condition": condition}


def outcome_rows(outcomes: Mapping[str, int]) -> list[OutcomeRow]:
    """The classes that have items, from right to wrong."""
    total, before = sum(outcomes.values()), 0
    rows = []
    for outcome in reversed(Outcome):
        count = outcomes.get(outcome, 0)
        if count:
            rows.append(
                OutcomeRow(
                    outcome=outcome,
                    count=count,
                    share=count / total,
                    colour=STRIP_COLOURS[BADGES[outcome][0]],
                    x=f"{100 * before / total:.3f}",
                    width=f"{100 * count / total:.3f}",
                )
            )
            before += count
    return rows


@register.simple_tag(takes_context=True)
def new_notices(context: Context) -> SafeString:
    """How many notices the signed-in user has not read: " (2)", or nothing."""
    user = getattr(context.get("request"), "user", None)
    count = notices_new(user) if isinstance(user, User) and user.pk is not None else 0
    if not count:
        return SafeString("")
    return format_html(' <span class="count">{}<span class="visually-hidden"> new</span></span>', count)


@register.simple_tag(takes_context=True)
def current(context: Context, name: str) -> SafeString:
    """`aria-current` for the navigation's link to the present page."""
    match = getattr(context.get("request"), "resolver_match", None)
    return SafeString('aria-current="page"') if match is not None and match.url_name == name else SafeString("")


@register.simple_tag(takes_context=True)
def query_with(context: Context, **changes: Any) -> str:
    """The present query string with some parameters changed, or removed where the change is None."""
    query: QueryDict = context["request"].GET.copy()
    for name, value in changes.items():
        query.pop(name, None)
        if value is not None:
            query[name] = value
    return f"?{query.urlencode()}"


@register.inclusion_tag("partials/sort_head.html", takes_context=True)
def sort_head(
    context: Context, label: str, column: str, sort: str, anchor: str, *, plain_order: bool = False
) -> dict[str, str]:
    """The head of a column that can be sorted by: the largest first, the other way round on the second click."""
    first, second = (column, column) if plain_order else (f"-{column}", column)
    order = {column: "ascending", f"-{column}": "descending"}.get(sort, "")
    href = query_with(context, sort=second if sort == first else first, page=None)
    return {"label": label, "order": order, "href": f"{href}#{anchor}"}
