"""Asks a model for every item: a few first, then all, each reply stored as it arrives."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from benchmark_data.errors import AptBoardError
from evaluation.generation.asking import Asker
from evaluation.generation.budget import Budget
from evaluation.generation.errors import BudgetSpentError, EndpointRefusedError, EndpointUnavailableError
from evaluation.generation.limits import GenerationLimits
from evaluation.generation.pace import Pace
from evaluation.generation.types import Ask, Check, Ending, GenerationReport, Reply, Store, Task
from evaluation.prompts.templates import TEMPLATES
from evaluation.prompts.types import Message

STOP_POLL = 0.25
"""Seconds between two looks at whether somebody wants to stop."""

_ENDINGS: dict[type[AptBoardError], Ending] = {
    BudgetSpentError: Ending.BUDGET,
    EndpointRefusedError: Ending.REFUSED,
    EndpointUnavailableError: Ending.UNAVAILABLE,
}


@dataclass(slots=True, kw_only=True)
class _Round:
    """One generation under way."""

    asker: Asker
    store: Store
    limits: GenerationLimits
    check: Check | None
    replies: int = 0
    done: int = 0
    usable: int = 0
    ending: Ending = Ending.DONE
    message: str = ""
    skipped: int = 0
    last_reason: str = ""
    workers: list[asyncio.Task[None]] = field(default_factory=list)
    storing: set[asyncio.Future[None]] = field(default_factory=set)

    async def run(self, tasks: Sequence[Task]) -> None:
        """Work through the tasks with as many workers as calls may be under way; the first end ends all."""
        remaining = iter(tasks)
        count = min(self.limits.concurrency, len(tasks))
        self.workers = [asyncio.create_task(self._work(remaining)) for _ in range(count)]
        results = await asyncio.gather(*self.workers, return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException) and not isinstance(result, asyncio.CancelledError):
                raise result

    def end(self, ending: Ending, message: str) -> None:
        """Note why it ends, the first reason counting; but for a budget or a pause, calls under way are let go of."""
        if self.ending is Ending.DONE:
            self.ending, self.message = ending, message
        if ending not in {Ending.BUDGET, Ending.PAUSED}:
            for worker in self.workers:
                if worker is not asyncio.current_task():
                    worker.cancel()

    async def _work(self, remaining: Iterator[Task]) -> None:
        for task in remaining:
            if self.ending is not Ending.DONE:
                return
            before = self.asker.answered
            try:
                await self._item(task)
            except EndpointUnavailableError as error:
                # Others were answered meanwhile: the item is the trouble, not the endpoint.
                if self.asker.answered > before and (error.retry_after or 0) <= self.limits.patience:
                    self.skipped += 1
                    self.last_reason = str(error)
                    continue
                self.end(Ending.UNAVAILABLE, str(error))
                return
            except (BudgetSpentError, EndpointRefusedError) as error:
                self.end(_ending(error), str(error))
                return

    async def _item(self, task: Task) -> None:
        """All that is asked for one item."""
        earlier = list(task.earlier)
        while True:
            reply = await self.asker.reply(task, _messages(task, earlier), number=len(earlier))
            if self.check is not None and reply.reason is None and len(earlier) < self.limits.repairs:
                error = await self.check(task, reply.text)
                if error is not None:
                    reply = replace(reply, is_final=False, error=error)
            await self._keep(reply)
            if reply.is_final:
                return
            earlier.append(reply)

    async def _keep(self, reply: Reply) -> None:
        """Store a reply, also when the worker is let go of meanwhile: what arrived is not lost.

        A worker goes on with the next item while a final reply is being stored, as long as no more replies wait for
        that than calls may be under way; a failure to store ends the worker that comes next.
        """
        self.storing.add(asyncio.ensure_future(self.store(reply)))
        self.replies += 1
        if reply.is_final:
            self.done += 1
            self.usable += reply.reason is None
            self.last_reason = reply.message or self.last_reason
        most = self.limits.concurrency if reply.is_final else 0
        while len(self.storing) > most:
            stored, _ = await asyncio.wait(self.storing, return_when=asyncio.FIRST_COMPLETED)
            self.storing -= stored
            for one in stored:
                one.result()

    async def settle(self) -> None:
        """Wait until everything that arrived is stored."""
        await asyncio.gather(*self.storing)


async def generate(
    tasks: Sequence[Task],
    *,
    ask: Ask,
    store: Store,
    limits: GenerationLimits,
    budget: Budget,
    session: str,
    stopped: Callable[[], bool] = lambda: False,
    paused: Callable[[], bool] = lambda: False,
    check: Check | None = None,
) -> GenerationReport:
    """Ask for every task that has no final reply yet.

    A reply is stored as it arrives, so a crash loses only calls under way and replies that are being written, as many
    again at most; both are asked for again under their own keys. What was stored is not asked twice. The first
    `limits.smoke` items are asked before the others: where none of them gives a text, the others are not asked.

    Args:
        tasks: what to ask, in order.
        ask: one call.
        store: keeps a reply.
        limits, budget: what the calls keep to.
        session: names this asking among all others; the same when it is taken up again.
        stopped: whether somebody wants to stop; calls under way are let go of at once.
        paused: whether no further call should be begun for now; those under way are waited for.
        check: tries a query, for the protocol that lets the model repair; None without.

    Raises:
        Exception: whatever `store` or `check` raises ends the generation and comes out here.
    """
    asker = Asker(
        ask=ask,
        limits=limits,
        pace=Pace(concurrency=limits.concurrency, per_minute=limits.per_minute),
        budget=budget,
        session=session,
    )
    under_way = _Round(asker=asker, store=store, limits=limits, check=check)
    watch = asyncio.create_task(_watch(under_way, stopped, paused))
    try:
        first, others = tasks[: limits.smoke], tasks[limits.smoke :]
        await under_way.run(first)
        if under_way.ending is Ending.DONE and first and not under_way.usable and not under_way.skipped:
            sentence = f"None of the first {len(first)} replies could be used: {under_way.last_reason}"
            under_way.end(Ending.REFUSED, sentence)
        if under_way.ending is Ending.DONE:
            await under_way.run(others)
    finally:
        watch.cancel()
        await under_way.settle()
    ending, message = under_way.ending, under_way.message
    if ending is Ending.DONE and under_way.skipped:
        ending, message = Ending.UNANSWERED, under_way.last_reason
    return GenerationReport(
        ending=ending, message=message, replies=under_way.replies, unanswered=len(tasks) - under_way.done
    )


async def _watch(under_way: _Round, stopped: Callable[[], bool], paused: Callable[[], bool]) -> None:
    while True:
        if paused():
            under_way.end(Ending.PAUSED, "")
        if await asyncio.to_thread(stopped):
            under_way.end(Ending.STOPPED, "It was stopped.")
            return
        await asyncio.sleep(STOP_POLL)


def _ending(error: AptBoardError) -> Ending:
    return next(ending for kind, ending in _ENDINGS.items() if isinstance(error, kind))


def _messages(task: Task, earlier: Sequence[Reply]) -> list[Message]:
    """The prompt, and for each earlier reply the reply itself and the sentence that its query failed with."""
    messages = list(task.prompt.messages)
    template = TEMPLATES[task.prompt.template]
    for reply in earlier:
        messages.append(Message(role="assistant", content=reply.text))
        messages.append(Message(role="user", content=template.repair.format(error=reply.error)))
    return messages
