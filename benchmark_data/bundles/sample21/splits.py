"""Parts a database's items into public and hidden gold: three to two, in every database and at every difficulty."""

from collections.abc import Mapping, Sequence
from typing import Final

from benchmark_data.bundles.dice import Dice
from benchmark_data.types import Difficulty, Split

PUBLIC_FIFTHS: Final = 3
_ORDER: Final = (Difficulty.CHALLENGING, Difficulty.MODERATE, Difficulty.SIMPLE)


def splits(db_id: str, rated: Mapping[int, Difficulty]) -> dict[int, Split]:
    """The split of each item of a database.

    In each difficulty the items are put in a drawn order, and the first are public: as many as bring the public
    share of all items so far, from the hardest to the easiest, nearest to three fifths. Where a difficulty has two
    items or more, both splits have one of them.

    Args:
        db_id: the database, which seeds the draw.
        rated: by number, each item's difficulty.
    """
    dice = Dice(f"sample21/splits/{db_id}")
    found: dict[int, Split] = {}
    public = 0
    for difficulty in _ORDER:
        numbers = [number for number in sorted(rated) if rated[number] is difficulty]
        wanted = _nearest_share(len(found) + len(numbers)) - public
        if len(numbers) > 1:
            wanted = min(max(wanted, 1), len(numbers) - 1)
        wanted = min(max(wanted, 0), len(numbers))
        for place, number in enumerate(_drawn(numbers, dice, difficulty)):
            found[number] = Split.PUBLIC if place < wanted else Split.HIDDEN
        public += wanted
    return found


def _nearest_share(items: int) -> int:
    return (2 * PUBLIC_FIFTHS * items + 5) // 10


def _drawn(numbers: Sequence[int], dice: Dice, difficulty: Difficulty) -> list[int]:
    return sorted(numbers, key=lambda number: (dice.between(0, 1 << 40, difficulty, number), number))
