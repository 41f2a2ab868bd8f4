"""Estimates how many tokens a text takes, the same on every machine and for every model."""

from typing import Final

BYTES_PER_TOKEN: Final = 3
"""Byte-pair tokenisers take about 4 bytes of English prose and 3 of field names and code for one token."""

PER_MESSAGE: Final = 8
"""Role and delimiters of a chat message."""


def estimated_tokens(text: str) -> int:
    """Tokens of a text, rounded up: a third of its UTF-8 bytes.

    The estimate decides what fits and what a budget holds back, so it must not depend on a tokeniser that is there on
    one machine and missing on another. What a call really took is what the endpoint reports.
    """
    return -(-len(text.encode(errors="replace")) // BYTES_PER_TOKEN)
