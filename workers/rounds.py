"""Rounds of chores: what is due is seen to one after another, for as long as a worker may be kept from the rest."""

import time
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

ROUND_SECONDS: Final = 30.0
"""Slow servers must not keep a worker for longer; the next round goes on."""

Key = TypeVar("Key")


def within(due: Iterable[Key], *, seconds: float = ROUND_SECONDS) -> Iterator[Key]:
    """What is due, until the time of the round is up."""
    ends = time.monotonic() + seconds
    for key in due:
        if time.monotonic() >= ends:
            return
        yield key
