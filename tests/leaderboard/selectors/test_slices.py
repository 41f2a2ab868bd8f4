"""The board of one database or difficulty: ranked like the whole board, by the figures of the slice."""

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from pytest_django import DjangoAssertNumQueries

from evaluation.rank import RankingEntry, rank_results
from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.slices import SliceKind
from leaderboard.models.standings import Standing
from leaderboard.models.submissions import Submission
from leaderboard.selectors.board import PAGE_SIZE, BoardRow
from leaderboard.selectors.slices import Slice, SliceSort, slice_board, slices
from tests.leaderboard.selectors.records import make_release
from tests.leaderboard.selectors.sliced import WITH, Right, place_on_board, right

pytestmark = [pytest.mark.site, pytest.mark.django_db]

BOOKS = Slice(kind=SliceKind.DATABASE, name="books", items=4)

CELLS = st.lists(
    st.one_of(st.none(), st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)).map(sorted)),
    max_size=9,
)


def entries(release: Release, *, sort: SliceSort = SliceSort.POSITION) -> tuple[BoardRow, ...]:
    """The first page of the board of books."""
    return slice_board(release, WITH, BOOKS, sort=sort).entries.items


class RandomBoards(TestCase):
    """Hypothesis needs each example in a transaction of its own."""

    @settings(max_examples=25, deadline=None)
    @given(CELLS)
    def test_a_slice_is_ranked_as_if_its_items_were_the_whole_benchmark(self, cells: list[list[int] | None]) -> None:
        """The law is `rank_results`: shared ranks 1, 1, 3, its order inside a rank; what was not judged never ranks."""
        ann, release = User.objects.create_user("ann"), make_release()
        wanted = []
        for number, cell in enumerate(cells):
            figures = None if cell is None else Right(strict=cell[0], soft=cell[1], executed=cell[2])
            entry = f"entry {number}"
            place_on_board(ann, release, {"books": figures}, entry=entry, position=number + 1, minutes=number % 3)
            wanted.append(ranking_entry(entry, figures, minutes=number % 3))
        submitted = dict(Submission.objects.values_list("entry", "created_at"))
        law = rank_results([with_date(each, submitted[each.key]) for each in wanted])
        found = entries(release)
        assert [(row.entry, row.rank, row.strict_ex.value) for row in found] == [
            (each.key, each.rank, each.strict_ex) for each in law if each.rank is not None
        ]
        assert [row.position for row in found] == list(range(1, len(found) + 1))


def ranking_entry(key: str, figures: Right | None, *, minutes: int) -> RankingEntry:
    """The entry as the law takes it; without a cell it has no judged item."""
    strict = {} if figures is None else {str(item): item < figures.strict for item in range(4)}
    return RankingEntry(
        key=key,
        strict=strict,
        soft_ex=None if figures is None else figures.soft / 4,
        exec_rate=None if figures is None else figures.executed / 4,
        submitted_at=datetime(2026, 1, 1, tzinfo=UTC) - timedelta(minutes=minutes),
    )


def with_date(entry: RankingEntry, submitted_at: datetime) -> RankingEntry:
    """The entry as it was submitted."""
    return RankingEntry(
        key=entry.key,
        strict=entry.strict,
        soft_ex=entry.soft_ex,
        exec_rate=entry.exec_rate,
        submitted_at=submitted_at,
    )


def test_equal_strict_ex_shares_a_rank_and_the_documented_order_shows_inside_it(ann: User, release: Release) -> None:
    for position, (entry, figures, minutes) in enumerate(
        [
            ("late", right(2, 3), 1),
            ("early", right(2, 3), 9),
            ("fewer executed", right(2, 3, 3), 20),
            ("more soft", right(2, 4), 0),
            ("best", right(3, 3, 3), 0),
            ("zero", right(0), 0),
        ],
        1,
    ):
        place_on_board(ann, release, {"books": figures}, entry=entry, position=position, minutes=minutes)
    assert [(row.rank, row.position, row.entry) for row in entries(release)] == [
        (1, 1, "best"),
        (2, 2, "more soft"),
        (2, 3, "early"),
        (2, 4, "late"),
        (2, 5, "fewer executed"),
        (6, 6, "zero"),
    ]


def test_a_row_tells_its_place_on_the_whole_board_and_the_items_of_the_slice(ann: User, release: Release) -> None:
    place_on_board(ann, release, {"books": right(1), "heroes": right(4)}, entry="overall first", position=1)
    place_on_board(ann, release, {"books": right(3), "heroes": right(0)}, entry="first on books", position=2)
    first, second = entries(release)
    assert (first.entry, first.rank, first.overall_rank, first.n) == ("first on books", 1, 2, 4)
    assert (second.entry, second.rank, second.overall_rank) == ("overall first", 2, 1)
    assert first.strict_ex.low is not None
    assert first.strict_ex.high is not None
    assert first.strict_ex.low < 0.75 < first.strict_ex.high


def test_a_zero_is_a_figure_and_ranks(ann: User, release: Release) -> None:
    place_on_board(ann, release, {"books": right(0, 0, 0)}, entry="zero")
    (row,) = entries(release)
    assert (row.rank, row.strict_ex.value, row.strict_ex.low, row.exec_rate.value) == (1, 0.0, 0.0, 0.0)


def test_who_leaves_the_board_leaves_its_slices_and_the_ranks_close_up(ann: User, release: Release) -> None:
    gone = place_on_board(ann, release, {"books": right(4)}, entry="gone", position=1)
    place_on_board(ann, release, {"books": right(2)}, entry="stays", position=2)
    Standing.objects.filter(run=gone).delete()
    board = slice_board(release, WITH, BOOKS)
    assert [(row.entry, row.rank) for row in board.entries.items] == [("stays", 1)]
    assert board.entries.total == 1


@pytest.mark.parametrize("sort", SliceSort)
def test_every_sort_is_a_column_that_the_database_knows_and_keeps_ranks(
    ann: User, release: Release, sort: SliceSort
) -> None:
    for position, strict in enumerate([1, 3, 3, 0], 1):
        place_on_board(ann, release, {"books": right(strict)}, entry=str(strict), position=position)
    rows = entries(release, sort=sort)
    assert sorted((row.rank, row.entry) for row in rows) == [(1, "3"), (1, "3"), (3, "1"), (4, "0")]
    if sort == SliceSort.STRICT_UP:
        assert [row.entry for row in rows] == ["0", "1", "3", "3"]


def test_another_database_difficulty_condition_or_release_is_another_board(scored: Submission) -> None:
    release = scored.release
    for part in (*slices(release).databases, *slices(release).difficulties):
        assert slice_board(release, WITH, part).entries.total == 1
    assert slice_board(release, WITH, Slice(kind=SliceKind.DIFFICULTY, name="books", items=4)).entries.total == 0
    assert slice_board(make_release(version="2.0"), WITH, BOOKS).entries.total == 0


def test_the_slices_of_a_release_are_its_databases_by_name_and_difficulties_from_easy_to_hard(
    release: Release, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        found = slices(release)
    assert [(part.name, part.items) for part in found.databases] == [("books", 4), ("heroes", 4), ("trains", 4)]
    assert [part.name for part in found.difficulties] == ["simple", "moderate", "challenging"]
    assert sum(part.items for part in found.difficulties) == found.items == 12


def test_fifty_entries_cost_as_many_queries_as_one_and_long_slices_are_cut_into_pages(
    ann: User, release: Release, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    place_on_board(ann, release, {"books": right(2)})
    with django_assert_num_queries(3):
        slice_board(release, WITH, BOOKS)
    for position in range(2, PAGE_SIZE + 3):
        place_on_board(ann, release, {"books": right(position % 5)}, position=position)
    with django_assert_num_queries(3):
        first = slice_board(release, WITH, BOOKS).entries
    second = slice_board(release, WITH, BOOKS, page=2).entries
    assert [row.position for row in (*first.items, *second.items)] == list(range(1, PAGE_SIZE + 3))
    assert second.items[0].rank > 1


def test_without_evidence_is_another_board(ann: User, release: Release) -> None:
    place_on_board(ann, release, {"books": right(2)}, condition=Condition.WITHOUT_EVIDENCE)
    assert slice_board(release, WITH, BOOKS).entries.total == 0
    assert slice_board(release, Condition.WITHOUT_EVIDENCE, BOOKS).entries.total == 1
