"""Whom an entry may be compared with: the entry above, the first, and its owner's version before it."""

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.standings import Standing
from leaderboard.models.submissions import Submission
from leaderboard.selectors.board import PAGE_SIZE
from leaderboard.selectors.rivals import standing_among
from tests.leaderboard.selectors.records import finish, make_release, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]


@pytest.fixture
def three(ann: User, bob: User, release: Release) -> tuple[Submission, ...]:
    """Three ranked entries in the order of their ranks; the second is Bob's."""
    made = []
    for owner, (entry, right) in zip((ann, bob, ann), (("best", 1.0), ("middle", 0.5), ("last", 0.0)), strict=True):
        made.append(make_submission(owner, release, entry=entry))
        finish(made[-1], right=right)
    return tuple(made)


def test_every_entry_knows_the_one_above_and_the_first(three: tuple[Submission, ...]) -> None:
    found = [standing_among(one, owned=False).places for one in three]
    names = [[(p.above and p.above.entry, p.best and p.best.entry) for p in places] for places in found]
    assert names == [[(None, None)] * 2, [(None, "best")] * 2, [("middle", "best")] * 2]
    assert [[place.rank for place in places] for places in found] == [[1, 1], [2, 2], [3, 3]]
    assert [place.condition for place in found[0]] == list(Condition)


def test_the_version_before_is_told_to_the_owner_only(three: tuple[Submission, ...], ann: User) -> None:
    newest = three[2]
    finish(make_submission(ann, make_release(version="2.0"), entry="elsewhere"))
    make_submission(ann, newest.release, entry="waiting")
    assert standing_among(newest, owned=False).earlier is None
    earlier = standing_among(newest, owned=True).earlier
    assert earlier is not None
    assert earlier.entry == "best"
    assert standing_among(three[0], owned=True).earlier is None


def test_an_entry_without_a_rank_is_among_nobody(queued: Submission) -> None:
    found = standing_among(queued, owned=True)
    assert (found.places, found.earlier) == ((), None)


@pytest.mark.parametrize(("position", "page"), [(PAGE_SIZE, 1), (PAGE_SIZE + 1, 2)])
def test_the_link_leads_to_the_page_of_the_board(three: tuple[Submission, ...], position: int, page: int) -> None:
    Standing.objects.filter(run__submission=three[2]).update(position=position)
    assert {place.page for place in standing_among(three[2], owned=False).places} == {page}


def test_it_costs_two_queries_and_one_more_for_the_owner(
    three: tuple[Submission, ...], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for owned in (False, True):
        with django_assert_num_queries(2 + owned):
            standing_among(three[2], owned=owned)
