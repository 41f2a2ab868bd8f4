"""The board's tables as files: whole, exact, and harmless in a spreadsheet."""

import csv
import io
import json
import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from evaluation.types import Condition
from leaderboard.models.releases import Release, ReleaseDatabase
from leaderboard.models.slices import SliceScore
from leaderboard.models.submissions import Submission
from leaderboard.selectors.board import PAGE_SIZE
from leaderboard.web import exports
from tests.leaderboard.selectors.records import make_release
from tests.leaderboard.selectors.sliced import place_on_board, right

pytestmark = [pytest.mark.site, pytest.mark.django_db]

EVIL = '=HYPERLINK("https://evil.example";"Score")'
QUERIES = ("", "database=books", "difficulty=simple", "view=databases", "view=difficulty", "view=models")


def content(client: Client, address: str) -> str:
    """The text of a file that is there."""
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.streaming
    return answer.getvalue().decode()


def rows(client: Client, query: str = "") -> list[dict[str, str]]:
    """The rows of a CSV file by the names of its columns."""
    return list(csv.DictReader(io.StringIO(content(client, f"/board.csv?{query}"), newline=""), strict=True))


@pytest.mark.parametrize("query", [*QUERIES, "view=databases&layout=cells"])
def test_every_row_says_what_it_was_measured_on(client: Client, scored: Submission, query: str) -> None:
    found = rows(client, query)
    assert {row["condition"] for row in found} == set(Condition)
    for row in found:
        run = scored.runs.get(condition=row["condition"])
        assert (row["release"], row["digest"]) == ("tiny@1.0", scored.release.digest)
        assert (row["scorer"], row["engine"], row["demo_engine"]) == (run.scorer, run.engine, "true")
        assert run.ended_at is not None
        assert row["date"] == run.ended_at.isoformat().replace("+00:00", "Z")
        assert int(row["n"]) > 0
        assert (row["entry"], row["submission"]) == ("Scored model", str(scored.pk))


def test_figures_are_shares_with_all_their_digits(client: Client, scored: Submission) -> None:
    for row in rows(client):
        report = scored.runs.get(condition=row["condition"]).report
        assert report is not None
        for metric in ("strict_ex", "soft_ex", "exec_rate"):
            assert float(row[metric]) == report[metric]["value"]
            assert float(row[f"{metric}_low"]) == report[metric]["low"]
        assert (row["coverage"], row["cost_usd"], row["rank"], row["tie_group"]) == ("1.0", "", "1", "1")
        assert float(row["evidence_gain"]) == scored.evidence_gain.value


def test_a_slice_has_its_own_ranks_and_the_overall_ones(client: Client, ann: User, release: Release) -> None:
    place_on_board(ann, release, {"books": right(1), "heroes": right(4)}, entry="strong")
    place_on_board(ann, release, {"books": right(3), "heroes": right(0)}, entry="good on books", position=2)
    names = ("database", "rank", "position", "rank_overall", "entry", "strict_ex", "n")
    assert [tuple(row[name] for name in names) for row in rows(client, "database=books")] == [
        ("books", "1", "1", "2", "good on books", "0.75", "4"),
        ("books", "2", "2", "1", "strong", "0.25", "4"),
    ]


def test_the_heat_map_stands_as_it_is_shown_and_each_cell_can_have_its_own_row(
    client: Client, ann: User, release: Release
) -> None:
    place_on_board(ann, release, {"books": right(1), "heroes": right(0), "trains": None}, entry="strong")
    (row,) = rows(client, "view=databases")
    assert [row[f"strict_ex:{name}"] for name in ("books", "heroes", "trains")] == ["0.25", "0.0", ""]
    assert [row[f"n:{name}"] for name in ("books", "heroes", "trains")] == ["4", "4", ""]
    cells = rows(client, "view=databases&layout=cells")
    assert [(cell["database"], cell["strict_ex"], cell["n"], cell["rank_overall"]) for cell in cells] == [
        ("books", "0.25", "4", "1"),
        ("heroes", "0.0", "4", "1"),
    ]
    low = SliceScore.objects.get(kind="database", name="books").strict_ex_low
    assert low is not None
    assert float(cells[0]["strict_ex_low"]) == low


@pytest.mark.parametrize("query", QUERIES)
def test_json_is_the_answer_of_the_api_with_all_entries_on_one_page(
    client: Client, scored: Submission, query: str
) -> None:
    found = json.loads(content(client, f"/board.json?{query}"))
    kind = {"view=databases": "database", "view=difficulty": "difficulty"}.get(query)
    plain = "" if "view=" in query else f"?{query}"
    address = f"/api/v1/board{plain}" if kind is None else f"/api/v1/board/breakdown?by={kind}"
    assert found == client.get(address).json()


@pytest.mark.parametrize("query", ["", "database=books", "view=databases"])
def test_a_file_has_more_rows_than_any_page(client: Client, ann: User, release: Release, query: str) -> None:
    count = PAGE_SIZE + 5
    for position in range(1, count + 1):
        place_on_board(ann, release, {"books": right(position % 5)}, entry=f"entry {position}", position=position)
    wanted = {f"entry {position}" for position in range(1, count + 1)}
    assert {row["entry"] for row in rows(client, query)} == wanted
    table = json.loads(content(client, f"/board.json?{query}"))["conditions"][0]
    assert {entry["entry"] for entry in table["entries"]} == wanted
    assert (table["total"], table["page"], table["pages"]) == (count, 1, 1)


@pytest.mark.parametrize("query", ["sort=strict_ex&page=3", "page=3&sort=-cell:books&view=databases"])
def test_page_and_sort_cut_nothing_from_a_file(client: Client, scored: Submission, query: str) -> None:
    assert len(rows(client, query)) == 2


def test_what_a_spreadsheet_would_run_is_text_in_cells_and_heads(client: Client, ann: User, release: Release) -> None:
    ReleaseDatabase.objects.filter(db_id="books").update(db_id="-2+3")
    place_on_board(ann, release, {"-2+3": right(1)}, entry=EVIL)
    for query in ("", "database=-2%2B3", "view=databases", "view=databases&layout=cells"):
        (row,) = rows(client, query)
        assert row["entry"] == '\'=HYPERLINK("https://evil.example";"Score")'
        assert row["strict_ex"] == "0.25"
    assert rows(client, "database=-2%2B3")[0]["database"] == "'-2+3"
    assert json.loads(content(client, "/board.json"))["conditions"][0]["entries"][0]["entry"] == EVIL


def test_a_negative_gain_stays_a_number(client: Client, scored: Submission) -> None:
    gain = scored.evidence_gain
    type(gain).objects.update(value=-0.125, low=-0.5, high=0.25)
    assert {(row["evidence_gain"], row["evidence_gain_low"]) for row in rows(client)} == {("-0.125", "-0.5")}


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("", "aptboard-tiny-1.0-board"),
        ("database=books", "aptboard-tiny-1.0-database-books"),
        ("difficulty=simple", "aptboard-tiny-1.0-difficulty-simple"),
        ("view=databases", "aptboard-tiny-1.0-by-database"),
        ("view=difficulty&layout=cells", "aptboard-tiny-1.0-by-difficulty-cells"),
    ],
)
def test_the_name_of_a_file_tells_what_is_in_it(client: Client, release: Release, query: str, name: str) -> None:
    answer = client.get(f"/board.csv?{query}")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}.csv"'
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8; header=present"
    assert answer.getvalue().count(b"\r\n") == 1
    other = client.get(f"/board.json?{query}").headers
    assert other["Content-Disposition"].startswith('attachment; filename="aptboard-tiny-1.0-')
    assert other["Content-Type"] == "application/json"


def test_the_head_of_a_file_is_told_without_reading_a_row(
    client: Client, scored: Submission, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        # The release, and its slices.
        answer = client.head("/board.csv")
        assert (answer.status_code, answer.getvalue()) == (200, b"")


def test_a_name_cannot_end_the_header_that_tells_it(client: Client) -> None:
    release = make_release(version='1";x=\u00e9', databases=("books",))
    answer = client.get("/board.csv")
    assert str(release) == 'tiny@1";x=\u00e9'
    assert answer.headers["Content-Disposition"] == 'attachment; filename="aptboard-tiny-1-x-board.csv"'


def test_without_a_release_there_is_no_file(client: Client) -> None:
    assert client.get("/board.csv").status_code == client.get("/board.json").status_code == 404


def test_each_view_links_to_its_own_files(client: Client, scored: Submission) -> None:
    for query in QUERIES:
        page = client.get(f"/?{query}&sort=-strict_ex").content.decode().replace("&amp;", "&")
        found = re.findall(r'href="(/board\.(?:csv|json)\?[^"]*)"', page)
        assert len(found) == (3 if query in {"view=databases", "view=difficulty"} else 2)
        for address in found:
            assert query in address
            assert "release=tiny%401.0" in address
            assert "sort" not in address
            assert content(client, address)


def test_long_texts_are_sent_in_pieces_and_none_is_lost() -> None:
    texts = [f"{number}é\r\n" for number in range(20_000)]
    found = list(exports.pieces(texts))
    assert b"".join(found).decode() == "".join(texts)
    assert 1 < len(found) < 20
    assert list(exports.pieces([])) == []
