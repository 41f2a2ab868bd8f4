"""The board's page: the whole board, one database or difficulty of it, or all of them side by side."""

from typing import Any, Final, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from evaluation.metrics.exec_rate import EXEC_RATE
from evaluation.metrics.soft_ex import SOFT_EX
from evaluation.metrics.strict_ex import STRICT_EX
from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.slices import SliceKind
from leaderboard.selectors.board import BoardSort, board
from leaderboard.selectors.breakdowns import BreakdownSort, breakdown
from leaderboard.selectors.evidence import evidence_rows
from leaderboard.selectors.releases import release_current, release_named, release_summaries
from leaderboard.selectors.reported import reported
from leaderboard.selectors.slices import Slice, Slices, SliceSort, slice_board, slices
from leaderboard.web.forms import BoardForm, BoardQuery, BoardView

METRICS: Final = (STRICT_EX, SOFT_EX, EXEC_RATE)
COLUMNS: Final = {BoardView.DATABASES: SliceKind.DATABASE, BoardView.DIFFICULTY: SliceKind.DIFFICULTY}
"""The views that show every slice of one kind side by side."""


@require_safe
def board_page(request: HttpRequest) -> HttpResponse:
    """The ranked entries of one release, a table for each condition."""
    wanted = BoardForm.read(request.GET)
    release = release_wanted(wanted)
    releases = release_summaries()
    context = {
        "release": release,
        "releases": releases,
        "corrected_by": next((each.corrected_by for each in releases if str(release) == each.label), ""),
        "view": wanted.view,
        "metrics": METRICS,
        "reported": reported(),
    }
    if release is not None:
        context |= tables(release, wanted)
    return render(request, "leaderboard/board.html", context)


def release_wanted(wanted: BoardQuery) -> Release | None:
    """The release that an address names, or the current one; None where none is live.

    Raises:
        Http404: no live release has this name.
    """
    release = release_named(wanted.release) if wanted.release else release_current()
    if wanted.release and release is None:
        raise Http404("No live release has this name.")
    return release


def slice_wanted(found: Slices, wanted: BoardQuery) -> Slice | None:
    """The slice that an address names, if it names one; a database goes before a difficulty.

    Raises:
        Http404: the release has no such database or difficulty.
    """
    for kind, name in ((SliceKind.DATABASE, wanted.database), (SliceKind.DIFFICULTY, wanted.difficulty)):
        if name:
            part = found.named(kind, name)
            if part is None:
                raise Http404(f"This release has no {kind} of this name.")
            return part
    return None


def tables(release: Release, wanted: BoardQuery) -> dict[str, Any]:
    """What the page needs of the view that is asked for."""
    found = slices(release)
    part = slice_wanted(found, wanted)
    shown: dict[str, Any] = {"slices": found, "slice": part}
    if part is not None:
        order = sort_read(SliceSort, wanted.sort)
        boards: list[Any] = [slice_board(release, each, part, sort=order, page=wanted.page) for each in Condition]
        return shown | {"boards": boards, "sort": order, "view": BoardView.ACCURACY}
    if wanted.view is BoardView.EVIDENCE:
        return shown | {"gains": evidence_rows(release, page=wanted.page)}
    if wanted.view in COLUMNS:
        columns = found.columns(COLUMNS[wanted.view])
        by = BreakdownSort.read(wanted.sort, columns.parts)
        boards = [breakdown(release, each, columns, sort=by, page=wanted.page) for each in Condition]
        return shown | {"boards": boards, "sort": by.text, "columns": columns}
    whole = sort_read(BoardSort, wanted.sort)
    return shown | {
        "boards": [board(release, each, sort=whole, page=wanted.page) for each in Condition],
        "sort": whole,
    }


Sort = TypeVar("Sort", BoardSort, SliceSort)


def sort_read(kind: type[Sort], text: str) -> Sort:
    """A sort by its name; what cannot be read is the order of ranks."""
    return kind(text) if text in set(kind) else kind.POSITION
