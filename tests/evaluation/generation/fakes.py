"""A fake endpoint and tasks for tests of generation."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from evaluation.generation.budget import Budget
from evaluation.generation.limits import GenerationLimits
from evaluation.generation.types import NO_USAGE, Completion, Reply, Task, Usage
from evaluation.prompts.types import Message, Prompt
from evaluation.types import Condition

QUICK = GenerationLimits(
    concurrency=4, pause=0.001, longest_pause=0.002, attempts=3, smoke=2, most_completion_tokens=50
)


def task(name: str, *, earlier: tuple[Reply, ...] = ()) -> Task:
    messages = (Message(role="system", content="s"), Message(role="user", content=name))
    prompt = Prompt(template="default@1", detail="full", messages=messages, tokens=20)
    return Task(question_id=name, condition=Condition.WITH_EVIDENCE, prompt=prompt, earlier=earlier)


def tasks(count: int) -> list[Task]:
    return [task(f"q{number}") for number in range(count)]


def completion(text: str = "db.a.find()", *, tokens: int = 10, finish: str = "stop") -> Completion:
    usage = Usage(prompt_tokens=tokens, completion_tokens=tokens, cost=Decimal(tokens) / 1000)
    return Completion(text=text, finish_reason=finish, model="fake", usage=usage, milliseconds=1.0)


def unlimited() -> Budget:
    return Budget(spent=NO_USAGE)


@dataclass
class FakeEndpoint:
    """Answers by a function of question and number of call; counts calls, and how many were under way at once."""

    answer: Callable[[str, int], Completion] = lambda _question, _call: completion()
    seconds: float = 0.0
    calls: list[str] = field(default_factory=list)
    chats: list[list[Message]] = field(default_factory=list)
    under_way: int = 0
    most_under_way: int = 0

    async def ask(self, messages: Sequence[Message], key: str) -> Completion:
        question = messages[1].content
        self.calls.append(question)
        self.chats.append(list(messages))
        self.under_way += 1
        self.most_under_way = max(self.most_under_way, self.under_way)
        try:
            await asyncio.sleep(self.seconds)
            return self.answer(question, self.calls.count(question))
        finally:
            self.under_way -= 1


@dataclass
class Kept:
    """Keeps replies."""

    replies: list[Reply] = field(default_factory=list)
    seconds: float = 0.0

    async def store(self, reply: Reply) -> None:
        await asyncio.sleep(self.seconds)
        self.replies.append(reply)

    @property
    def texts(self) -> dict[str, str]:
        return {reply.question_id: reply.text for reply in self.replies if reply.is_final}
