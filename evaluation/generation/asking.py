"""Asks for one reply: paced, within the budget, and again where a failure may pass."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from evaluation.generation.budget import Budget
from evaluation.generation.errors import EndpointUnavailableError, ReplyUnusableError
from evaluation.generation.limits import GenerationLimits
from evaluation.generation.pace import Pace
from evaluation.generation.types import Ask, Completion, Reason, Reply, Task
from evaluation.prompts.build import messages_tokens
from evaluation.prompts.types import Message


@dataclass(slots=True, kw_only=True)
class Asker:
    """Asks one endpoint.

    Args:
        ask: one call.
        limits, pace, budget: what each call keeps to.
        session: names this asking among all others, so that no two share an Idempotency-Key.
        answered: replies so far, so that a failing item can be told from a failing endpoint.
    """

    ask: Ask
    limits: GenerationLimits
    pace: Pace
    budget: Budget
    session: str
    answered: int = 0

    async def reply(self, task: Task, messages: Sequence[Message], *, number: int) -> Reply:
        """One reply to one item.

        Raises:
            BudgetSpentError: the next call could exceed the budget.
            EndpointRefusedError: for good.
            EndpointUnavailableError: no attempt was answered.
        """
        blank = Reply(
            question_id=task.question_id,
            condition=task.condition,
            number=number,
            is_final=True,
            text="",
            calls=0,
            prompt_digest=task.prompt.digest,
            asked_at=datetime.now(UTC),
        )
        unusable = 0
        for attempt in range(1, self.limits.attempts + 1):
            is_last = attempt == self.limits.attempts
            try:
                # Where an answer was lost, the same key asks for it; where it was no use, another one for a new answer.
                completion = await self._call(messages, f"{self.session}/{task.key}/{number}.{unusable}")
            except ReplyUnusableError as error:
                unusable += 1
                if is_last or not error.may_pass:
                    self.answered += 1
                    return replace(blank, calls=attempt, reason=error.reason, message=str(error))
                await asyncio.sleep(self.limits.pause_before(attempt + 1))
            except EndpointUnavailableError as error:
                if is_last or (error.retry_after or 0) > self.limits.patience:
                    raise
                await self._wait(error, attempt)
            else:
                self.answered += 1
                return _filled(blank, completion, attempt)
        raise AssertionError("an attempt ends in a reply or an error")

    async def _call(self, messages: Sequence[Message], key: str) -> Completion:
        async with self.pace:
            estimate = messages_tokens(messages)
            reserved = await self.budget.reserve(estimate, self.limits.most_completion_tokens)
            used = None
            try:
                completion = await self.ask(messages, key)
                used = completion.usage
            finally:
                self.budget.settle(reserved, used, estimate=estimate)
            return completion

    async def _wait(self, error: EndpointUnavailableError, attempt: int) -> None:
        """Back off; where the endpoint says how long, nobody asks it meanwhile."""
        pause = self.limits.pause_before(attempt + 1)
        if error.retry_after is not None:
            self.pace.hold(error.retry_after)
            pause = error.retry_after
        await asyncio.sleep(pause)


_WITHOUT_TEXT = {
    "length": (Reason.CUT_OFF, "The reply reached the most tokens before any text, so reasoning took all of them."),
    "content_filter": (Reason.CONTENT_FILTER, "The endpoint's content filter kept the reply back."),
}
_EMPTY = (Reason.EMPTY, "The reply has no text.")


def _filled(blank: Reply, completion: Completion, calls: int) -> Reply:
    has_text = bool(completion.text.strip())
    reason, message = (None, "") if has_text else _WITHOUT_TEXT.get(completion.finish_reason, _EMPTY)
    return replace(
        blank,
        text=completion.text if has_text else "",
        reason=reason,
        message=message,
        calls=calls,
        finish_reason=completion.finish_reason,
        model=completion.model,
        usage=completion.usage,
        milliseconds=completion.milliseconds,
    )
