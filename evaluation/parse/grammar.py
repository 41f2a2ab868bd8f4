"""The JavaScript grammar, with a bound on the work that one text may cause."""

import time
from typing import Final

import tree_sitter_javascript
from tree_sitter import Language, Node, Parser, Point

from evaluation.errors import UnparsableTextError
from evaluation.parse.limits import NODES, check_nesting, too_many_nodes

_LANGUAGE: Final = Language(tree_sitter_javascript.language())

BUDGET: Final = 5_000
"""Most reports of progress (one for each hundred steps) while one text is parsed; 50,000 nodes need about 2,200."""

_FREE: Final = 50
_CHARACTERS: Final = 10
"""A text gets one more report for each so many bytes: recovery from errors takes quadratic time in bad texts."""

SECONDS: Final = 0.5
"""Most processor time for one text: an unclosed string or regular expression is scanned to its end again and again.
It is not time on the clock, so that a busy machine refuses nothing."""

_CHUNK: Final = 65_536


class _Work:
    """Counts the work on one text, and stops it."""

    __slots__ = ("deadline", "left", "position")

    def __init__(self, length: int) -> None:
        self.left = min(BUDGET, _FREE + length // _CHARACTERS)
        self.deadline = time.thread_time() + SECONDS
        self.position = 0

    def __call__(self, position: int, has_error: bool) -> bool:
        """Whether to stop."""
        self.left -= 1
        self.position = position
        return self.left <= 0 or time.thread_time() > self.deadline


def parse_javascript(code: str, *, offset: int) -> tuple[Node, bytes]:
    """The syntax tree of a script, and the bytes that its places refer to.

    Raises:
        UnparsableTextError: reason "syntax_error", or "too_complex" where the text is too large, too deep, or takes
            too much work.
    """
    check_nesting(code)
    if code.count("${") > _FREE:
        raise UnparsableTextError(
            "unsupported_syntax", "A template string with ${…} is not a literal.", position=offset
        )
    source = code.encode()
    root = _parsed(source, code, offset)
    if root.has_error:
        raise _syntax_error(root, source, offset)
    if root.descendant_count > NODES:
        raise too_many_nodes()
    return root, source


def _parsed(source: bytes, code: str, offset: int) -> Node:
    def chunk(position: int, point: Point) -> bytes:
        return source[position : position + _CHUNK]

    work = _Work(len(source))
    try:
        return Parser(_LANGUAGE).parse(chunk, progress_callback=work).root_node
    except ValueError as error:
        if len(source) // _CHARACTERS > BUDGET or work.left > 0:
            raise UnparsableTextError("too_complex", "The text takes too much work to parse.") from error
        raise UnparsableTextError(
            "syntax_error",
            "Syntax error: the text cannot be parsed from here on.",
            position=place(source, work.position, offset),
        ) from error


def place(source: bytes, position: int, offset: int) -> int:
    """A place in the submitted text, in characters, of a byte of the source."""
    return offset + (position if source.isascii() else len(source[:position].decode(errors="replace")))


def _syntax_error(root: Node, source: bytes, offset: int) -> UnparsableTextError:
    """The refusal at the first broken place; walks down the tree without recursion."""
    node = root
    while not node.is_error:
        broken = next((child for child in node.children if child.has_error or child.is_missing), None)
        if broken is None:
            break
        node = broken
    what = f"{node.type} is missing" if node.is_missing else "the text cannot be parsed from here on"
    return UnparsableTextError(
        "syntax_error", f"Syntax error: {what}.", position=place(source, node.start_byte, offset)
    )
