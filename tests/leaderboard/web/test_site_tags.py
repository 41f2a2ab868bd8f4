"""How figures and names are written."""

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.stats import Estimate
from evaluation.types import Condition, Outcome
from leaderboard.models.states import RunState
from leaderboard.selectors.board import Figure
from leaderboard.selectors.submissions import SubmissionStatus
from leaderboard.selectors.tokens import TokenState
from leaderboard.templatetags.site import (
    badge,
    condition_name,
    interval,
    milliseconds,
    outcome_rows,
    percent,
    plain,
    short_digest,
    tie_mark,
)
from leaderboard.web.names import file_size


@pytest.mark.parametrize(
    ("share", "written"),
    [(0.38454, "38.45"), (0.0, "0.00"), (1.0, "100.00"), (1 / 3, "33.33"), (0.99996, "100.00"), (None, "–")],
)
def test_a_share_is_written_as_a_percentage_with_two_decimals(share: float | None, written: str) -> None:
    assert percent(share) == written


def test_an_interval_has_both_ends_or_is_not_written() -> None:
    assert interval(Figure(value=0.5, low=0.0, high=0.75)) == "0.00 – 75.00"
    assert interval(Estimate(n=0)) == ""


@pytest.mark.parametrize(
    ("value", "written"), [(None, "–"), (0.0, "0 ms"), (12.4, "12 ms"), (999.4, "999 ms"), (30_000.0, "30.0 s")]
)
def test_durations_are_written_in_a_fitting_unit(value: float | None, written: str) -> None:
    assert milliseconds(value) == written


def test_names_are_for_people() -> None:
    assert [condition_name(condition) for condition in Condition] == ["With evidence", "Without evidence"]
    assert plain("row_count") == "row count"
    assert short_digest("0123456789abcdef") == "0123456789ab"


@pytest.mark.parametrize("word", [*RunState, *SubmissionStatus, *TokenState, *Outcome])
def test_every_state_and_outcome_has_a_badge_with_a_word_and_a_shape(word: str) -> None:
    written = badge(word)
    assert plain(word) in written
    assert 'aria-hidden="true"' in written


def test_neighbouring_tie_groups_have_different_shapes_and_say_their_number() -> None:
    marks = [tie_mark(group) for group in range(1, 9)]
    assert len(set(marks)) == 8
    assert "tie group</span> 3<" in marks[2]


@settings(max_examples=50, deadline=None)
@given(st.dictionaries(st.sampled_from([outcome.value for outcome in Outcome]), st.integers(0, 10_000)))
def test_the_strip_of_outcomes_has_every_item_and_no_gap(outcomes: dict[str, int]) -> None:
    rows = outcome_rows(outcomes)
    assert sum(row.count for row in rows) == sum(outcomes.values())
    assert all(row.count for row in rows)
    if rows:
        assert sum(float(row.width) for row in rows) == pytest.approx(100, abs=0.01)
        assert float(rows[-1].x) + float(rows[-1].width) == pytest.approx(100, abs=0.002)


@pytest.mark.parametrize(
    ("query", "href", "order"),
    [
        ("", "?sort=-strict_ex#w", ""),
        ("?sort=-strict_ex&release=a%401&page=3", "?release=a%401&amp;sort=strict_ex#w", "descending"),
        ("?sort=strict_ex", "?sort=-strict_ex#w", "ascending"),
    ],
)
def test_the_head_of_a_column_links_to_the_other_order(query: str, href: str, order: str) -> None:
    request = RequestFactory().get(f"/{query}")
    template = Template('{% load site %}{% sort_head "Strict-EX" "strict_ex" sort "w" %}')
    written = template.render(Context({"request": request, "sort": request.GET.get("sort", "position")}))
    assert f'href="{href}"' in written
    assert (f'aria-sort="{order}"' in written) == bool(order)
    assert ("aria-sort" in written) == bool(order)


def test_a_picture_without_an_interval_shows_the_value_alone() -> None:
    template = Template("{% load site %}{% whisker figure %}")
    written = template.render(Context({"figure": Figure(value=0.25, low=None, high=None)}))
    assert 'x1="25.00"' in written
    assert 'x2="25.00"' in written


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 bytes"), (999, "999 bytes"), (1_000, "1 kB"), (13_748, "13.7 kB"), (50_000_000, "50 MB")],
)
def test_sizes_are_written_in_powers_of_ten_as_the_cap_is_documented(count: int, text: str) -> None:
    assert file_size(count) == text
