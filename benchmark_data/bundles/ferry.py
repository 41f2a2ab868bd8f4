"""The made-up documents of a ferry line: ports, vessels and crossings."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from bson.decimal128 import Decimal128
from bson.int64 import Int64

from benchmark_data.bundles.dice import Dice

DB_ID = "ferry_line"

_DICE = Dice(DB_ID)
_PORTS = (
    ("AVK", "Avik", "north", 61.92, 5.14, ("café", "fuel", "waiting room"), 1911),
    ("BRD", "Brød Landing", "north", 61.71, 4.98, ("waiting room",), 1954),
    ("CLF", "Cliffhaven", "north", 61.58, 5.33, (), 1987),
    ("DUN", "Dún Mór", "west", 60.87, 3.91, ("café", "waiting room"), 1902),
    ("ELO", "Île-aux-Loups", "west", 60.66, 3.74, ("fuel",), 1969),
    ("FJA", "Fjällnäs", "west", 60.45, 4.12, ("waiting room", "ramp"), 1938),
    ("GUL", "Gull Rock", "south", 59.83, 4.47, ("ramp",), 2004),
    ("HAM", "Hammerfold", "south", 59.61, 4.86, ("café", "fuel", "ramp", "waiting room"), 1899),
    ("ISL", "Islet Nine", "south", 59.44, 5.02, None, 2011),
    ("KRZ", "Kříž", "south", 59.27, 5.28, ("café",), 1925),
)
_VESSELS = (
    ("Aurora", 1998, 220, 40, 2, (2009, 2019), None),
    ("Bold Heron", 2006, 180, 32, 2, (2018,), None),
    ("Calluna", 2015, 350, 68, 2, (), None),
    ("Dawn Treader II", 1979, 120, 12, 1, (1990, 2001, 2012), 2025),
    ("Ægir", 2021, 410, 85, 4, None, None),
    ("Fulmar", 1988, 150, 20, 1, (1999, 2010), None),
    ("Grey Seal", 1993, 160, 24, 2, (2004,), 2024),
    ("Hildur", 2011, 260, 48, 2, (2022,), None),
    ("Inês", 2018, 300, 60, 2, None, None),
    ("Jolly Kate", 1984, 90, 0, 1, (1996, 2008, 2020), None),
)
_MAKERS = ("Brandt", "Holeby", "Nordmotor")
_START = datetime(2025, 3, 1, 6, 0, tzinfo=UTC)


def collections() -> dict[str, list[dict[str, Any]]]:
    """The documents of each collection."""
    return {"ports": list(_ports()), "vessels": list(_vessels()), "crossings": list(_crossings())}


def _ports() -> Iterator[dict[str, Any]]:
    for code, name, region, latitude, longitude, facilities, opened in _PORTS:
        port: dict[str, Any] = {"_id": code, "name": name, "region": region}
        port["position"] = {"latitude": latitude, "longitude": longitude}
        if facilities is not None:
            port["facilities"] = list(facilities)
        yield port | {"opened": opened}


def _vessels() -> Iterator[dict[str, Any]]:
    for name, built, passengers, cars, engines, refits, retired in _VESSELS:
        vessel: dict[str, Any] = {
            "_id": _DICE.object_id("vessel", name),
            "name": name,
            "built": built,
            "capacity": {"passengers": passengers, "cars": cars},
            "engines": [
                {"maker": _DICE.pick(_MAKERS, name, "maker"), "kilowatts": _DICE.between(40, 260, name, number) * 10}
                for number in range(engines)
            ],
            "odometer_metres": Int64(_DICE.between(3_000_000_000, 9_000_000_000, name, "odometer")),
        }
        if refits is not None:
            vessel["refits"] = [datetime(year, 11, 15, tzinfo=UTC) for year in refits]
        vessel["retired"] = None if retired is None else datetime(retired, 10, 31, tzinfo=UTC)
        yield vessel


def _crossings() -> Iterator[dict[str, Any]]:
    for number in range(160):
        origin = _DICE.pick(_PORTS, number, "from")
        target = _DICE.pick([port for port in _PORTS if port is not origin], number, "to")
        vessel = _DICE.pick(_VESSELS, number, "vessel")
        departs = _START + timedelta(hours=number * 17, minutes=_DICE.between(0, 11, number, "minute") * 5)
        crossing: dict[str, Any] = {
            "_id": _DICE.object_id("crossing", number),
            "vessel": _DICE.object_id("vessel", vessel[0]),
            "from": origin[0],
            "to": target[0],
            "departs": departs,
            "status": _DICE.pick(("sailed",) * 7 + ("delayed",) * 2 + ("cancelled",), number, "status"),
        }
        if _DICE.chance(85, number, "weather"):
            wind = _DICE.between(0, 90, number, "wind") / 2
            crossing["weather"] = {"wind_knots": wind, "fog": _DICE.chance(15, number, "fog")}
        yield crossing | _traffic(number, crossing["status"], vessel)


def _traffic(number: int, status: str, vessel: tuple[Any, ...]) -> dict[str, Any]:
    if status == "cancelled":
        return {"minutes": None, "cars": 0, "fares": []}
    traffic: dict[str, Any] = {"minutes": _DICE.between(25, 140, number, "minutes")}
    if status == "delayed":
        traffic["delay"] = {
            "minutes": _DICE.between(5, 75, number, "delay"),
            "reason": _DICE.pick(("fog", "crew", "engine", "tide"), number, "reason"),
        }
    traffic["cars"] = _DICE.between(0, vessel[3], number, "cars")
    fares = [
        {
            "kind": kind,
            "count": _DICE.between(1, vessel[2] // 4, number, kind),
            "price": Decimal128(price),
        }
        for kind, price in (("adult", Decimal("14.50")), ("child", Decimal("6.25")), ("senior", Decimal("9.80")))
        if _DICE.chance(80, number, kind, "sold")
    ]
    return traffic | {"fares": fares}
