"""The state of the site itself, for people and for whatever watches it."""

import logging

from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from leaderboard.selectors.health import site_pulse, site_status

logger = logging.getLogger(__name__)


@require_safe
@never_cache
def status_page(request: HttpRequest) -> HttpResponse:
    """How much is waiting, and whether workers are at it."""
    return render(request, "leaderboard/status.html", {"status": site_status()})


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """200 while the site can do its work, 503 while its database does not answer."""
    try:
        pulse = site_pulse()
    except DatabaseError as error:
        logger.warning("not healthy: %s", error)
        return JsonResponse({"status": "unavailable"}, status=503)
    return JsonResponse({"status": "ok", "queued": pulse.queued, "scoring": pulse.scoring, "workers": pulse.workers})
