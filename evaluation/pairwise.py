"""What pairs of columns tell about partners: a necessary condition that most look-alikes fail."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.coding import Words, mixed
from evaluation.columns import ColumnClass

# The table of pairs costs rows × columns² products; past this many it is not made.
_PRODUCT_LIMIT = 20_000_000
_CHECK_LIMIT = 300_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTable:
    """For each pair of columns a word that the joint multiset of their cells decides.

    If a bijection of rows carries gold columns i, j to predicted columns p, q, then the words of (i, j) and (p, q) are
    equal. The word is the inner product, modulo 2**64, of the columns' mixed codes.

    Args:
        gold: words of gold pairs by [i][j]; empty where the table was not made.
        partners: for each predicted class, the mask of classes q by the word of (p, q).
        cost: work that it took, in row visits.
    """

    gold: list[list[int]]
    partners: list[dict[int, int]]
    cost: int

    @classmethod
    def build(
        cls, gold: Sequence[ColumnClass], predicted: Sequence[ColumnClass], candidates: Sequence[int], height: int
    ) -> "PairTable":
        """Make the table, or an empty one where that would cost too much or all partners are settled."""
        products = height * (len(gold) ** 2 + len(predicted) ** 2)
        settled = all(mask.bit_count() <= 1 for mask in candidates)
        if settled or products > _PRODUCT_LIMIT:
            return cls(gold=[], partners=[], cost=0)
        partners: list[dict[int, int]] = []
        for words in _products(predicted, height):
            masks: dict[int, int] = {}
            for position, word in enumerate(words):
                masks[word] = masks.get(word, 0) | 1 << position
            partners.append(masks)
        return cls(gold=_products(gold, height), partners=partners, cost=products // 8)

    def consistent(self, candidates: Sequence[int]) -> list[int] | None:
        """Drop candidates p of i for which some j has no candidate q with equal words, until none is left to drop.

        Returns:
            The masks that remain, or None if a gold class has no candidate.
        """
        masks = list(candidates)
        changed = bool(self.gold) and len(masks) * sum(mask.bit_count() for mask in masks) <= _CHECK_LIMIT
        while changed:
            changed = False
            for i, mask in enumerate(masks):
                kept = sum(1 << p for p in _members(mask) if self._supported(i, p, masks))
                changed = changed or kept != mask
                masks[i] = kept
                if not kept:
                    return None
        return masks

    def _supported(self, i: int, p: int, masks: Sequence[int]) -> bool:
        partners, words = self.partners[p], self.gold[i]
        others = ~(1 << p)
        return all(mask & partners.get(words[j], 0) & (others if j != i else -1) for j, mask in enumerate(masks))

    def narrowed(self, masks: list[int], i: int, p: int, assigned: Mapping[int, int]) -> list[int] | None:
        """The candidates of the open classes once p is the partner of i, or None if one would have none."""
        if not self.gold:
            return masks
        partners, words, others = self.partners[p], self.gold[i], ~(1 << p)
        narrowed = list(masks)
        for j, mask in enumerate(masks):
            if j != i and j not in assigned:
                narrowed[j] = mask & partners.get(words[j], 0) & others
                if not narrowed[j]:
                    return None
        return narrowed


def _products(columns: Sequence[ColumnClass], height: int) -> list[list[int]]:
    codes = np.zeros((len(columns), height), dtype=np.int64)
    for number, column in enumerate(columns):
        codes[number, slice(None) if column.rows is None else column.rows] = column.codes
    words: Words = mixed(codes.view(np.uint64))
    return (words @ words.T).tolist()  # type: ignore[no-any-return]


def _members(mask: int) -> list[int]:
    members = []
    while mask:
        low = mask & -mask
        members.append(low.bit_length() - 1)
        mask ^= low
    return members
