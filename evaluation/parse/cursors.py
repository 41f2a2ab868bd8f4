"""Calls chained to a query: each changes the draft or is dropped."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from evaluation.errors import ForbiddenQueryError
from evaluation.parse.draft import Draft, Held, RejectedValueError
from evaluation.parse.methods import check_method, option_value
from evaluation.types import Operation

_DROPPED: Final = (
    "pretty batchSize maxTimeMS maxAwaitTimeMS comment hint allowDiskUse noCursorTimeout readConcern readPref "
    "withReadPreference withReadConcern setReadPreference addOption addCursorFlag snapshot allowPartialResults "
    "close oplogReplay"
)
DROPPED_CALLS: Final = frozenset(_DROPPED.split())
"""Calls that cannot change the answer (case T078)."""

_STAGES: Final = {"sort": "$sort", "skip": "$skip", "limit": "$limit", "projection": "$project", "project": "$project"}


def chained_call(draft: Draft, method: str, arguments: list[Any]) -> Draft:
    """Apply one chained call to the draft, in place.

    Raises:
        ForbiddenQueryError: the call is a write, or not a read that is known.
        RejectedValueError: the arguments are not what the call takes, or it has no plain meaning here.
    """
    if draft.held is Held.CURSOR and draft.operation in {Operation.FIND, Operation.AGGREGATE}:
        if method in DROPPED_CALLS:
            return draft
        call = _CALLS.get(method)
        if call is not None:
            call(draft, method, arguments)
            return draft
    elif draft.held is Held.ARRAY and method == "toArray" and draft.operation is not Operation.DISTINCT:
        return draft
    _refuse(method)
    return draft


def _refuse(method: str) -> None:
    check_method(method)
    raise ForbiddenQueryError("unknown_method", f"{method}() cannot be called on the result of a query.")


def _shape(draft: Draft, method: str, arguments: list[Any]) -> None:
    """sort, skip, limit, projection and collation: an argument of find, a further stage of aggregate."""
    if len(arguments) != 1:
        raise RejectedValueError("bad_argument", f"{method}() takes one argument.")
    name = "projection" if method == "project" else method
    value = option_value(name, arguments[0])
    if draft.operation is Operation.FIND or name == "collation":
        draft.arguments[name] = value
    else:
        draft.arguments["pipeline"] = [*draft.arguments["pipeline"], {_STAGES[name]: value}]


def _count(draft: Draft, method: str, arguments: list[Any]) -> None:
    """count() leaves skip and limit out (case T008), size() and count(true) keep them."""
    if draft.operation is not Operation.FIND:
        _refuse("cursorCount")
    whole = method == "count" and arguments[:1] != [True]
    kept = ("filter", "collation") if whole else ("filter", "collation", "skip", "limit")
    draft.arguments = {name: draft.arguments[name] for name in kept if name in draft.arguments}
    draft.operation = Operation.COUNT
    draft.held = Held.VALUE


def _to_array(draft: Draft, method: str, arguments: list[Any]) -> None:
    draft.held = Held.ARRAY


def _item_count(draft: Draft, method: str, arguments: list[Any]) -> None:
    draft.length_only = True
    draft.held = Held.VALUE


def _next(draft: Draft, method: str, arguments: list[Any]) -> None:
    draft.index = 0
    draft.held = Held.DOCUMENT


_CALLS: Final[Mapping[str, Callable[[Draft, str, list[Any]], None]]] = {
    "sort": _shape,
    "skip": _shape,
    "limit": _shape,
    "projection": _shape,
    "project": _shape,
    "collation": _shape,
    "count": _count,
    "size": _count,
    "toArray": _to_array,
    "itcount": _item_count,
    "next": _next,
    "tryNext": _next,
}


FARTHEST: Final = 100_000
"""Last place in an array of answers: everything before it would have to be read."""


def take_length(draft: Draft) -> Draft:
    """`.length` of an array of answers."""
    if draft.held is not Held.ARRAY:
        raise RejectedValueError("unsupported_syntax", "The length of this is not known.")
    draft.length_only = True
    draft.path = ()
    draft.held = Held.VALUE
    return draft


def take_index(draft: Draft, index: int) -> Draft:
    """`[3]` of an array of answers."""
    if draft.held not in {Held.ARRAY, Held.CURSOR} or index < 0 or draft.index is not None:
        raise RejectedValueError("unsupported_syntax", "One document can only be taken from an array of documents.")
    if index > FARTHEST:
        raise RejectedValueError("too_complex", f"Only the first {FARTHEST} answers can be taken one by one.")
    draft.index = index
    draft.held = Held.VALUE if draft.operation is Operation.DISTINCT or draft.path else Held.DOCUMENT
    return draft


def take_element(draft: Draft, index: int) -> Draft:
    """`[0]` of one document's array, as in `findOne().lines[0]`."""
    return take_path(draft, (str(index),))


def take_path(draft: Draft, path: tuple[str, ...]) -> Draft:
    """`.x.y` of one document, or of each document in `.map(d => d.x.y)`."""
    if draft.operation in {Operation.FIND, Operation.FIND_ONE, Operation.AGGREGATE} and not draft.length_only:
        draft.path = (*draft.path, *path)
        return draft
    raise RejectedValueError("unsupported_syntax", "Fields can only be taken from documents.")
