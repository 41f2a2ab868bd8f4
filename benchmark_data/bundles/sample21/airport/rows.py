"""The rows of the airport's database."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.airport.fixed import (
    AIRLINES,
    AIRPORTS,
    DELAY_CODES,
    FIRST_NAMES,
    GATES,
    HOME,
    LAST_NAMES,
    NETWORKS,
    REMARKS,
    SEATS,
)

Row = tuple[object, ...]

_FIRST_DAY: Final = date(2024, 6, 1)
_DAYS: Final = 61
_DAY_MINUTES: Final = 24 * 60
# Flights there and back that begin on a day.
_PAIRS: Final = 5
_RANKS: Final = {"CP": 3, "FO": 3, "PU": 3, "CC": 6}


class Aircraft(NamedTuple):
    """A row of `aircraft`."""

    registration: str
    type: str
    seats: int
    built: int
    airline: str


class Leg(NamedTuple):
    """A planned flight; `start` counts minutes from the first midnight, `pair` is shared there and back."""

    start: int
    duration: int
    origin: str
    destination: str
    aircraft: Aircraft
    pair: int


def tables(dice: Dice) -> dict[str, list[Row]]:
    """The rows of each table, in the order of the schema."""
    fleet = _fleet(dice)
    crew = list(_crew(dice))
    flights, delays, duties = [], [], []
    for number, leg in enumerate(sorted(_legs(dice, fleet)), start=1):
        reasons = list(_delays(dice, number)) if dice.chance(34, "late", number) else []
        cancelled = dice.chance(4, "cancelled", number)
        flights.append(_flight(dice, number, leg, None if cancelled else sum(minutes for _, minutes in reasons)))
        if not cancelled:
            delays += [_delay(dice, number, nr, *reason) for nr, reason in enumerate(reasons, start=1)]
            duties += [(number, *duty) for duty in _duties(dice, leg, crew)]
    return {
        "airport": [airport[:5] for airport in AIRPORTS],
        "airline": [airline[:4] for airline in AIRLINES],
        "aircraft": [tuple(each) for each in fleet],
        "maintenance": [row for each in fleet for row in _maintenance(dice, each.registration)],
        "gate": list(GATES),
        "delay_code": list(DELAY_CODES),
        "crew": crew,
        "crew_rating": [row for member in crew for row in _ratings(dice, member)],
        "flight": flights,
        "delay": delays,
        "crew_duty": duties,
    }


def _fleet(dice: Dice) -> list[Aircraft]:
    return [
        Aircraft(
            registration=f"{letters}{chr(65 + number)}{dice.between(10, 99, 'registration', code, number)}",
            type=types[number % len(types)],
            seats=SEATS[types[number % len(types)]],
            built=dice.between(1999, 2023, "built", code, number),
            airline=code,
        )
        for code, _, _, _, letters, types in AIRLINES
        for number in range(8 if code == "NW" else 4)
    ]


def _maintenance(dice: Dice, registration: str) -> Iterator[Row]:
    day = date(2023, 1, 9) + timedelta(days=dice.between(0, 60, "first check", registration))
    for number in range(dice.between(3, 8, "checks", registration)):
        kind = dice.weighted({"A": 10, "C": 2, "repair": 3}, "check", registration, number)
        least, most = {"A": (60, 140), "C": (900, 2400), "repair": (10, 300)}[kind]
        hours = dice.between(least, most, "hours", registration, number) / 10
        yield (
            registration,
            day.isoformat(),
            kind,
            None if dice.chance(12, "unlogged", registration, number) else hours,
        )
        day += timedelta(days=dice.between(50, 110, "until next", registration, number))


def _crew(dice: Dice) -> Iterator[Row]:
    number = 0
    for code, *_ in AIRLINES:
        for rank, count in _RANKS.items():
            for _ in range(count):
                number += 1
                name = f"{dice.pick(FIRST_NAMES, 'first', number)} {dice.pick(LAST_NAMES, 'last', number)}"
                joined = dice.day("2003-02-01" if rank == "CP" else "2012-02-01", "2024-05-01", "joined", number)
                yield (number, name, rank, code, joined.isoformat())


def _ratings(dice: Dice, member: Row) -> Iterator[Row]:
    number, _, rank, code, _ = member
    types = next(airline[5] for airline in AIRLINES if airline[0] == code)
    wanted = len(types) if rank in {"PU", "CC"} else dice.between(1, 2, "ratings", number)
    for each in dice.some(types, wanted, "rated", number):
        yield (number, each)


def _legs(dice: Dice, fleet: list[Aircraft]) -> Iterator[Leg]:
    durations = {airport[0]: airport[5] for airport in AIRPORTS}
    pair = 0
    for day in range(_DAYS):
        # The aircraft take turns, so that none is needed again before it is back.
        for turn in range(_PAIRS):
            aircraft = fleet[(day * _PAIRS + turn) % len(fleet)]
            start = day * _DAY_MINUTES + dice.weighted({300: 4, 420: 6, 540: 3, 840: 3, 1020: 5, 1260: 2}, day, turn)
            start += 5 * dice.between(0, 22, "minute", day, turn)
            network = NETWORKS[aircraft.airline]
            place = network[dice.skewed(0, len(network) - 1, "to", day, turn, power=2)]
            minutes, ground = durations[place], 5 * dice.between(7, 14, "ground", day, turn)
            pair += 1
            yield Leg(start, minutes, HOME, place, aircraft, pair)
            yield Leg(start + minutes + ground, minutes + 5, place, HOME, aircraft, pair)


def _flight(dice: Dice, number: int, leg: Leg, late: int | None) -> Row:
    """The row of a flight that is `late` minutes late, or cancelled."""
    airline = leg.aircraft.airline
    day = _FIRST_DAY + timedelta(days=leg.start // _DAY_MINUTES)
    place = NETWORKS[airline].index(leg.destination if leg.origin == HOME else leg.origin)
    sign = f"{airline}{100 + 20 * (leg.pair % _PAIRS) + 2 * place + (leg.origin != HOME):04d}"
    plan = (day.isoformat(), _clock(leg.start), _clock(leg.start + leg.duration))
    gate = dice.pick([row[0] for row in GATES if row[3] is None], "gate", leg.pair)
    if late is None:
        return (number, sign, airline, leg.origin, leg.destination, *plan, None, "X", None, None, None)
    status = "D" if dice.chance(1, "diverted", number) else "L"
    share = dice.between(50, 110, "share", number)
    passengers = None if dice.chance(2, "uncounted", number) else leg.aircraft.seats * min(share, 100) // 100
    departed = _clock(leg.start + late + dice.between(0, 4, "taxi", number))
    registration, known = leg.aircraft.registration, not dice.chance(3, "no gate", number)
    route = (leg.origin, leg.destination)
    return (number, sign, airline, *route, *plan, departed, status, registration, gate if known else None, passengers)


def _clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def _delays(dice: Dice, number: int) -> Iterator[tuple[str, int]]:
    """Codes of reasons with minutes: one mostly, each code once."""
    codes = [code for code, *_ in DELAY_CODES]
    wanted = dice.weighted({1: 7, 2: 3, 3: 1}, "reasons", number)
    for code in dice.some([code for code in codes if code != "75"], wanted, "reason", number):
        yield code, 5 * dice.skewed(1, 30, "minutes", number, code)


def _delay(dice: Dice, number: int, nr: int, code: str, minutes: int) -> Row:
    remark = dice.pick(REMARKS, "remark", number, nr) if dice.chance(20, "remarked", number, nr) else None
    return (number, nr, code, minutes, remark)


def _duties(dice: Dice, leg: Leg, crew: list[Row]) -> Iterator[Row]:
    """Who flies, the same people there and back, in order of key."""
    own = {rank: [row for row in crew if row[3] == leg.aircraft.airline and row[2] == rank] for rank in _RANKS}
    cabin = 3 if leg.aircraft.seats > 150 else 1
    chosen: list[tuple[Row, str]] = []
    if dice.chance(7, "two captains", leg.pair):
        left, right = dice.some(own["CP"], 2, "captains", leg.pair)
        chosen += [(left, "CP"), (right, "FO")]
    else:
        chosen.append((dice.pick(own["CP"], "captain", leg.pair), "CP"))
        chosen.append((dice.pick(own["FO"], "first officer", leg.pair), "FO"))
    chosen.append((dice.pick(own["PU"], "purser", leg.pair), "PU"))
    chosen += [(row, "CC") for row in dice.some(own["CC"], cabin, "cabin", leg.pair)]
    for row, role in sorted(chosen, key=lambda each: int(str(each[0][0]))):
        yield (row[0], role)
