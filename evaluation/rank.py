"""Rank entries of one board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from evaluation.stats import exact_mcnemar, holm_adjusted

SIGNIFICANCE = 0.05

_WRONG, _RIGHT, _ABSENT = 0, 1, 2


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
    if len({entry.key for entry in entries}) < len(entries):
        raise ValueError("two entries have the same key")
    ranked = [entry for entry in entries if entry.complete and entry.strict]
    scores = {entry.key: sum(entry.strict.values()) / len(entry.strict) for entry in entries if entry.strict}
    ranked.sort(key=lambda entry: _display_order(entry, scores[entry.key]))
    groups = _tie_groups(ranked, significance)
    result = []
    rank = 0
    for position, (entry, group) in enumerate(zip(ranked, groups, strict=True)):
        if position == 0 or scores[entry.key] != scores[ranked[position - 1].key]:
            rank = position + 1
        result.append(
            RankedEntry(
                key=entry.key,
                rank=rank,
                strict_ex=scores[entry.key],
                tie_group=group.number,
                leader=ranked[group.leader].key,
                p_value=group.p_value,
            )
        )
    placed = {entry.key for entry in ranked}
    rest = sorted((e for e in entries if e.key not in placed), key=lambda entry: (entry.submitted_at, entry.key))
    result.extend(RankedEntry(key=entry.key, rank=None, strict_ex=scores.get(entry.key)) for entry in rest)
    return tuple(result)


def _display_order(entry: RankingEntry, strict_ex: float) -> tuple[float, float, float, datetime, str]:
    soft = -1.0 if entry.soft_ex is None else entry.soft_ex
    executed = -1.0 if entry.exec_rate is None else entry.exec_rate
    return -strict_ex, -soft, -executed, entry.submitted_at, entry.key


@dataclass(frozen=True, slots=True, kw_only=True)
class _Membership:
    """The group of the entry at one position: its number, the position of its leader, the p-value against it."""

    number: int
    leader: int
    p_value: float | None


def _tie_groups(ranked: Sequence[RankingEntry], significance: float) -> list[_Membership]:
    """Group entries in rank order; each leader takes one pass over the matrix of scores below it."""
    scores = _score_matrix(ranked)
    memberships: list[_Membership] = []
    while len(memberships) < len(ranked):
        leader = len(memberships)
        number = memberships[-1].number + 1 if memberships else 1
        memberships.append(_Membership(number=number, leader=leader, p_value=None))
        p_values = _against_leader(scores, leader)
        separable = np.flatnonzero(p_values <= significance)
        members = p_values[: separable[0]] if len(separable) else p_values
        memberships.extend(_Membership(number=number, leader=leader, p_value=float(p)) for p in members)
    return memberships


def _score_matrix(ranked: Sequence[RankingEntry]) -> NDArray[np.int8]:
    """Shape (entries, items): wrong, right or absent."""
    items = list(dict.fromkeys(item for entry in ranked for item in entry.strict))
    matrix = np.empty((len(ranked), len(items)), dtype=np.int8)
    for row, entry in enumerate(ranked):
        found = entry.strict
        matrix[row] = np.fromiter((found.get(item, _ABSENT) for item in items), dtype=np.int8, count=len(items))
    return matrix


def _against_leader(scores: NDArray[np.int8], leader: int) -> NDArray[np.float64]:
    """Holm-adjusted p-values of the entries below a leader, in rank order."""
    below = scores[leader + 1 :]
    right, wrong = scores[leader] == _RIGHT, scores[leader] == _WRONG
    leader_only = np.count_nonzero(below[:, right] == _WRONG, axis=1)
    entry_only = np.count_nonzero(below[:, wrong] == _RIGHT, axis=1)
    return holm_adjusted(exact_mcnemar(leader_only, entry_only))
