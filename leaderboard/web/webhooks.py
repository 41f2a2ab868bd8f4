"""The pages of a user's webhooks: the list, one with its log of deliveries, and changes to it."""

import uuid
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from benchmark_data.errors import SubmissionError
from leaderboard.models.webhooks import Webhook
from leaderboard.selectors.pages import cut
from leaderboard.selectors.webhooks import delivery_rows, delivery_view, webhook_owned, webhooks_of
from leaderboard.services.deliveries import delivery_repeat
from leaderboard.services.webhooks import (
    webhook_create,
    webhook_delete,
    webhook_secret_replace,
    webhook_start,
    webhook_test,
)
from leaderboard.web.forms import WebhookForm, page_number
from leaderboard.web.members import member

CHANGES: Final[Mapping[str, tuple[Callable[[Webhook], object], str]]] = MappingProxyType(
    {
        "test": (webhook_test, "A test message is on its way; reload in a moment to see what came of it."),
        "start": (webhook_start, "The webhook is called again, first with what has waited for it."),
        "delete": (webhook_delete, "The webhook and its log were deleted."),
    }
)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhook_list(request: HttpRequest) -> HttpResponse:
    """The user's webhooks, and a form for a new one, whose signing secret is shown in the answer."""
    owner = member(request)
    form = WebhookForm(request.POST if request.method == "POST" else None)
    secret, status = "", 200
    if form.is_bound and form.is_valid():
        try:
            _, secret = webhook_create(owner, url=form.cleaned_data["url"])
            form, status = WebhookForm(), 201
        except SubmissionError as error:
            form.add_error("url", str(error))
    context = {"webhooks": webhooks_of(owner), "form": form, "secret": secret}
    return render(request, "leaderboard/webhooks.html", context, status=422 if form.errors else status)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhook_page(request: HttpRequest, webhook_id: uuid.UUID) -> HttpResponse:
    """One webhook with every attempt to call it; a POST replaces its secret, and the answer shows the new one."""
    webhook = _owned(request, webhook_id)
    secret = webhook_secret_replace(webhook) if request.method == "POST" else ""
    page = cut(delivery_rows(webhook), delivery_view, page=page_number(request.GET))
    return render(request, "leaderboard/webhook.html", {"webhook": webhook, "page": page, "secret": secret})


@login_required
@require_POST
def delivery_repeat_page(request: HttpRequest, webhook_id: uuid.UUID, delivery_id: uuid.UUID) -> HttpResponse:
    """Send a message that has arrived, or was given up, once more."""
    delivery = _owned(request, webhook_id).deliveries.filter(pk=delivery_id).first()
    if delivery is None:
        raise Http404("This webhook has no such delivery.")
    if delivery_repeat(delivery):
        messages.success(request, "The message is sent once more; reload in a moment to see what came of it.")
    else:
        messages.warning(request, "It is not sent: it waits already, or the webhook is stopped.")
    return redirect("webhook", webhook_id)


@login_required
@require_POST
def webhook_change(request: HttpRequest, webhook_id: uuid.UUID, action: str) -> HttpResponse:
    """Test, start or delete a webhook."""
    webhook = _owned(request, webhook_id)
    if action not in CHANGES:
        raise Http404("There is no such action.")
    change, told = CHANGES[action]
    change(webhook)
    messages.success(request, told)
    return redirect("webhooks") if action == "delete" else redirect("webhook", webhook_id)


def _owned(request: HttpRequest, webhook_id: uuid.UUID) -> Webhook:
    webhook = webhook_owned(member(request), webhook_id)
    if webhook is None:
        raise Http404("You have no such webhook.")
    return webhook
