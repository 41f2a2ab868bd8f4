"""The board's view of what evidence adds: a picture, and a table that says the same."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from leaderboard.models.releases import Release
from leaderboard.models.submissions import Submission
from leaderboard.selectors.evidence import evidence_rows
from tests.leaderboard.selectors.records import finish, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def test_the_picture_has_a_title_a_description_and_every_entry_that_the_table_has(
    client: Client, ann: User, release: Release
) -> None:
    long_name = "A model with a name that no picture has room for <b>"
    for seed, entry in enumerate(("short", long_name)):
        finish(make_submission(ann, release, entry=entry), seed=seed)
    page = re.sub(r"\s+", " ", client.get("/?view=evidence").content.decode())
    picture = page[page.index('<svg class="plot"') : page.index("</svg>", page.index('<svg class="plot"'))]
    assert "<title" in picture
    assert "<desc" in picture
    assert picture.count("<circle") == 4
    assert "A model with a name that no…" in picture
    assert "<b>" not in page
    table = page[page.index("</svg>", page.index('<svg class="plot"')) :]
    for row in evidence_rows(release).items:
        for figure in (f"{100 * row.without:.2f}", f"{100 * row.given:.2f}"):
            assert figure in table
    assert "clustered by database" in page


def test_an_entry_of_equal_shares_has_a_line_of_no_length_and_a_gain_of_zero(
    client: Client, ann: User, release: Release
) -> None:
    finish(make_submission(ann, release), right=0.0)
    assert "+0.00" in client.get("/?view=evidence").content.decode()


def test_without_an_entry_of_both_conditions_there_is_a_sentence(client: Client, release: Release) -> None:
    assert "No entry has been scored in both conditions yet" in client.get("/?view=evidence").content.decode()


def test_the_view_costs_as_few_queries_as_the_board(
    client: Client, scored: Submission, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(5):
        client.get("/?view=evidence")
