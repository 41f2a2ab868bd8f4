"""Keeps secrets that a process holds out of everything it logs."""

import contextlib
import logging
import re
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

HIDDEN: Final = "[secret]"
SHORTEST: Final = 6
"""A shorter secret would be found in ordinary words."""

_held: Counter[str] = Counter()
_lock: Final = threading.Lock()


@contextlib.contextmanager
def withheld(secret: str) -> Iterator[None]:
    """Let nothing that is logged meanwhile show the secret, whoever logs it and in whatever traceback."""
    if len(secret) < SHORTEST:
        yield
        return
    with _lock:
        _held[secret] += 1
    try:
        yield
    finally:
        with _lock:
            _held[secret] -= 1
            if not _held[secret]:
                del _held[secret]


@contextlib.contextmanager
def secrets_withheld() -> Iterator[Callable[[str], None]]:
    """Withhold the secrets that are named to what this gives, until the body has been left.

    For a body that tells of errors which may hold a secret that was read deeper inside.
    """
    with contextlib.ExitStack() as stack:
        yield lambda secret: stack.enter_context(withheld(secret))


ROWS: Final = re.compile(
    r"^DETAIL:.*?(?=\n(?:HINT|CONTEXT):|\n\n(?:The above|During handling)|\Z)", re.DOTALL | re.MULTILINE
)
"""Where PostgreSQL quotes the row that it refused, which may hold gold, a predicted text, or a digest."""


MAY_QUOTE_GOLD: Final = {"may_quote_gold": True}
"""The `extra` of a record whose exception met gold: where it came from is logged, and nothing that it says."""


def trace_of(error: BaseException) -> str:
    """Where an error came from and of what kind it is, without what it says: a fault met in judging may quote gold."""
    parts: list[str] = []
    link: BaseException | None = error
    while link is not None:
        parts.append("".join(traceback.format_tb(link.__traceback__)) + type(link).__name__)
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
    return "\n\nwhich came from\n\n".join(parts)


def redacted(text: str) -> str:
    """The text without any secret that is held at the moment, and without rows that the database quotes."""
    with _lock:
        secrets = sorted(_held, key=len, reverse=True)
    # The longest first: a secret that is part of another would leave the rest of that one behind.
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    return ROWS.sub("DETAIL: [not logged]", text)


class RedactingFormatter(logging.Formatter):
    """Formats a record, its traceback included, and takes secrets out of the whole."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as text."""
        if record.exc_info and record.exc_info[1] and getattr(record, "may_quote_gold", False):
            record.exc_text = trace_of(record.exc_info[1])
        return redacted(super().format(record))
