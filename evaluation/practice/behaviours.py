"""What the practice endpoint's models do, and which faults it injects."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum


class Behaviour(StrEnum):
    """How one call is answered; models are named after behaviours, as in "practice-slow"."""

    ANSWER = "practice"
    SLOW = "practice-slow"
    LIMITED = "practice-limited"
    MALFORMED = "practice-malformed"
    REFUSING = "practice-refusing"
    FILTERED = "practice-filtered"
    EMPTY = "practice-empty"
    STREAMING = "practice-streaming"
    DROPPING = "practice-dropping"
    ENDLESS = "practice-endless"
    DOWN = "practice-down"


PASSING = (Behaviour.LIMITED, Behaviour.MALFORMED, Behaviour.DROPPING, Behaviour.DOWN)
"""Faults that another call may not meet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultPlan:
    """Which calls go wrong.

    Args:
        share: of the calls, 0 to 1.
        seed: another seed, other calls.
    """

    share: float = 0.0
    seed: int = 0

    def of(self, prompt: str, call: int) -> Behaviour | None:
        """The fault of the given call, counted from 1, for the given prompt; None where it is answered.

        The same prompt and call always meet the same fault, whatever else is asked meanwhile.
        """
        drawn = hashlib.sha256(f"{self.seed}\0{prompt}\0{call}".encode()).digest()
        if int.from_bytes(drawn[:8], "big") >= self.share * (1 << 64):
            return None
        return PASSING[drawn[8] % len(PASSING)]
