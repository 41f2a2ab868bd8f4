"""The error of a part that the project was to provide by itself."""

from benchmark_data.errors import InfrastructureError


class EmbeddedPartError(InfrastructureError):
    """An embedded part is not installed, did not start, or does not answer; the message says what to do."""
