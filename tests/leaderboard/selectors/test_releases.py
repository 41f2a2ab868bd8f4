"""What is told of releases."""

import pytest
from pytest_django import DjangoAssertNumQueries

from benchmark_data.types import Difficulty
from leaderboard.models.releases import Release
from leaderboard.selectors.releases import release_current, release_named, release_page, release_summaries
from tests.leaderboard.selectors.records import CANARY, ENGINE, make_release

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def test_the_current_release_is_the_one_whose_gold_was_proved_last() -> None:
    assert release_current() is None
    make_release(version="1.0")
    newest = make_release(version="2.0")
    make_release(version="3.0", live=False)
    assert release_current() == newest


def test_a_release_is_found_by_name_and_version(release: Release) -> None:
    assert release_named("tiny@1.0") == release


@pytest.mark.parametrize(
    "label", ["", "tiny", "tiny@", "@1.0", "tiny@9", "tiny@1.0\0", "tiny@1.0 ", "t" * 200, "a@b@c"]
)
def test_no_other_label_finds_a_release(release: Release, label: str) -> None:
    assert release_named(label) is None
    assert release_page(label) is None


def test_a_release_that_is_not_live_is_not_told_of() -> None:
    make_release(version="2.0", live=False)
    assert release_named("tiny@2.0") is None
    assert release_summaries() == ()


def test_a_summary_counts_the_track_and_names_what_is_set_aside_apart(release: Release) -> None:
    (summary,) = release_summaries()
    assert (summary.label, summary.databases, summary.items, summary.set_aside) == ("tiny@1.0", 3, 12, 1)


def test_a_page_breaks_the_items_down(release: Release) -> None:
    page = release_page("tiny@1.0")
    assert page is not None
    assert page.difficulties == (Difficulty.SIMPLE, Difficulty.MODERATE, Difficulty.CHALLENGING)
    assert page.by_difficulty == (4, 4, 4)
    assert [database.items for database in page.databases] == [4, 4, 4]
    assert (page.documents, page.hidden_items, page.engines) == (3 * 127, 6, (ENGINE,))


def test_the_reason_of_a_hidden_item_is_not_told_word_for_word(release: Release) -> None:
    page = release_page("tiny@1.0")
    assert page is not None
    (item,) = page.set_aside
    assert CANARY not in repr(page)
    assert "hidden" in item.reason
    release.items.filter(question_id=item.question_id).update(split="public", set_aside="gold times out")
    again = release_page("tiny@1.0")
    assert again is not None
    assert again.set_aside[0].reason == "gold times out"


@pytest.mark.parametrize("databases", [2, 15])
def test_a_release_is_read_in_nine_queries_whatever_its_size(
    databases: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    make_release(databases=[f"db_{number:02}" for number in range(databases)], items_each=2)
    with django_assert_num_queries(9):
        page = release_page("tiny@1.0")
    assert page is not None
    assert len(page.databases) == databases


def test_all_summaries_come_in_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for version in ("1", "2", "3"):
        make_release(version=version)
    with django_assert_num_queries(1):
        assert [summary.version for summary in release_summaries()] == ["3", "2", "1"]
