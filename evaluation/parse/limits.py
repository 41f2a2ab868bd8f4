"""The size rules of query text, checked before anything is parsed."""

import re
from typing import Any, Final

from evaluation.errors import UnparsableTextError

TEXT_BYTES: Final = 200_000
"""Longest text that is read (attack X057: parsers that take a minute for 5 MB)."""

NODES: Final = 50_000
"""Most syntax nodes of one text."""

DEPTH: Final = 150
"""Deepest nesting of values; the server itself stops at 180 levels (attack X055)."""

SCAN_DEPTH: Final = 2 * DEPTH
"""Deepest nesting of brackets that reaches a parser at all."""

# An unclosed string or comment reaches to the end of its line or of the code: every character is read once.
_TOKEN: Final = re.compile(
    r""""(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`(?:[^`\\]|\\.)*`?|//[^\n]*|/\*.*?(?:\*/|\Z)|([(\[{])|([)\]}])""",
    re.DOTALL,
)


def check_length(text: str) -> None:
    """Refuse a text of more than 200 kB of UTF-8.

    Raises:
        UnparsableTextError: reason "too_long".
    """
    if len(text) > TEXT_BYTES or (
        len(text) > TEXT_BYTES // 4 and len(text.encode("utf-8", "surrogatepass")) > TEXT_BYTES
    ):
        raise UnparsableTextError("too_long", f"The text is longer than {TEXT_BYTES // 1000} kB.")


def check_nesting(code: str) -> None:
    """Refuse code whose brackets nest too deep for any parser; one pass, no recursion.

    Raises:
        UnparsableTextError: reason "too_complex".
    """
    depth = 0
    for token in _TOKEN.finditer(code):
        if token.lastindex == 1:
            depth += 1
            if depth > SCAN_DEPTH:
                raise too_deep(token.start())
        elif token.lastindex == 2 and depth:
            depth -= 1


def check_size(value: Any) -> None:
    """Refuse a value that variables and spreads made larger or deeper than a text may be; no recursion.

    Raises:
        UnparsableTextError: reason "too_complex".
    """
    level: list[Any] = [value]
    nodes = depth = 0
    while level:
        nodes += len(level)
        depth += 1
        if nodes > NODES:
            raise too_many_nodes()
        if depth > DEPTH + 2:
            raise too_deep()
        following: list[Any] = []
        for part in level:
            if isinstance(part, dict):
                following += part.values()
            elif isinstance(part, list):
                following += part
            if len(following) > NODES:
                raise too_many_nodes()
        level = following


def too_deep(position: int | None = None) -> UnparsableTextError:
    """The refusal of a text that nests too deep."""
    return UnparsableTextError("too_complex", f"The query nests deeper than {DEPTH} levels.", position=position)


def too_many_nodes() -> UnparsableTextError:
    """The refusal of a text with too many parts."""
    return UnparsableTextError("too_complex", f"The query has more than {NODES} parts.")
