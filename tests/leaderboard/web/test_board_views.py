"""The board by databases and difficulties, as visitors browse it."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries

from leaderboard.models.releases import Release
from leaderboard.models.submissions import Submission
from leaderboard.templatetags.slices import heat, percent1
from tests.leaderboard.selectors.records import make_release
from tests.leaderboard.selectors.sliced import place_on_board, right

pytestmark = [pytest.mark.site, pytest.mark.django_db]

BEST = '<span class="best"><span aria-hidden="true">★</span><span class="visually-hidden">best</span></span>'
MARKUP = "<script>alert(1)</script>"


def text(client: Client, address: str) -> str:
    """A page that is there, with white space made single."""
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return re.sub(r"\s+", " ", answer.content.decode())


def links(page: str) -> list[str]:
    """Where the page's links lead."""
    return [unescape(link) for link in re.findall(r'<a [^>]*href="([^"]*)"', page)]


@pytest.fixture
def two(ann: User, release: Release) -> Release:
    """Two entries that are ranked otherwise on books than overall."""
    place_on_board(ann, release, {"books": right(1), "heroes": right(4), "trains": right(0)}, entry="strong")
    cells = {"books": right(3), "heroes": right(0), "trains": None}
    place_on_board(ann, release, cells, entry="good on books", position=2)
    return release


def test_the_board_of_a_database_has_its_own_ranks_size_and_a_warning(client: Client, two: Release) -> None:
    page = text(client, "/?database=books")
    assert "<strong>Only the 4 items of database books</strong>, of 12 in the release." in page
    assert "The fewer items, the wider the interval" in page
    rows = re.findall(
        r'"headline">(\d+)</span> <span class="interval">overall (\d+)</span>.*?class="entry"[^>]*>([^<]*)', page
    )
    assert rows == [("1", "2", "good on books"), ("2", "1", "strong")]
    assert "30.06 – 95.44" in page
    assert "As reported" not in page
    assert "All metrics are percentages of all items" not in page


def test_the_board_of_a_difficulty_is_one_as_well(client: Client, two: Release) -> None:
    page = text(client, "/?difficulty=simple&sort=strict_ex")
    assert "Only the 4 items of difficulty simple" in page
    assert page.index(">strong</a>") < page.index(">good on books</a>")
    assert re.findall(r'aria-sort="(\w+)"', page) == ["ascending"]


@pytest.mark.parametrize(
    "query", ["database=castles", "difficulty=hard", "database=books&release=tiny@9", "database=%3Cb%3E"]
)
def test_a_slice_that_is_none_is_not_there(client: Client, two: Release, query: str) -> None:
    for address in (f"/?{query}", f"/board.csv?{query}", f"/board.json?{query}"):
        assert client.get(address).status_code == 404


@pytest.mark.parametrize("query", ["database=", "difficulty=&database=", "view=none", "database=%00"])
def test_what_asks_for_nothing_shows_the_whole_board(client: Client, two: Release, query: str) -> None:
    page = text(client, f"/?{query}")
    assert "As reported" in page
    assert "All metrics are percentages of all items" in page


def test_a_picker_leads_to_every_slice_and_back(client: Client, two: Release) -> None:
    page = text(client, "/?release=tiny@1.0&database=heroes")
    for name in ("books", "heroes", "trains", "simple", "moderate", "challenging"):
        assert f'<option value="{name}"' in page
    assert re.findall(r'<option value="(\w+)" selected>', page) == ["heroes"]
    assert 'name="release" value="tiny@1.0"' in page
    assert "/?release=tiny%401.0" in links(page)


def test_an_empty_slice_tells_how_to_submit(client: Client, release: Release) -> None:
    assert text(client, "/?database=books").count("No entry has been scored in this condition yet") == 2


def test_the_heat_map_has_a_number_a_step_of_colour_and_a_mark_in_cells(client: Client, two: Release) -> None:
    page = text(client, "/?view=databases")
    row = page[page.index(">strong</a>") : page.index(">good on books</a>")]
    assert re.findall(r'class="number heat heat-(\d)">(.*?) ([\d.]+) </td>', row) == [
        ("1", "", "25.0"),
        ("4", f" {BEST}", "100.0"),
        ("0", "", "0.0"),
    ]  # fmt: skip
    assert '<td class="number">–</td>' in page[page.index(">good on books</a>") :]


def test_a_zero_is_written_as_a_number_everywhere(client: Client, ann: User, release: Release) -> None:
    place_on_board(ann, release, dict.fromkeys(("books", "heroes", "trains"), right(0, 0, 0)), entry="Zero")
    for query in ("", "?database=books", "?view=databases", "?view=difficulty"):
        page = text(client, f"/{query}").partition('id="reported"')[0]
        row = page[page.index(">Zero</a>") : page.index("</tr>", page.index(">Zero</a>"))]
        assert ">–<" not in row.replace(" ", "")
        assert re.search(r"\b0\.00?\b", row)
        assert "best" not in row


def test_heads_lead_to_the_boards_of_slices_and_sort(client: Client, two: Release) -> None:
    found = links(text(client, "/?view=databases&release=tiny@1.0"))
    assert "?release=tiny%401.0&database=books" in found
    assert "?view=databases&release=tiny%401.0&sort=-cell%3Abooks#with_evidence" in found
    page = text(client, "/?view=databases&sort=-cell:books")
    assert page.index(">good on books</a>") < page.index(">strong</a>")
    assert re.findall(r'aria-sort="(\w+)"', page) == ["descending"]
    assert "?view=databases&sort=cell%3Abooks#with_evidence" in links(page)


def test_difficulties_are_bars_with_a_title_and_the_numbers_beside_them(client: Client, two: Release) -> None:
    page = text(client, "/?view=difficulty")
    assert '<title id="with_evidence-1-title">Strict-EX of strong by difficulty</title>' in page
    assert re.search(
        r'<desc id="with_evidence-1-desc"> simple 25.0 %, moderate 100.0 %, challenging 0.0 % </desc>', page
    )
    assert page.count('<svg class="slice-bars"') == 2
    assert "25.00" in page
    assert "4.56 – 69.94" in page


@pytest.mark.parametrize("address", ["/?database=books", "/?view=databases", "/?view=difficulty"])
def test_every_view_costs_the_same_queries_whatever_its_length(
    client: Client, ann: User, two: Release, address: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    # The condition without entries asks for no rows, and no cells.
    expected = 8 if "database=" in address else 11
    with django_assert_num_queries(expected):
        client.get(address)
    for position in range(3, 20):
        place_on_board(ann, two, {"books": right(2), "heroes": right(1)}, position=position)
    with django_assert_num_queries(expected):
        client.get(address)


@pytest.mark.parametrize("address", ["/?database=books", "/?view=databases", "/?view=difficulty"])
def test_names_are_never_markup_and_no_style_is_written_into_a_page(
    client: Client, ann: User, release: Release, address: str
) -> None:
    place_on_board(ann, release, {"books": right(2), "heroes": right(1)}, entry=MARKUP)
    page = client.get(address).content.decode()
    assert MARKUP not in page
    assert "&lt;script&gt;" in page
    assert not re.search(r"\sstyle=|<style", page)


def test_a_view_of_another_release_is_another_one(client: Client, scored: Submission) -> None:
    make_release(version="2.0", databases=("ships",))
    assert "Scored model" not in text(client, "/?view=databases")
    assert "Scored model" in text(client, "/?view=databases&release=tiny@1.0")
    assert client.get("/?database=books").status_code == 404
    assert "Scored model" in text(client, "/?database=books&release=tiny@1.0")


@pytest.mark.parametrize(
    ("share", "step"), [(0, 0), (0.199, 0), (1 / 5, 1), (0.6, 3), (3 / 5, 3), (0.79, 3), (0.8, 4), (1.0, 4)]
)
def test_a_share_has_one_of_five_steps(share: float, step: int) -> None:
    assert heat(share) == step


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_a_step_is_the_one_whose_bounds_hold_the_exact_share(counts: tuple[int, int]) -> None:
    successes, n = counts
    assert heat(successes / n) == min(4, 5 * successes // n)
    assert percent1(successes / n) == f"{100 * successes / n:.1f}"
