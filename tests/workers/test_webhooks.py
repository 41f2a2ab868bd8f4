"""Webhooks are called as the Standard Webhooks specification says, tried again, logged, and never inside our net."""

import base64
import hashlib
import hmac
import json
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import httpx
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import override_settings
from django.utils import timezone

from benchmark_data.errors import SubmissionError
from evaluation.addresses import AddressUnavailableError, ForbiddenAddressError
from leaderboard.models.notices import Notice, NoticeKind
from leaderboard.models.webhooks import DeliveryState, Webhook, WebhookAttempt, WebhookDelivery
from leaderboard.services.deliveries import PAUSES, deliveries_due, delivery_claim, delivery_record, delivery_repeat
from leaderboard.services.signing import signing_secret
from leaderboard.services.webhooks import (
    WEBHOOKS_EACH,
    TooManyWebhooksError,
    call_create,
    webhook_create,
    webhook_delete,
    webhook_secret_replace,
    webhook_start,
    webhook_test,
)
from workers.webhooks import attempt, send_due_webhooks, send_webhook

pytestmark = [pytest.mark.site, pytest.mark.django_db]

URL = "https://hooks.example.org/in"


@pytest.fixture
def ann(db: None) -> User:
    return User.objects.create_user("ann")


@pytest.fixture
def webhook(ann: User) -> Webhook:
    return webhook_create(ann, url=URL)[0]


class Receiver(httpx.BaseTransport):
    """Stands where the guarded transport does: notes requests, and answers as told."""

    def __init__(self, answer: Callable[[], int] | int = 200) -> None:
        self.answer = answer
        self.heard: list[httpx.Request] = []

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        request.read()
        self.heard.append(request)
        return httpx.Response(self.answer if isinstance(self.answer, int) else self.answer())


def due_now() -> None:
    earlier = timezone.now() - timedelta(seconds=1)
    WebhookDelivery.objects.update(due_at=earlier)
    Webhook.objects.update(quiet_until=earlier)


def verified(request: httpx.Request, secret: str) -> bool:
    """As the specification's receivers do it."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{request.headers['webhook-id']}.{request.headers['webhook-timestamp']}.".encode() + request.content
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    return f"v1,{expected}" in request.headers["webhook-signature"].split(" ")


def test_a_message_is_signed_so_that_its_receiver_can_tell_it_from_a_forgery(ann: User) -> None:
    webhook, secret = webhook_create(ann, url=URL)
    delivery = call_create(webhook, event="submission.ended", data={"entry": "Ünicode"})
    receiver = Receiver()
    attempt(delivery.pk, transport=receiver)
    (request,) = receiver.heard
    assert (str(request.url), request.method) == (URL, "POST")
    assert verified(request, secret)
    assert not verified(request, signing_secret(uuid.uuid4()))
    assert abs(int(request.headers["webhook-timestamp"]) - timezone.now().timestamp()) < 60
    body = json.loads(request.content)
    assert (body["type"], body["data"]) == ("submission.ended", {"entry": "Ünicode"})
    delivery.refresh_from_db()
    assert delivery.state == DeliveryState.DELIVERED
    assert WebhookAttempt.objects.get().status == 200


def test_the_key_of_a_webhook_is_in_no_table(webhook: Webhook) -> None:
    secret = signing_secret(webhook.pk)
    assert secret.startswith("whsec_")
    assert len(base64.b64decode(secret.removeprefix("whsec_"))) == 32
    assert not any(secret in str(value) for value in Webhook.objects.values().get().values())
    with override_settings(SECRET_KEY="another"):
        assert signing_secret(webhook.pk) != secret


def test_while_the_sites_key_changes_old_secrets_still_verify(webhook: Webhook) -> None:
    secret = signing_secret(webhook.pk)
    from django.conf import settings

    receiver = Receiver()
    with override_settings(SECRET_KEY="a new one", SECRET_KEY_FALLBACKS=[settings.SECRET_KEY]):
        attempt(call_create(webhook, event="e", data={}).pk, transport=receiver)
        assert verified(receiver.heard[0], signing_secret(webhook.pk))
    assert verified(receiver.heard[0], secret)


def test_what_fails_is_tried_again_with_the_same_id_and_body_and_a_growing_pause(webhook: Webhook) -> None:
    delivery = call_create(webhook, event="e", data={})
    answers = iter([500, 302, 404])
    receiver = Receiver(lambda: next(answers, 204))
    pauses = []
    for _ in range(4):
        attempt(delivery.pk, transport=receiver)
        delivery.refresh_from_db()
        pauses.append(delivery.due_at - WebhookAttempt.objects.latest("pk").at)
        assert delivery.state == DeliveryState.DELIVERED or deliveries_due() == []
        due_now()
    assert pauses[:3] == list(PAUSES[:3])
    assert delivery.state == DeliveryState.DELIVERED
    assert len({request.headers["webhook-id"] for request in receiver.heard}) == 1
    assert len({request.content for request in receiver.heard}) == 1
    assert list(WebhookAttempt.objects.values_list("status", flat=True)) == [500, 302, 404, 204]


def test_what_never_answers_is_given_up_after_three_days_its_webhook_stopped_and_its_owner_told(
    webhook: Webhook,
) -> None:
    def silent() -> int:
        raise AddressUnavailableError("hooks.example.org: no whole answer within 10 s")

    delivery = call_create(webhook, event="e", data={})
    for _ in range(len(PAUSES) + 1):
        due_now()
        attempt(delivery.pk, transport=Receiver(silent))
    delivery.refresh_from_db()
    webhook.refresh_from_db()
    assert (delivery.state, delivery.tried) == (DeliveryState.GIVEN_UP, 10)
    assert webhook.stopped_at is not None
    assert WebhookAttempt.objects.filter(status=None, error__contains="no whole answer").count() == 10
    assert Notice.objects.get().kind == NoticeKind.WEBHOOK_STOPPED
    assert timedelta(days=2) < sum(PAUSES, timedelta()) < timedelta(days=4)


def test_an_address_that_is_gone_is_not_called_again(webhook: Webhook) -> None:
    first, second = (call_create(webhook, event="e", data={}) for _ in range(2))
    receiver = Receiver(410)
    attempt(first.pk, transport=receiver)
    attempt(second.pk, transport=receiver)
    assert len(receiver.heard) == 1
    webhook_start(webhook)
    attempt(second.pk, transport=receiver)
    assert len(receiver.heard) == 2


def test_a_delivery_that_is_in_hand_or_done_is_not_sent_again(webhook: Webhook) -> None:
    delivery = call_create(webhook, event="e", data={})

    def meanwhile() -> int:
        attempt(delivery.pk, transport=receiver)
        return 200

    receiver = Receiver(meanwhile)
    attempt(delivery.pk, transport=receiver)
    attempt(delivery.pk, transport=receiver)
    assert len(receiver.heard) == 1
    send_webhook(str(uuid.uuid4()))


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.org/", "https://127.0.0.1/", "https://10.1.2.3/", "https://169.254.169.254/latest",
        "https://user:secret@hooks.example.org/", "https://localhost/", "file:///etc/passwd", "hooks",
    ],
)  # fmt: skip
def test_an_address_inside_or_without_https_is_refused_when_it_is_added(ann: User, url: str) -> None:
    with pytest.raises(ForbiddenAddressError):
        webhook_create(ann, url=url)
    assert not Webhook.objects.exists()


def test_an_address_that_leads_inside_later_is_refused_when_it_is_called(
    webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaluation.addresses.socket.getaddrinfo", lambda *_, **__: [(2, 1, 6, "", ("10.0.0.7", 443))])
    call_create(webhook, event="e", data={})
    send_due_webhooks()
    logged = WebhookAttempt.objects.get()
    assert (logged.status, logged.error) == (None, "hooks.example.org is no public server, so it is not called.")


def test_a_user_has_a_handful_of_webhooks_and_no_more(ann: User) -> None:
    for number in range(WEBHOOKS_EACH):
        webhook_create(ann, url=f"{URL}/{number}")
    with pytest.raises(TooManyWebhooksError):
        webhook_create(ann, url=URL)
    assert issubclass(TooManyWebhooksError, SubmissionError)


def test_a_test_message_goes_to_one_webhook(webhook: Webhook, ann: User) -> None:
    webhook_create(ann, url=f"{URL}/other")
    webhook_test(webhook)
    assert WebhookDelivery.objects.get().event == "webhook.test"


def raising(error: Exception) -> Callable[[], int]:
    def answer() -> int:
        raise error

    return answer


def test_a_replaced_secret_signs_beside_the_one_before_for_a_day_and_then_alone(ann: User) -> None:
    webhook, old = webhook_create(ann, url=URL)
    new = webhook_secret_replace(webhook)
    receiver = Receiver()
    attempt(call_create(webhook, event="e", data={}).pk, transport=receiver)
    Webhook.objects.update(secret_replaced_at=timezone.now() - timedelta(hours=25))
    attempt(call_create(webhook, event="e", data={}).pk, transport=receiver)
    during, after = receiver.heard
    assert new != old
    assert [verified(during, old), verified(during, new)] == [True, True]
    assert [verified(after, old), verified(after, new)] == [False, True]
    webhook.refresh_from_db()
    assert webhook_secret_replace(webhook) not in {old, new}


def test_a_slow_server_is_called_once_in_a_while_however_much_waits_for_it(webhook: Webhook) -> None:
    for _ in range(20):
        call_create(webhook, event="e", data={})
    slow = Receiver(raising(AddressUnavailableError("hooks.example.org: no whole answer within 10 s")))
    for delivery in WebhookDelivery.objects.all():
        attempt(delivery.pk, transport=slow)
    assert (len(slow.heard), deliveries_due()) == (1, [])
    webhook.refresh_from_db()
    assert webhook.quiet_until is not None
    Webhook.objects.update(failures=50)
    due_now()
    attempt(deliveries_due()[0], transport=slow)
    webhook.refresh_from_db()
    assert timedelta(minutes=25) < webhook.quiet_until - timezone.now() <= timedelta(minutes=30)


def test_while_one_message_is_under_way_no_other_is_sent_to_the_same_webhook(webhook: Webhook) -> None:
    first, second = (call_create(webhook, event="e", data={}) for _ in range(2))
    assert delivery_claim(first.pk) is not None
    assert delivery_claim(second.pk) is None
    delivery_record(first.pk, at=timezone.now(), status=200, milliseconds=1)
    assert delivery_claim(second.pk) is not None


def test_an_answer_has_what_waits_for_the_same_webhook_sent_at_once(
    webhook: Webhook, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    woken: list[Any] = []
    first, second = (call_create(webhook, event="e", data={}) for _ in range(2))
    monkeypatch.setattr("leaderboard.queue._send", lambda task, ids, times, options: woken.append(ids))
    with django_capture_on_commit_callbacks(execute=True):
        attempt(first.pk, transport=Receiver())
    assert woken == [(str(second.pk),)]


def test_each_webhook_has_one_turn_in_a_round(ann: User, webhook: Webhook) -> None:
    other, _ = webhook_create(ann, url=f"{URL}/other")
    for _ in range(5):
        call_create(webhook, event="e", data={})
    last = call_create(other, event="e", data={})
    assert deliveries_due() == [WebhookDelivery.objects.filter(webhook=webhook).earliest("due_at").pk, last.pk]


def test_what_waits_for_a_stopped_webhook_or_a_blocked_owner_stands_in_nobodys_way(ann: User, webhook: Webhook) -> None:
    delivery = call_create(webhook, event="e", data={})
    Webhook.objects.update(stopped_at=timezone.now())
    assert deliveries_due() == []
    webhook_start(webhook)
    assert deliveries_due() == [delivery.pk]
    User.objects.filter(pk=ann.pk).update(is_active=False)
    assert deliveries_due() == []
    assert delivery_claim(delivery.pk) is None


def test_a_message_that_its_server_never_likes_does_not_stop_a_webhook_that_works(webhook: Webhook) -> None:
    bad = call_create(webhook, event="e", data={})
    for _ in range(len(PAUSES)):
        due_now()
        attempt(bad.pk, transport=Receiver(500))
    attempt_of_another = call_create(webhook, event="e", data={})
    due_now()
    attempt(attempt_of_another.pk, transport=Receiver(200))
    attempt(bad.pk, transport=Receiver(500))
    bad.refresh_from_db()
    webhook.refresh_from_db()
    assert (bad.state, webhook.stopped_at, Notice.objects.count()) == (DeliveryState.GIVEN_UP, None, 0)


def test_a_notice_of_a_stopped_webhook_names_the_server_and_not_the_secret_in_its_address(ann: User) -> None:
    webhook, _ = webhook_create(ann, url="https://hooks.example.org/services/T0/s3cr3t?token=s3cr3t")
    attempt(call_create(webhook, event="e", data={}).pk, transport=Receiver(410))
    notice = Notice.objects.get()
    assert "hooks.example.org" in notice.text
    assert "s3cr3t" not in notice.title + notice.text


def test_a_delivery_that_has_ended_can_be_sent_again_with_its_id_and_body(webhook: Webhook) -> None:
    delivery = call_create(webhook, event="e", data={"n": 1})
    receiver = Receiver()
    assert not delivery_repeat(delivery)
    attempt(delivery.pk, transport=receiver)
    assert delivery_repeat(delivery)
    attempt(delivery.pk, transport=receiver)
    first, second = receiver.heard
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert first.content == second.content
    assert delivery.attempts.count() == 2
    Webhook.objects.update(stopped_at=timezone.now())
    assert not delivery_repeat(delivery)


def test_a_webhook_that_is_deleted_while_it_is_called_leaves_nothing_behind(webhook: Webhook) -> None:
    delivery = call_create(webhook, event="e", data={})

    def meanwhile() -> int:
        webhook_delete(webhook)
        return 200

    attempt(delivery.pk, transport=Receiver(meanwhile))
    assert not WebhookAttempt.objects.exists()


def test_the_log_goes_back_for_a_month(webhook: Webhook) -> None:
    for days in (29, 31):
        delivery = call_create(webhook, event="e", data={})
        attempt(delivery.pk, transport=Receiver())
        WebhookDelivery.objects.filter(pk=delivery.pk).update(created_at=timezone.now() - timedelta(days=days))
    send_due_webhooks()
    assert (WebhookDelivery.objects.count(), WebhookAttempt.objects.count()) == (1, 1)


def test_an_address_from_before_the_rules_became_stricter_is_an_attempt_like_any_other(ann: User) -> None:
    webhook = Webhook.objects.create(owner=ann, url="https://xn--a.example.org/")
    call_create(webhook, event="e", data={})
    send_due_webhooks()
    assert WebhookAttempt.objects.get().error == "This is no address of a web server."


@pytest.mark.django_db(transaction=True)
def test_two_workers_never_have_the_same_message_or_webhook_in_hand_at_the_same_time() -> None:
    webhook, _ = webhook_create(User.objects.create_user("ann"), url=URL)
    deliveries = [call_create(webhook, event="e", data={}).pk for _ in range(3)]
    start = threading.Barrier(6)

    def claim(delivery_id: uuid.UUID) -> bool:
        try:
            start.wait(10)
            return delivery_claim(delivery_id) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(claim, [*deliveries, *deliveries])) == 1
