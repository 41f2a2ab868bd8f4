"""The pages of what was noted: events as they happen, quota, notices and webhooks."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from leaderboard.models.events import EventKind
from leaderboard.models.notices import NoticeKind
from leaderboard.models.quota import QuotaRule
from leaderboard.models.releases import Release
from leaderboard.models.submissions import Submission
from leaderboard.models.webhooks import Webhook, WebhookDelivery
from leaderboard.selectors.notices import mail_choice, notices_new
from leaderboard.services.deliveries import delivery_record
from leaderboard.services.events import event_record
from leaderboard.services.notices import notice_create
from leaderboard.services.quota import quota_charge, quota_reserve
from leaderboard.services.signing import signing_secret
from leaderboard.services.webhooks import webhook_create, webhook_test
from tests.leaderboard.selectors.records import finish, make_release, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]

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


def note(submission: Submission, *, count: int = 1, detail: str = "worker db-7.internal") -> None:
    run = submission.runs.first()
    assert run is not None
    for number in range(count):
        event_record(run.pk, kind=EventKind.BATCH_DONE, detail=detail, data={"database": "books", "items": number})


def test_a_page_that_is_active_polls_and_one_that_has_ended_does_not(
    client: Client, queued: Submission, scored: Submission
) -> None:
    page = text(client, f"/submissions/{queued.pk}/")
    assert f'hx-get="/submissions/{queued.pk}/live/?was=queued"' in page
    assert 'hx-trigger="every 3s"' in page
    assert re.search(r'<script src="/static/aptboard/htmx-[\d.]+\.min\.js" defer></script>', page)
    assert '"allowEval": false' in page
    ended = text(client, f"/submissions/{scored.pk}/")
    assert "hx-get" not in ended
    assert "<script" not in ended


def test_what_is_polled_is_a_part_that_stops_at_the_end_and_tells_a_change_once(
    client: Client, queued: Submission
) -> None:
    address = f"/submissions/{queued.pk}/live/"
    same = text(client, f"{address}?was=queued")
    assert "<html" not in same
    assert "hx-swap-oob" not in same
    finish(queued)
    changed = text(client, f"{address}?was=queued")
    assert "hx-get" not in changed
    assert "The submission is now scored." in changed
    assert "Show all results" in changed
    assert "hx-swap-oob" not in text(client, f"{address}?was=scored")


def test_without_script_a_reload_shows_what_happened(client: Client, queued: Submission, anns: Client) -> None:
    note(queued, count=12)
    page = text(anns, f"/submissions/{queued.pk}/")
    assert page.count("Database scored") == 10
    assert "worker db-7.internal" in page
    assert "items: 11, database: books" in page
    everything = text(anns, f"/submissions/{queued.pk}/events/")
    assert everything.count("Database scored") == 12
    visitor = Client()
    for address in ("", "events/", "live/"):
        seen = text(visitor, f"/submissions/{queued.pk}/{address}")
        assert "Database scored" in seen
        assert "db-7" not in seen
        assert "database: books" not in seen


def test_a_long_log_comes_in_pages_and_in_the_same_queries(
    anns: Client, queued: Submission, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    note(queued)
    with django_assert_num_queries(6):
        anns.get(f"/submissions/{queued.pk}/events/")
    note(queued, count=70)
    with django_assert_num_queries(6):
        assert "Page 1 of 2" in text(anns, f"/submissions/{queued.pk}/events/")


def test_the_polled_part_costs_the_same_queries_whatever_the_size(
    client: Client, ann: User, scored: Submission, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    release = make_release(name="large", databases=[f"db_{number}" for number in range(8)], items_each=9)
    large = make_submission(ann, release)
    finish(large)
    note(large, count=50)
    for submission in (scored, large):
        with django_assert_max_num_queries(7):
            client.get(f"/submissions/{submission.pk}/live/")


def test_a_detail_is_never_markup(anns: Client, queued: Submission) -> None:
    note(queued, detail=MARKUP)
    for address in ("", "events/", "live/"):
        assert MARKUP not in text(anns, f"/submissions/{queued.pk}/{address}")


def charge(user: User, release: Release) -> Submission:
    account = quota_reserve(release.name, user=user)
    made = make_submission(user, release, entry="Charged model")
    quota_charge(account, made)
    return made


def test_the_quota_page_shows_what_is_left_until_when_and_every_charge(
    anns: Client, ann: User, bob: User, release: Release
) -> None:
    QuotaRule.objects.create(benchmark="tiny", submissions=2, seconds=3600)
    charge(ann, release)
    charge(bob, release)
    page = text(anns, "/quota/")
    assert '<th scope="row">tiny</th> <td class="number">1</td> <td class="number"> 2 </td>' in page
    assert "<td>1 hour</td>" in page
    assert (timezone.now() + timedelta(hours=1)).strftime("%Y-%m-%d %H:") in page
    assert page.count("Charged model") == 1


def test_the_form_says_when_the_quota_is_used_up(anns: Client, ann: User, release: Release) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    QuotaRule.objects.create(benchmark="tiny", submissions=1, seconds=3600)
    charge(ann, release)
    line = b'{"question_id": "100", "query": "db.things.find({})", "condition": "with_evidence"}\n'
    answer = anns.post("/submit/", {"entry": "x", "release": release.pk, "file": SimpleUploadedFile("p.jsonl", line)})
    page = re.sub(r"\s+", " ", answer.content.decode())
    assert answer.status_code == 429
    assert "The quota for tiny is used up: 1 in 1 hour. The next submission can be sent from" in page
    assert int(answer.headers["Retry-After"]) > 3500


def tell(user: User, *, title: str = "A title") -> None:
    notice_create(user, kind=NoticeKind.SCORED, title=title, text=f"Text {MARKUP}")


def test_notices_are_counted_read_and_nobody_elses(anns: Client, ann: User, bob: User) -> None:
    tell(ann)
    tell(ann)
    tell(bob, title="Bob's")
    assert 'Notices <span class="count">2<span class="visually-hidden"> new</span></span>' in text(anns, "/tokens/")
    page = text(anns, "/notices/")
    assert page.count("A title") == 2
    assert "Bob" not in page
    assert MARKUP not in page
    assert anns.post("/notices/read/").status_code == 302
    assert notices_new(ann) == 0
    assert 'class="count"' not in text(anns, "/notices/")


def test_the_choice_about_e_mails_is_kept(anns: Client, ann: User) -> None:
    assert anns.post("/notices/", {"mail": "trouble"}).status_code == 302
    assert mail_choice(ann) == "trouble"
    assert re.search(r'value="trouble"[^>]* checked', text(anns, "/notices/"))
    assert anns.post("/notices/", {"mail": "sometimes"}).status_code == 422


def test_a_webhook_is_added_shown_once_tested_and_deleted(anns: Client, ann: User) -> None:
    added = anns.post("/webhooks/", {"url": "https://hooks.example.org/x"})
    secret = re.search(r"whsec_[\w+/=]+", added.content.decode())
    assert added.status_code == 201
    assert secret is not None
    assert secret.group() not in text(anns, "/webhooks/")
    webhook = Webhook.objects.get()
    address = f"/webhooks/{webhook.pk}/"
    assert secret.group() not in text(anns, address)
    anns.post(f"{address}test/")
    assert "webhook.test" in text(anns, address)
    assert anns.post(f"{address}nothing/").status_code == 404
    assert anns.post(f"{address}delete/").headers["Location"] == "/webhooks/"
    assert not WebhookDelivery.objects.exists()


def test_a_secret_is_replaced_and_shown_once(anns: Client, ann: User) -> None:
    webhook, old = webhook_create(ann, url="https://hooks.example.org/x")
    address = f"/webhooks/{webhook.pk}/"
    answer = anns.post(address)
    shown = re.search(r"whsec_[\w+/=]+", answer.content.decode())
    assert (answer.status_code, "no-store" in answer.headers["Cache-Control"]) == (200, True)
    assert shown is not None
    assert shown.group() == signing_secret(webhook.pk, number=1) != old
    assert "whsec_" not in text(anns, address)


def test_a_message_that_has_ended_can_be_sent_again_from_its_page(anns: Client, ann: User) -> None:
    webhook, _ = webhook_create(ann, url="https://hooks.example.org/x")
    webhook_test(webhook)
    delivery, address = WebhookDelivery.objects.get(), f"/webhooks/{webhook.pk}/"
    assert "Send again" not in text(anns, address)
    delivery_record(delivery.pk, at=timezone.now(), status=200, milliseconds=1)
    assert f'action="{address}deliveries/{delivery.pk}/"' in text(anns, address)
    told = [anns.post(f"{address}deliveries/{delivery.pk}/", follow=True).content.decode() for _ in range(2)]
    assert ["is sent once more" in page for page in told] == [True, False]
    assert anns.post(f"{address}deliveries/{webhook.pk}/").status_code == 404


@pytest.mark.parametrize("url", ["https://10.0.0.1/", "http://hooks.example.org/", "", MARKUP, "https://x"])
def test_an_address_that_must_not_be_called_is_told_at_the_field(anns: Client, url: str) -> None:
    answer = anns.post("/webhooks/", {"url": url})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in page
    assert MARKUP not in page
    assert not Webhook.objects.exists()


def test_the_log_of_a_webhook_has_every_attempt_in_the_same_queries(
    anns: Client, ann: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    webhook, _ = webhook_create(ann, url="https://hooks.example.org/x")
    address = f"/webhooks/{webhook.pk}/"
    for count in (1, 8):
        for _ in range(count):
            webhook_test(webhook)
        for delivery in WebhookDelivery.objects.filter(tried=0):
            delivery.tried = 1
            delivery.save()
            delivery_record(delivery.pk, at=timezone.now(), status=503, milliseconds=12)
        with django_assert_num_queries(7):
            page = text(anns, address)
    assert page.count("HTTP 503") == 9
    assert "(12 ms)" in page


def test_a_stopped_webhook_says_why_and_can_be_started(anns: Client, ann: User) -> None:
    webhook, _ = webhook_create(ann, url="https://hooks.example.org/x")
    Webhook.objects.update(stopped_at=timezone.now(), stopped_because="it answered 410 Gone")
    assert "stopped: it answered 410 Gone" in text(anns, "/webhooks/")
    assert "it answered 410 Gone" in text(anns, f"/webhooks/{webhook.pk}/")
    anns.post(f"/webhooks/{webhook.pk}/start/")
    webhook.refresh_from_db()
    assert webhook.stopped_at is None


def test_lists_of_ones_own_cost_the_same_queries_whatever_their_length(
    anns: Client, ann: User, release: Release, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    def look() -> None:
        for address, queries in (("/notices/", 8), ("/quota/", 11), ("/webhooks/", 5)):
            with django_assert_max_num_queries(queries):
                assert anns.get(address).status_code == 200

    look()
    for number in range(4):
        tell(ann)
        charge(ann, release)
        webhook_create(ann, url=f"https://hooks.example.org/{number}")
    look()
