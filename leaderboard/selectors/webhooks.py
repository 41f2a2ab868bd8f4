"""Reading of a user's webhooks and of what was said to them."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, Max, Prefetch, Q, QuerySet

from leaderboard.models.webhooks import DeliveryState, Webhook, WebhookAttempt, WebhookDelivery


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookView:
    """One webhook in its owner's list."""

    id: uuid.UUID
    url: str
    created_at: datetime
    stopped_at: datetime | None
    stopped_because: str
    delivered: int
    waiting: int
    last_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AttemptView:
    """One attempt: its status, or why there was none."""

    at: datetime
    status: int | None
    error: str
    milliseconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryView:
    """One message and all attempts to deliver it."""

    key: uuid.UUID
    event: str
    created_at: datetime
    state: DeliveryState
    due_at: datetime | None
    attempts: tuple[AttemptView, ...]

    @property
    def message_id(self) -> str:
        """The header `webhook-id` of every attempt."""
        return f"msg_{self.key.hex}"


def webhooks_of(owner: User) -> tuple[WebhookView, ...]:
    """A user's webhooks, the newest first, in one query."""
    rows = owner.webhooks.annotate(
        delivered=Count("deliveries", filter=Q(deliveries__state=DeliveryState.DELIVERED)),
        waiting=Count("deliveries", filter=Q(deliveries__state=DeliveryState.WAITING)),
        last_at=Max("deliveries__created_at"),
    )
    return tuple(_webhook(row) for row in rows)


def _webhook(row: Any) -> WebhookView:
    return WebhookView(
        id=row.pk,
        url=row.url,
        created_at=row.created_at,
        stopped_at=row.stopped_at,
        stopped_because=row.stopped_because,
        delivered=row.delivered,
        waiting=row.waiting,
        last_at=row.last_at,
    )


def webhook_owned(owner: User, webhook_id: uuid.UUID) -> Webhook | None:
    """A webhook, if it is the user's own."""
    return owner.webhooks.filter(pk=webhook_id).first()


def delivery_rows(webhook: Webhook) -> QuerySet[WebhookDelivery]:
    """A webhook's deliveries with their attempts, the newest first."""
    attempts = Prefetch("attempts", queryset=WebhookAttempt.objects.order_by("id"))
    return webhook.deliveries.order_by("-created_at", "id").prefetch_related(attempts)


def delivery_view(delivery: WebhookDelivery) -> DeliveryView:
    """The record of one row."""
    waiting = delivery.state == DeliveryState.WAITING
    return DeliveryView(
        key=delivery.pk,
        event=delivery.event,
        created_at=delivery.created_at,
        state=DeliveryState(delivery.state),
        due_at=delivery.due_at if waiting else None,
        attempts=tuple(
            AttemptView(at=each.at, status=each.status, error=each.error, milliseconds=each.milliseconds)
            for each in delivery.attempts.all()
        ),
    )
