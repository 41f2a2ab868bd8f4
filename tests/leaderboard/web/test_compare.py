"""The page that compares entries: figures for everybody, items for the owner of all, one answer to what is wrong."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from leaderboard.models.releases import Release
from leaderboard.models.submissions import Submission
from leaderboard.selectors.comparison import comparison
from tests.leaderboard.selectors.records import finish, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]

MARKUP = "<script>alert(1)</script>"


@pytest.fixture
def pair(ann: User, release: Release) -> tuple[Submission, Submission]:
    """Two scored versions of Ann's."""
    old, new = (make_submission(ann, release, entry=entry) for entry in ("Old version", MARKUP))
    finish(old, right=0.4)
    finish(new, right=0.7, seed=1)
    return old, new


def address(*entries: object, more: str = "") -> str:
    return "/compare/?" + "&".join(f"entries={entry}" for entry in entries) + more


def text(client: Client, where: str, *, status: int = 200) -> str:
    answer = client.get(where)
    assert answer.status_code == status
    return re.sub(r"\s+", " ", answer.content.decode())


def test_everybody_sees_figures_and_counts_but_no_item(
    client: Client, pair: tuple[Submission, Submission], ann: User
) -> None:
    page = text(client, address(pair[0].pk, pair[1].pk))
    found = comparison([str(one.pk) for one in pair], reader=ann)
    for each in found.conditions:
        contrast = each.pairs[0].contrast
        assert contrast.difference.value is not None
        assert f"{100 * contrast.difference.value:+.2f}".replace("-", "−") in page
        for run in each.runs:
            assert run.report.strict_ex.value is not None
            assert f"{100 * run.report.strict_ex.value:.2f}" in page
    for words in ("tiny@1.0", "Old version", "books", "challenging", "Only the first", "aptboard 0.1.0"):
        assert words in page
    assert "cannot be told apart" in page
    assert "Verdicts on single items are shown to those who own all of the compared entries" in page
    assert "Items on which they differ" not in page
    assert "Which heroes are older" not in page


def test_the_owner_of_all_sees_the_items_and_links_to_what_was_fixed_and_broken(
    client: Client, pair: tuple[Submission, Submission], ann: User
) -> None:
    client.force_login(ann)
    page = text(client, address(pair[0].pk, pair[1].pk))
    assert "Items on which they differ" in page
    found = comparison([str(one.pk) for one in pair], reader=ann)
    for each in found.conditions:
        wanted = f"&condition={each.condition}&right=B&wrong=A"
        narrowed = text(client, address(pair[0].pk, pair[1].pk, more=wanted))
        assert f"<strong>{each.pairs[0].contrast.second_only}</strong> difference" in narrowed
        assert wanted.replace("&", "&amp;") + "#items" in page


def test_a_stranger_sees_no_item_whatever_the_address_says(
    client: Client, pair: tuple[Submission, Submission], bob: User
) -> None:
    client.force_login(bob)
    page = text(client, address(pair[0].pk, pair[1].pk, more="&condition=with_evidence&right=B&wrong=A"))
    assert "Which heroes are older" not in page


@pytest.mark.parametrize("more", ["&condition=x", "&right=Z&wrong=%00", "&page=0", "&database=nothing"])
def test_a_filter_that_cannot_be_read_is_left_out(
    client: Client, pair: tuple[Submission, Submission], ann: User, more: str
) -> None:
    client.force_login(ann)
    whole = re.findall(r"<strong>(\d+)</strong> difference", text(client, address(pair[0].pk, pair[1].pk)))
    page = text(client, address(pair[0].pk, pair[1].pk, more=more))
    assert re.findall(r"<strong>(\d+)</strong> difference", page) == whole


def test_what_cannot_be_compared_is_told_in_one_answer_without_markup_of_others(
    client: Client, pair: tuple[Submission, Submission], queued: Submission
) -> None:
    page = text(client, address(pair[0].pk, queued.pk, MARKUP), status=422)
    assert "These entries cannot be compared" in page
    assert "“Waiting model” has no score yet" in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;” is not the id of an entry" in page
    assert MARKUP not in page


def test_without_entries_the_page_tells_how_to_choose_some(client: Client) -> None:
    assert "Tick 2 to 5 entries" in text(client, "/compare/")


def test_the_board_has_a_box_for_each_entry_in_a_form_that_needs_no_script(
    client: Client, pair: tuple[Submission, Submission]
) -> None:
    page = text(client, "/")
    for condition in ("with_evidence", "without_evidence"):
        assert re.search(
            rf'<form id="{condition}-compare" class="compare-button" method="get" action="/compare/">', page
        )
        boxes = re.findall(rf'name="entries" value="([0-9a-f-]+)" form="{condition}-compare"', page)
        assert set(boxes) == {str(one.pk) for one in pair}


def test_a_comparison_costs_as_many_queries_for_five_entries_as_for_two(
    client: Client, ann: User, release: Release, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    made = [make_submission(ann, release, entry=f"entry {number}") for number in range(5)]
    for seed, submission in enumerate(made):
        finish(submission, seed=seed)
    for entries in (made[:2], made):
        client.logout()
        with django_assert_num_queries(4):
            client.get(address(*(one.pk for one in entries)))
        client.force_login(ann)
        # Session, user, new notices, and a page of items with their number.
        with django_assert_num_queries(9):
            client.get(address(*(one.pk for one in entries)))


def test_a_submissions_page_leads_to_its_place_on_the_board_and_to_comparisons(
    client: Client, pair: tuple[Submission, Submission], bob: User
) -> None:
    finish(make_submission(bob, pair[0].release, entry="Best"), right=1.0)
    best = Submission.objects.get(entry="Best")
    page = text(client, f"/submissions/{pair[1].pk}/")
    assert "?release=tiny%401.0&amp;page=1#with_evidence" in page
    assert f"/compare/?entries={best.pk}&amp;entries={pair[1].pk}#with_evidence" in page
    assert "Your version before this one" not in page
    client.force_login(pair[1].owner)
    page = text(client, f"/submissions/{pair[1].pk}/")
    assert f"/compare/?entries={pair[0].pk}&amp;entries={pair[1].pk}" in page
    assert MARKUP not in page


def test_own_submissions_can_be_ticked_too(client: Client, pair: tuple[Submission, Submission]) -> None:
    client.force_login(pair[0].owner)
    page = text(client, "/submissions/")
    assert set(re.findall(r'name="entries" value="([0-9a-f-]+)" form="my-compare"', page)) == {
        str(one.pk) for one in pair
    }
