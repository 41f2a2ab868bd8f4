"""Builds the prompts of one database: one description for all its items, and one message for each."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from benchmark_data.card_file import StoredCard
from benchmark_data.types import Database
from evaluation.prompts.describe import Described, Detail, describe
from evaluation.prompts.templates import Template
from evaluation.prompts.tokens import PER_MESSAGE, estimated_tokens
from evaluation.prompts.types import Message, Prompt, PromptTooLargeError, Question
from evaluation.types import Condition

FEWEST_FIELDS: Final = 4
"""A description with fewer fields of each collection is no description."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptWriter:
    """Writes the prompts of one database.

    All items of the database get the same description in both conditions: how much fits is decided once, by the
    longest question with its evidence.

    Args:
        template: the wording.
        detail: how much the description says.
        described: the description.
    """

    template: Template
    detail: Detail
    described: Described

    def prompt(self, question: Question, condition: Condition) -> Prompt:
        """The prompt of one item in one condition."""
        user = user_text(self.template, question, with_evidence=condition is Condition.WITH_EVIDENCE)
        messages = (
            Message(role="system", content=f"{self.template.system}\n\n{self.described.text}"),
            Message(role="user", content=user),
        )
        return Prompt(
            template=self.template.label,
            detail=self.detail,
            messages=messages,
            tokens=messages_tokens(messages),
            left_out=self.described.left_out,
        )


def user_text(template: Template, question: Question, *, with_evidence: bool) -> str:
    """The user's message: the request, and the evidence where the condition has it and the item too."""
    if with_evidence and question.evidence.strip():
        return f"{question.text}\n\n{template.evidence}\n{question.evidence}"
    return question.text


def messages_tokens(messages: Iterable[Message]) -> int:
    """Estimate for all messages together."""
    return sum(PER_MESSAGE + estimated_tokens(message.content) for message in messages)


def prompt_writer(
    database: Database,
    cards: Sequence[StoredCard],
    questions: Iterable[Question],
    *,
    template: Template,
    room: int | None = None,
) -> PromptWriter:
    """Choose the fullest description that leaves room for every question of the database.

    The template's levels of detail are tried in order. Where even the shortest does not fit, the deepest fields of each
    collection are left out, as few as possible, and the description says how many.

    Args:
        database, cards: what is described.
        questions: all items of the database.
        template: the wording.
        room: tokens that a prompt may take, as estimated; None for any number.

    Raises:
        PromptTooLargeError: it does not fit with four fields of each collection.
    """
    longest = max((estimated_tokens(user_text(template, q, with_evidence=True)) for q in questions), default=0)
    spare = None if room is None else room - longest - 2 * PER_MESSAGE - estimated_tokens(template.system) - 1
    for detail in template.details:
        described = describe(database, cards, detail)
        if spare is None or estimated_tokens(described.text) <= spare:
            return PromptWriter(template=template, detail=detail, described=described)
    detail = template.details[-1]
    most = max(len(card.card.fields) for card in cards)
    shortened = _shortened(lambda count: describe(database, cards, detail, most_fields=count), most, spare or 0)
    if shortened is None:
        raise PromptTooLargeError(
            f"database {database.db_id} does not fit: {room} tokens are too few for its description "
            f"and the longest request of {longest} tokens."
        )
    return PromptWriter(template=template, detail=detail, described=shortened)


def _shortened(written: Callable[[int], Described], most: int, spare: int) -> Described | None:
    """The description with the largest number of fields that fits, found by halving."""
    best: Described | None = None
    low, high = FEWEST_FIELDS, most
    while low <= high:
        middle = (low + high) // 2
        described = written(middle)
        if estimated_tokens(described.text) <= spare:
            best, low = described, middle + 1
        else:
            high = middle - 1
    return best
