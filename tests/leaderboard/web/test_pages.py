"""The pages: what stands on them, how many queries they cost, and that no script or style is written into them."""

import html
import re
import uuid
from pathlib import Path

import pytest
from django.conf import settings as site_settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from leaderboard.models.releases import Release
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.services.tokens import token_create
from tests.leaderboard.selectors.records import finish, make_release, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]

LINE = '{"question_id": "100", "query": "db.things.find({})", "condition": "with_evidence"}\n'
MARKUP = "<script>alert(1)</script>"


@pytest.fixture
def anns(client: Client, ann: User) -> Client:
    """Ann's browser."""
    client.force_login(ann)
    return client


def text(client: Client, address: str) -> str:
    """A page that is there, with white space made single."""
    answer = client.get(address)
    assert answer.status_code == 200, answer.content
    return re.sub(r"\s+", " ", answer.content.decode())


def test_a_site_without_a_release_has_an_empty_board(client: Client) -> None:
    assert "No release is live yet" in text(client, "/")


def test_an_empty_board_tells_how_to_submit(client: Client, release: Release) -> None:
    page = text(client, "/")
    assert page.count("No entry has been scored in this condition yet") == 2
    assert "http://testserver/api/v1/submissions" in page


def test_the_board_shows_every_number_with_what_it_was_measured_on(client: Client, scored: Submission) -> None:
    page = text(client, "/")
    assert page.partition('id="reported"')[0].count('<th scope="row"') == 2
    report = scored.runs.get(condition="with_evidence").report
    assert report is not None
    for metric in ("strict_ex", "soft_ex", "exec_rate"):
        assert f"{100 * report[metric]['value']:.2f}" in page
        assert f"{100 * report[metric]['low']:.2f} – {100 * report[metric]['high']:.2f}" in page
    for words in ("tiny@1.0", scored.release.digest[:12], "aptboard 0.1.0", "SecantusDB", "demo engine"):
        assert words in page
    assert timezone.now().strftime("%Y-%m-%d") in page


def test_only_the_sorted_column_says_so(client: Client, scored: Submission) -> None:
    assert re.findall(r'aria-sort="(\w+)"', text(client, "/")) == ["ascending"] * 2
    assert re.findall(r'aria-sort="(\w+)"', text(client, "/?sort=-soft_ex")) == ["descending"] * 2


@pytest.mark.parametrize("query", ["?sort=nothing", "?page=x", "?page=-3", "?page=99999999999999999999", "?sort=%00"])
def test_a_query_that_cannot_be_read_shows_the_plain_board(client: Client, scored: Submission, query: str) -> None:
    assert "Scored model" in text(client, f"/{query}")


def test_another_release_can_be_picked(client: Client, scored: Submission) -> None:
    make_release(version="2.0")
    assert "Scored model" not in text(client, "/")
    assert "Scored model" in text(client, "/?release=tiny@1.0")
    assert client.get("/?release=tiny@3.0").status_code == 404


def test_the_board_costs_seven_queries_whatever_its_length(
    client: Client, ann: User, release: Release, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    finish(make_submission(ann, release, entry="first"))
    with django_assert_num_queries(7):
        client.get("/")
    for number in range(5):
        finish(make_submission(ann, release, entry=f"model {number}"), seed=number)
    with django_assert_num_queries(7):
        client.get("/")


def test_a_submission_in_progress_shows_how_far_it_is(client: Client, queued: Submission) -> None:
    page = text(client, f"/submissions/{queued.pk}/")
    assert page.count("<progress") == 2
    assert page.count("0 of 13 items judged") == 2
    assert "Waiting for a worker" in page
    assert "http-equiv" not in page


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (RunState.FAILED, "a fault on our side"),
        (RunState.CANCELLED, "was cancelled and has no score"),
        (RunState.INCOMPLETE, "could not be judged for a reason on our side"),
    ],
)
def test_an_end_without_a_score_is_explained_in_plain_words(
    client: Client, queued: Submission, state: RunState, words: str
) -> None:
    queued.runs.update(state=state, ended_at=timezone.now(), reason="inner reason")
    page = text(client, f"/submissions/{queued.pk}/")
    assert page.count(words) == 2
    assert "inner reason" not in page
    client.force_login(queued.owner)
    assert "inner reason" in text(client, f"/submissions/{queued.pk}/")


def test_a_scored_submission_shows_breakdowns_and_its_owner_the_items(anns: Client, scored: Submission) -> None:
    page = text(anns, f"/submissions/{scored.pk}/")
    for words in ("By database, with evidence", "By difficulty, without evidence", "How the 12 items ended", "heroes"):
        assert words in page
    assert page.count('href="/releases/tiny@1.0/items/100/">100</a>') == 2
    assert "// shown" in page
    narrowed = text(anns, f"/submissions/{scored.pk}/?condition=with_evidence&database=heroes")
    assert "<strong>4</strong> verdicts" in narrowed


@pytest.mark.parametrize("query", ["?outcome=nice", "?database=%00", "?page=0", "?condition=x"])
def test_a_filter_that_cannot_be_read_is_left_out(anns: Client, scored: Submission, query: str) -> None:
    assert "<strong>26</strong> verdicts" in text(anns, f"/submissions/{scored.pk}/{query}")


def test_a_submissions_page_costs_the_same_queries_whatever_its_size(
    anns: Client, ann: User, scored: Submission, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    release = make_release(name="large", databases=[f"db_{number}" for number in range(8)], items_each=9)
    large = make_submission(ann, release)
    finish(large)
    for submission in (scored, large):
        with django_assert_max_num_queries(16):
            anns.get(f"/submissions/{submission.pk}/")


def test_an_owner_can_cancel_by_form(anns: Client, queued: Submission) -> None:
    answer = anns.post(f"/submissions/{queued.pk}/cancel/", follow=True)
    assert "The submission was cancelled" in answer.content.decode()
    assert set(queued.runs.values_list("state", flat=True)) == {"cancelled"}
    again = anns.post(f"/submissions/{queued.pk}/cancel/", follow=True)
    assert "nothing left to cancel" in again.content.decode()


def test_a_form_takes_predictions_in(anns: Client, release: Release) -> None:
    sent = {"entry": "By form", "release": release.pk, "file": SimpleUploadedFile("p.jsonl", LINE.encode())}
    answer = anns.post("/submit/", sent, follow=True)
    assert "Your predictions were taken in" in answer.content.decode()
    submission = Submission.objects.get()
    assert answer.redirect_chain == [(f"/submissions/{submission.pk}/", 302)]
    assert "By form" in text(anns, "/submissions/")


def test_a_form_lists_every_fault_of_the_file(anns: Client, release: Release) -> None:
    content = LINE + "no json\n" + LINE.replace("100", "999") + f'{{"question_id": "{MARKUP}", "query": 1}}'
    sent = {"entry": "By form", "release": release.pk, "file": SimpleUploadedFile("faulty.jsonl", content.encode())}
    answer = anns.post("/submit/", sent)
    page = re.sub(r"\s+", " ", answer.content.decode())
    assert answer.status_code == 422
    assert "5 faults were found in faulty.jsonl" in page
    assert "<strong>faulty.jsonl, line 2:</strong>" in page
    assert "<strong>faulty.jsonl, line 3, field <code>question_id</code>:</strong>" in page
    assert MARKUP not in page
    assert 'value="By form"' in page
    assert not Submission.objects.exists()


@pytest.mark.parametrize(("condition", "rule"), [("", "missing"), ("without_evidence", "")])
def test_a_file_that_names_no_condition_takes_that_of_the_form(
    anns: Client, release: Release, condition: str, rule: str
) -> None:
    file = SimpleUploadedFile("p.json", b'{"100": "db.things.find({})"}')
    answer = anns.post("/submit/", {"entry": "x", "release": release.pk, "condition": condition, "file": file})
    assert answer.status_code == (422 if rule else 302)
    assert Submission.objects.count() == (0 if rule else 1)


def test_an_empty_form_marks_its_fields(anns: Client, release: Release) -> None:
    answer = anns.post("/submit/", {"release": release.pk})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert page.count('aria-invalid="true"') == 2
    assert page.count('role="alert"') == 1


def test_names_given_by_users_are_never_markup(anns: Client, ann: User, release: Release) -> None:
    submission = make_submission(ann, release, entry=MARKUP)
    Submission.objects.update(description=MARKUP, file_name=MARKUP)
    finish(submission)
    token_create(ann, name=MARKUP)
    for address in ("/", f"/submissions/{submission.pk}/", "/submissions/", "/tokens/"):
        page = text(anns, address)
        assert MARKUP not in page
        assert "&lt;script&gt;alert(1)" in page


def test_a_release_shows_what_it_is_made_of(client: Client, release: Release) -> None:
    page = text(client, "/releases/tiny@1.0/")
    for words in (
        release.digest,
        "CC-BY-4.0",
        "Cite us kindly.",
        "SecantusDB",
        "Items set aside",
        "heroes",
        "12, 6 with",
    ):
        assert words in page
    assert "tiny@1.0" in text(client, "/releases/")


@pytest.mark.parametrize("version", ["2026-11", "1.0/beta", "1 0", "é@?#%"])
def test_a_release_of_any_version_has_its_page(client: Client, version: str) -> None:
    release = make_release(version=version)
    (address,) = set(re.findall(r'href="(/releases/[^"]+)"', text(client, "/")))
    assert release.digest in text(client, html.unescape(address))


def test_a_person_can_log_in_and_out(client: Client) -> None:
    User.objects.create_user("eve", password="eve's long password")
    wrong = client.post("/login/", {"login": "eve", "password": "wrong"})
    assert 'role="alert"' in wrong.content.decode()
    right = client.post("/login/?next=/tokens/", {"login": "eve", "password": "eve's long password"})
    assert right.headers["Location"] == "/tokens/"
    assert "Log out" in text(client, "/")
    assert client.post("/logout/").status_code == 302
    assert "Log in" in text(client, "/")


def test_a_login_never_leads_to_another_site(client: Client) -> None:
    User.objects.create_user("eve", password="eve's long password")
    answer = client.post("/login/?next=https://evil.example/", {"login": "eve", "password": "eve's long password"})
    assert answer.headers["Location"] == "/"


INLINE = re.compile(r"<style|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|javascript:", re.IGNORECASE)


def test_no_template_writes_a_script_or_a_style_into_a_page() -> None:
    templates = list(Path(site_settings.BASE_DIR, "templates").rglob("*.html"))
    assert len(templates) > 20
    assert [path.name for path in templates if INLINE.search(path.read_text())] == []


@pytest.mark.parametrize("address", ["/", "/releases/", "/login/", "/nothing", "/api/v1/releases"])
def test_every_answer_forbids_all_but_our_own_files(client: Client, address: str) -> None:
    policy = client.get(address).headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert {part.strip() for part in policy.split(";")} >= {"script-src 'self'", "style-src 'self'"}


def test_an_unknown_submission_is_not_found(client: Client) -> None:
    assert client.get(f"/submissions/{uuid.uuid4()}/").status_code == 404
