"""Repeatable choices for made-up documents, the same on every Python and in every order of asking."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Final, TypeVar

from bson.objectid import ObjectId

Option = TypeVar("Option")
_FINE: Final = 1 << 32


class Dice:
    """Draws by hashing: the same name and key always give the same draw.

    Args:
        name: of the database, so that two databases draw apart.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def between(self, low: int, high: int, *key: object) -> int:
        """A whole number from `low` to `high`, both included."""
        return low + int.from_bytes(self._hash(key)[:8], "big") % (high - low + 1)

    def pick(self, options: Sequence[Option], *key: object) -> Option:
        """One of the options."""
        return options[self.between(0, len(options) - 1, *key)]

    def some(self, options: Sequence[Option], count: int, *key: object) -> list[Option]:
        """`count` different options, in the order of `options`."""
        ranked = sorted(range(len(options)), key=lambda index: self._hash((*key, index)))
        return [options[index] for index in sorted(ranked[:count])]

    def chance(self, percent: int, *key: object) -> bool:
        """True in `percent` of 100 draws."""
        return self.between(1, 100, *key) <= percent

    def weighted(self, options: Mapping[Option, int], *key: object) -> Option:
        """One of the options, drawn as often as its weight says."""
        draw = self.between(1, sum(options.values()), *key)
        for option, weight in options.items():
            draw -= weight
            if draw <= 0:
                return option
        raise ValueError("a weight is negative")

    def skewed(self, low: int, high: int, *key: object, power: int = 3) -> int:
        """A whole number from `low` to `high`, small ones far more often, as sizes of real things are."""
        share: int = self.between(0, _FINE - 1, *key) ** power
        whole: int = _FINE**power
        return low + (high - low + 1) * share // whole

    def bell(self, low: int, high: int, *key: object) -> int:
        """A whole number from `low` to `high`, those in the middle more often."""
        return sum(self.between(low, high, *key, part) for part in range(3)) // 3

    def day(self, first: str, last: str, *key: object) -> date:
        """A day from `first` to `last`, both included, written as ISO dates."""
        start = date.fromisoformat(first)
        return start + timedelta(days=self.between(0, (date.fromisoformat(last) - start).days, *key))

    def object_id(self, *key: object) -> ObjectId:
        """An ObjectId that stands for the key."""
        return ObjectId(self._hash(("object_id", *key))[:12])

    def _hash(self, key: tuple[object, ...]) -> bytes:
        return hashlib.sha256("\x1f".join(map(str, (self._name, *key))).encode()).digest()
