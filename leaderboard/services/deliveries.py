"""Deliveries to webhooks: whose turn it is, one attempt at a time, and what follows from each."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from leaderboard.models.notices import NoticeKind
from leaderboard.models.webhooks import DeliveryState, Webhook, WebhookAttempt, WebhookDelivery
from leaderboard.queue import SEND_WEBHOOK, publish
from leaderboard.services.notices import notice_create
from leaderboard.services.signing import signatures

PAUSES: Final = tuple(timedelta(seconds=s) for s in (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400))
"""Between attempts, as the specification proposes: ten attempts in about three days."""

RESTS: Final = PAUSES[:3]
"""After so many failures in a row the whole webhook rests so long, whatever else is due: a server that keeps us waiting
for ten seconds each time must not keep workers from other people's webhooks."""

LEASE: Final = timedelta(minutes=2)
"""How long a worker has for one attempt before another one may try."""

OLD_SECRET: Final = timedelta(hours=24)
"""So long after a secret was replaced, messages are signed with the one before as well."""

KEPT: Final = timedelta(days=30)
"""So long the log of deliveries goes back; none waits for longer, but for a webhook that is stopped."""

DUE_AT_ONCE: Final = 500
GONE: Final = 410


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One attempt that is to be made: `headers` hold the signature of `body`."""

    delivery_id: uuid.UUID
    url: str
    headers: Mapping[str, str]
    body: bytes


def deliveries_due() -> list[uuid.UUID]:
    """Of each webhook that may be called now, the delivery that has waited longest."""
    now = timezone.now()
    due = WebhookDelivery.objects.filter(
        _awake(now, "webhook__"),
        state=DeliveryState.WAITING,
        due_at__lte=now,
        webhook__stopped_at=None,
        webhook__owner__is_active=True,
    )
    first = due.order_by("webhook_id", "due_at").distinct("webhook_id").values_list("due_at", "pk")
    return [key for _, key in sorted(first)[:DUE_AT_ONCE]]


def deliveries_forget() -> None:
    """Delete what is older than the log goes back."""
    WebhookDelivery.objects.filter(created_at__lt=timezone.now() - KEPT).delete()


def _awake(now: datetime, prefix: str = "") -> Q:
    return Q(**{f"{prefix}quiet_until": None}) | Q(**{f"{prefix}quiet_until__lte": now})


@transaction.atomic
def delivery_claim(delivery_id: uuid.UUID) -> Message | None:
    """Take a due delivery for one attempt; None where there is nothing to do now.

    A webhook has one attempt under way at a time, whatever waits for it.
    """
    now = timezone.now()
    delivery = (
        WebhookDelivery.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("webhook")
        .filter(pk=delivery_id, state=DeliveryState.WAITING, due_at__lte=now, webhook__owner__is_active=True)
        .first()
    )
    if delivery is None:
        return None
    callable_now = Webhook.objects.filter(_awake(now), pk=delivery.webhook_id, stopped_at=None)
    if not callable_now.update(quiet_until=now + LEASE):
        return None
    delivery.tried += 1
    delivery.due_at = now + LEASE
    delivery.save(update_fields=["tried", "due_at"])
    return _message(delivery, now=now)


def _message(delivery: WebhookDelivery, *, now: datetime) -> Message:
    webhook, body = delivery.webhook, delivery.body.encode()
    message_id, timestamp = f"msg_{delivery.pk.hex}", int(now.timestamp())
    newest, replaced_at = webhook.secrets_replaced, webhook.secret_replaced_at
    numbers = (newest, newest - 1) if replaced_at is not None and now - replaced_at < OLD_SECRET else (newest,)
    signature = signatures(webhook.pk, numbers=numbers, message_id=message_id, timestamp=timestamp, body=body)
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "AptBoard-Webhooks/1",
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature,
    }
    return Message(delivery_id=delivery.pk, url=webhook.url, headers=headers, body=body)


@transaction.atomic
def delivery_record(
    delivery_id: uuid.UUID, *, at: datetime, status: int | None, error: str = "", milliseconds: float
) -> None:
    """Log one attempt, and decide what comes next; nothing where the webhook was deleted meanwhile.

    Args:
        delivery_id: of a claimed delivery.
        at: when the attempt began.
        status: of the answer; None where there was none, and `error` says why.
        error: a sentence for the webhook's owner.
        milliseconds: how long it took.
    """
    rows = WebhookDelivery.objects.select_for_update(of=("self",)).select_related("webhook__owner")
    delivery = rows.filter(pk=delivery_id).first()
    if delivery is None:
        return
    WebhookAttempt.objects.create(
        delivery=delivery, at=at, status=status, error=error[:200], milliseconds=round(milliseconds)
    )
    if status is not None and 200 <= status < 300:
        _answered(delivery)
    else:
        _failed(delivery, at=at, status=status)


def _answered(delivery: WebhookDelivery) -> None:
    Webhook.objects.filter(pk=delivery.webhook_id).update(failures=0, quiet_until=None)
    if delivery.state == DeliveryState.WAITING:
        delivery.state = DeliveryState.DELIVERED
        delivery.save(update_fields=["state"])
    webhook_wake(delivery.webhook)


def _failed(delivery: WebhookDelivery, *, at: datetime, status: int | None) -> None:
    webhook = Webhook.objects.select_for_update(of=("self",)).select_related("owner").get(pk=delivery.webhook_id)
    webhook.failures += 1
    webhook.quiet_until = at + RESTS[min(webhook.failures, len(RESTS)) - 1]
    webhook.save(update_fields=["failures", "quiet_until"])
    if delivery.state != DeliveryState.WAITING:
        return
    if status == GONE or delivery.tried > len(PAUSES):
        delivery.state = DeliveryState.GIVEN_UP
        if status == GONE:
            _stop(webhook, because="it answered 410 Gone")
        elif not _answered_since(webhook, delivery.created_at):
            _stop(webhook, because="it did not answer for three days")
    else:
        delivery.due_at = at + PAUSES[max(0, delivery.tried - 1)]
    delivery.save(update_fields=["state", "due_at"])


def _answered_since(webhook: Webhook, moment: datetime) -> bool:
    """Whether other messages arrived: then it is this one that the server does not like."""
    attempts = WebhookAttempt.objects.filter(delivery__webhook=webhook, at__gte=moment)
    return attempts.filter(status__gte=200, status__lt=300).exists()


def _stop(webhook: Webhook, *, because: str) -> None:
    changed = Webhook.objects.filter(pk=webhook.pk, stopped_at=None).update(
        stopped_at=timezone.now(), stopped_because=because
    )
    if changed:
        notice_create(
            webhook.owner,
            kind=NoticeKind.WEBHOOK_STOPPED,
            title="A webhook of yours was stopped",
            # The host alone: the path of such an address is often its password, and this text goes out by e-mail.
            text=f"The webhook on {webhook.host} is not called any more: {because}. Its page starts it again.",
        )


def webhook_wake(webhook: Webhook) -> None:
    """Have what waits longest for a webhook sent next, once this transaction is committed."""
    waiting = webhook.deliveries.filter(state=DeliveryState.WAITING, due_at__lte=timezone.now()).order_by("due_at")
    if (delivery := waiting.first()) is not None:
        publish(SEND_WEBHOOK, str(delivery.pk))


def delivery_repeat(delivery: WebhookDelivery) -> bool:
    """Send a delivery that has ended once more, with its id and body; True where this call had it sent."""
    again = WebhookDelivery.objects.filter(pk=delivery.pk, webhook__stopped_at=None).exclude(
        state=DeliveryState.WAITING
    )
    changed = again.update(state=DeliveryState.WAITING, tried=0, due_at=timezone.now())
    if changed:
        publish(SEND_WEBHOOK, str(delivery.pk))
    return changed == 1
