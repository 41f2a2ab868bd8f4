"""Search for partners of columns under which the rows align, within a budget of work."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from evaluation.alignment import rows_align
from evaluation.coding import Words, mixed, word_sum
from evaluation.columns import ColumnClass
from evaluation.pairwise import PairTable

Assignment: TypeAlias = dict[int, int]

# Work is counted in row visits, so that a verdict never depends on the speed of a machine. A step has a fixed part of
# about as much time as this many row visits take (8 ns each).
_STEP_COST = 2_000
_BASE_BUDGET = 20_000_000
_PASSES_ALLOWED = 40
_WORD = 2**64


class BudgetSpentError(Exception):
    """The search was given up."""


@dataclass(slots=True)
class Budget:
    """Row visits that a comparison may still spend on its search."""

    left: int

    @classmethod
    def for_size(cls, cells: int) -> "Budget":
        """Enough for a quarter of a second of puzzling, and for some passes over a large answer."""
        return cls(_BASE_BUDGET + _PASSES_ALLOWED * cells)

    def spend(self, visits: int) -> None:
        """Take visits off.

        Raises:
            BudgetSpentError: nothing is left.
        """
        self.left -= visits
        if self.left < 0:
            raise BudgetSpentError


class RowSignatures:
    """A word for each row that mixes the codes of the columns assigned so far, with a sum over all rows.

    Equal multisets of rows have equal sums, so an unequal sum refutes an assignment. Equal sums prove nothing (2**-64);
    `rows_align` has the last word.
    """

    def __init__(self, height: int) -> None:
        self._rows: Words = np.zeros(height, dtype=np.uint64)
        self.total = 0

    def add(self, column: ColumnClass, weight: int) -> None:
        """Add a column, or take it away with the negative weight."""
        self._keep(column, *self._changed(column, weight))

    def add_if(self, column: ColumnClass, weight: int, *, total: int) -> bool:
        """Add a column where that gives this sum."""
        rows, found = self._changed(column, weight)
        if found == total:
            self._keep(column, rows, found)
        return found == total

    def _keep(self, column: ColumnClass, rows: Words, total: int) -> None:
        if column.rows is None:
            self._rows = rows
        else:
            self._rows[column.rows] = rows
        self.total = total

    def _changed(self, column: ColumnClass, weight: int) -> tuple[Words, int]:
        codes = np.asarray(column.codes, dtype=np.int64).view(np.uint64)
        if column.rows is None:
            rows = self._rows + codes * np.uint64(weight % _WORD)
            return rows, word_sum(rows)
        before = self._rows[column.rows]
        rows = before + codes * np.uint64(weight % _WORD)
        return rows, (self.total - word_sum(before) + word_sum(rows)) % _WORD


@dataclass(slots=True)
class _Level:
    """A decision: which gold class, what is left to try, the candidates before it, and the gold sum after it."""

    gold: int
    choices: Iterator[int]
    candidates: list[int]
    total: int
    chosen: int = -1


class PartnerSearch:
    """Backtracking over partners of gold classes; candidate sets are bit masks over predicted classes.

    Args:
        gold, predicted: the classes of both answers.
        candidates: for each gold class the mask of predicted classes that may be its partner.
        preferred: for each gold class a predicted class to try first (the same name), or -1.
        height: the number of rows.
        budget: shared by all searches of one comparison.
    """

    def __init__(
        self,
        gold: Sequence[ColumnClass],
        predicted: Sequence[ColumnClass],
        *,
        candidates: Sequence[int],
        preferred: Sequence[int],
        height: int,
        budget: Budget,
    ) -> None:
        self._gold = gold
        self._predicted = predicted
        self._candidates = list(candidates)
        self._preferred = preferred
        self._height = height
        self._budget = budget
        self._assigned: Assignment = {}
        self._used = 0
        # Reading one mask takes a fixed time and some for its length.
        self._mask_cost = 20 + len(predicted) // 400
        self._signatures = (RowSignatures(height), RowSignatures(height))
        self._weights = [_weight(number) for number in range(len(gold))]
        self.deepest: Assignment = {}

    def run(self) -> Assignment | None:
        """An assignment under which the rows align, or None if there is none.

        Raises:
            BudgetSpentError: neither was found within the budget.
        """
        pairs = PairTable.build(self._gold, self._predicted, self._candidates, self._height)
        self._budget.spend(pairs.cost)
        candidates = pairs.consistent(self._candidates)
        if candidates is None:
            return None
        levels = [self._decide(candidates)]
        while levels:
            level = levels[-1]
            self._undo(level)
            choice = next(level.choices, None)
            if choice is None:
                self._signatures[0].add(self._gold[level.gold], -self._weights[level.gold])
                levels.pop()
                continue
            narrowed = self._try(level, choice, pairs)
            if narrowed is None:
                continue
            if len(self._assigned) < len(self._gold):
                levels.append(self._decide(narrowed))
            elif rows_align([(self._gold[i], self._predicted[p]) for i, p in self._assigned.items()], self._height):
                return dict(self._assigned)
        return None

    def _decide(self, candidates: list[int]) -> _Level:
        """Open a level for the gold class with the fewest candidates; many values break a tie."""
        free = ~self._used
        open_classes = [i for i in range(len(self._gold)) if i not in self._assigned]
        self._budget.spend(_STEP_COST + len(open_classes) * self._mask_cost)
        gold = min(open_classes, key=lambda i: ((candidates[i] & free).bit_count(), -self._gold[i].span, i))
        self._signatures[0].add(self._gold[gold], self._weights[gold])
        choices = _choices(candidates[gold] & free, self._preferred[gold])
        return _Level(gold=gold, choices=choices, candidates=candidates, total=self._signatures[0].total)

    def _undo(self, level: _Level) -> None:
        if level.chosen >= 0:
            self._signatures[1].add(self._predicted[level.chosen], -self._weights[level.gold])
            del self._assigned[level.gold]
            self._used ^= 1 << level.chosen
            level.chosen = -1

    def _try(self, level: _Level, choice: int, pairs: PairTable) -> list[int] | None:
        """Assign a choice if nothing refutes it; the candidates that it leaves to the others."""
        column, weight = self._predicted[choice], self._weights[level.gold]
        self._budget.spend(_STEP_COST + touched_rows(column) + len(self._gold) * self._mask_cost)
        narrowed = pairs.narrowed(level.candidates, level.gold, choice, self._assigned)
        if narrowed is None or not self._signatures[1].add_if(column, weight, total=level.total):
            return None
        self._assigned[level.gold] = level.chosen = choice
        self._used |= 1 << choice
        if len(self._assigned) > len(self.deepest):
            self.deepest = dict(self._assigned)
        return narrowed


def touched_rows(column: ColumnClass) -> int:
    """How many rows adding the column to the signatures visits."""
    return len(column.codes)


def _choices(mask: int, preferred: int) -> Iterator[int]:
    """The members of a mask, the preferred one first."""
    if preferred >= 0 and mask >> preferred & 1:
        yield preferred
        mask ^= 1 << preferred
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _weight(number: int) -> int:
    """An odd multiplier for the column of this number."""
    return int(mixed(np.array([(number + 1) * 0x9E3779B97F4A7C15 % _WORD], dtype=np.uint64))[0]) | 1
