"""Stores replies in groups: those that arrive while one group is being written make the next."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field

from evaluation.generation.types import Reply


@dataclass(slots=True, kw_only=True)
class ReplyWriter:
    """A reply is on the disk when `store` returns; many that arrive together share one transaction.

    Args:
        write: keeps replies for good, together; called in `thread`.
        thread: of one worker, so that there is one database connection.
    """

    write: Callable[[Sequence[Reply]], None]
    thread: Executor
    _group: list[Reply] = field(default_factory=list)
    _coming: asyncio.Task[None] | None = None
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def store(self, reply: Reply) -> None:
        """Keep one reply; raises whatever `write` raises for its group."""
        self._group.append(reply)
        if self._coming is None:
            self._coming = asyncio.create_task(self._write())
        # Shielded: who waits may be let go of, the group is written all the same.
        await asyncio.shield(self._coming)

    async def _write(self) -> None:
        async with self._turn:
            group, self._group, self._coming = self._group, [], None
            await asyncio.get_running_loop().run_in_executor(self.thread, self.write, group)
