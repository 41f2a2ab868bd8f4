"""The items of a release: filters, the hardest first, counts only over enough entries, and no hidden gold."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from pytest_django import DjangoAssertNumQueries

from benchmark_data.types import Difficulty, Split
from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.runs import ItemScore
from leaderboard.selectors.release_item import item_page
from leaderboard.selectors.release_items import (
    FEWEST_ENTRIES,
    ItemSort,
    ReleaseItemFilter,
    ReleaseItemRow,
    release_items,
)
from tests.leaderboard.described import describe
from tests.leaderboard.selectors.records import CANARY, finish, make_release, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]

EVERYTHING = ReleaseItemFilter()
NOBODY = AnonymousUser()


@pytest.fixture
def fought(ann: User, bob: User, release: Release) -> Release:
    """A release with three ranked entries, two of Ann's."""
    for seed, owner in enumerate((ann, bob, ann)):
        finish(make_submission(owner, release, entry=f"entry {seed}"), right=0.6, seed=seed)
    return release


def rows(release: Release, **options: Any) -> tuple[ReleaseItemRow, ...]:
    return release_items(release, options.pop("wanted", EVERYTHING), **options).items


@pytest.mark.parametrize(
    ("wanted", "lookups"),
    [
        (EVERYTHING, {}),
        (ReleaseItemFilter(database="heroes"), {"database__db_id": "heroes"}),
        (ReleaseItemFilter(difficulty=Difficulty.MODERATE), {"difficulty": "moderate"}),
        (ReleaseItemFilter(split=Split.HIDDEN), {"split": "hidden"}),
        (ReleaseItemFilter(evidence=False), {"evidence": ""}),
        (ReleaseItemFilter(evidence=True), {"evidence__gt": ""}),
        (ReleaseItemFilter(text="HEROES ARE older than 5"), {"question_id": "105"}),
        (ReleaseItemFilter(text="100%"), {"question_id": "none"}),
        (ReleaseItemFilter(database="heroes", split=Split.PUBLIC), {"database__db_id": "heroes", "split": "public"}),
    ],
)
def test_filters_narrow_the_items_of_the_track(
    release: Release, wanted: ReleaseItemFilter, lookups: dict[str, Any]
) -> None:
    release.items.filter(question_id__in=("101", "106")).update(evidence="")
    expected = release.items.filter(set_aside="", **lookups).order_by("position")
    found = rows(release, wanted=wanted)
    assert [item.question_id for item in found] == [item.question_id for item in expected]


def test_every_count_is_that_of_the_verdicts(fought: Release) -> None:
    for item in rows(fought):
        for condition, solved in item.solved.items():
            scores = ItemScore.objects.filter(item__question_id=item.question_id, run__condition=condition)
            assert solved is not None
            assert (solved.solved, solved.entries) == (scores.filter(strict=True).count(), 3)
            assert solved.share == pytest.approx(solved.solved / 3)


@pytest.mark.parametrize("condition", Condition)
def test_the_hardest_or_the_easiest_come_first(fought: Release, condition: Condition) -> None:
    hardest = [item.solved[condition] for item in rows(fought, sort=ItemSort(condition.value))]
    easiest = [item.solved[condition] for item in rows(fought, sort=ItemSort(f"-{condition}"))]
    counts = [solved.solved for solved in hardest if solved is not None]
    assert counts == sorted(counts)
    assert len(set(counts)) > 1
    assert [solved.solved for solved in easiest if solved is not None] == sorted(counts, reverse=True)


def test_nothing_is_told_of_items_while_few_entries_are_ranked_not_even_by_their_order(
    ann: User, release: Release
) -> None:
    for seed in range(FEWEST_ENTRIES - 1):
        finish(make_submission(ann, release, entry=f"entry {seed}"), seed=seed)
    found = rows(release, sort=ItemSort.WITH_HARDEST)
    assert [item.question_id for item in found] == [item.question_id for item in rows(release)]
    assert {solved for item in found for solved in item.solved.values()} == {None}
    page = item_page(release, "100", reader=NOBODY)
    assert page is not None
    assert [(told.entries, told.outcomes) for told in page.outcomes] == [(None, {}), (None, {})]


def test_a_page_of_items_costs_three_queries(
    fought: Release, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(3):
        rows(fought, sort=ItemSort.WITH_HARDEST)
    large = make_release(name="large", databases=[f"db_{number}" for number in range(8)], items_each=9)
    with django_assert_num_queries(3):
        assert release_items(large, EVERYTHING).total == 72


def test_an_items_page_has_its_neighbours_and_how_ranked_entries_fared(fought: Release) -> None:
    for question_id, before, after in (("100", "", "101"), ("105", "104", "106"), ("112", "111", "")):
        page = item_page(fought, question_id, reader=NOBODY)
        assert page is not None
        assert (page.before, page.after) == (before, after)
    page = item_page(fought, "105", reader=NOBODY)
    assert page is not None
    for told in page.outcomes:
        scores = ItemScore.objects.filter(item__question_id="105", run__condition=told.condition)
        assert (told.entries, sum(told.outcomes.values())) == (3, 3)
        assert told.solved == scores.filter(strict=True).count()
    assert item_page(fought, "999", reader=NOBODY) is None


def test_gold_is_given_for_public_items_and_not_even_read_for_hidden_ones(fought: Release, ann: User) -> None:
    for item in fought.items.all():
        page = item_page(fought, item.question_id, reader=ann)
        assert page is not None
        assert (page.gold_query is None) == (item.split == Split.HIDDEN)
        assert CANARY not in repr(page)
        assert bool(page.set_aside) == bool(item.set_aside)


def test_only_ones_own_entries_answers_are_given(fought: Release, ann: User, bob: User, sam: User) -> None:
    for reader, entries in ((NOBODY, set()), (ann, {"entry 0", "entry 2"}), (bob, {"entry 1"}), (sam, set())):
        page = item_page(fought, "100", reader=reader)
        assert page is not None
        assert {answer.entry for answer in page.answers} == entries
        assert all(answer.predicted.startswith("db.things.find()") for answer in page.answers)


def test_an_items_page_costs_four_queries(
    fought: Release, ann: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    describe(fought)
    for reader, queries in ((NOBODY, 3), (ann, 4)):
        with django_assert_num_queries(queries):
            page = item_page(fought, "100", reader=reader)
        assert page is not None
        assert [card.collection for card in page.cards] == ["things"]
