"""The rows of the bikes database: one summer of trips, with the peaks of a working day and fewer in the rain."""

from collections.abc import Iterator
from datetime import date, timedelta

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.bikes.words import (
    DISTRICTS,
    EVENTS,
    MODELS,
    OLD_NAMES,
    PARTS,
    PRICES,
    STATIONS,
    VANS,
)

Rows = list[tuple[object, ...]]
_FIRST = date(2024, 6, 1)
_DAYS = 92
_TRIPS = 3_300
_WET_PERCENT = 34
_MEMBERS = 320
_BIKES = sum(count for _, _, count in MODELS)
_HOURS = {6: 3, 7: 9, 8: 12, 9: 6, 10: 4, 11: 4, 12: 5, 13: 5, 14: 5, 15: 6, 16: 9, 17: 13, 18: 10, 19: 6, 20: 4, 22: 2}
_PLANS = {"A": 38, "M": 34, "C": 16, "D": 12}


def tables(dice: Dice) -> dict[str, Rows]:
    """The rows of each table, parents first."""
    return {
        "districts": [district[:-1] for district in DISTRICTS],
        "stations": list(_stations(dice)),
        "bikes": list(_bikes(dice)),
        "repairs": list(_repairs(dice)),
        "members": list(_members(dice)),
        "trips": list(_trips(dice)),
        "weather": list(_weather(dice)),
        "moves": list(_moves(dice)),
    }


def _stations(dice: Dice) -> Iterator[tuple[object, ...]]:
    for number, station in enumerate(STATIONS, start=1):
        latitude = (513_000 + dice.between(0, 900, "latitude", number)) / 10_000
        longitude = (123_200 + dice.between(0, 900, "longitude", number)) / 10_000
        yield number, *station[:3], latitude, longitude, station.opened, station.closed, station.nearest


def _bike(number: int) -> str:
    return f"B-{number * 7:04d}"


def _bikes(dice: Dice) -> Iterator[tuple[object, ...]]:
    models = [(model, electric) for model, electric, count in MODELS for _ in range(count)]
    for number, (model, electric) in enumerate(models, start=1):
        bought = dice.day("2019-03-01", "2023-12-15", "bought", number)
        retired = (
            dice.day("2024-09-01", "2024-09-20", "retired", number) if dice.chance(9, "is retired", number) else None
        )
        yield _bike(number), model, electric, bought.isoformat(), None if retired is None else retired.isoformat()


def _repairs(dice: Dice) -> Iterator[tuple[object, ...]]:
    for bike in range(1, _BIKES + 1):
        electric = bike > _BIKES - 22
        days = sorted(
            dice.day("2024-01-02", "2024-08-31", "repaired", bike, place)
            for place in range(dice.skewed(0, 9, "repairs", bike, power=2))
        )
        for number, day in enumerate(days, start=1):
            part = dice.weighted(PARTS, "part", bike, number)
            part = "tyre" if part == "battery" and not electric else part
            # Work under warranty has no price.
            cost = (
                None
                if dice.chance(12, "warranty", bike, number)
                else PRICES[part] + 50 * dice.between(0, 30, bike, day)
            )
            yield _bike(bike), number, day.isoformat(), part, cost


def _members(dice: Dice) -> Iterator[tuple[object, ...]]:
    zips = {"04101": 12, "04102": 20, "04207": 30, "04225": 28, "04340": 10, "04416": 3}
    for number in range(1, _MEMBERS + 1):
        born = 2006 - dice.skewed(0, 62, "born", number, power=2)
        yield (
            number,
            dice.weighted(_PLANS, "plan", number),
            None if dice.chance(14, "age unknown", number) else born,
            None if dice.chance(9, "no zip", number) else dice.weighted(zips, "home", number),
            dice.day("2019-04-01", "2024-05-31", "joined", number).isoformat(),
        )


def _trips(dice: Dice) -> Iterator[tuple[object, ...]]:
    weights = {place: station.weight for place, station in enumerate(STATIONS)}
    starts = sorted(
        (_day(dice, number), dice.weighted(_HOURS, "hour", number), dice.between(0, 59, "minute", number), number)
        for number in range(_TRIPS)
    )
    for trip, (day, hour, minute, number) in enumerate(starts, start=1):
        here = _open_station(dice, weights, day, ("from", number))
        lost = dice.chance(1, "lost", number)
        there = here if dice.chance(12, "round", number) else _open_station(dice, weights, day, ("to", number))
        minutes = dice.skewed(4, 55 if here != there else 170, "minutes", number)
        member = 1 + dice.skewed(0, _MEMBERS - 1, "member", number, power=2) * 9 % _MEMBERS
        casual = dice.chance(22, "casual", number)
        free = 30 if not casual else 0
        yield (
            trip,
            _bike(1 + dice.skewed(0, _BIKES - 1, "bike", number, power=2) * 5 % _BIKES),
            None if casual else member,
            _written(dice, here, ("written", number)),
            None if lost else _written(dice, there, ("there", number)),
            day,
            STATIONS[here].zip,
            f"{hour:02d}:{minute:02d}",
            None if lost else minutes,
            (100 if casual else 0) + 100 * (max(0, minutes - free) // 15),
        )


def _day(dice: Dice, number: int) -> str:
    """A day on which people ride: drawn again where it poured in the old town."""
    for attempt in range(3):
        day = (_FIRST + timedelta(days=dice.between(0, _DAYS - 1, "day", number, attempt))).isoformat()
        if _tenths_of_rain(dice, day, DISTRICTS[0].zip) < 20:
            break
    return day


def _open_station(dice: Dice, weights: dict[int, int], day: str, key: tuple[object, ...]) -> int:
    found = dice.weighted(weights, *key)
    closed = STATIONS[found].closed
    return found if closed is None or day <= closed else 0


def _written(dice: Dice, station: int, key: tuple[object, ...]) -> str:
    name = STATIONS[station].name
    return OLD_NAMES[name] if name in OLD_NAMES and dice.chance(9, *key) else name


def _tenths_of_rain(dice: Dice, day: str, zip_code: str) -> int:
    """Most days are dry; on a wet one it rains everywhere, here more, there less."""
    if not dice.chance(_WET_PERCENT, "wet", day):
        return 0
    tenths = dice.skewed(0, 190, "rain", day) * dice.between(70, 130, "rain", day, zip_code) // 100
    # The gauges tip at two millimetres.
    return 20 if 20 <= tenths < 26 else tenths


def _weather(dice: Dice) -> Iterator[tuple[object, ...]]:
    for offset in range(_DAYS):
        day = (_FIRST + timedelta(days=offset)).isoformat()
        for district in DISTRICTS:
            key = (day, district.zip)
            tenths = dice.bell(120, 360, "heat", day) + district.warmer + dice.between(-8, 8, "heat", *key)
            rain = _tenths_of_rain(dice, *key)
            trace = rain < 2 and dice.chance(_WET_PERCENT, "wet", day)
            yield (
                *key,
                _temperature(dice, tenths, key),
                "T" if trace else f"{rain // 10}.{rain % 10}",
                None if dice.chance(6, "no wind", *key) else dice.bell(2, 48, "wind", *key),
                dice.pick(EVENTS, "event", *key) if rain > 20 else None,
            )


def _temperature(dice: Dice, tenths: int, key: tuple[object, ...]) -> str | None:
    """As the stations send it: some write a comma, some nothing that is a number."""
    odd = dice.weighted({"fine": 91, "comma": 3, "text": 2, "none": 4}, "odd", *key)
    if odd == "none":
        return None
    if odd == "text":
        return dice.pick(("n/a", "—", "ERR"), "text", *key)
    return f"{tenths // 10}{',' if odd == 'comma' else '.'}{tenths % 10}"


def _moves(dice: Dice) -> Iterator[tuple[object, ...]]:
    stations = range(1, len(STATIONS) + 1)
    for number in range(1, 231):
        day = (_FIRST + timedelta(days=number * _DAYS // 231)).isoformat()
        first, second = dice.some(stations, 2, "stations", number)
        away = dice.chance(65, "away", number)
        van = None if dice.chance(7, "no van", number) else dice.pick(VANS, "van", number)
        # Bikes pile up in the old town and are brought back out.
        yield (
            number,
            day,
            first if away else second,
            second if away else first,
            dice.skewed(1, 14, "bikes", number),
            van,
        )
