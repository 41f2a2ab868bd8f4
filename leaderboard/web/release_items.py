"""The pages of a release's items: the list, and one item."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from leaderboard.models.releases import Release
from leaderboard.selectors.release_item import item_page
from leaderboard.selectors.release_items import FEWEST_ENTRIES, release_items
from leaderboard.selectors.releases import release_named
from leaderboard.web.item_forms import ReleaseItemsForm


@require_safe
def release_item_list_page(request: HttpRequest, name: str, version: str) -> HttpResponse:
    """The items of a release, to be filtered, searched, and sorted by how many entries solved them."""
    release = release_or_404(name, version)
    form = ReleaseItemsForm(request.GET, databases=tuple(release.databases.values_list("db_id", flat=True)))
    sort = form.sort_wanted()
    items = release_items(release, form.wanted(), sort=sort, page=form.page_wanted())
    context = {"release": release, "form": form, "items": items, "sort": sort, "fewest": FEWEST_ENTRIES}
    return render(request, "leaderboard/release_items.html", context)


@require_safe
@cache_control(private=True, no_cache=True)
def release_item_page(request: HttpRequest, name: str, version: str, question_id: str) -> HttpResponse:
    """One item; those who are signed in see what their own entries answered."""
    release = release_or_404(name, version)
    item = item_page(release, question_id, reader=request.user)
    if item is None:
        raise Http404("This release has no such item.")
    return render(request, "leaderboard/release_item.html", {"release": release, "item": item})


def release_or_404(name: str, version: str) -> Release:
    """The live release.

    Raises:
        Http404: no live release has this name.
    """
    release = release_named(f"{name}@{version}")
    if release is None:
        raise Http404("No live release has this name.")
    return release
