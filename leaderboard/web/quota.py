"""The page of a user's quota: what is left, and every charge and refund."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from leaderboard.selectors.quota import quota_lines, quota_states
from leaderboard.selectors.teams import team_of
from leaderboard.web.members import member


@login_required
@require_safe
@never_cache
def quota_page(request: HttpRequest) -> HttpResponse:
    """What the user, or the user's team, has used of each benchmark."""
    user = member(request)
    context = {"states": quota_states(user), "lines": quota_lines(user), "team": team_of(user)}
    return render(request, "leaderboard/quota.html", context)
