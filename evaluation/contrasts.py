"""Contrast the entries of one board pair by pair: who is right where, and may the difference be luck."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.rank import SIGNIFICANCE
from evaluation.stats import Estimate, clustered_estimate, exact_mcnemar, holm_adjusted

WRONG: Final = 0
RIGHT: Final = 1
ABSENT: Final = -1
"""An item that an entry was not judged on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contrast:
    """Two entries on the items that both were judged on.

    Args:
        first, second: which entries, by their places from 0.
        both, first_only, second_only, neither: how many items they have right.
        difference: mean of the first minus mean of the second, from -1 to 1, clustered; without an interval where the
            clusters do not differ from each other, for one of no width would claim certainty.
        p_value: of the exact McNemar test, two-sided.
        adjusted: that p-value adjusted by Holm over all pairs of the same call.
    """

    first: int
    second: int
    both: int
    first_only: int
    second_only: int
    neither: int
    difference: Estimate
    p_value: float
    adjusted: float

    @property
    def better(self) -> int | None:
        """The place of the better entry, None where the two cannot be told apart."""
        if self.adjusted > SIGNIFICANCE:
            return None
        return self.first if self.first_only > self.second_only else self.second


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryShare:
    """One entry on the items of one group.

    Args:
        judged: items that it was judged on.
        right: those that it has right.
        won, lost: items that it has right and the first entry wrong, and the reverse.
    """

    judged: int
    right: int
    won: int
    lost: int

    @property
    def share(self) -> float | None:
        """From 0 to 1, None where nothing was judged."""
        return self.right / self.judged if self.judged else None


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupContrast:
    """The entries on the items of one database or difficulty; `entries` are in the order of the rows."""

    name: str
    n: int
    entries: tuple[EntryShare, ...]

    @property
    def differences(self) -> tuple[float | None, ...]:
        """Each entry's share minus that of the first entry."""
        base = self.entries[0].share
        shares = (entry.share for entry in self.entries)
        return tuple(None if share is None or base is None else share - base for share in shares)


def contrast_pairs(scores: NDArray[np.int8], clusters: Sequence[Hashable]) -> tuple[Contrast, ...]:
    """Every pair of entries, in the order of the rows.

    Args:
        scores: shape (entries, items), each `RIGHT`, `WRONG` or `ABSENT`.
        clusters: the cluster (database) of each item.
    """
    pairs = list(combinations(range(len(scores)), 2))
    counts = [_fourfold(scores[first], scores[second]) for first, second in pairs]
    first_only, second_only = [count.first_only for count in counts], [count.second_only for count in counts]
    p_values = exact_mcnemar(first_only, second_only)
    adjusted = holm_adjusted(p_values)
    return tuple(
        Contrast(
            first=first,
            second=second,
            both=count.both,
            first_only=count.first_only,
            second_only=count.second_only,
            neither=count.neither,
            difference=_difference(scores[first], scores[second], clusters),
            p_value=float(p_values[number]),
            adjusted=float(adjusted[number]),
        )
        for number, ((first, second), count) in enumerate(zip(pairs, counts, strict=True))
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Fourfold:
    both: int
    first_only: int
    second_only: int
    neither: int


def _fourfold(first: NDArray[np.int8], second: NDArray[np.int8]) -> _Fourfold:
    def count(mine: int, other: int) -> int:
        return int(np.count_nonzero((first == mine) & (second == other)))

    return _Fourfold(
        both=count(RIGHT, RIGHT),
        first_only=count(RIGHT, WRONG),
        second_only=count(WRONG, RIGHT),
        neither=count(WRONG, WRONG),
    )


def _difference(first: NDArray[np.int8], second: NDArray[np.int8], clusters: Sequence[Hashable]) -> Estimate:
    shared = np.flatnonzero((first != ABSENT) & (second != ABSENT)).tolist()
    differences = first[shared].astype(np.float64) - second[shared]
    found = clustered_estimate(differences, [clusters[place] for place in shared], lowest=-1.0)
    return found if found.low != found.high else Estimate(n=found.n, value=found.value)


def contrast_groups(scores: NDArray[np.int8], groups: Sequence[str]) -> tuple[GroupContrast, ...]:
    """The entries group by group, in the order in which the groups first appear.

    Args:
        scores: as `contrast_pairs` takes them, with at least one row.
        groups: the group of each item.
    """
    names = list(dict.fromkeys(groups))
    numbers = {name: number for number, name in enumerate(names)}
    place = np.fromiter((numbers[group] for group in groups), dtype=np.int64, count=len(groups))

    def counted(chosen: NDArray[np.bool_]) -> list[int]:
        found: list[int] = np.bincount(place[chosen], minlength=len(names)).tolist()
        return found

    base = scores[0]
    rows = [
        (
            counted(row != ABSENT),
            counted(row == RIGHT),
            counted((row == RIGHT) & (base == WRONG)),
            counted((row == WRONG) & (base == RIGHT)),
        )
        for row in scores
    ]
    sizes = counted(np.ones(len(groups), dtype=np.bool_))
    return tuple(
        GroupContrast(
            name=name,
            n=sizes[number],
            entries=tuple(
                EntryShare(judged=judged[number], right=right[number], won=won[number], lost=lost[number])
                for judged, right, won, lost in rows
            ),
        )
        for number, name in enumerate(names)
    )
