"""The records of prompts; none of them has room for gold, SQL or marks of an item."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from benchmark_data.errors import BenchmarkError
from benchmark_data.types import Item


class PromptTooLargeError(BenchmarkError):
    """A database's description does not fit into the model's context, even at its shortest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What of an item a prompt may know.

    Args:
        question_id, db_id: of the item.
        text: the request in natural language.
        evidence: external knowledge; "" where the item has none.
    """

    question_id: str
    db_id: str
    text: str
    evidence: str = ""


def question_of(item: Item) -> Question:
    """The part of an item that may enter a prompt: gold, SQL, difficulty, split and flags stay behind."""
    return Question(question_id=item.question_id, db_id=item.db_id, text=item.question, evidence=item.evidence)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a chat: `role` is "system", "user" or "assistant"."""

    role: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What is sent for one item.

    Args:
        template: name and version of the wording, such as "default@1".
        detail: how much of the description was kept, see `evaluation.prompts.describe.Detail`.
        messages: in order.
        tokens: estimate for all messages together.
        left_out: fields of the database that the description does not show.
    """

    template: str
    detail: str
    messages: tuple[Message, ...]
    tokens: int
    left_out: int = 0

    @property
    def digest(self) -> str:
        """Hex SHA-256 over the messages."""
        return _sha256([[message.role, message.content] for message in self.messages])


def prompts_digest(digests: Iterable[tuple[str, str]]) -> str:
    """One hex SHA-256 over (question_id, prompt digest) pairs in any order; a score on generated replies carries it."""
    return _sha256(sorted(digests))


def _sha256(content: object) -> str:
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()
