"""Webhooks: where a user wants to be called, what was to be said, and every attempt to say it."""

import uuid
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class Webhook(models.Model):
    """One address of one user. Its signing key is derived from the site's secret and is stored nowhere."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    created_at = models.DateTimeField(auto_now_add=True)
    stopped_at = models.DateTimeField(null=True)
    stopped_because = models.CharField(max_length=200, blank=True)
    secrets_replaced = models.PositiveSmallIntegerField(default=0, help_text="How often its secret was replaced.")
    secret_replaced_at = models.DateTimeField(null=True)
    failures = models.PositiveIntegerField(default=0, help_text="Calls in a row that failed.")
    quiet_until = models.DateTimeField(
        null=True, help_text="Nobody calls it before: it is being called, or it failed and rests."
    )

    if TYPE_CHECKING:
        deliveries: RelatedManager["WebhookDelivery"]

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"webhook {self.id}"

    @property
    def host(self) -> str:
        """The server of its address."""
        return urlsplit(self.url).hostname or ""


class DeliveryState(models.TextChoices):
    """Where a delivery is."""

    WAITING = "waiting", "Waiting"
    DELIVERED = "delivered", "Delivered"
    GIVEN_UP = "given_up", "Given up"


class WebhookDelivery(models.Model):
    """One message to one webhook; every attempt sends the same id and the same body."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    event = models.CharField(max_length=40)
    body = models.TextField(help_text="The JSON text, byte for byte as it is signed and sent.")
    created_at = models.DateTimeField()
    state = models.CharField(max_length=16, choices=DeliveryState.choices, default=DeliveryState.WAITING)
    tried = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(help_text="When a worker should try next.")

    if TYPE_CHECKING:
        attempts: RelatedManager["WebhookAttempt"]

    class Meta:
        indexes = [
            models.Index(
                fields=["due_at"], condition=models.Q(state=DeliveryState.WAITING), name="webhook_delivery_due"
            ),
        ]
        ordering = ["-created_at", "id"]

    def __str__(self) -> str:
        return f"{self.event} ({self.state})"


class WebhookAttempt(models.Model):
    """One attempt: a status, or why there was no answer."""

    delivery = models.ForeignKey(WebhookDelivery, on_delete=models.CASCADE, related_name="attempts")
    at = models.DateTimeField()
    status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=200, blank=True)
    milliseconds = models.PositiveIntegerField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.status or self.error}"
