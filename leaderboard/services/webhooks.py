"""Webhooks by the Standard Webhooks specification: what is said, how it is signed, and when it is tried again."""

import base64
import hashlib
import hmac
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes

from benchmark_data.errors import SubmissionError
from evaluation.addresses import AddressPolicy, address_parts
from evaluation.aggregate import Report
from leaderboard.models.notices import NoticeKind
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.models.webhooks import DeliveryState, Webhook, WebhookAttempt, WebhookDelivery
from leaderboard.queue import SEND_WEBHOOK, publish
from leaderboard.services.notices import notice_create

ENDED: Final = "submission.ended"
TEST: Final = "webhook.test"

WEBHOOKS_EACH: Final = 5
PAUSES: Final = tuple(timedelta(seconds=s) for s in (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400))
"""Between attempts, as the specification proposes: ten attempts in about three days."""

LEASE: Final = timedelta(minutes=2)
"""How long a worker has for one attempt before another one may try."""
GONE: Final = 410


class TooManyWebhooksError(SubmissionError):
    """The user has as many webhooks as one may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One attempt that is to be made: `headers` hold the signature of `body`."""

    delivery_id: uuid.UUID
    url: str
    headers: Mapping[str, str]
    body: bytes


def address_policy() -> AddressPolicy:
    """What this site's operator allows to be called."""
    return AddressPolicy(loopback=settings.CALL_LOOPBACK)


def webhook_create(owner: User, *, url: str) -> tuple[Webhook, str]:
    """Add a webhook; its signing secret is returned here.

    Raises:
        ForbiddenAddressError: the address must not be called.
        TooManyWebhooksError: the user has enough.
    """
    address_parts(url, policy=address_policy())
    if owner.webhooks.count() >= WEBHOOKS_EACH:
        raise TooManyWebhooksError(f"You have {WEBHOOKS_EACH} webhooks already; delete one first.")
    webhook = Webhook.objects.create(owner=owner, url=url)
    return webhook, signing_secret(webhook.pk)


def signing_secret(webhook_id: uuid.UUID) -> str:
    """The secret of a webhook, `whsec_…`: derived from the site's key, so that no table holds it."""
    return "whsec_" + base64.b64encode(_key(webhook_id, settings.SECRET_KEY)).decode()


def _key(webhook_id: uuid.UUID, site_key: str | bytes) -> bytes:
    return hmac.digest(force_bytes(site_key), b"aptboard webhook " + webhook_id.bytes, hashlib.sha256)


def signatures(webhook_id: uuid.UUID, *, message_id: str, timestamp: int, body: bytes) -> str:
    """The header `webhook-signature`: one `v1,…` for each key of the site, while it changes from one to another."""
    signed = f"{message_id}.{timestamp}.".encode() + body
    keys = [_key(webhook_id, site_key) for site_key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    return " ".join(f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}" for key in keys)


def webhook_start(webhook: Webhook) -> None:
    """Let a stopped webhook be called again, from the next event on."""
    Webhook.objects.filter(pk=webhook.pk).update(stopped_at=None, stopped_because="")


def webhook_delete(webhook: Webhook) -> None:
    """Remove a webhook with its log."""
    webhook.delete()


def webhook_test(webhook: Webhook) -> None:
    """Send a message that tells of nothing, to see whether it arrives."""
    call_create(webhook, event=TEST, data={"webhook": str(webhook.pk)})


@transaction.atomic
def call_create(webhook: Webhook, *, event: str, data: Mapping[str, Any]) -> WebhookDelivery:
    """Note what a webhook is to be told, and wake a worker up once this transaction is committed."""
    now = timezone.now()
    body = json.dumps({"type": event, "timestamp": now.isoformat(), "data": data}, separators=(",", ":"))
    delivery = WebhookDelivery.objects.create(webhook=webhook, event=event, body=body, created_at=now, due_at=now)
    publish(SEND_WEBHOOK, str(delivery.pk))
    return delivery


def submission_ended_call(submission: Submission, runs: Sequence[Run]) -> None:
    """Tell the owner's webhooks how a submission ended: figures and links, no predicted text."""
    webhooks = list(Webhook.objects.filter(owner=submission.owner, stopped_at=None))
    if not webhooks:
        return
    data = {
        "submission": str(submission.pk),
        "entry": submission.entry,
        "release": str(submission.release),
        "rescored_from": str(submission.rescored_from_id) if submission.rescored_from_id else None,
        "runs": [_run_data(run) for run in runs],
        "links": {
            "html": settings.SITE_URL + reverse("submission", args=[submission.pk]),
            "self": settings.SITE_URL + reverse("api:submission", args=[submission.pk]),
        },
    }
    for webhook in webhooks:
        call_create(webhook, event=ENDED, data=data)


def _run_data(run: Run) -> dict[str, Any]:
    report = Report.from_json(run.report) if run.report is not None and run.state == RunState.FINISHED else None
    return {
        "condition": run.condition,
        "state": run.state,
        "strict_ex": report.strict_ex.value if report else None,
        "soft_ex": report.soft_ex.value if report else None,
        "exec_rate": report.exec_rate.value if report else None,
        "rank": run.standing.rank if hasattr(run, "standing") else None,
    }


def deliveries_due() -> list[uuid.UUID]:
    """Deliveries that should be tried now."""
    due = WebhookDelivery.objects.filter(state=DeliveryState.WAITING, due_at__lte=timezone.now())
    return list(due.order_by("due_at").values_list("pk", flat=True)[:500])


@transaction.atomic
def delivery_claim(delivery_id: uuid.UUID) -> Message | None:
    """Take a due delivery for one attempt; None where there is nothing to do now."""
    now = timezone.now()
    delivery = (
        WebhookDelivery.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("webhook")
        .filter(pk=delivery_id, state=DeliveryState.WAITING, due_at__lte=now, webhook__stopped_at=None)
        .first()
    )
    if delivery is None:
        return None
    delivery.tried += 1
    delivery.due_at = now + LEASE
    delivery.save(update_fields=["tried", "due_at"])
    body, message_id, timestamp = delivery.body.encode(), f"msg_{delivery.pk.hex}", int(now.timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "AptBoard-Webhooks/1",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signatures(delivery.webhook_id, message_id=message_id, timestamp=timestamp, body=body),
    }
    return Message(delivery_id=delivery.pk, url=delivery.webhook.url, headers=headers, body=body)


@transaction.atomic
def delivery_record(
    delivery_id: uuid.UUID, *, at: datetime, status: int | None, error: str = "", milliseconds: float
) -> None:
    """Log one attempt, and decide what comes next.

    Args:
        delivery_id: of a claimed delivery.
        at: when the attempt began.
        status: of the answer; None where there was none, and `error` says why.
        error: a sentence for the webhook's owner.
        milliseconds: how long it took.
    """
    delivery = WebhookDelivery.objects.select_for_update().select_related("webhook__owner").get(pk=delivery_id)
    WebhookAttempt.objects.create(
        delivery=delivery, at=at, status=status, error=error[:200], milliseconds=round(milliseconds)
    )
    if delivery.state != DeliveryState.WAITING:
        return
    if status is not None and 200 <= status < 300:
        delivery.state = DeliveryState.DELIVERED
    elif status == GONE or delivery.tried > len(PAUSES):
        delivery.state = DeliveryState.GIVEN_UP
        _stop(
            delivery.webhook, because="it answered 410 Gone" if status == GONE else "it did not answer for three days"
        )
    else:
        delivery.due_at = at + PAUSES[max(0, delivery.tried - 1)]
    delivery.save(update_fields=["state", "due_at"])


def _stop(webhook: Webhook, *, because: str) -> None:
    changed = Webhook.objects.filter(pk=webhook.pk, stopped_at=None).update(
        stopped_at=timezone.now(), stopped_because=because
    )
    if changed:
        notice_create(
            webhook.owner,
            kind=NoticeKind.WEBHOOK_STOPPED,
            title="A webhook of yours was stopped",
            text=f"{webhook.url} is not called any more: {because}. The page of your webhooks starts it again.",
        )
