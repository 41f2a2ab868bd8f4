"""Whole tables of the board as files: every row, sent while it is read."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from django.http import Http404, HttpRequest, HttpResponseBase, StreamingHttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from evaluation.types import Condition
from leaderboard.api.board_streams import board_stream, breakdown_answer_stream
from leaderboard.models.releases import Release
from leaderboard.selectors.slices import Columns, Slice, slices
from leaderboard.web.board import COLUMNS, release_wanted, slice_wanted
from leaderboard.web.board_tables import FileTable, board_table, breakdown_table, cells_table, slice_table
from leaderboard.web.csv_text import CSV_TYPE, csv_lines
from leaderboard.web.forms import BoardForm

JSON_TYPE: Final = "application/json"
CONDITIONS: Final = tuple(Condition)
CELLS: Final = "cells"
"""The layout with a row for each cell."""

UNFIT: Final = re.compile(r"[^A-Za-z0-9._]+")
"""What the name of a file had better not have, and what could end the header that tells it; one dash stands for it."""

PIECE: Final = 32 * 1024
"""Characters that are sent together: a line is too little."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The table that an address asks for: the board of a slice, entries by columns, or the whole board."""

    release: Release
    part: Slice | None
    columns: Columns | None
    cells: bool

    @property
    def file_name(self) -> str:
        """Release and table, without an ending: "aptboard-tiny-1-database-clinic"."""
        words = ["aptboard", str(self.release)]
        if self.part is not None:
            words += [self.part.kind, self.part.name]
        elif self.columns is not None:
            words += ["by", self.columns.kind, *([CELLS] if self.cells else [])]
        else:
            words.append("board")
        return UNFIT.sub("-", "-".join(words))


@require_safe
@cache_control(no_cache=True)
def board_csv(request: HttpRequest) -> HttpResponseBase:
    """The table that the board shows for the same query, as CSV; `layout=cells` gives each cell a row of its own."""
    asked = table_asked(request)
    table = csv_table(asked)
    return file_response(
        request, csv_lines(table.head, table.rows), content_type=CSV_TYPE, name=f"{asked.file_name}.csv"
    )


@require_safe
@cache_control(no_cache=True)
def board_json(request: HttpRequest) -> HttpResponseBase:
    """The table that the board shows for the same query, in the form of the API's answers."""
    asked = table_asked(request)
    if asked.columns is None:
        text = board_stream(asked.release, CONDITIONS, asked.part)
    else:
        text = breakdown_answer_stream(asked.release, CONDITIONS, asked.columns)
    return file_response(request, text, content_type=JSON_TYPE, name=f"{asked.file_name}.json")


def table_asked(request: HttpRequest) -> Asked:
    """What a query asks for.

    Raises:
        Http404: there is no such release or slice.
    """
    wanted = BoardForm.read(request.GET)
    release = release_wanted(wanted)
    if release is None:
        raise Http404("No release is live yet.")
    found = slices(release)
    part = slice_wanted(found, wanted)
    kind = COLUMNS.get(wanted.view) if part is None else None
    columns = None if kind is None else found.columns(kind)
    return Asked(release=release, part=part, columns=columns, cells=request.GET.get("layout") == CELLS)


def csv_table(asked: Asked) -> FileTable:
    """The columns and rows of what was asked for."""
    if asked.part is not None:
        return slice_table(asked.release, CONDITIONS, asked.part)
    if asked.columns is None:
        return board_table(asked.release, CONDITIONS)
    return (cells_table if asked.cells else breakdown_table)(asked.release, CONDITIONS, asked.columns)


def file_response(request: HttpRequest, texts: Iterable[str], *, content_type: str, name: str) -> StreamingHttpResponse:
    """An answer that a browser keeps as a file; who asks for its head alone has none of it read."""
    sent = () if request.method == "HEAD" else pieces(texts)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingHttpResponse(sent, content_type=content_type, headers=headers)


def pieces(texts: Iterable[str]) -> Iterator[bytes]:
    """The texts in UTF-8, put together to pieces of some size."""
    held: list[str] = []
    size = 0
    for text in texts:
        held.append(text)
        size += len(text)
        if size >= PIECE:
            yield "".join(held).encode()
            held, size = [], 0
    if held:
        yield "".join(held).encode()
