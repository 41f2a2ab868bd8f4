"""Webhooks: where a user wants to be called, and what is said there."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils import timezone

from benchmark_data.errors import SubmissionError
from evaluation.addresses import AddressPolicy, address_parts
from evaluation.aggregate import Report
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.models.webhooks import Webhook, WebhookDelivery
from leaderboard.queue import SEND_WEBHOOK, publish
from leaderboard.services.deliveries import webhook_wake
from leaderboard.services.signing import signing_secret

ENDED: Final = "submission.ended"
TEST: Final = "webhook.test"

WEBHOOKS_EACH: Final = 5


class TooManyWebhooksError(SubmissionError):
    """The user has as many webhooks as one may have."""


def address_policy() -> AddressPolicy:
    """What this site's operator allows to be called."""
    return AddressPolicy(loopback=settings.CALL_LOOPBACK)


@transaction.atomic
def webhook_create(owner: User, *, url: str) -> tuple[Webhook, str]:
    """Add a webhook; its signing secret is returned here.

    Raises:
        ForbiddenAddressError: the address must not be called.
        TooManyWebhooksError: the user has enough.
    """
    address_parts(url, policy=address_policy())
    # Two requests at once take turns here, or both would find room for one more.
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    if owner.webhooks.count() >= WEBHOOKS_EACH:
        raise TooManyWebhooksError(f"You have {WEBHOOKS_EACH} webhooks already; delete one first.")
    webhook = Webhook.objects.create(owner=owner, url=url)
    return webhook, signing_secret(webhook.pk)


@transaction.atomic
def webhook_secret_replace(webhook: Webhook) -> str:
    """Give a webhook a new signing secret, which is returned here; the one before goes on signing for a day."""
    row = Webhook.objects.select_for_update().get(pk=webhook.pk)
    row.secrets_replaced += 1
    row.secret_replaced_at = timezone.now()
    row.save(update_fields=["secrets_replaced", "secret_replaced_at"])
    return signing_secret(row.pk, number=row.secrets_replaced)


@transaction.atomic
def webhook_start(webhook: Webhook) -> None:
    """Let a stopped webhook be called again: with what waits for it, and with what comes."""
    Webhook.objects.filter(pk=webhook.pk).update(stopped_at=None, stopped_because="", failures=0, quiet_until=None)
    webhook_wake(webhook)


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
