"""The tasks that call webhooks; each attempt is logged, whatever comes of it."""

import time
import uuid

import httpx
from django.utils import timezone

from evaluation.addresses import (
    AddressUnavailableError,
    ForbiddenAddressError,
    GuardedTransport,
    address_parts,
    guarded_client,
)
from leaderboard.services.deliveries import deliveries_due, deliveries_forget, delivery_claim, delivery_record
from leaderboard.services.webhooks import address_policy
from workers.celery import app
from workers.rounds import within

CALL_SECONDS = 10.0
ANSWER_BYTES = 64 * 1024
"""Nothing in an answer is of use but its status."""


@app.task
def send_webhook(delivery_id: str) -> None:
    """Make one attempt at one delivery, if it is due."""
    attempt(uuid.UUID(delivery_id))


@app.task
def send_due_webhooks() -> None:
    """Make an attempt for every webhook that something is due to, as far as time allows; the next round goes on."""
    for delivery_id in within(deliveries_due()):
        attempt(delivery_id)
    deliveries_forget()


def attempt(delivery_id: uuid.UUID, *, transport: httpx.BaseTransport | None = None) -> None:
    """Claim, call, and log what came of it.

    Args:
        delivery_id: of the delivery.
        transport: what calls are made with; the guarded one where not given.
    """
    message = delivery_claim(delivery_id)
    if message is None:
        return
    policy = address_policy()
    guarded = transport or GuardedTransport(policy=policy, seconds=CALL_SECONDS, read_bytes=ANSWER_BYTES)
    at, started = timezone.now(), time.monotonic()
    status, error = None, ""
    try:
        # As it was when it was added; the rules may have become stricter since.
        address_parts(message.url, policy=policy)
        with guarded_client(guarded) as client:
            status = client.post(message.url, content=message.body, headers=dict(message.headers)).status_code
    except (AddressUnavailableError, ForbiddenAddressError) as refusal:
        error = str(refusal)
    milliseconds = (time.monotonic() - started) * 1000
    delivery_record(message.delivery_id, at=at, status=status, error=error, milliseconds=milliseconds)
