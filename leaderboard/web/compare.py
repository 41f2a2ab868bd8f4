"""The page that shows a few entries side by side."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from leaderboard.selectors.comparable import FEWEST, MOST, IncomparableError
from leaderboard.selectors.compared_items import differing_items
from leaderboard.selectors.comparison import Comparison, comparison
from leaderboard.web.item_forms import DifferencesForm

PAGE: Final = "leaderboard/compare.html"


@require_safe
@cache_control(private=True, no_cache=True)
def compare_page(request: HttpRequest) -> HttpResponse:
    """Two to five entries of one release; the items on which they differ for those who may read all of them."""
    wanted = request.GET.getlist("entries")
    if not wanted:
        return render(request, PAGE, {"fewest": FEWEST, "most": MOST})
    try:
        found = comparison(wanted, reader=request.user)
    except IncomparableError as error:
        return render(request, PAGE, {"faults": error.faults, "fewest": FEWEST, "most": MOST}, status=422)
    return render(request, PAGE, {"comparison": found, **(_items(request, found) if found.readable else {})})


def _items(request: HttpRequest, found: Comparison) -> dict[str, Any]:
    form = DifferencesForm(request.GET, comparison=found)
    return {"form": form, "items": differing_items(found, form.wanted(), page=form.page_wanted())}
