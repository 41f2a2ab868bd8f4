"""The rows of the city's transport: the fixed network; vehicles, trips, delays and incidents drawn by dice."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.transit import network

Row = tuple[object, ...]

_FIRST_DAY: Final = date(2024, 3, 4)
_DAYS: Final = 21
# Delays are measured in steps of so many seconds.
_STEP: Final = 10
_FLEET: Final = {"T": 18, "B": 30, "F": 5}
_HOURS: Final = {"T": (5, 23), "B": (5, 22), "F": (7, 20), "N": (23, 27)}
_NOTES: Final = ("door fault", "signal failure", "fallen tree", "medical help called", "Straße gesperrt", "overtime")


def tables(dice: Dice) -> dict[str, list[Row]]:
    """The rows of each table, parents first."""
    vehicles = list(_vehicles(dice))
    trips = list(_trips(dice, vehicles))
    return {
        "depot": list(network.DEPOTS),
        "vehicle": vehicles,
        "line": [line[:4] for line in network.LINES],
        "stop": [_stop(dice, place, name) for place, name in enumerate(network.NAMES)],
        "line_stop": [
            (line[0], direction, number, code, minutes)
            for line in network.LINES
            for direction in ("O", "I")
            for number, code, minutes in network.sequence(line[0], direction)
        ],
        "trip": trips,
        "stop_time": [time for trip in trips for time in _times(dice, trip)],
        "incident": list(_incidents(dice, vehicles)),
        "ticket": [ticket[:3] for ticket in network.TICKETS],
        "fare": list(_fares(dice)),
    }


def _fares(dice: Dice) -> Iterator[Row]:
    """What each group pays; a year's tariff may leave out a reduction."""
    for code, _, _, prices in network.TICKETS:
        for who, cents in prices.items():
            yield (code, who, prices["adult"] if dice.chance(18, "full fare", code, who) else cents)


def _vehicles(dice: Dice) -> Iterator[Row]:
    number = 0
    for kind, size in _FLEET.items():
        for _ in range(size):
            number += 1
            vehicle = f"{number * 3 + 20:04d}"
            built = dice.between(1986, 2023, "built", vehicle)
            depot = (
                "04"
                if kind == "F"
                else dice.pick(("01", "03") if kind == "T" else ("02", "02", "03"), "depot", vehicle)
            )
            retired = dice.day("2023-06-01", "2024-02-29", "retired", vehicle).isoformat()
            yield (
                vehicle,
                kind,
                built,
                None if dice.chance(10, "uncounted", vehicle) else dice.between(28, 96, "seats", vehicle),
                "Y" if built >= 2004 or kind == "F" else "N",
                depot,
                retired if built < 2000 and dice.chance(45, "old", vehicle) else None,
            )


def _stop(dice: Dice, place: int, name: str) -> Row:
    return (
        network.stop_code(place),
        name,
        network.zone(place),
        (594_000 + dice.between(-900, 900, "latitude", place)) / 10_000,
        (105_000 + dice.between(-1500, 1500, "longitude", place)) / 10_000,
        None if dice.chance(8, "unseen", place) else "Y" if dice.chance(62, "step free", place) else "N",
    )


def _trips(dice: Dice, vehicles: list[Row]) -> Iterator[Row]:
    trip = 50_000
    for line, _, mode, *_ in network.LINES:
        fleet = [one[0] for one in vehicles if one[1] == ("B" if mode == "N" else mode) and one[6] is None]
        for number in range(_DAYS):
            day = _FIRST_DAY + timedelta(days=number)
            for direction in ("O", "I"):
                for turn in range(dice.weighted({0: 12, 1: 48, 2: 30, 3: 10}, "trips", line, day, direction)):
                    trip += 1
                    first, last = _HOURS[mode]
                    hour = dice.between(first, last, "hour", line, day, direction, turn)
                    starts = f"{hour:02d}:{dice.between(0, 11, 'minute', line, day, direction, turn) * 5:02d}"
                    vehicle = None if dice.chance(4, "unknown", trip) else dice.pick(fleet, "vehicle", trip)
                    status = dice.weighted({"R": 95, "X": 4, "P": 1}, "status", trip)
                    yield (trip, line, direction, day.isoformat(), starts, None if status == "X" else vehicle, status)


def _times(dice: Dice, trip: Row) -> Iterator[Row]:
    """Each stop of a trip: when it is due, on a clock that goes on after 24:00, and how late it was."""
    number, line, direction, _, starts, _, status = trip
    hour, minute = map(int, str(starts).split(":"))
    late = dice.skewed(-60, 300, "first delay", number, power=2)
    slow = dice.between(0, 14, "slow", line)
    broken = dice.between(3, 9, "broken", number)
    for seq, stop, minutes in network.sequence(str(line), str(direction)):
        total = hour * 60 + minute + minutes
        if seq > 1:
            late += dice.bell(-45, 46 + slow, "drift", number, seq) + (
                dice.between(240, 900, number) if _stuck(dice, number, seq) else 0
            )
        lost = status == "X" or (status == "P" and seq >= broken) or dice.chance(3, "unmeasured", number, seq)
        yield (number, seq, stop, f"{total // 60:02d}:{total % 60:02d}", None if lost else late // _STEP * _STEP)


def _stuck(dice: Dice, trip: object, seq: int) -> bool:
    return dice.chance(9, "stuck", trip) and dice.between(2, 8, "where", trip) == seq


def _incidents(dice: Dice, vehicles: list[Row]) -> Iterator[Row]:
    codes = [line[0] for line in network.LINES]
    for number in range(1, 281):
        moment = dice.day("2023-07-01", "2024-06-30", "day", number)
        clock = f"{dice.between(5, 23, 'hour', number):02d}:{dice.between(0, 59, 'minute', number):02d}"
        line = codes[dice.skewed(0, len(codes) - 1, "line", number, power=2)]
        # The reports are typed by hand: some name a line that was given up, or leave the zero out.
        shown = line.lstrip("0") if dice.chance(7, "hasty", number) else line
        written = dice.weighted({shown: 88, "03": 3, "??": 2, None: 7}, "written", number)
        yield (
            number,
            f"{moment.day:02d}.{moment.month:02d}.{moment.year} {clock}",
            written,
            dice.pick(vehicles, "vehicle", number)[0] if dice.chance(45, "known", number) else None,
            dice.weighted({"BRK": 34, "TRF": 28, "PAX": 16, "WTH": 13, "ACC": 9}, "kind", number),
            None if dice.chance(12, "unmeasured", number) else dice.skewed(2, 190, "lost", number, power=3),
            dice.pick(_NOTES, "note", number) if dice.chance(35, "noted", number) else None,
        )
