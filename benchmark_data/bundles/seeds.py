"""The made-up documents of a seed library: varieties, members and loans."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from bson.decimal128 import Decimal128

from benchmark_data.bundles.dice import Dice

DB_ID = "seed_library"

_DICE = Dice(DB_ID)
_SPECIES = {
    "tomato": ("Solanum lycopersicum", "Solanaceae"),
    "bean": ("Phaseolus vulgaris", "Fabaceae"),
    "pea": ("Pisum sativum", "Fabaceae"),
    "squash": ("Cucurbita maxima", "Cucurbitaceae"),
    "lettuce": ("Lactuca sativa", "Asteraceae"),
    "beet": ("Beta vulgaris", "Amaranthaceae"),
}
_FIRST = ("Amber", "Black", "Crimson", "Early", "Giant", "Hollow", "Late", "Old", "Speckled", "Winter")
_LAST = ("Bell", "Countess", "Drum", "Ox", "Lantern", "Heart", "Marvel", "Thimble")
_COLOURS = ("green", "orange", "purple", "red", "white", "yellow")
_MEMBERS = (
    "Ada Lindqvist", "Bożena Wójcik", "Chidi Okafor", "Dolores Peña", "Émile Garnier", "Fatou Diallo",
    "Grete Møller", "Hana Nováková", "Ioan Țurcanu", "Jorge Ibáñez", "Keiko Mori", "Lars Ström",
    "Mei-Ling Chou", "Nuno Araújo", "Olga Petrenko", "Padraig Ó Sé", "Qadir Rahmani", "Rosa Conti",
    "Siân Hughes", "Tomás Vidal", "Ursula Weiß", "Vasil Dimov", "Wanjiru Kamau", "Xenia Pappas",
    "Yusuf Demir", "Zoë de Wit",
)  # fmt: skip
_VILLAGES = ("Elmstead", "Fosse", "Harrow End", "Saint-Brieuc", "Weißbach")
_INTERESTS = ("beans", "flowers", "grain", "herbs", "roots", "tomatoes")
_OPENED = datetime(2023, 2, 1, tzinfo=UTC)


def collections() -> dict[str, list[dict[str, Any]]]:
    """The documents of each collection."""
    return {"varieties": list(_varieties()), "members": list(_members()), "loans": list(_loans())}


def _varieties() -> Iterator[dict[str, Any]]:
    names = [f"{first} {last}" for first in _FIRST for last in _LAST]
    for number, name in enumerate(_DICE.some(names, 48, "names"), start=1):
        crop = _DICE.pick(tuple(_SPECIES), number, "crop")
        latin, family = _SPECIES[crop]
        variety: dict[str, Any] = {
            "_id": number,
            "name": name,
            "crop": crop,
            "species": {"latin": latin, "family": family},
            "traits": {
                "days_to_harvest": _DICE.between(38, 145, number, "days"),
                "colours": _DICE.some(_COLOURS, _DICE.between(1, 3, number, "colours"), number, "colour"),
            },
            "germination": list(_germination(number)),
            "stock_grams": Decimal128(Decimal(_DICE.between(0, 4000, number, "stock")) / 10),
        }
        if _DICE.chance(60, number, "height"):
            variety["traits"]["height_cm"] = _DICE.between(40, 500, number, "centimetres") / 2
        if _DICE.chance(50, number, "donor"):
            variety["donor"] = _member_id(_DICE.between(1, len(_MEMBERS), number, "from"))
        if _DICE.chance(40, number, "note"):
            variety["note"] = _DICE.pick((None, "keeps well", "soak overnight", "frost-hardy"), number, "text")
        yield variety


def _germination(number: int) -> Iterator[dict[str, Any]]:
    for year in range(2022, 2026):
        if _DICE.chance(60, number, year):
            yield {"year": year, "rate": _DICE.between(350, 990, number, year, "rate") / 1000}


def _members() -> Iterator[dict[str, Any]]:
    for number, name in enumerate(_MEMBERS, start=1):
        member: dict[str, Any] = {
            "_id": _member_id(number),
            "name": name,
            "village": _DICE.pick(_VILLAGES, number, "village"),
            "joined": _OPENED + timedelta(days=_DICE.between(0, 900, number, "joined")),
            "contact": {"phone": f"555-{_DICE.between(1000, 9999, number, 'phone')}"},
            "interests": _DICE.some(_INTERESTS, _DICE.between(0, 4, number, "many"), number, "interest"),
        }
        if _DICE.chance(30, number, "no phone"):
            member["contact"]["phone"] = None
        if _DICE.chance(60, number, "email"):
            member["contact"]["email"] = f"member{number}@seeds.example"
        yield member


def _loans() -> Iterator[dict[str, Any]]:
    for number in range(140):
        borrowed = _OPENED + timedelta(days=900 + number * 2, hours=_DICE.between(9, 17, number, "hour"))
        loan: dict[str, Any] = {
            "_id": _DICE.object_id("loan", number),
            "variety": _DICE.between(1, 48, number, "variety"),
            "member": _member_id(_DICE.between(1, len(_MEMBERS) - 2, number, "member")),
            "borrowed": borrowed,
            "packets": _DICE.between(1, 6, number, "packets"),
        }
        if _DICE.chance(70, number, "returned"):
            loan["returned"] = borrowed + timedelta(days=_DICE.between(90, 260, number, "days"))
            loan["harvest"] = {
                "grams": Decimal128(Decimal(_DICE.between(20, 900, number, "grams")) / 4),
                "jars": _DICE.between(1, 5, number, "jars"),
            }
        elif _DICE.chance(50, number, "lost"):
            loan["returned"] = None
        yield loan


def _member_id(number: int) -> str:
    return f"M-{number:03d}"
