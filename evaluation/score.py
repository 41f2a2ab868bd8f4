"""The verdict on one prediction: read, guard, execute, compare."""

from dataclasses import dataclass, replace
from typing import Final

from benchmark_data.types import Split
from evaluation.compare import compare
from evaluation.errors import ForbiddenQueryError, UnparsableTextError
from evaluation.gold import Gold, GoldSource, UnusableGoldError, reading_context
from evaluation.guard.judge import judge
from evaluation.parse.read import read
from evaluation.types import (
    Answer,
    Diagnostics,
    ExecutionFailure,
    Executor,
    FailureKind,
    Limits,
    Outcome,
    Query,
    Verdict,
)

FAILURE_OUTCOMES: Final = {
    FailureKind.INVALID: Outcome.INVALID,
    FailureKind.TIMED_OUT: Outcome.TIMED_OUT,
    FailureKind.TOO_LARGE: Outcome.TOO_LARGE,
}

GOLD_FAILED: Final = "gold_failed"
"""Reason of items that have no score because their own gold cannot be used."""

SCORER_FAULT: Final = "scorer_fault"
"""Reason of items that have no score because the scorer itself stumbled over them."""

SET_ASIDE: Final = "The organisers set this item aside."


def missing_verdict(question_id: str) -> Verdict:
    """The verdict on an item without a prediction: it scores 0 and lowers coverage."""
    return _lost(question_id, Outcome.MISSING, message="The file has no prediction for this item.")


def unscored_verdict(question_id: str, *, reason: str, message: str) -> Verdict:
    """The verdict on an item that could not be judged for a reason on our side: no score at all."""
    return Verdict(
        question_id=question_id,
        outcome=Outcome.UNSCORED,
        executed=None,
        soft=None,
        strict=None,
        reason=reason,
        message=message,
    )


def unusable_gold_verdict(question_id: str, *, error: UnusableGoldError, split: Split) -> Verdict:
    """The verdict on an item whose gold cannot be used; what a hidden gold failed on is not told."""
    told = str(error) if split is Split.PUBLIC else "The gold of this item cannot be used on this engine."
    return unscored_verdict(question_id, reason=GOLD_FAILED, message=told)


def score(
    text: str | None, *, source: GoldSource, gold: Gold, split: Split, executor: Executor, limits: Limits
) -> Verdict:
    """Judge one predicted text against gold.

    Args:
        text: what the model wrote; None or blank where it wrote nothing.
        source: the item.
        gold: its usable gold answer.
        split: hidden gold is never quoted in messages.
        executor: where the query runs.
        limits: of the predicted query; rows are capped at gold's number plus one here.

    Raises:
        EngineUnavailableError: nobody's fault; the item stays unjudged until it is tried again.
    """
    prepared = attempt(text, source=source, gold=gold, limits=limits)
    if isinstance(prepared, Verdict):
        return prepared
    result = executor.execute(prepared.query, database=source.storage_name, limits=prepared.limits)
    return attempt_verdict(prepared, result, gold=gold, split=split)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A predicted query that may be sent.

    Args:
        question_id: the item.
        query: what the text says.
        flags: of the reading and of the guard.
        limits: what it may use.
    """

    question_id: str
    query: Query
    flags: tuple[str, ...]
    limits: Limits


def attempt(text: str | None, *, source: GoldSource, gold: Gold, limits: Limits) -> Attempt | Verdict:
    """The query of a predicted text with its limits, or the verdict where there is none that may be sent."""
    if text is None or not text.strip():
        return missing_verdict(source.question_id)
    try:
        query, flags = _allowed_query(text, source)
    except UnparsableTextError as error:
        return _lost(source.question_id, Outcome.UNPARSABLE, reason=error.reason, message=error.message)
    except ForbiddenQueryError as error:
        return _lost(source.question_id, Outcome.FORBIDDEN, reason=error.reason, message=error.message)
    bounded = replace(limits, rows=len(gold.answer.rows) + 1)
    return Attempt(question_id=source.question_id, query=query, flags=flags, limits=bounded)


def attempt_verdict(prepared: Attempt, result: Answer | ExecutionFailure, *, gold: Gold, split: Split) -> Verdict:
    """The verdict on what a predicted query returned."""
    if isinstance(result, ExecutionFailure):
        return _failed(prepared.question_id, result, prepared.flags)
    return _compared(prepared.question_id, result, gold=gold, split=split, flags=prepared.flags)


def _allowed_query(text: str, source: GoldSource) -> tuple[Query, tuple[str, ...]]:
    context = reading_context(db_id=source.db_id, collections=source.collections)
    reading = read(text, context=context)
    flags = judge(reading.query, collections=source.collections)
    return reading.query, tuple(dict.fromkeys((*reading.flags, *flags)))


def _compared(question_id: str, answer: Answer, *, gold: Gold, split: Split, flags: tuple[str, ...]) -> Verdict:
    comparison = compare(
        gold.answer,
        answer,
        array_order=gold.array_order,
        gold_sorted=gold.is_sorted,
        hidden=split is Split.HIDDEN,
    )
    return Verdict(
        question_id=question_id,
        outcome=comparison.outcome,
        executed=True,
        soft=comparison.soft,
        strict=comparison.strict,
        message=comparison.message,
        milliseconds=answer.milliseconds,
        diagnostics=replace(comparison.diagnostics, flags=(*comparison.diagnostics.flags, *flags)),
    )


def _failed(question_id: str, failure: ExecutionFailure, flags: tuple[str, ...]) -> Verdict:
    verdict = _lost(
        question_id,
        FAILURE_OUTCOMES[failure.kind],
        reason="" if failure.code is None else f"server_code_{failure.code}",
        message=failure.message,
    )
    return replace(verdict, milliseconds=failure.milliseconds, diagnostics=Diagnostics(flags=flags))


def _lost(question_id: str, outcome: Outcome, *, reason: str = "", message: str) -> Verdict:
    return Verdict(
        question_id=question_id,
        outcome=outcome,
        executed=False,
        soft=False,
        strict=False,
        reason=reason,
        message=message,
    )
