"""The board as it is read: in the stored order, and with as few queries for fifty entries as for two."""

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.standings import Standing
from leaderboard.selectors.board import PAGE_SIZE, BoardSort, board
from tests.leaderboard.selectors.records import finish, make_release, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]

WITH = Condition.WITH_EVIDENCE


def put_on_board(owner: User, release: Release, *, entry: str, strict: float, position: int) -> None:
    """A standing as the service stores it, without the work of scoring."""
    submission = make_submission(owner, release, entry=entry, conditions=[WITH])
    share = {"n": 12, "value": strict, "low": max(0.0, strict - 0.1), "high": min(1.0, strict + 0.1)}
    run = submission.runs.get()
    Run.objects.filter(pk=run.pk).update(
        state="finished",
        ended_at=run.created_at,
        report={"strict_ex": share, "soft_ex": share, "exec_rate": {"n": 12, "value": 1.0, "low": None, "high": None}},
    )
    Standing.objects.create(
        release=release, condition=WITH, run=run, rank=position, position=position, tie_group=1, exec_rate=1.0,
        soft_ex=strict, strict_ex=strict, coverage=1.0, n=12,
    )  # fmt: skip


@pytest.fixture
def three(ann: User, release: Release) -> Release:
    """A board of three entries."""
    for position, (entry, strict) in enumerate([("best", 0.75), ("middle", 0.5), ("zero", 0.0)], 1):
        put_on_board(ann, release, entry=entry, strict=strict, position=position)
    return release


def test_entries_come_in_the_stored_order_with_all_that_they_were_measured_on(ann: User, release: Release) -> None:
    finish(make_submission(ann, release, entry="weak"), right=0.2)
    finish(make_submission(ann, release, entry="strong"), right=0.9)
    first, second = board(release, WITH).entries.items
    assert (first.entry, first.position, second.entry) == ("strong", 1, "weak")
    assert first.strict_ex.value > second.strict_ex.value
    assert first.strict_ex.low is not None
    assert first.strict_ex.low <= first.strict_ex.value
    assert (first.n, first.coverage, first.demo_engine) == (12, 1.0, True)
    assert first.scorer.startswith("aptboard")
    assert first.engine.startswith("SecantusDB")


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        (BoardSort.POSITION, ["best", "middle", "zero"]),
        (BoardSort.STRICT_DOWN, ["best", "middle", "zero"]),
        (BoardSort.STRICT_UP, ["zero", "middle", "best"]),
        (BoardSort.EXEC_DOWN, ["best", "middle", "zero"]),
        (BoardSort.DATE_UP, ["best", "middle", "zero"]),
        (BoardSort.DATE_DOWN, ["zero", "middle", "best"]),
    ],
)
def test_a_board_can_be_sorted_and_equal_values_keep_the_stored_order(
    three: Release, sort: BoardSort, order: list[str]
) -> None:
    assert [row.entry for row in board(three, WITH, sort=sort).entries.items] == order


@pytest.mark.parametrize("sort", BoardSort)
def test_every_sort_is_a_column_that_the_database_knows(three: Release, sort: BoardSort) -> None:
    assert board(three, WITH, sort=sort).entries.total == 3


def test_a_zero_is_a_figure_and_not_a_gap(three: Release) -> None:
    zero = board(three, WITH).entries.items[-1]
    assert (zero.strict_ex.value, zero.strict_ex.low) == (0.0, 0.0)


def test_a_missing_interval_is_none(three: Release) -> None:
    assert board(three, WITH).entries.items[0].exec_rate.low is None


def test_another_release_or_condition_is_another_board(three: Release) -> None:
    assert board(three, Condition.WITHOUT_EVIDENCE).entries.total == 0
    assert board(make_release(version="2.0"), WITH).entries.total == 0


def test_a_board_says_what_measured_it_only_where_that_is_the_same_for_all(three: Release) -> None:
    assert board(three, WITH).measured_by is not None
    Run.objects.filter(submission__entry="zero").update(scorer="aptboard 9.9")
    assert board(three, WITH).measured_by is None
    assert board(make_release(version="2.0"), WITH).measured_by is None


def test_a_page_beyond_the_end_is_the_last_one(three: Release) -> None:
    page = board(three, WITH, page=99).entries
    assert (page.page, page.pages, len(page.items)) == (1, 1, 3)


def test_fifty_entries_cost_as_many_queries_as_three(
    three: Release, ann: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        board(three, WITH)
    for position in range(4, 51):
        put_on_board(ann, three, entry=f"entry {position}", strict=0.1, position=position)
    with django_assert_num_queries(2):
        assert len(board(three, WITH).entries.items) == 50


def test_a_long_board_is_cut_into_pages_and_nothing_is_lost(ann: User, release: Release) -> None:
    for position in range(1, PAGE_SIZE + 3):
        put_on_board(ann, release, entry=f"entry {position}", strict=0.1, position=position)
    pages = [board(release, WITH, page=page).entries for page in (1, 2)]
    assert [len(page.items) for page in pages] == [PAGE_SIZE, 2]
    assert [row.position for page in pages for row in page.items] == list(range(1, PAGE_SIZE + 3))
