"""The tasks that call webhooks; each attempt is logged, whatever comes of it."""

import time
import uuid

import httpx
from django.utils import timezone

from evaluation.addresses import AddressUnavailableError, ForbiddenAddressError, GuardedTransport, guarded_client
from leaderboard.services.webhooks import address_policy, deliveries_due, delivery_claim, delivery_record
from workers.celery import app

CALL_SECONDS = 10.0
ROUND_SECONDS = 30.0
"""A round over all that is due ends after this time: slow servers must not keep a worker from other chores."""
ANSWER_BYTES = 64 * 1024
"""Nothing in an answer is of use but its status."""


@app.task
def send_webhook(delivery_id: str) -> None:
    """Make one attempt at one delivery, if it is due."""
    attempt(uuid.UUID(delivery_id))


@app.task
def send_due_webhooks() -> None:
    """Make an attempt at every delivery that is due, as far as time allows; the next round goes on."""
    ends = time.monotonic() + ROUND_SECONDS
    for delivery_id in deliveries_due():
        if time.monotonic() >= ends:
            return
        attempt(delivery_id)


def attempt(delivery_id: uuid.UUID, *, transport: httpx.BaseTransport | None = None) -> None:
    """Claim, call, and log what came of it.

    Args:
        delivery_id: of the delivery.
        transport: what calls are made with; the guarded one where not given.
    """
    message = delivery_claim(delivery_id)
    if message is None:
        return
    guarded = transport or GuardedTransport(policy=address_policy(), seconds=CALL_SECONDS, read_bytes=ANSWER_BYTES)
    at, started = timezone.now(), time.monotonic()
    status, error = None, ""
    try:
        with guarded_client(guarded) as client:
            status = client.post(message.url, content=message.body, headers=dict(message.headers)).status_code
    except (AddressUnavailableError, ForbiddenAddressError) as refusal:
        error = str(refusal)
    milliseconds = (time.monotonic() - started) * 1000
    delivery_record(message.delivery_id, at=at, status=status, error=error, milliseconds=milliseconds)
