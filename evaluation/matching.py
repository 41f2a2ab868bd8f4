"""Find partners for gold columns under one bijection of rows, for Soft and for Strict."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.alignment import rows_align
from evaluation.coding import KeyedColumn
from evaluation.columns import ClassedColumns, ColumnClass, classed_columns, row_content
from evaluation.search import Assignment, Budget, BudgetSpentError, PartnerSearch, touched_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """What matching two tables of equal height found.

    Args:
        soft, strict: the verdicts.
        undecided: the budget ran out before all was proved; what was proved counts.
        same_order: the strict answer has its rows in gold's order.
        partners: gold column to predicted column; with soft all informative gold columns, otherwise the most that
            were aligned together, followed by the candidates that no alignment has room for.
        lone: gold columns whose values no predicted column has.
        surplus: informative predicted columns that no gold column needs.
        starved: gold has no informative column, and the prediction has, without an explicit null column.
    """

    soft: bool
    strict: bool
    undecided: bool = False
    same_order: bool = False
    partners: Mapping[int, int]
    lone: tuple[int, ...] = ()
    surplus: tuple[int, ...] = ()
    starved: bool = False


def match_columns(gold: Sequence[KeyedColumn], predicted: Sequence[KeyedColumn], height: int) -> Match:
    """Match two tables of `height` rows by their keyed columns."""
    if not any(column.values for column in gold):
        return _match_without_information(predicted)
    classed = classed_columns(gold, predicted, height)
    if classed.lone_gold:
        return Match(soft=False, strict=False, partners=_name_partners(gold, predicted), lone=classed.lone_gold)
    return _Matcher(gold, predicted, classed, height).match()


def _match_without_information(predicted: Sequence[KeyedColumn]) -> Match:
    """Gold is empty, all null or has no column at all.

    An all-null gold column is satisfied by absence, but not when it is all that gold says: else any prediction of the
    right height would pass (cases "gold single null vs unrelated value", "gold [{}] vs [{a:1}]").
    """
    informative = tuple(i for i, column in enumerate(predicted) if column.values)
    soft = not informative or len(informative) < len(predicted)
    strict = not informative
    return Match(
        soft=soft, strict=strict, same_order=strict, partners={}, surplus=informative if soft else (), starved=not soft
    )


def _name_partners(gold: Sequence[KeyedColumn], predicted: Sequence[KeyedColumn]) -> dict[int, int]:
    """Columns of the same path that hold the same values in some order."""
    places = {column.path: position for position, column in enumerate(predicted)}
    named = {i: places[column.path] for i, column in enumerate(gold) if column.values and column.path in places}
    return {i: p for i, p in named.items() if gold[i].values == predicted[p].values}


class _Matcher:
    """The matching of one comparison, where every gold column has a candidate."""

    def __init__(
        self, gold: Sequence[KeyedColumn], predicted: Sequence[KeyedColumn], classed: ClassedColumns, height: int
    ) -> None:
        self._gold_columns = gold
        self._predicted_columns = predicted
        self._gold = classed.gold
        self._predicted = classed.predicted
        self._lone_predicted = classed.lone_predicted
        self._height = height
        self._deepest: Assignment = {}
        self._by_profile: defaultdict[int, int] = defaultdict(int)
        self._by_size: defaultdict[tuple[int, int], int] = defaultdict(int)
        for position, column in enumerate(self._predicted):
            self._by_profile[column.profile] |= 1 << position
            self._by_size[column.profile, len(column.members)] |= 1 << position
        self._by_content = {row_content(column): position for position, column in enumerate(self._predicted)}
        self._preferred = self._same_names()

    def match(self) -> Match:
        """Strict first, since its partners serve Soft too; then Soft, if Strict narrowed the candidates."""
        loose = [self._by_profile[column.profile] for column in self._gold]
        found, undecided = None, False
        if self._may_be_strict():
            tight = self._equal_sizes()
            found, undecided = self._solve(tight)
            if found is not None:
                return self._result(found, strict=True, undecided=False)
            if tight == loose:
                return self._result(None, strict=False, undecided=undecided)
        found, open_end = self._solve(loose)
        return self._result(found, strict=False, undecided=undecided or open_end)

    def _may_be_strict(self) -> bool:
        """Nothing left over and equal multiplicities, before looking at rows."""
        return not self._lone_predicted and _sizes(self._gold) == _sizes(self._predicted)

    def _equal_sizes(self) -> list[int]:
        return [self._by_size[column.profile, len(column.members)] for column in self._gold]

    def _same_names(self) -> list[int]:
        """For each gold class the predicted class of its profile that has a column of the same path, or -1."""
        places = {
            self._predicted_columns[member].path: position
            for position, column in enumerate(self._predicted)
            for member in column.members
        }
        preferred = []
        for column in self._gold:
            named = (places.get(self._gold_columns[member].path, -1) for member in column.members)
            fitting = (p for p in named if p >= 0 and self._predicted[p].profile == column.profile)
            preferred.append(next(fitting, -1))
        return preferred

    def _solve(self, candidates: list[int]) -> tuple[Assignment | None, bool]:
        """An assignment within the candidates; the flag tells that the budget ran out."""
        if not all(candidates):
            return None, False
        for guess in (self._rows_in_order(candidates), self._by_name_or_need(candidates)):
            if guess is not None:
                return guess, False
        if all(mask.bit_count() == 1 for mask in candidates):
            return None, False
        search = PartnerSearch(
            self._gold,
            self._predicted,
            candidates=candidates,
            preferred=self._preferred,
            height=self._height,
            budget=Budget.for_size(sum(map(touched_rows, self._gold))),
        )
        try:
            return search.run(), False
        except BudgetSpentError:
            return None, True
        finally:
            self._deepest = max(self._deepest, search.deepest, key=len)

    def _rows_in_order(self, candidates: list[int]) -> Assignment | None:
        """Partners where the rows came in the same order: then the bijection is the identity."""
        assignment = {}
        for i, (column, mask) in enumerate(zip(self._gold, candidates, strict=True)):
            p = self._by_content.get(row_content(column), -1)
            if p < 0 or not mask >> p & 1:
                return None
            assignment[i] = p
        return assignment

    def _by_name_or_need(self, candidates: list[int]) -> Assignment | None:
        """Partners of the same name, or the only candidate, if the rows align under them."""
        assignment = {}
        for i, mask in enumerate(candidates):
            p = mask.bit_length() - 1 if mask.bit_count() == 1 else self._preferred[i]
            if p < 0 or not mask >> p & 1:
                return None
            assignment[i] = p
        if len(set(assignment.values())) < len(assignment):
            return None
        pairs = [(self._gold[i], self._predicted[p]) for i, p in assignment.items()]
        return assignment if rows_align(pairs, self._height) else None

    def _result(self, found: Assignment | None, *, strict: bool, undecided: bool) -> Match:
        if found is None:
            partners = self._column_partners(self._completed(self._deepest))
            return Match(soft=False, strict=False, undecided=undecided, partners=partners)
        return Match(
            soft=True,
            strict=strict,
            undecided=undecided,
            same_order=strict and self._in_order(),
            partners=self._column_partners(found),
            surplus=self._surplus(found),
        )

    def _in_order(self) -> bool:
        """Whether some strict partners are equal row by row: by symmetry of equal columns any partners will do."""
        return self._rows_in_order(self._equal_sizes()) is not None

    def _completed(self, partial: Assignment) -> Assignment:
        """The deepest assignment, then for each open class a candidate, used or not."""
        completed = dict(partial)
        used = sum(1 << p for p in partial.values())
        for i, column in enumerate(self._gold):
            if i not in completed:
                free = self._by_profile[column.profile] & ~used
                mask = free or self._by_profile[column.profile]
                named = self._preferred[i]
                completed[i] = named if named >= 0 and mask >> named & 1 else (mask & -mask).bit_length() - 1
                used |= 1 << completed[i]
        return completed

    def _column_partners(self, assignment: Assignment) -> dict[int, int]:
        partners = {}
        for i, p in assignment.items():
            theirs = self._predicted[p].members
            for number, member in enumerate(self._gold[i].members):
                partners[member] = theirs[min(number, len(theirs) - 1)]
        return partners

    def _surplus(self, found: Assignment) -> tuple[int, ...]:
        needed = {p: len(self._gold[i].members) for i, p in found.items()}
        names = {self._gold_columns[member].path for column in self._gold for member in column.members}
        extra: list[int] = []
        for p, column in enumerate(self._predicted):
            # Members with a gold name are kept first, so that the surplus has the names that gold lacks.
            members = sorted(column.members, key=lambda m: (self._predicted_columns[m].path not in names, m))
            extra.extend(members[needed.get(p, 0) :])
        return tuple(sorted((*extra, *self._lone_predicted)))


def _sizes(classes: Sequence[ColumnClass]) -> list[tuple[int, int]]:
    return sorted((column.profile, len(column.members)) for column in classes)
