"""Errors of calling a model, each with its blame."""

from benchmark_data.errors import InfrastructureError, SubmissionError
from evaluation.generation.types import Reason


class EndpointRefusedError(SubmissionError):
    """The endpoint refuses for good: wrong key, unknown model, no credit; the message is the provider's sentence."""


class EndpointUnavailableError(InfrastructureError):
    """The endpoint did not answer this time.

    Args:
        message: a sentence.
        retry_after: seconds that it asks to wait, None where it does not say.
    """

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        self.retry_after = retry_after
        super().__init__(message)


class ReplyUnusableError(SubmissionError):
    """The endpoint answered, and the answer holds no text for this item.

    Args:
        reason: the class.
        message: a sentence.
        may_pass: another call may end otherwise.
    """

    def __init__(self, reason: Reason, message: str, *, may_pass: bool) -> None:
        self.reason = reason
        self.may_pass = may_pass
        super().__init__(message)


class BudgetSpentError(SubmissionError):
    """The next call could exceed the budget."""
