"""Fake engines for tests of workers."""

from collections.abc import Callable

from evaluation.errors import EngineUnavailableError
from evaluation.types import Answer, AnswerKind, EngineIdentity, ExecutionFailure, Limits, Query

Behaviour = Callable[[Query], Answer | ExecutionFailure]


def answer(*rows: object) -> Answer:
    """Documents."""
    return Answer(kind=AnswerKind.DOCUMENTS, rows=rows, milliseconds=1.0)


class FakeExecutor:
    """Answers by a function of the query, and counts."""

    def __init__(self, behave: Behaviour, *, version: str = "1") -> None:
        self.behave = behave
        self.version = version
        self.asked = 0

    @property
    def identity(self) -> EngineIdentity:
        """A fake engine."""
        return EngineIdentity(name="Fake", version=self.version, demo=True)

    def execute(self, query: Query, *, database: str, limits: Limits) -> Answer | ExecutionFailure:
        """What the function says."""
        self.asked += 1
        return self.behave(query)


def down(_: Query) -> Answer:
    """An engine that is away."""
    raise EngineUnavailableError("connection refused")
