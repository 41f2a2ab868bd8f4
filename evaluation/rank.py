"""Rank entries of one board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from evaluation.packing import packed_rows
from evaluation.stats import exact_mcnemar, holm_adjusted

SIGNIFICANCE = 0.05

_ABSENT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingEntry:
    """An entry that wants a rank.

    Args:
        key: unique on the board.
        strict: for each judged item whether it is right under Strict-EX; read for the rank and the paired tests.
        soft_ex, exec_rate: the secondary metrics; None counts as lowest.
        submitted_at: when the entry came in.
        complete: every item of the track was judged; an incomplete entry never ranks.
    """

    key: str
    strict: Mapping[str, bool]
    soft_ex: float | None
    exec_rate: float | None
    submitted_at: datetime
    complete: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class PackedEntry:
    """An entry that was judged on every item of the track; `strict` is what `evaluation.packing` makes of it.

    The other fields are those of `RankingEntry`.
    """

    key: str
    strict: bytes
    soft_ex: float | None
    exec_rate: float | None
    submitted_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedEntry:
    """An entry's place on the board.

    Args:
        key: the entry.
        rank: competition rank (1, 1, 3), None for an entry that does not rank.
        strict_ex: the metric that decides the rank, None without judged items.
        tie_group: number of the tie group from 1, None without a rank.
        leader: key of the group's leader, None without a rank.
        p_value: Holm-adjusted p-value of the paired test against that leader; None for leaders and without a rank.
    """

    key: str
    rank: int | None
    strict_ex: float | None
    tie_group: int | None = None
    leader: str | None = None
    p_value: float | None = None


def rank_results(entries: Sequence[RankingEntry], *, significance: float = SIGNIFICANCE) -> tuple[RankedEntry, ...]:
    """Give competition ranks and tie groups; pure.

    Ranks: Strict-EX alone decides, highest first. Entries with equal Strict-EX share a rank, and the next rank counts
    them all (1, 1, 3). Inside a rank the order shown is Soft-EX, then Exec-Rate (highest first), then the earlier
    submission, then the key. Entries that are incomplete, or have no judged item, follow without a rank, in order of
    submission.

    Tie groups: the first entry leads the first group. A leader is compared with every ranked entry below it by the
    exact McNemar test over the items that both were judged on; the p-values are adjusted by Holm over these
    comparisons. Entries below the leader belong to its group up to the first one whose adjusted p-value is at most
    `significance`; that one leads the next group. So each entry is compared with leaders only.

    Args:
        entries: in any order; the result does not depend on it.
        significance: the family-wise error rate of each leader's comparisons.

    Raises:
        ValueError: two entries have the same key.
    """
    _require_keys(entries)
    judged = [entry for entry in entries if entry.strict]
    scores = {entry.key: sum(entry.strict.values()) / len(entry.strict) for entry in judged}
    ranked = [entry for entry in judged if entry.complete]
    result = _ranked(ranked, [scores[entry.key] for entry in ranked], _planes(ranked), significance=significance)
    placed = {entry.key for entry in ranked}
    rest = sorted((e for e in entries if e.key not in placed), key=lambda entry: (entry.submitted_at, entry.key))
    result.extend(RankedEntry(key=entry.key, rank=None, strict_ex=scores.get(entry.key)) for entry in rest)
    return tuple(result)


def rank_packed(
    entries: Sequence[PackedEntry], *, items: int, significance: float = SIGNIFICANCE
) -> tuple[RankedEntry, ...]:
    """What `rank_results` gives for entries that were all judged on the same items, from their packed verdicts.

    Args:
        entries: in any order; the result does not depend on it.
        items: of the track, at least 1.
        significance: as for `rank_results`.

    Raises:
        ValueError: two entries have the same key, or packed verdicts are not those of so many items.
    """
    _require_keys(entries)
    right = _words(packed_rows([entry.strict for entry in entries], items=items))
    judged = _words(np.packbits(np.ones((1, items), dtype=np.bool_), axis=1))
    scores = [count / items for count in _counts(right).tolist()]
    return tuple(_ranked(entries, scores, _Planes(right=right, wrong=~right & judged), significance=significance))


def _require_keys(entries: Sequence[RankingEntry] | Sequence[PackedEntry]) -> None:
    if len({entry.key for entry in entries}) < len(entries):
        raise ValueError("two entries have the same key")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Planes:
    """Shape (entries, words) each, a bit for each item: who has it right, and who has it wrong.

    Who was not judged on an item has neither bit.
    """

    right: NDArray[np.uint64]
    wrong: NDArray[np.uint64]

    def __getitem__(self, rows: Sequence[int]) -> "_Planes":
        return _Planes(right=self.right[rows], wrong=self.wrong[rows])


def _ranked(
    entries: Sequence[RankingEntry] | Sequence[PackedEntry],
    scores: Sequence[float],
    planes: _Planes,
    *,
    significance: float,
) -> list[RankedEntry]:
    """The entries with their places, the first one first; scores and planes are in the order of the entries."""
    order = sorted(range(len(entries)), key=lambda number: _display_order(entries[number], scores[number]))
    groups = _tie_groups(planes[order], significance)
    result: list[RankedEntry] = []
    rank = 0
    for position, (number, group) in enumerate(zip(order, groups, strict=True)):
        if position == 0 or scores[number] != result[-1].strict_ex:
            rank = position + 1
        result.append(
            RankedEntry(
                key=entries[number].key,
                rank=rank,
                strict_ex=scores[number],
                tie_group=group.number,
                leader=entries[order[group.leader]].key,
                p_value=group.p_value,
            )
        )
    return result


def _display_order(entry: RankingEntry | PackedEntry, strict_ex: float) -> tuple[float, float, float, datetime, str]:
    soft = -1.0 if entry.soft_ex is None else entry.soft_ex
    executed = -1.0 if entry.exec_rate is None else entry.exec_rate
    return -strict_ex, -soft, -executed, entry.submitted_at, entry.key


@dataclass(frozen=True, slots=True, kw_only=True)
class _Membership:
    """The group of the entry at one position: its number, the position of its leader, the p-value against it."""

    number: int
    leader: int
    p_value: float | None


def _tie_groups(planes: _Planes, significance: float) -> list[_Membership]:
    """Group entries in rank order; each leader takes one pass over the verdicts of those below it."""
    memberships: list[_Membership] = []
    while len(memberships) < len(planes.right):
        leader = len(memberships)
        number = memberships[-1].number + 1 if memberships else 1
        memberships.append(_Membership(number=number, leader=leader, p_value=None))
        p_values = _against_leader(planes, leader)
        separable = np.flatnonzero(p_values <= significance)
        members = p_values[: separable[0]] if len(separable) else p_values
        memberships.extend(_Membership(number=number, leader=leader, p_value=p) for p in members.tolist())
    return memberships


def _planes(entries: Sequence[RankingEntry]) -> _Planes:
    """The verdicts of entries that were judged on items of their own each."""
    items = list(dict.fromkeys(item for entry in entries for item in entry.strict))
    matrix = np.empty((len(entries), len(items)), dtype=np.int8)
    for row, entry in enumerate(entries):
        found = entry.strict
        matrix[row] = np.fromiter((found.get(item, _ABSENT) for item in items), dtype=np.int8, count=len(items))
    right, wrong = (np.packbits(matrix == verdict, axis=1) for verdict in (True, False))
    return _Planes(right=_words(right), wrong=_words(wrong))


def _words(packed: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Rows of bytes as rows of words, filled up with zeros: eight times as fast to count."""
    filled = np.zeros((len(packed), -(-packed.shape[1] // 8) * 8), dtype=np.uint8)
    filled[:, : packed.shape[1]] = packed
    return filled.view(np.uint64)


def _counts(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many bits each row has."""
    counts: NDArray[np.int64] = np.bitwise_count(words).sum(axis=1, dtype=np.int64)
    return counts


def _against_leader(planes: _Planes, leader: int) -> NDArray[np.float64]:
    """Holm-adjusted p-values of the entries below a leader, in rank order."""
    leader_only = _counts(planes.right[leader] & planes.wrong[leader + 1 :])
    entry_only = _counts(planes.wrong[leader] & planes.right[leader + 1 :])
    return holm_adjusted(exact_mcnemar(leader_only, entry_only))
