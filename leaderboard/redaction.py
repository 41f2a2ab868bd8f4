"""Keeps secrets that a process holds out of everything it logs."""

import contextlib
import logging
import threading
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


def redacted(text: str) -> str:
    """The text without any secret that is held at the moment."""
    with _lock:
        secrets = sorted(_held, key=len, reverse=True)
    # The longest first: a secret that is part of another would leave the rest of that one behind.
    for secret in secrets:
        text = text.replace(secret, HIDDEN)
    return text


class RedactingFormatter(logging.Formatter):
    """Formats a record, its traceback included, and takes secrets out of the whole."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as text."""
        return redacted(super().format(record))
