"""The pages of a release's items: what stands on them for whom, and how few queries they cost."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from leaderboard.models.releases import Release
from leaderboard.models.submissions import Submission
from tests.leaderboard.described import describe
from tests.leaderboard.selectors.records import finish, make_release, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]

ITEMS = "/releases/tiny@1.0/items/"


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return re.sub(r"\s+", " ", answer.content.decode())


def test_a_releases_page_leads_to_its_items_and_those_to_each_other(client: Client, release: Release) -> None:
    assert f'href="{ITEMS}"' in text(client, "/releases/tiny@1.0/")
    page = text(client, ITEMS)
    assert "<strong>12</strong> items" in page
    assert f'href="{ITEMS}105/"' in page
    page = text(client, f"{ITEMS}105/")
    for words in ("Which heroes are older than 5 years?", "older refers to age", f"{ITEMS}104/", f"{ITEMS}106/"):
        assert words in page


def test_filters_search_and_order_are_read_from_the_address(client: Client, release: Release) -> None:
    assert "<strong>4</strong> items" in text(client, f"{ITEMS}?database=heroes")
    assert "<strong>1</strong> item " in text(client, f"{ITEMS}?text=heroes+are+older+than+5&evidence=yes")
    assert "The release has no such item" in text(client, f"{ITEMS}?evidence=no")
    page = text(client, f"{ITEMS}?sort=with_evidence&database=heroes")
    assert '<option value="with_evidence" selected>' in page
    assert page.count("aria-sort") == 1


@pytest.mark.parametrize(
    "query", ["?database=x", "?sort=%00", "?text=%00", "?page=-1", "?split=secret", "?difficulty=1"]
)
def test_what_cannot_be_read_is_left_out(client: Client, release: Release, query: str) -> None:
    assert "<strong>12</strong> items" in text(client, f"{ITEMS}{query}")


def test_gold_is_shown_for_public_items_only_and_the_database_where_it_is_described(
    client: Client, release: Release
) -> None:
    assert "// shown" in text(client, f"{ITEMS}100/")
    hidden = text(client, f"{ITEMS}101/")
    assert "Gold query" not in hidden
    assert "The database books" not in hidden
    describe(release)
    assert "The database books" in text(client, f"{ITEMS}101/")


def test_an_owner_sees_the_answers_of_own_entries_and_a_stranger_none(
    client: Client, scored: Submission, bob: User
) -> None:
    address = f"{ITEMS}100/"
    for user in (None, bob):
        if user is not None:
            client.force_login(user)
        page = text(client, address)
        assert "db.things.find() //" not in page
        assert "Scored model" not in page
        assert "too few entries are ranked" in page
    client.force_login(scored.owner)
    page = text(client, address)
    assert page.count("db.things.find() //") == 2
    assert "Scored model" in page


def test_an_item_that_was_set_aside_says_so_without_its_gold(client: Client, release: Release) -> None:
    page = text(client, f"{ITEMS}112/")
    assert "Set aside." in page
    assert "the item is hidden, so no more is told" in page


def test_what_is_not_there_is_not_found(client: Client, release: Release) -> None:
    make_release(version="0.1", live=False)
    for address in (
        f"{ITEMS}999/",
        "/releases/tiny@9/items/",
        "/releases/tiny@0.1/items/",
        "/releases/tiny@0.1/items/100/",
    ):
        assert client.get(address).status_code == 404


@pytest.mark.parametrize("question_id", ["a/b", "Ünïcode", "50%", "x?y#z", "<b>"])
def test_an_item_of_any_id_has_its_page(client: Client, release: Release, question_id: str) -> None:
    release.items.filter(question_id="100").update(question_id=question_id)
    page = client.get(ITEMS).content.decode()
    address = re.findall(rf'href="({ITEMS}[^"]+)"', page)[0]
    assert "// shown" in text(client, address)
    assert "<b>" not in page


def test_the_pages_cost_the_same_queries_whatever_the_release_holds(
    client: Client, ann: User, release: Release, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for seed in range(3):
        finish(make_submission(ann, release, entry=f"entry {seed}"), seed=seed)
        with django_assert_num_queries(5):
            client.get(f"{ITEMS}?sort=with_evidence")
        with django_assert_num_queries(4):
            client.get(f"{ITEMS}100/")
