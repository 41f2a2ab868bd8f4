"""Counts what the practice endpoint was asked and what it answered, for tests and bills."""

import hashlib
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Ledger:
    """Every call, safe for threads.

    Args:
        calls: requests for a completion that came in with the right key.
        answered: of them, those answered with a reply that was not sent before under the same Idempotency-Key.
        replayed: answered again from what was sent before.
        prompt_tokens, completion_tokens: billed with `answered`.
        by_prompt: calls of each prompt.
    """

    calls: int = 0
    answered: int = 0
    replayed: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    by_prompt: dict[str, int] = field(default_factory=dict)
    _sent: dict[str, bytes] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def call(self, prompt: str) -> int:
        """Note a call; gives its number among those of the same prompt, from 1."""
        with self._lock:
            self.calls += 1
            self.by_prompt[prompt] = self.by_prompt.get(prompt, 0) + 1
            return self.by_prompt[prompt]

    def sent_before(self, key: str) -> bytes | None:
        """What was answered under this Idempotency-Key, which is billed once only."""
        with self._lock:
            body = self._sent.get(key)
            self.replayed += body is not None
            return body

    def answer(self, key: str, body: bytes, usage: Mapping[str, int]) -> None:
        """Note an answer and bill it."""
        with self._lock:
            self.answered += 1
            self.prompt_tokens += usage["prompt_tokens"]
            self.completion_tokens += usage["completion_tokens"]
            if key:
                self._sent[key] = body

    def as_json(self) -> dict[str, Any]:
        """The counts."""
        with self._lock:
            return {
                "calls": self.calls,
                "answered": self.answered,
                "replayed": self.replayed,
                "prompt_tokens": self.prompt_tokens,
                "completion_tokens": self.completion_tokens,
                "prompts": len(self.by_prompt),
                "most_calls_of_a_prompt": max(self.by_prompt.values(), default=0),
            }


def prompt_key(model: str, messages: object) -> str:
    """Names a prompt: hex SHA-256 over model and messages."""
    return hashlib.sha256(json.dumps([model, messages], sort_keys=True).encode()).hexdigest()
