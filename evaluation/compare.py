"""Compare a predicted answer with the gold answer."""

from benchmark_data.types import ArrayOrder
from evaluation.columns import keyed_columns
from evaluation.explain import (
    Explanation,
    Sides,
    explain_difference,
    explain_row_count,
    explain_starved,
    explain_surplus,
)
from evaluation.matching import Match, match_columns
from evaluation.table import COLUMN_LIMIT, Table, TableTooWideError, answer_height, answer_table
from evaluation.types import Answer, Comparison, Diagnostics, Outcome


def compare(
    gold: Answer,
    predicted: Answer,
    *,
    array_order: ArrayOrder = ArrayOrder.ORDERED,
    gold_sorted: bool = False,
    hidden: bool = False,
) -> Comparison:
    """Judge Soft-EX and Strict-EX of one item, with the class of failure and a sentence about it.

    Args:
        gold: the gold answer, whole.
        predicted: the predicted answer; not `complete` where reading stopped after gold's rows and one more.
        array_order: whether the order inside arrays counts.
        gold_sorted: gold sorts its rows, so `ordered` is judged.
        hidden: gold's values and field names must not appear in the message.
    """
    gold_height, predicted_height = answer_height(gold), answer_height(predicted)
    same_height = gold_height == predicted_height and predicted.complete
    tables = _tables(gold, predicted)
    if tables is None:
        return _too_wide(gold_height, predicted_height, same_height=same_height, gold_sorted=gold_sorted)
    if not same_height:
        explanation = explain_row_count(
            gold=gold_height, predicted=predicted_height, complete=predicted.complete, table=tables[1]
        )
        match = Match(soft=False, strict=False, partners={})
        return _comparison(tables, match, Outcome.ROW_COUNT, explanation, gold_sorted=gold_sorted)
    keys = keyed_columns(*tables, array_order)
    match = match_columns(*keys, gold_height)
    sides = Sides(gold=tables[0], predicted=tables[1], gold_keys=keys[0], predicted_keys=keys[1])
    outcome = _outcome(match)
    explanation = _explanation(sides, match, outcome, hidden=hidden)
    return _comparison(tables, match, outcome, explanation, gold_sorted=gold_sorted)


def _tables(gold: Answer, predicted: Answer) -> tuple[Table, Table] | None:
    try:
        return answer_table(gold), answer_table(predicted)
    except TableTooWideError:
        return None


def _outcome(match: Match) -> Outcome:
    if match.strict:
        return Outcome.CORRECT
    if match.soft:
        return Outcome.EXTRA_COLUMNS
    return Outcome.MISSING_COLUMN if match.lone or match.starved else Outcome.MISALIGNED


def _explanation(sides: Sides, match: Match, outcome: Outcome, *, hidden: bool) -> Explanation:
    if outcome is Outcome.CORRECT:
        empty = sides.gold.height == 0
        return Explanation(message="Both answers are empty." if empty else "The answer equals gold.")
    if match.undecided:
        return Explanation(message=_UNDECIDED_STRICT if match.soft else _UNDECIDED)
    if outcome is Outcome.EXTRA_COLUMNS:
        return explain_surplus(sides, match)
    if match.starved:
        return explain_starved(hidden=hidden)
    return explain_difference(sides, match, hidden=hidden)


_UNDECIDED = (
    "Undecided, which scores 0: too many columns look alike to prove or refute within the budget that they match."
)
_UNDECIDED_STRICT = (
    "All of gold is there; whether columns match one to one is undecided within the budget: Strict scores 0."
)


def _too_wide(gold: int, predicted: int, *, same_height: bool, gold_sorted: bool) -> Comparison:
    diagnostics = Diagnostics(
        undecided=True, ordered=False if gold_sorted else None, gold_rows=gold, predicted_rows=predicted
    )
    return Comparison(
        soft=False,
        strict=False,
        outcome=Outcome.MISALIGNED if same_height else Outcome.ROW_COUNT,
        message=f"Undecided, which scores 0: an answer has more than {COLUMN_LIMIT:,} columns.",
        diagnostics=diagnostics,
    )


def _comparison(
    tables: tuple[Table, Table], match: Match, outcome: Outcome, explanation: Explanation, *, gold_sorted: bool
) -> Comparison:
    gold, predicted = tables
    diagnostics = Diagnostics(
        vacuous=gold.height == 0 and predicted.height == 0,
        surplus_columns=len(match.surplus),
        undecided=match.undecided,
        ordered=match.same_order if gold_sorted else None,
        gold_rows=gold.height,
        gold_columns=len(gold.columns),
        predicted_rows=predicted.height,
        predicted_columns=len(predicted.columns),
        first_difference=explanation.first_difference,
    )
    return Comparison(
        soft=match.soft,
        strict=match.strict,
        outcome=outcome,
        message=explanation.message,
        diagnostics=diagnostics,
    )
