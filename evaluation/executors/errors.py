"""How an engine can be lost to a query, and a query be stopped on our side."""

from evaluation.errors import EngineUnavailableError
from evaluation.types import FailureKind


class EngineLostError(EngineUnavailableError):
    """The connection broke, or the engine fell silent, after a query had been sent: the query may be the reason."""


class StoppedQueryError(Exception):
    """We gave a query up: one of our limits was broken, or nothing can be made of its answer.

    Args:
        kind: the class of failure.
        message: a sentence for the submitter.
    """

    def __init__(self, kind: FailureKind, message: str) -> None:
        self.kind = kind
        super().__init__(message)
