"""The made-up documents of a climbing gym: routes with their ascents, climbers, setters and visits."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from bson.decimal128 import Decimal128

from benchmark_data.bundles.dice import Dice

DB_ID = "climbing_gym"

_DICE = Dice(DB_ID)
_SETTERS = ("Anouk", "Bram", "Chloé", "Dmitri", "Esi", "Feng")
_CLIMBERS = (
    "Aino", "Bilal", "Catalina", "Deniz", "Eluned", "Farah", "Göran", "Hugo", "Ilse", "Jan", "Katya", "Łukasz",
    "Marta", "Noor", "Oisín", "Pia", "Quentin", "Runa", "Sefa", "Théo", "Uma", "Viggo", "Wren", "Xavi", "Yara", "Zeno",
)  # fmt: skip
_ADJECTIVES = ("Blue", "Crooked", "Dusty", "Electric", "Fallen", "Gentle", "Hasty", "Iron")
_NOUNS = ("Arrow", "Banana", "Chimney", "Dragon", "Elbow", "Finger", "Ghost", "Hook")
_WALLS = (("Prow", 30), ("Slab", -10), ("Cave", 55), ("Tower", 0))
_TAGS = ("crimps", "dynamic", "endurance", "jugs", "slopers", "technical")
_STYLES = ("flash", "redpoint", "repeat")
_HIRES = (("shoes", Decimal("3.50")), ("harness", Decimal("2.75")), ("chalk", Decimal("1.20")))
_OPENED = datetime(2025, 1, 6, tzinfo=UTC)


def collections() -> dict[str, list[dict[str, Any]]]:
    """The documents of each collection."""
    return {
        "routes": list(_routes()),
        "climbers": list(_climbers()),
        "setters": list(_setters()),
        "visits": list(_visits()),
    }


def _setters() -> Iterator[dict[str, Any]]:
    for number, name in enumerate(_SETTERS, start=1):
        setter: dict[str, Any] = {"_id": number, "name": name}
        if number % 3:
            setter["certified"] = datetime(2015 + number, 5, 1, tzinfo=UTC)
        yield setter | {"day_rate": 180.0 + 12.5 * number}


def _climbers() -> Iterator[dict[str, Any]]:
    for name in _CLIMBERS:
        climber: dict[str, Any] = {
            "_id": _climber_id(name),
            "name": name,
            "born": _DICE.between(1961, 2012, name, "born"),
            "membership": None,
        }
        if _DICE.chance(75, name, "member"):
            kind, fee = _DICE.pick((("month", "49.00"), ("year", "490.00"), ("student", "29.90")), name, "kind")
            since = _OPENED + timedelta(days=_DICE.between(0, 300, name, "since"))
            climber["membership"] = {"kind": kind, "fee": Decimal128(fee), "since": since}
        if _DICE.chance(50, name, "gear"):
            climber["gear"] = _DICE.some(("chalk bag", "harness", "rope", "shoes"), 2, name, "things")
        yield climber


def _routes() -> Iterator[dict[str, Any]]:
    names = [f"{adjective} {noun}" for adjective in _ADJECTIVES for noun in _NOUNS]
    for number, name in enumerate(_DICE.some(names, 44, "names"), start=1):
        wall, angle = _DICE.pick(_WALLS, number, "wall")
        set_on = _OPENED + timedelta(days=number * 7)
        grade = _DICE.between(3, 8, number, "grade")
        route: dict[str, Any] = {
            "_id": f"R{number:03d}",
            "name": name,
            "wall": {"name": wall, "angle": angle},
            "grade": {"number": grade, "letter": _DICE.pick("abc", number, "letter")},
            "setter": _DICE.between(1, len(_SETTERS), number, "setter"),
            "set_on": set_on,
            "removed": set_on + timedelta(days=120) if _DICE.chance(35, number, "gone") else None,
            "ascents": list(_ascents(number, set_on)),
        }
        if _DICE.chance(80, number, "tags"):
            route["tags"] = _DICE.some(_TAGS, _DICE.between(1, 3, number, "many"), number, "tag")
        yield route


def _ascents(number: int, set_on: datetime) -> Iterator[dict[str, Any]]:
    for name in _DICE.some(_CLIMBERS[:-3], _DICE.between(0, 9, number, "ascents"), number, "who"):
        style = _DICE.pick(_STYLES, number, name, "style")
        yield {
            "climber": _climber_id(name),
            "on": set_on + timedelta(days=_DICE.between(1, 110, number, name, "day")),
            "style": style,
            "attempts": 1 if style == "flash" else _DICE.between(2, 14, number, name, "attempts"),
        }


def _visits() -> Iterator[dict[str, Any]]:
    for number in range(120):
        name = _DICE.pick(_CLIMBERS[:-1], number, "who")
        visit: dict[str, Any] = {
            "_id": _DICE.object_id("visit", number),
            "climber": _climber_id(name),
            "at": _OPENED + timedelta(days=number * 2, hours=_DICE.between(7, 20, number, "hour")),
            "minutes": _DICE.between(30, 240, number, "minutes"),
        }
        if _DICE.chance(40, number, "hires"):
            hires = _DICE.some(_HIRES, _DICE.between(1, 2, number, "many"), number, "hire")
            visit["hires"] = [{"item": item, "price": Decimal128(price)} for item, price in hires]
        if _DICE.chance(15, number, "guest"):
            visit["guest_of"] = _climber_id(_DICE.pick([c for c in _CLIMBERS if c != name], number, "host"))
        yield visit


def _climber_id(name: str) -> Any:
    return _DICE.object_id("climber", name)
