"""The pages behind the `type` of a refusal."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leaderboard.api.problem_types import PROBLEM_KINDS, ProblemType


@require_safe
def problem_list(request: HttpRequest) -> HttpResponse:
    """Every kind of refusal."""
    return render(request, "leaderboard/problems.html", {"kinds": PROBLEM_KINDS.items()})


@require_safe
def problem_page(request: HttpRequest, kind: str) -> HttpResponse:
    """One kind of refusal: when it happens and what to do."""
    if kind not in tuple(ProblemType):
        raise Http404("There is no such kind of refusal.")
    return render(request, "leaderboard/problem.html", {"kind": PROBLEM_KINDS[ProblemType(kind)], "name": kind})
