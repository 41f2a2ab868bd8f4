"""The pages of benchmark releases: what is measured."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leaderboard.selectors.releases import release_page, release_summaries


@require_safe
def release_list_page(request: HttpRequest) -> HttpResponse:
    """The live releases, the newest first."""
    return render(request, "leaderboard/releases.html", {"releases": release_summaries()})


@require_safe
def release_detail_page(request: HttpRequest, name: str, version: str) -> HttpResponse:
    """Databases, items and terms of one release."""
    page = release_page(f"{name}@{version}")
    if page is None:
        raise Http404("No live release has this name.")
    return render(request, "leaderboard/release.html", {"page": page})
