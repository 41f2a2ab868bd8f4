"""Text to query: the one clear read-only query in a text, or the reason why there is none."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from evaluation.errors import ForbiddenQueryError, UnparsableTextError
from evaluation.guard.canonical import canonical
from evaluation.parse.draft import Draft, RejectedValueError
from evaluation.parse.javascript import read_script, read_value
from evaluation.parse.limits import check_length, check_size
from evaluation.parse.literals import join_surrogates
from evaluation.parse.locate import (
    QUERY_SHAPE,
    Piece,
    before_next_turn,
    fenced,
    inline,
    stands_in_prose,
    statements,
    without_lead,
    without_prompts,
)
from evaluation.parse.objects import draft_from_value
from evaluation.parse.python_script import read_program
from evaluation.types import Reading, ReadingContext

_NO_QUERY: Final = frozenset({"not_mql", "empty", "no_collection"})
"""Refusals that say: this part of the text was not meant as the query."""

_BROKEN: Final = frozenset({"syntax_error", "unsupported_syntax", "not_mql"})
"""Refusals after which another reading of the same text is tried."""

_ENVELOPES: Final = 3
"""Most envelopes around one text."""

_PIECES: Final = 20
"""Most parts of one text that are tried."""

Found = tuple[Draft, set[str]]


def read(text: str, *, context: ReadingContext) -> Reading:
    """Read the one clear read-only query of a text; nothing in it is ever evaluated.

    A code fence, prose around the query, a shell's prompts and a JSON envelope are taken off; nothing is repaired.

    Args:
        text: what a model wrote.
        context: what is known about the item.

    Returns:
        The query as the shell would send it, and flags of the reading, sorted.

    Raises:
        UnparsableTextError: the text holds no query, a broken one, or more than one.
        ForbiddenQueryError: the text asks for a write, JavaScript on the server, another database and the like.
    """
    check_length(text)
    draft, flags = _read_text(join_surrogates(text), context=context, envelopes=0)
    return Reading(query=draft.query(), flags=tuple(sorted(flags)))


def _read_text(text: str, *, context: ReadingContext, envelopes: int) -> Found:
    if not text.strip(" \t\r\n\f\v;\ufeff\u00a0`"):
        raise UnparsableTextError("empty", "The text is empty.")
    if envelopes > _ENVELOPES:
        raise UnparsableTextError("not_mql", "The query stands in too many envelopes.")
    text = without_lead(text)
    if "```" in text or "~~~" in text:
        found = _read_fences(text, context=context, envelopes=envelopes)
        if found is not None:
            return found
    text = without_prompts(text)
    try:
        return _read_piece(Piece(text, 0), context=context, envelopes=envelopes)
    except UnparsableTextError as error:
        if error.reason not in _BROKEN:
            raise
        return _read_prose(before_next_turn(text), error, context=context, envelopes=envelopes)


def _read_fences(text: str, *, context: ReadingContext, envelopes: int) -> Found | None:
    """The last fenced block that was meant as a query is the answer (case T044)."""
    for piece in reversed(fenced(text)[-_PIECES:]):
        try:
            if piece.code.strip():
                return _read_piece(_cleaned(piece), context=context, envelopes=envelopes)
        except UnparsableTextError as error:
            if error.reason not in _NO_QUERY and QUERY_SHAPE.search(piece.code):
                return _read_prose(
                    _cleaned(piece).code, error, context=context, envelopes=envelopes, start=piece.offset
                )
    return None


def _cleaned(piece: Piece) -> Piece:
    return Piece(without_prompts(piece.code), piece.offset)


def _read_piece(piece: Piece, *, context: ReadingContext, envelopes: int) -> Found:
    """Read a text that is code from its first to its last character."""
    code = piece.code.strip()
    offset = piece.offset + len(piece.code) - len(piece.code.lstrip())
    if code[:1] in {"{", "["}:
        return _read_object(code.rstrip("; \t\r\n"), offset=offset, context=context, envelopes=envelopes)
    quoted = _unquoted(code)
    if quoted is not None:
        return _inside(quoted, context=context, envelopes=envelopes)
    return _read_code(code, offset=offset, context=context)


def _unquoted(code: str) -> str | None:
    """The inside of a text that is a query in quotes."""
    for quote in ("'", '"', "`"):
        inside = code.rstrip(";, \n").strip(quote)
        if len(code) > 4 and code[0] == quote and code.rstrip(";, \n")[-1] == quote and inside.lstrip()[:2] == "db":
            return inside
    return None


def _inside(text: str, *, context: ReadingContext, envelopes: int) -> Found:
    """Read the text of an envelope; places in it mean nothing to the submitter."""
    try:
        return _read_text(text, context=context, envelopes=envelopes + 1)
    except (UnparsableTextError, ForbiddenQueryError) as error:
        error.position = None
        raise


def _read_object(code: str, *, offset: int, context: ReadingContext, envelopes: int) -> Found:
    value, flags = read_value(code, offset=offset, context=context)
    if isinstance(value, Draft):
        raise UnparsableTextError("not_mql", "The text is no query.", position=offset)
    try:
        draft = draft_from_value(value, flags=flags, context=context)
    except RejectedValueError as error:
        raise UnparsableTextError(error.reason, error.message, position=offset) from error
    if isinstance(draft, str):
        return _inside(draft, context=context, envelopes=envelopes)
    return draft, flags


def _read_code(code: str, *, offset: int, context: ReadingContext) -> Found:
    """Read shell text, and Python where it is not shell text."""
    try:
        return _sized(read_script(code, offset=offset, context=context))
    except UnparsableTextError as error:
        if error.reason not in _BROKEN | {"bad_argument"}:
            raise
        shell_error = error
    try:
        return _sized(read_program(code, offset=offset, context=context))
    except UnparsableTextError as error:
        if error.reason in {"not_mql", "syntax_error"} or shell_error.reason != "syntax_error":
            raise shell_error from error
        raise


def _sized(found: Found) -> Found:
    """Refuse a query that variables and spreads made too large."""
    check_size(found[0].arguments)
    return found


def _read_prose(
    text: str, first: UnparsableTextError, *, context: ReadingContext, envelopes: int, start: int = 0
) -> Found:
    """Read the query that stands in prose; `first` is why the whole text is none."""
    if not QUERY_SHAPE.search(text):
        if first.reason == "syntax_error" or "(" not in text:
            raise UnparsableTextError("not_mql", "The text holds no MongoDB query.") from first
        raise first
    if first.reason == "unsupported_syntax":
        raise first
    runs = [piece for piece in statements(text)[:_PIECES] if stands_in_prose(text, piece)]
    for pieces in (runs, list(islice(inline(text), _PIECES))):
        shifted = [Piece(piece.code, start + piece.offset) for piece in pieces]
        try:
            found = list(_read_pieces(shifted, context=context, envelopes=envelopes))
        except UnparsableTextError as error:
            if error.reason != "syntax_error":
                raise
            first = error
            continue
        if found:
            return _the_one(found)
    raise first


def _read_pieces(pieces: list[Piece], *, context: ReadingContext, envelopes: int) -> Iterator[Found]:
    """Read each part that holds a query; `use shop` alone holds none, but its database was checked."""
    for piece in pieces:
        try:
            yield _read_piece(piece, context=context, envelopes=envelopes)
        except UnparsableTextError as error:
            if error.reason not in _NO_QUERY:
                raise


def _the_one(found: list[Found]) -> Found:
    """The query that all parts agree on."""
    if len({canonical(draft.query()) for draft, _ in found}) > 1:
        raise UnparsableTextError("multi_query_script", "The text holds more than one query.")
    return found[0]
