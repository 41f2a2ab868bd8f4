"""The board's page."""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.metrics.exec_rate import EXEC_RATE
from evaluation.metrics.soft_ex import SOFT_EX
from evaluation.metrics.strict_ex import STRICT_EX
from evaluation.types import Condition
from leaderboard.selectors.board import board
from leaderboard.selectors.evidence import evidence_rows
from leaderboard.selectors.releases import release_current, release_named, release_summaries
from leaderboard.selectors.reported import reported
from leaderboard.web.forms import BoardForm, BoardView

METRICS: Final = (STRICT_EX, SOFT_EX, EXEC_RATE)


@require_safe
def board_page(request: HttpRequest) -> HttpResponse:
    """The ranked entries of one release, a table for each condition."""
    wanted = BoardForm.read(request.GET)
    release = release_named(wanted.release) if wanted.release else release_current()
    if wanted.release and release is None:
        raise Http404("No live release has this name.")
    gains = evidence_rows(release, page=wanted.page) if release and wanted.view is BoardView.EVIDENCE else None
    boards = (
        [board(release, each, sort=wanted.sort, page=wanted.page) for each in Condition]
        if release and gains is None
        else []
    )
    releases = release_summaries()
    context = {
        "release": release,
        "releases": releases,
        "corrected_by": next((each.corrected_by for each in releases if str(release) == each.label), ""),
        "boards": boards,
        "gains": gains,
        "view": wanted.view,
        "sort": wanted.sort,
        "metrics": METRICS,
        "reported": reported(),
    }
    return render(request, "leaderboard/board.html", context)
