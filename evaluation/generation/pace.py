"""Holds calls to an endpoint within a concurrency and a rate, and stops all of them when it asks to wait."""

import asyncio
from types import TracebackType


class Pace:
    """Entered around each call.

    Args:
        concurrency: calls under way at once.
        per_minute: calls started in a minute at most, evenly spread; None for any number.
    """

    def __init__(self, *, concurrency: int, per_minute: float | None = None) -> None:
        self._places = asyncio.Semaphore(concurrency)
        self._gap = 60 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._held_until = 0.0

    def hold(self, seconds: float) -> None:
        """Start no call in the next `seconds`; calls under way go on."""
        self._held_until = max(self._held_until, asyncio.get_running_loop().time() + seconds)

    async def __aenter__(self) -> None:
        await self._places.acquire()
        try:
            await self._turn()
        except BaseException:
            self._places.release()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._places.release()

    async def _turn(self) -> None:
        loop = asyncio.get_running_loop()
        while (wait := max(self._held_until, self._next) - loop.time()) > 0:
            await asyncio.sleep(wait)
        self._next = loop.time() + self._gap
