"""The table of entries by databases or difficulties."""

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from evaluation.aggregate import Report
from leaderboard.models.releases import Release
from leaderboard.models.slices import SliceKind
from leaderboard.models.standings import Standing
from leaderboard.models.submissions import Submission
from leaderboard.selectors.breakdowns import (
    PAGE_SIZE,
    Breakdown,
    BreakdownSort,
    breakdown,
    breakdown_stream,
    slices_best,
)
from leaderboard.selectors.slices import Columns, Slice, slices
from tests.leaderboard.selectors.sliced import WITH, place_on_board, right

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def databases(release: Release) -> Columns:
    """The databases side by side."""
    return slices(release).columns(SliceKind.DATABASE)


def shown(release: Release, sort: str = "") -> Breakdown:
    """The first page of entries by databases."""
    columns = databases(release)
    return breakdown(release, WITH, columns, sort=BreakdownSort.read(sort, columns.parts))


@pytest.fixture
def three(ann: User, release: Release) -> Release:
    """Three entries; the last was judged on one database only."""
    cells = {"first": (4, 1, 0), "second": (2, 2, 0), "third": (3, None, None)}
    for position, (entry, numbers) in enumerate(cells.items(), 1):
        figures = (None if number is None else right(number) for number in numbers)
        place_on_board(
            ann, release, dict(zip(("books", "heroes", "trains"), figures, strict=True)), entry=entry, position=position
        )
    return release


def test_each_entry_has_a_cell_for_each_database_and_none_where_nothing_was_judged(three: Release) -> None:
    rows = shown(three).entries.items
    assert [(row.entry, [cell and cell.strict_ex.value for cell in row.cells]) for row in rows] == [
        ("first", [1.0, 0.25, 0.0]),
        ("second", [0.5, 0.5, 0.0]),
        ("third", [0.75, None, None]),
    ]
    assert [cell.name for cell in rows[2].measured] == ["books"]


def test_the_most_of_a_column_is_marked_and_a_column_of_zeros_has_no_most(three: Release) -> None:
    best = [[cell is not None and cell.best for cell in row.cells] for row in shown(three).entries.items]
    assert best == [[True, False, False], [False, True, False], [False, False, False]]


def test_the_most_is_that_of_those_who_stand_on_the_board(three: Release) -> None:
    Standing.objects.filter(run__submission__entry="first").delete()
    assert slices_best(three, WITH, databases(three)) == {"books": 0.75, "heroes": 0.5}


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("", ["first", "second", "third"]),
        ("nonsense", ["first", "second", "third"]),
        ("-cell:nowhere", ["first", "second", "third"]),
        ("-cell:books", ["first", "third", "second"]),
        ("cell:books", ["second", "third", "first"]),
        ("-cell:heroes", ["second", "first", "third"]),
        ("cell:heroes", ["first", "second", "third"]),
        ("-strict_ex", ["third", "first", "second"]),
        ("strict_ex", ["second", "first", "third"]),
    ],
)
def test_a_column_sorts_and_an_entry_without_figures_in_it_comes_last_but_comes(
    three: Release, sort: str, order: list[str]
) -> None:
    assert [row.entry for row in shown(three, sort).entries.items] == order


def test_a_sort_is_written_as_it_is_read() -> None:
    parts = [Slice(kind=SliceKind.DATABASE, name="-odd:name", items=1)]
    for text in ("position", "strict_ex", "-strict_ex", "cell:-odd:name", "-cell:-odd:name"):
        assert BreakdownSort.read(text, parts).text == text


def test_difficulties_stand_side_by_side_as_the_report_has_them(scored: Submission) -> None:
    columns = slices(scored.release).columns(SliceKind.DIFFICULTY)
    (row,) = breakdown(scored.release, WITH, columns).entries.items
    report = Report.from_json(scored.runs.get(condition=WITH).report or {})
    cells = {cell.name: cell for cell in report.per_difficulty}
    assert [cell.name for cell in row.measured] == ["simple", "moderate", "challenging"]
    for cell in row.measured:
        wanted = cells[cell.name]
        assert (cell.n, cell.strict_ex.value, cell.strict_ex.low) == (
            wanted.n,
            wanted.strict_ex.value,
            wanted.strict_ex.low,
        )
    assert (row.n, row.strict_ex.value, row.strict_ex.low) == (12, report.strict_ex.value, report.strict_ex.low)


def test_the_stream_has_the_rows_of_all_pages(ann: User, release: Release) -> None:
    for position in range(1, PAGE_SIZE + 3):
        cells = {"books": right(position % 5), "heroes": None if position % 7 == 0 else right(1)}
        place_on_board(ann, release, cells, position=position)
    columns = databases(release)
    pages = [breakdown(release, WITH, columns, page=page).entries.items for page in (1, 2)]
    assert list(breakdown_stream(release, WITH, columns)) == [row for page in pages for row in page]


def test_fifty_entries_cost_as_many_queries_as_three(
    three: Release, ann: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    columns = databases(three)
    for _ in range(2):
        with django_assert_num_queries(5):
            breakdown(three, WITH, columns)
        with django_assert_num_queries(2):
            list(breakdown_stream(three, WITH, columns))
        for position in range(4, 54 if Standing.objects.count() == 3 else 4):
            place_on_board(ann, three, {"books": right(1)}, position=position)


def test_a_release_without_items_has_no_columns(ann: User, release: Release) -> None:
    place_on_board(ann, release, {"books": right(1)})
    release.items.all().delete()
    (row,) = shown(release).entries.items
    assert row.cells == ()
