"""The records of generation: what is asked, what came back, and how it ended."""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from enum import StrEnum
from typing import Final

from evaluation.prompts.types import Message, Prompt
from evaluation.types import Condition


class Reason(StrEnum):
    """Why an item has no reply that could be a query; never a fault of the endpoint that may pass."""

    CONTENT_FILTER = "content_filter"
    CONTEXT_EXCEEDED = "context_exceeded"
    CUT_OFF = "cut_off"
    EMPTY = "empty_reply"
    MALFORMED = "malformed_reply"
    PROMPT_TOO_LARGE = "prompt_too_large"
    REJECTED = "rejected_request"
    REPLY_TOO_LARGE = "reply_too_large"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What one call took.

    Args:
        prompt_tokens, completion_tokens: as the endpoint reports; reasoning is part of the completion.
        reasoning_tokens: of the completion, where the endpoint tells; else 0.
        cost: in US dollars; None where no price is known.
        estimated: the endpoint reported no tokens, so they are ours.
    """

    prompt_tokens: int
    completion_tokens: int
    reasoning_tokens: int = 0
    cost: Decimal | None = None
    estimated: bool = False

    @property
    def tokens(self) -> int:
        """Both together."""
        return self.prompt_tokens + self.completion_tokens


NO_USAGE: Final = Usage(prompt_tokens=0, completion_tokens=0, cost=Decimal(0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """What an endpoint answered to one call.

    Args:
        text: the reply, word for word.
        finish_reason: as the endpoint says, such as "stop" or "length".
        model: the model that the endpoint names.
        usage: what it took.
        milliseconds: from sending to the last byte.
    """

    text: str
    finish_reason: str
    model: str
    usage: Usage
    milliseconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One reply to one item, as it is stored.

    Args:
        question_id, condition: of which item.
        number: 0 for the first answer, then one more for each repair.
        is_final: nothing more is asked for the item.
        text: the reply, "" where there is a `reason`.
        reason: why there is no usable reply.
        message: a sentence with it, the endpoint's where there is one.
        error: why the query of this reply could not be run, where it was tried and is to be repaired.
        calls: how often the endpoint was called for this reply, failures included.
        prompt_digest: of the prompt's messages.
        finish_reason, model, usage, milliseconds: of the last call, see `Completion`.
        asked_at: aware UTC.
    """

    question_id: str
    condition: Condition
    number: int
    is_final: bool
    text: str
    reason: Reason | None = None
    message: str = ""
    error: str = ""
    calls: int
    prompt_digest: str
    finish_reason: str = ""
    model: str = ""
    usage: Usage = NO_USAGE
    milliseconds: float = 0.0
    asked_at: datetime


def unasked(question_id: str, condition: Condition, reason: Reason, message: str) -> Reply:
    """The final reply to an item that cannot be asked; it took nothing."""
    return Reply(
        question_id=question_id,
        condition=condition,
        number=0,
        is_final=True,
        text="",
        reason=reason,
        message=message,
        calls=0,
        prompt_digest="",
        asked_at=datetime.now(UTC),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One item to ask for; `earlier` holds its stored replies of before, none of them final, in order."""

    question_id: str
    condition: Condition
    prompt: Prompt
    earlier: tuple[Reply, ...] = ()

    @property
    def key(self) -> str:
        """Names the item among all of a run."""
        return f"{self.condition}/{self.question_id}"


class Ending(StrEnum):
    """How a generation ended."""

    DONE = "done"
    UNANSWERED = "unanswered"
    STOPPED = "stopped"
    PAUSED = "paused"
    BUDGET = "budget"
    REFUSED = "refused"
    UNAVAILABLE = "unavailable"


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationReport:
    """How a generation ended.

    Args:
        ending: DONE where every item has a final reply; UNANSWERED where some items failed for passing reasons while
            others were answered; STOPPED by somebody; PAUSED so that others have their turn; BUDGET where the next call
            could exceed it; REFUSED by the endpoint, for good; UNAVAILABLE where the endpoint is down.
        message: a sentence, the endpoint's own where there is one.
        replies: stored.
        unanswered: tasks without a final reply.
    """

    ending: Ending
    message: str
    replies: int
    unanswered: int


Ask = Callable[[Sequence[Message], str], Awaitable[Completion]]
"""Calls the endpoint once with messages and a key that is the same when the same call is made again.

Raises EndpointRefusedError, EndpointUnavailableError or ReplyUnusableError."""

Store = Callable[[Reply], Coroutine[None, None, None]]
"""Keeps one reply for good; called as soon as it is there."""

Check = Callable[[Task, str], Awaitable[str | None]]
"""Tries a reply's query; gives the reader's or engine's sentence where it cannot be run, nothing of its answer."""
