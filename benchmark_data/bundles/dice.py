"""Repeatable choices for made-up documents, the same on every Python and in every order of asking."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

from bson.objectid import ObjectId

Option = TypeVar("Option")


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

    def object_id(self, *key: object) -> ObjectId:
        """An ObjectId that stands for the key."""
        return ObjectId(self._hash(("object_id", *key))[:12])

    def _hash(self, key: tuple[object, ...]) -> bytes:
        return hashlib.sha256("\x1f".join(map(str, (self._name, *key))).encode()).digest()
