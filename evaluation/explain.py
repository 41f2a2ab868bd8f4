"""Why an answer was lost, in a sentence for the submitter."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import isclose
from typing import Any
from unicodedata import normalize

import numpy as np
from bson.binary import Binary
from bson.datetime_ms import DatetimeMS
from bson.objectid import ObjectId

from evaluation.coding import Codes, KeyedColumn, joint_codes
from evaluation.matching import Match
from evaluation.rendering import shown_path, shown_value
from evaluation.table import Column, Table
from evaluation.values import NUMERIC_TYPES, Key, is_document

_NAMES_SHOWN = 3
# Looking for the predicted column that comes nearest costs a pass over all of them.
_OVERLAP_CELLS = 2_000_000
# So does finding the first row without a partner, over the columns of both answers.
_EXPLAINED_CELLS = 20_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """A sentence, and the 1-based number of the first gold row without a partner, if one was found."""

    message: str
    first_difference: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Difference:
    """The first gold row without a partner.

    Args:
        row: 0-based.
        known: gold columns under which the row still has partners.
        gold, predicted: the columns under which it has none.
        candidates: predicted rows that agree in the known columns.
    """

    row: int
    known: list[int]
    gold: int
    predicted: int
    candidates: list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """Both answers as tables and as keyed columns, at the same positions."""

    gold: Table
    predicted: Table
    gold_keys: Sequence[KeyedColumn]
    predicted_keys: Sequence[KeyedColumn]


def explain_row_count(*, gold: int, predicted: int, complete: bool, table: Table | None) -> Explanation:
    """Why answers of different heights cannot be equal."""
    read = f"{_rows(predicted)}" if complete else f"more than {_rows(gold)}"
    message = f"The prediction has {read}; gold has {_rows(gold)}."
    array = _array_of(gold, table) if predicted == 1 and complete and table is not None else None
    if array is not None:
        message += f" The array {shown_path(array.path)} has {gold} elements: arrays are not unwrapped into rows."
    return Explanation(message=message)


def _array_of(length: int, table: Table) -> Column | None:
    arrays = (column for column in table.columns if column.cells and isinstance(column.cells[0], list))
    return next((column for column in arrays if len(column.cells[0]) == length), None)


def explain_starved(*, hidden: bool) -> Explanation:
    """Why values cannot answer a gold that holds null only."""
    if hidden:
        return Explanation(message=_HIDDEN_MISSING)
    return Explanation(message="All values of gold are null; the prediction has other values and no null column.")


def explain_surplus(sides: Sides, match: Match) -> Explanation:
    """Which predicted columns gold has no need of."""
    if not match.surplus:
        return Explanation(message="A column that gold has more than once is there once only.")
    names = _listed([shown_path(sides.predicted.columns[i].path) for i in match.surplus])
    if len(match.surplus) == 1:
        return Explanation(message=f"All of gold is there, and one more column: {names}.")
    return Explanation(message=f"All of gold is there, and {len(match.surplus)} more columns: {names}.")


def explain_difference(sides: Sides, match: Match, *, hidden: bool) -> Explanation:
    """The first gold row and column that the prediction lacks, for `missing_column` and `misaligned`."""
    pairs = list(match.partners.items())
    if match.lone:
        lone = match.lone[0]
        pairs = [(i, p) for i, p in pairs if i not in match.lone]
        used = {p for _, p in pairs}
        nearest = _nearest(sides, lone, used)
        if nearest is not None:
            pairs.append((lone, nearest))
    difference = _first_difference(sides, pairs)
    if difference is None:
        return _explain_lone(sides, match, hidden=hidden)
    number = difference.row + 1
    if hidden:
        what = _HIDDEN_MISSING.removesuffix(".") if match.lone else _HIDDEN_MISALIGNED
        return Explanation(
            message=f"{what}; the first gold row without a partner is row {number}.", first_difference=number
        )
    return Explanation(message=_sentence(sides, difference, single=sides.gold.height == 1), first_difference=number)


_HIDDEN_MISSING = "A gold column has no predicted column with the same values."
_HIDDEN_MISALIGNED = "Each gold column is there, but the values are paired otherwise within the rows"


def _explain_lone(sides: Sides, match: Match, *, hidden: bool) -> Explanation:
    """No predicted column comes near a gold column."""
    if hidden or not match.lone:
        return Explanation(message=_HIDDEN_MISSING)
    column = sides.gold.columns[match.lone[0]]
    keyed = sides.gold_keys[match.lone[0]].dense(sides.gold.height)
    row = next(i for i, key in enumerate(keyed) if key is not None)
    value = shown_value(_cell(column, row))
    name = shown_path(column.path)
    message = f"No predicted column has the values of gold's {name}: row {row + 1} of gold has {value}."
    return Explanation(message=message, first_difference=row + 1)


def _nearest(sides: Sides, lone: int, used: set[int]) -> int | None:
    """The predicted column to hold a gold column against: of the same name, else with the most values in common."""
    path = sides.gold_keys[lone].path
    free = [i for i, column in enumerate(sides.predicted_keys) if column.values and i not in used]
    named = [i for i in free if sides.predicted_keys[i].path == path]
    if named:
        return named[0]
    if len(free) == 1 and len(sides.gold.columns) == 1:
        return free[0]
    if sum(len(sides.predicted_keys[i].keys) for i in free) > _OVERLAP_CELLS:
        return None
    wanted = set(sides.gold_keys[lone].keys) - {None}
    common = {i: len(wanted.intersection(sides.predicted_keys[i].keys)) for i in free}
    best = max(free, key=lambda i: common[i], default=None)
    return best if best is not None and common[best] else None


def _first_difference(sides: Sides, pairs: Sequence[tuple[int, int]]) -> _Difference | None:
    """Add pair after pair to the signature of a row until a gold row has more copies than the prediction has."""
    height = sides.gold.height
    signatures = (np.zeros(height, dtype=np.int64), np.zeros(height, dtype=np.int64))
    known: list[int] = []
    for gold, predicted in pairs[: max(1, _EXPLAINED_CELLS // height)]:
        keys = (sides.gold_keys[gold].dense(height), sides.predicted_keys[predicted].dense(height))
        following = _with_column(signatures, keys)
        row = _first_lone(*following)
        if row is not None:
            candidates = np.flatnonzero(signatures[1] == signatures[0][row]).tolist()
            return _Difference(row=row, known=known, gold=gold, predicted=predicted, candidates=candidates)
        signatures = following
        known.append(gold)
    return None


def _with_column(signatures: tuple[Codes, Codes], keys: tuple[list[Key], list[Key]]) -> tuple[Codes, Codes]:
    """Signatures of rows, below twice the height, that also tell apart what the column tells apart."""
    codes, span = joint_codes(keys)
    joined = np.concatenate([signature * span + code for signature, code in zip(signatures, codes, strict=True)])
    numbers = np.unique(joined, return_inverse=True)[1].astype(np.int64)
    return numbers[: len(codes[0])], numbers[len(codes[0]) :]


def _first_lone(gold: Codes, predicted: Codes) -> int | None:
    """The first gold row that has no predicted row left with its signature."""
    left = np.bincount(predicted, minlength=int(gold.max()) + 1)
    if np.all(np.bincount(gold, minlength=len(left)) <= left):
        return None
    remaining: list[int] = left.tolist()
    for row, signature in enumerate(gold.tolist()):
        if not remaining[signature]:
            return row
        remaining[signature] -= 1
    return None


def _sentence(sides: Sides, difference: _Difference, *, single: bool) -> str:
    """Say what the gold row has, and what the prediction has in its place."""
    gold_column = sides.gold.columns[difference.gold]
    predicted_column = sides.predicted.columns[difference.predicted]
    value = _cell(gold_column, difference.row)
    where = "Gold" if single else f"Row {difference.row + 1} of gold"
    name, theirs = shown_path(gold_column.path), shown_path(predicted_column.path)
    has = f"{where} has {name} {shown_value(value)}" if gold_column.path else f"{where} has {shown_value(value)}"
    if difference.known:
        shared = _listed([shown_path(sides.gold.columns[i].path) for i in difference.known])
        condition = f" with the same {shared}"
    else:
        condition = ""
    if len(difference.candidates) == 1:
        other = _cell(predicted_column, difference.candidates[0])
        row = "the prediction" if single else f"the predicted row{condition}"
        if not condition and not single:
            row = f"predicted row {difference.candidates[0] + 1}"
        column = f" in {theirs}" if predicted_column.path and theirs != name else ""
        return f"{has}; {row} has {shown_value(other)}{column}.{_kind_hint(value, other)}"
    column = f" in {theirs}" if predicted_column.path and theirs != name else ""
    if _occurs(sides, difference):
        return f"{has}; too few predicted rows{condition} have it{column}."
    hint = _kind_hint(value, _cell(predicted_column, difference.candidates[0])) if difference.candidates else ""
    return f"{has}; no predicted row{condition} has it{column}.{hint}"


def _occurs(sides: Sides, difference: _Difference) -> bool:
    """Whether the value is there at all among the rows that agree so far, only not often enough."""
    height = sides.gold.height
    wanted = sides.gold_keys[difference.gold].dense(height)[difference.row]
    keys = sides.predicted_keys[difference.predicted].dense(height)
    return any(keys[i] == wanted for i in difference.candidates)


def _kind_hint(gold: Any, predicted: Any) -> str:
    """Name the types where they, and not the values, may be what differs; or say that what looks alike is not."""
    ours, theirs = _kind(gold), _kind(predicted)
    if ours and theirs and ours != theirs:
        return f" Gold holds {ours} there, the prediction {theirs}."
    if isinstance(gold, str) and isinstance(predicted, str) and _folded(gold) == _folded(predicted):
        return " The texts differ in case, blanks or Unicode form only; texts compare exactly."
    if ours == theirs == "a number" and _is_rounded(gold, predicted):
        return " Numbers compare within a relative 1e-9; nothing is rounded."
    if predicted is not None and shown_value(gold) == shown_value(predicted):
        return " The two look alike when shortened, and are not equal."
    return ""


def _folded(text: str) -> str:
    return " ".join(normalize("NFKC", text).casefold().split())


def _is_rounded(gold: Any, predicted: Any) -> bool:
    """Whether two unequal numbers are within 1 %, one of them with a fraction."""
    first, second = float(str(gold)), float(str(predicted))
    return not (first.is_integer() and second.is_integer()) and isclose(first, second, rel_tol=0.01)


_KINDS = {
    bool: "a boolean",
    str: "text",
    list: "an array",
    DatetimeMS: "a date",
    datetime: "a date",
    ObjectId: "an ObjectId",
    Binary: "binary data",
    bytes: "binary data",
    **dict.fromkeys(NUMERIC_TYPES, "a number"),
}


def _kind(value: Any) -> str:
    return "a sub-document" if is_document(type(value)) else _KINDS.get(type(value), "")


def _cell(column: Column, row: int) -> Any:
    if column.rows is None:
        return column.cells[row]
    places = dict(zip(column.rows, range(len(column.rows)), strict=True))
    return column.cells[places[row]] if row in places else None


def _rows(number: int) -> str:
    return "1 row" if number == 1 else f"{number} rows"


def _listed(names: Sequence[str]) -> str:
    if len(names) <= _NAMES_SHOWN:
        return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"{', '.join(names[:_NAMES_SHOWN])} and {len(names) - _NAMES_SHOWN} more"
