"""The rows of the letting agency's database."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final, NamedTuple

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.rentals.fixed import (
    CONTRACTORS,
    FIRST_NAMES,
    LAST_NAMES,
    OWNERS,
    STREETS,
    TOWNS,
    TRADES,
)

Row = tuple[object, ...]

_FLATS: Final = 78
_HOUSES: Final = 26
_SHOPS: Final = 18
_TENANTS: Final = 210
_REPAIRS: Final = 330
_HIGH_RENT: Final = 200_000
_TODAY: Final = date(2024, 11, 30)
# Payments are kept from the first of these months on.
_MONTHS: Final = tuple(f"{2023 + (number + 6) // 12}-{(number + 6) % 12 + 1:02d}" for number in range(17))


class Lease(NamedTuple):
    """What other rows need to know of a lease."""

    number: int
    code: str
    start: date
    end: date | None
    cents: int


def tables(dice: Dice) -> dict[str, list[Row]]:
    """The rows of each table, in the order of the schema."""
    flats = [_flat(dice, f"F-{number:03d}") for number in range(1, _FLATS + 1)]
    houses = [_house(dice, f"H-{number:03d}") for number in range(1, _HOUSES + 1)]
    shops = [_shop(dice, f"S-{number:03d}") for number in range(1, _SHOPS + 1)]
    areas = {str(row[0]): int(str(row[4])) for row in (*flats, *houses, *shops)}
    leases = _leases(dice, areas)
    return {
        "town": list(TOWNS),
        "owner": [_owner(dice, number) for number in range(1, len(OWNERS) + 1)],
        "flat": flats,
        "house": houses,
        "shop": shops,
        "tenant": [_tenant(dice, number) for number in range(1, _TENANTS + 1)],
        "lease": [_lease(dice, lease) for lease in leases],
        "lease_tenant": [row for lease in leases for row in _parties(dice, lease)],
        "payment": [(number, *row) for number, row in enumerate(_payments(dice, leases), start=1)],
        "contractor": [(number, *row) for number, row in enumerate(CONTRACTORS, start=1)],
        "repair": [_repair(dice, number, tuple(areas)) for number in range(1, _REPAIRS + 1)],
    }


def _owner(dice: Dice, number: int) -> Row:
    name, kind, phone, email = OWNERS[number - 1]
    # Some do not wish to be called.
    return number, name, kind, None if dice.chance(45, "ex-directory", number) else phone, email


def _common(dice: Dice, code: str) -> tuple[str, int, str, str]:
    zip_code = dice.weighted({town[0]: 8 - number // 2 for number, town in enumerate(TOWNS)}, "town", code)
    street = f"{dice.pick(STREETS, 'street', code)} {dice.skewed(1, 140, 'house number', code, power=2)}"
    return code, dice.skewed(1, len(OWNERS), "owner", code, power=2), zip_code, street


def _flat(dice: Dice, code: str) -> Row:
    rooms = dice.weighted({1: 3, 2: 7, 3: 7, 4: 3, 5: 1}, "rooms", code)
    area = 18 + 19 * rooms + dice.between(0, 16, "area", code)
    lift = dice.weighted({"no": 6, "yes": 4, None: 1}, "lift", code)
    return (*_common(dice, code), area, rooms, dice.skewed(0, 8, "floor", code, power=1), lift)


def _house(dice: Dice, code: str) -> Row:
    rooms = dice.between(3, 7, "rooms", code)
    plot = None if dice.chance(15, "no plot", code) else 10 * dice.skewed(18, 160, "plot", code, power=2)
    heating = dice.weighted({"gas": 5, "heat pump": 3, "oil": 2, "wood": 1}, "heating", code)
    return (*_common(dice, code), 30 + 22 * rooms + dice.between(0, 30, "area", code), rooms, plot, heating)


def _shop(dice: Dice, code: str) -> Row:
    window = None if dice.chance(20, "no window", code) else 10 * dice.between(15, 90, "window", code)
    trade = None if dice.chance(25, "no trade", code) else dice.pick(TRADES, "trade", code)
    return (*_common(dice, code), dice.skewed(22, 210, "area", code, power=2), window, trade)


def _tenant(dice: Dice, number: int) -> Row:
    first, last = dice.pick(FIRST_NAMES, "first", number), dice.pick(LAST_NAMES, "last", number)
    born: str | None = dice.day("1948-01-01", "2004-12-31", "born", number).isoformat()
    if dice.chance(9, "vague birth", number):
        born = None if dice.chance(60, "unknown birth", number) else str(born)[:4]
    address = f"{first[0]}.{last}@{dice.weighted({'post': 5, 'mail': 4, 'firma': 1}, 'provider', number)}.example"
    email = dice.weighted({address.lower(): 6, address: 3, address.upper(): 1, None: 2}, "e-mail", number)
    guarantor = (
        dice.skewed(1, number - 1, "guarantor", number) if number > 8 and dice.chance(16, "young", number) else None
    )
    return (number, f"{first} {last}", born, email, guarantor)


def _leases(dice: Dice, areas: dict[str, int]) -> list[Lease]:
    """The leases of each property one after the other, numbered by their first day."""
    found = [each for code, area in areas.items() for each in _leases_of(dice, code, area)]
    found.sort(key=lambda each: (each.start, each.code))
    return [each._replace(number=number) for number, each in enumerate(found, start=1)]


def _leases_of(dice: Dice, code: str, area: int) -> Iterator[Lease]:
    # Months are counted from January 2018.
    month = dice.skewed(0, 60, "first lease", code, power=2)
    for turn in range(6):
        start = _first_of(month) + timedelta(days=dice.pick((0, 0, 0, 14), "day", code, turn))
        if start > _TODAY or (turn and dice.chance(5, "sold", code, turn)):
            return
        price = dice.bell(680, 1500, "price", code) + 30 * turn + (250 if code.startswith("S") else 0)
        cents = area * price // 500 * 500 + dice.pick((0, 0, 0, 250, 499), "odd cents", code, turn)
        # High rents are agreed on in steps of 50.00.
        cents = cents // 5_000 * 5_000 if cents > _HIGH_RENT else cents
        length = dice.skewed(6, 60, "length", code, turn, power=2)
        is_open = turn > 0 and dice.chance(45, "open", code, turn)
        yield Lease(0, code, start, None if is_open else _first_of(month + length) - timedelta(days=1), cents)
        # After an open lease there is another one only where somebody forgot to write down its end.
        if is_open and not dice.chance(8, "forgotten", code, turn):
            return
        month += length + dice.weighted({0: 7, 1: 4, 3: 3, 12: 3, -1: 1}, "gap", code, turn)


def _first_of(month: int) -> date:
    return date(2018 + month // 12, month % 12 + 1, 1)


def _lease(dice: Dice, lease: Lease) -> Row:
    rent = f"{lease.cents // 100:,}.{lease.cents % 100:02d}"
    deposit = None if dice.chance(7, "no deposit", lease.number) else lease.cents * dice.pick((2, 3, 3), lease.number)
    end = None if lease.end is None else lease.end.isoformat()
    notice = dice.weighted({3: 8, 6: 2, 1: 1}, "notice", lease.number)
    return (lease.number, lease.code, lease.start.isoformat(), end, rent, deposit, notice)


def _parties(dice: Dice, lease: Lease) -> Iterator[Row]:
    count = 1 if lease.code.startswith("S") else dice.weighted({1: 6, 2: 5, 3: 2, 4: 1}, "parties", lease.number)
    shares = {1: (100,), 2: dice.pick(((50, 50), (60, 40), (70, 30)), "shares", lease.number), 3: (40, 30, 30)}
    chosen = dice.some(range(1, _TENANTS + 1), count, "tenant", lease.number)
    for tenant, share in zip(chosen, shares.get(count, (25, 25, 25, 25)), strict=True):
        yield (lease.number, tenant, share)


def _payments(dice: Dice, leases: list[Lease]) -> Iterator[Row]:
    for month in _MONTHS:
        for lease in leases:
            end = None if lease.end is None else lease.end.isoformat()[:7]
            if lease.start.isoformat()[:7] <= month and (end is None or month <= end):
                yield _payment(dice, lease, month)


def _payment(dice: Dice, lease: Lease, month: str) -> Row:
    # Some tenants are worse at paying than others.
    careless = 15 if dice.chance(12, "careless", lease.number) else 2
    method = dice.weighted({"T": 6, "D": 5, "C": 1}, "method", lease.number)
    if dice.chance(careless, "unpaid", lease.number, month):
        return (lease.number, month, lease.cents, None, None)
    day = dice.skewed(1, 5 + careless, "day", lease.number, month)
    return (lease.number, month, lease.cents, f"{month}-{day:02d}", method)


def _repair(dice: Dice, number: int, codes: tuple[str, ...]) -> Row:
    contractor = dice.weighted({1: 6, 2: 4, 3: 6, 4: 3, 5: 2, 6: 3, 7: 3}, "contractor", number)
    trade = CONTRACTORS[contractor - 1][1]
    reported = date(2023, 1, 2) + timedelta(days=2 * number + dice.between(0, 6, "reported", number))
    done: date | None = reported + timedelta(days=dice.skewed(0, 120, "done", number))
    if dice.chance(6, "open", number) or (done is not None and done > _TODAY):
        done = None
    cents = dice.skewed(4500, 680000, "cost", number)
    cost = None if done is None or dice.chance(5, "no bill", number) else f"{cents // 100:,}.{cents % 100:02d}"
    worker = None if done is None and dice.chance(50, "nobody yet", number) else contractor
    code = codes[dice.skewed(0, len(codes) - 1, "property", number, power=2)]
    return (number, code, worker, trade, reported.isoformat(), None if done is None else done.isoformat(), cost)
