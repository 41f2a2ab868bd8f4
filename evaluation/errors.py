"""Errors of scoring, each with its blame."""

from benchmark_data.errors import InfrastructureError, SubmissionError


class UnparsableTextError(SubmissionError):
    """The text has no one clear query in it.

    Args:
        reason: stable snake_case identifier, e.g. "syntax_error".
        message: a sentence for the submitter.
        position: 0-based offset in characters of the text where the reading failed, if known.
    """

    def __init__(self, reason: str, message: str, *, position: int | None = None) -> None:
        self.reason = reason
        self.message = message
        self.position = position
        super().__init__(message)


class ForbiddenQueryError(SubmissionError):
    """The text holds a query, or a call, that must not be sent.

    Args:
        reason: stable snake_case identifier, e.g. "write_stage".
        message: a sentence for the submitter.
        position: 0-based offset in characters of the text, where the refusal came from reading it.
    """

    def __init__(self, reason: str, message: str, *, position: int | None = None) -> None:
        self.reason = reason
        self.message = message
        self.position = position
        super().__init__(message)


class EngineUnavailableError(InfrastructureError):
    """The document database cannot be reached, or gave up for a reason that is not the query's."""
