"""The pages of model endpoints: the form, how far the asking is, what it took, and the models' board."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from leaderboard.models.endpoints import ModelEndpoint, ModelFacts
from leaderboard.models.generations import Generation
from leaderboard.models.measurements import EvidenceGain
from leaderboard.models.releases import Release
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from tests.leaderboard.described import describe
from tests.leaderboard.selectors.asked import PLACE, SECRET, make_asked
from tests.leaderboard.selectors.records import finish, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]

FORM = "/submit/endpoint/"
MARKUP = "<script>alert(1)</script>"


@pytest.fixture
def anns(client: Client, ann: User) -> Client:
    """Ann's browser."""
    client.force_login(ann)
    return client


@pytest.fixture
def described(release: Release) -> Release:
    """The release, with its databases described."""
    return describe(release)


def plain(answer: Any) -> str:
    return re.sub(r"\s+", " ", answer.content.decode())


def sent(release: Release, **changes: Any) -> dict[str, Any]:
    fields = {
        "release": release.pk, "entry": "By form", "model": "model-a", "address": PLACE, "key": SECRET,
        "conditions": ["with_evidence", "without_evidence"], "template": "default@1", "temperature": "0", "seed": "42",
        "repairs": "0", "most_completion_tokens": "4096", "concurrency": "8",
    }  # fmt: skip
    return {name: value for name, value in {**fields, **changes}.items() if value is not None}


def test_a_form_takes_a_model_in_and_its_page_never_shows_the_key(anns: Client, described: Release) -> None:
    facts = {"provider": "Acme", "open_weights": "no", "links": "https://example.org/a\n\n https://example.org/b"}
    answer = anns.post(FORM, sent(described, budget_tokens="5000000", **facts), follow=True)
    page = plain(answer)
    assert answer.redirect_chain
    assert "Your model was taken in" in page
    assert page.count("0 of 12 items replied to") == 2
    assert page.count("claimed") == 1
    assert PLACE in page
    assert "kept until the runs have ended" in page
    assert SECRET not in page
    endpoint = ModelEndpoint.objects.get()
    assert (endpoint.temperature, endpoint.seed, endpoint.budget_tokens) == (0.0, 42, 5_000_000)
    saved = ModelFacts.objects.get()
    assert (saved.open_weights, saved.links) == (False, ["https://example.org/a", "https://example.org/b"])


def test_empty_fields_mean_what_their_help_says(anns: Client, described: Release) -> None:
    fields = sent(described, temperature="", seed="", concurrency="", repairs="", most_completion_tokens="")
    assert anns.post(FORM, fields).status_code == 302
    endpoint = ModelEndpoint.objects.get()
    assert (endpoint.temperature, endpoint.seed) == (None, None)
    assert (endpoint.concurrency, endpoint.repairs, endpoint.most_completion_tokens) == (8, 0, 4096)


def test_every_fault_stands_at_its_field_and_the_key_is_gone(anns: Client, described: Release) -> None:
    fields = sent(
        described, entry="", address="http://10.0.0.1/v1", temperature="hot", seed="-1", conditions=None,
        budget_usd="5", links="ftp://x",
    )  # fmt: skip
    answer = anns.post(FORM, fields)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {
        "entry", "address", "temperature", "seed", "conditions", "budget_usd", "links",
    }  # fmt: skip
    assert page.count('role="alert"') == 1
    assert page.count('aria-invalid="true"') == 8, "each field, and both conditions"
    assert 'value="model-a"' in page
    assert SECRET not in page
    assert not Submission.objects.exists()


@pytest.mark.parametrize("field", ["address", "key", "model", "links", "entry", "price_prompt"])
def test_what_is_typed_is_never_markup(anns: Client, described: Release, field: str) -> None:
    page = anns.post(FORM, sent(described, **{field: MARKUP})).content.decode()
    assert MARKUP not in page


def test_the_form_is_not_kept_by_caches_nor_filled_by_browsers(anns: Client, described: Release) -> None:
    answer = anns.get(FORM)
    assert "no-store" in answer.headers["Cache-Control"]
    key = re.search(r'<input type="password"[^>]*>', answer.content.decode())
    assert key
    assert 'autocomplete="off"' in key.group()
    assert "value" not in key.group()


def test_a_quota_that_is_used_up_is_told_above_the_form(anns: Client, described: Release, settings: Settings) -> None:
    settings.QUOTA_SUBMISSIONS = 1
    assert anns.post(FORM, sent(described)).status_code == 302
    answer = anns.post(FORM, sent(described))
    assert answer.status_code == 422
    assert "Of the quota" in plain(answer) or "quota" in plain(answer).lower()
    assert SECRET not in answer.content.decode()


def test_without_a_described_release_there_is_no_form(anns: Client, release: Release) -> None:
    page = plain(anns.get(FORM))
    assert "No release takes model endpoints" in page
    assert "<fieldset" not in page


def test_the_form_for_files_leads_to_it(anns: Client, release: Release) -> None:
    assert f'href="{FORM}"' in anns.get("/submit/").content.decode()


def test_a_run_whose_model_is_asked_shows_how_far_it_is_and_what_it_took(
    anns: Client, ann: User, release: Release
) -> None:
    submission = make_asked(ann, release, state=RunState.GENERATING, replies=6)
    page = plain(anns.get(f"/submissions/{submission.pk}/"))
    assert page.count("6 of 12 items replied to") == 2
    assert "0.00003" in page
    assert "180" in page
    assert "120 of prompts, 60 of replies" in page
    assert page.count("No reply: content filter") == 2
    assert page.count("measured") >= 6
    assert "SHA-256 of the file" not in page


def test_strangers_see_figures_and_claims_but_no_address_budget_or_message(
    client: Client, ann: User, release: Release
) -> None:
    submission = make_asked(ann, release, state=RunState.GENERATING, replies=6)
    Generation.objects.update(message="the inner sentence")
    address = f"/submissions/{submission.pk}/"
    page = plain(client.get(address))
    assert "Acme Model A" in page
    for hidden in (PLACE, "7,654,321", "the inner sentence", SECRET, "API key"):
        assert hidden not in page
    client.force_login(ann)
    page = plain(client.get(address))
    for shown in (PLACE, "7,654,321", "the inner sentence"):
        assert shown in page
    assert SECRET not in page


def test_a_refusal_is_told_as_the_submitters_and_not_as_our_fault(client: Client, ann: User, release: Release) -> None:
    submission = make_asked(ann, release, state=RunState.FAILED, replies=0)
    Generation.objects.update(refused=True)
    page = plain(client.get(f"/submissions/{submission.pk}/"))
    assert page.count("The model endpoint refused") == 2
    assert "fault on our side" not in page


def test_an_item_without_a_usable_reply_says_why_to_its_owner(anns: Client, ann: User, release: Release) -> None:
    submission = make_asked(ann, release)
    finish(submission)
    page = plain(anns.get(f"/submissions/{submission.pk}/"))
    assert page.count("No usable reply: content filter.</strong> The filter kept it.") == 6
    items = anns.get(f"/api/v1/submissions/{submission.pk}/items?condition=with_evidence").json()["results"]
    reply = items[3]["reply"]
    assert (reply["reason"], reply["message"], reply["calls"]) == ("content_filter", "The filter kept it.", 2)
    assert (reply["cost_usd"], reply["prompt_tokens"]) == ("0.00000500", 20)
    assert items[0]["reply"]["reason"] == ""
    assert items[12]["reply"] is None, "an item that is set aside is not asked"


def test_the_page_of_an_asked_model_costs_a_bounded_number_of_queries(
    anns: Client, ann: User, release: Release, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for state, replies in ((RunState.GENERATING, 3), (RunState.SCORING, 12)):
        submission = make_asked(ann, release, entry=state, state=state, replies=replies)
        with django_assert_max_num_queries(18 if state is RunState.GENERATING else 29):
            anns.get(f"/submissions/{submission.pk}/")


def test_the_models_board_shows_what_was_measured_and_what_is_claimed(
    client: Client, ann: User, release: Release, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    asked = make_asked(ann, release)
    finish(asked, right=0.6)
    finish(make_submission(ann, release, entry="From a file"), seed=3)
    with django_assert_num_queries(7):
        page = plain(client.get("/?view=models"))
    assert page.count("0.00006") == 2
    assert page.count("<td>open</td>") == 2
    assert page.count("7B") == 2
    gain = EvidenceGain.objects.get(submission=asked)
    assert f"{100 * gain.value:+.2f}".replace("-", "−") in page
    assert "> 360 </td>" in page
    assert page.count('<td class="number">–</td>') == 8, "four columns of the other entry, in both conditions"
    row = client.get("/api/v1/board").json()["conditions"][0]["entries"]
    by_entry = {entry["entry"]: entry for entry in row}
    assert by_entry["Asked model"]["usage"]["cost_usd"] == "0.00006000"
    assert by_entry["Asked model"]["facts"]["open_weights"] is True
    assert by_entry["Asked model"]["evidence_gain"]["value"] == gain.value
    assert by_entry["From a file"]["usage"] is None
    assert by_entry["From a file"]["facts"] is None
    assert by_entry["From a file"]["evidence_gain"] is not None


@pytest.mark.parametrize("sort", ["cost", "-cost", "tokens", "-tokens", "latency", "-latency"])
def test_what_was_not_measured_stands_last_whatever_is_sorted_by(
    client: Client, ann: User, release: Release, sort: str
) -> None:
    finish(make_submission(ann, release, entry="From a file"))
    finish(make_asked(ann, release, entry="Asked"))
    page = plain(client.get(f"/?view=models&sort={sort}"))
    assert page.index(">Asked<") < page.index(">From a file<")


def test_links_of_the_views_keep_the_release(client: Client, scored: Submission) -> None:
    page = plain(client.get("/?release=tiny@1.0&sort=-soft_ex"))
    assert 'href="?release=tiny%401.0&amp;view=models"' in page
    assert client.get("/?view=nothing").status_code == 200
