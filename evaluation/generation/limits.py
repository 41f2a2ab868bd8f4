"""How hard and how long an endpoint may be asked."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationLimits:
    """Limits of one generation.

    Args:
        concurrency: calls under way at once.
        per_minute: calls started in a minute at most; None for any number.
        seconds: that one call may take, from connecting to the last byte.
        attempts: calls for one reply while failures may pass.
        pause, longest_pause: seconds before the second attempt, doubled for each further one, and its bound; a
            Retry-After of the endpoint counts more.
        patience: seconds that one Retry-After may ask for; a longer one ends the generation for now.
        most_completion_tokens: asked of the model as its maximum.
        smoke: items that are asked first; only when one of them is answered the others are asked.
        repairs: how often a query that cannot be run may be corrected.
    """

    concurrency: int = 8
    per_minute: float | None = None
    seconds: float = 120.0
    attempts: int = 5
    pause: float = 1.0
    longest_pause: float = 30.0
    patience: float = 120.0
    most_completion_tokens: int = 4096
    smoke: int = 5
    repairs: int = 0

    def pause_before(self, attempt: int) -> float:
        """Seconds before the attempt with this number, counted from 1."""
        return min(self.longest_pause, self.pause * float(2 ** (attempt - 2)))
