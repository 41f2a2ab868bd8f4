"""The way of a parcel from its first scan to its last, as far as it came."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from benchmark_data.bundles.dice import Dice

_HUB: Final = "0001"
# A parcel comes through three depots: where it is posted, the hub, and where it is delivered.
_LAST: Final = 2
_FIRST: Final = datetime(2024, 3, 1, 9)  # noqa: DTZ001 times of this world have no zone
# Tours go out on Monday, Wednesday and Friday.
_TOUR_DAYS: Final = frozenset({0, 2, 4})


class Scan(NamedTuple):
    """A row of `scan` without its keys; `result` is that of the attempt to deliver, "" for all other events."""

    event: str
    depot: str | None
    at: datetime
    result: str = ""


def journey(dice: Dice, number: int, origin: str, target: str) -> Iterator[Scan]:
    """All scans of parcel `number`, in order."""
    at = _FIRST + timedelta(minutes=120 * number + dice.between(0, 100, "posted", number))
    yield Scan("01", origin, at)
    if dice.chance(2, "lost at once", number):
        return
    for place, stop in enumerate((origin, _HUB, target)):
        if place > 0:
            at += timedelta(minutes=dice.between(90, 420, "drive", number, place))
            yield Scan("02", stop, at)
            if dice.chance(3, "damaged", number, place):
                yield Scan("08", stop, at + timedelta(minutes=dice.between(5, 50, "seen", number, place)))
        if place == _LAST:
            break
        at += timedelta(minutes=dice.skewed(60, 2000, "stay", number, place))
        yield Scan("03", stop, at)
        if dice.chance(1, "lost", number, place):
            return
    yield from _delivery(dice, number, target, at)


def _delivery(dice: Dice, number: int, target: str, at: datetime) -> Iterator[Scan]:
    for attempt in range(3):
        at = _next_tour(at)
        yield Scan("04", target, at)
        result = dice.weighted({"D": 78, "N": 17, "A": 2, "R": 3}, "result", number, attempt)
        at += timedelta(minutes=dice.between(20, 480, "rings", number, attempt))
        yield Scan({"D": "05", "N": "06", "A": "09", "R": "06"}[result], None, at, result)
        if result == "D":
            return
        if result != "N" or attempt == 2:
            yield Scan("07", target, at + timedelta(minutes=dice.between(2000, 6000, "back", number)))
            return


def _next_tour(at: datetime) -> datetime:
    """Half past seven on the next day with a tour."""
    day = at.replace(hour=7, minute=30) + timedelta(days=1)
    while day.weekday() not in _TOUR_DAYS:
        day += timedelta(days=1)
    return day
