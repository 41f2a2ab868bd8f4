"""The rows of the kitchen's database."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.kitchen.dishes import DISHES
from benchmark_data.bundles.sample21.kitchen.larder import INGREDIENTS, NUTRIENTS

Row = tuple[object, ...]

_COOKS: Final = (
    ("Odile Marchetti", "head chef", "2011-03-01", None),
    ("Bram Okafor", "sous chef", "2014-09-15", 1),
    ("Sanna Lindqvist", "pastry chef", "2015-02-01", 1),
    ("Teo Almeida", "cook", "2018-05-02", 2),
    ("Ruth Abernathy", "cook", "2019-01-07", 2),
    ("Jiří Novák", "baker", "2019-11-18", 3),
    ("Amara Diallo", "cook", "2021-04-12", 4),
    ("Finn O'Shea", "apprentice", "2023-08-01", 6),
    ("Leni Vogt", "apprentice", "2024-08-01", 4),
)
_UNITS: Final = (
    ("g", "gram", "mass", 1),
    ("kg", "kilogram", "mass", 1000),
    ("ml", "millilitre", "volume", 1),
    ("dl", "decilitre", "volume", 100),
    ("l", "litre", "volume", 1000),
    ("tsp", "teaspoon", "volume", 5),
    ("tbsp", "tablespoon", "volume", 15),
)
_SUPPLIERS: Final = (
    ("Marlow Mill", "Marlow", "orders@marlowmill.example", 5000),
    ("Greenacre Growers", "Thame", "hello@greenacre.example", 3000),
    ("Dairy Lane", "Marlow", "Office@DairyLane.example", 4000),
    ("Coldwater Fish", "Poole", None, 8000),
    ("Hatch & Sons Butchers", "Thame", "shop@hatch.example", 6000),
    ("South Sea Spices", "Bristol", "trade@southsea.example", 2500),
    ("Greenacre Orchards", "Ledbury", None, 3500),
    ("Oliva Imports", "Bristol", "ciao@oliva.example", 10000),
)
_SUPPLIER_OF: Final = {"grain": 1, "vegetable": 2, "dairy": 3, "egg": 3, "fish": 4, "meat": 5}
_SUPPLIER_OF_OTHERS: Final = {"spice": 6, "sweetener": 6, "nut": 8, "fruit": 7, "herb": 2, "oil": 8}
_STEPS: Final = (
    ("chop", 4, 15, "Cut what goes into the {} into even pieces."),
    ("whisk", 2, 10, "Beat the {} until light."),
    ("fold", 3, 12, "Work in the rest of the {} in two or three turns."),
    ("roll", 5, 15, "Roll out the {} thinly."),
    ("rest", 20, 180, "Leave the {} covered in a cool place."),
    ("fry", 5, 20, "Colour the {} on all sides."),
    ("simmer", 15, 90, "Let the {} bubble gently, skimming now and then."),
    ("bake", 12, 60, "Put the {} in the oven until golden."),
    ("strain", 2, 6, "Pass the {} through a sieve."),
    ("season", 1, 3, "Taste the {}, and correct with salt."),
)
_PREPARATIONS: Final = {
    "vegetable": ("finely chopped", "diced", "sliced", "peeled"),
    "herb": ("finely chopped", "torn"),
    "dairy": ("at room temperature", "cold"),
    "nut": ("toasted", "chopped"),
    "fruit": ("peeled", "sliced"),
    "meat": ("diced", "trimmed"),
}
_OCCASIONS: Final = {"wedding": 5, "conference": 6, "birthday": 4, "private": 3, "tasting": 2}
_COMPLAINTS: Final = ("short weight", "late", "damaged pack", "too warm", "wrong item", "bruised")
_ODD_DATES: Final = ("31.06.2024", "early May", "??.02.2024", "2024", "n/a")
_NOTES: Final = ("Doubles well.", "Not for freezing.", "Needs the small oven.", "Guests with nut allergies: leave out.")


def tables(dice: Dice) -> dict[str, list[Row]]:
    """The rows of each table, in the order of the schema."""
    titles = {title: number for number, (title, *_) in enumerate(DISHES, start=1)}
    menus = [_menu(dice, number) for number in range(1, 91)]
    return {
        "cook": [(number, *cook) for number, cook in enumerate(_COOKS, start=1)],
        "unit": list(_UNITS),
        "supplier": [(number, *supplier) for number, supplier in enumerate(_SUPPLIERS, start=1)],
        "ingredient": [
            (code, name, kind, _supplier(dice, code, kind), grams, cents, vegan)
            for code, name, kind, grams, cents, vegan, _ in INGREDIENTS
        ],
        "nutrient": [
            (code, name, value)
            for code, *_, values in INGREDIENTS
            for name, value in zip(NUTRIENTS, values, strict=True)
            # Not everything has been measured by everybody.
            if value is not None and not dice.chance(7, "unmeasured", code, name)
        ],
        "recipe": [_recipe(dice, number) for number in titles.values()],
        "recipe_ingredient": [line for number in titles.values() for line in _lines(dice, number)],
        "sub_recipe": [
            (titles[title], titles[part], dice.pick((0.25, 0.5, 0.5, 1.0, 1.0, 2.0), "factor", title, part))
            for title, _, _, parts, _ in DISHES
            for part in parts
        ],
        "step": [step for number in titles.values() for step in _steps(dice, number)],
        "menu": menus,
        "menu_course": [course for menu in menus for course in _courses(dice, menu)],
        "delivery": [_delivery(dice, number) for number in range(1, 521)],
    }


def _supplier(dice: Dice, code: str, kind: str) -> int | None:
    # A few things come from whoever has them.
    if dice.chance(8, "no supplier", code):
        return None
    return {**_SUPPLIER_OF, **_SUPPLIER_OF_OTHERS}[kind]


def _recipe(dice: Dice, number: int) -> Row:
    title, course, portions, parts, _ = DISHES[number - 1]
    active = 5 * dice.skewed(2, 18, "active", number, power=2)
    waiting = 5 * dice.skewed(0, 48, "waiting", number) + 15 * len(parts)
    cook = dice.weighted({1: 4, 2: 8, 3: 7, 4: 6, 5: 5, 6: 4, 7: 3}, "cook", number)
    if course in {"D", "K"}:
        cook = dice.weighted({3: 6, 6: 4, 1: 1}, "cook", number)
    created = dice.day("2020-01-06", "2024-11-30", "created", number)
    # In the quiet days after New Year the cooks write down what they have tried out.
    created = created.replace(month=1, day=1) if dice.chance(40, "quiet", number) else created
    note = dice.pick(_NOTES, "note", number) if dice.chance(25, "has note", number) else None
    return (number, title, course, portions, active, active + waiting, cook, created.isoformat(), note)


def _lines(dice: Dice, number: int) -> Iterator[Row]:
    *_, kinds = DISHES[number - 1]
    chosen = []
    for kind in kinds:
        options = [row for row in INGREDIENTS if row[2] == kind]
        wanted = min(len(options), dice.between(1, 3, "how many", number, kind))
        chosen += dice.some(options, wanted, "which", number, kind)
    for line, (code, _, kind, grams, *_) in enumerate(chosen, start=1):
        pieces = float(dice.between(1, 12, "pieces", number, code))
        amount, unit = (pieces, None) if grams is None else _amount(dice, kind, number, code)
        ways = _PREPARATIONS.get(kind)
        prep = dice.pick(ways, "prep", number, code) if ways and dice.chance(50, "has prep", number, code) else None
        may_be_left_out = kind in {"herb", "nut", "spice"} and dice.chance(22, "optional", number, code)
        yield (number, line, code, amount, unit, prep, "y" if may_be_left_out else None)


def _amount(dice: Dice, kind: str, *key: object) -> tuple[float | None, str | None]:
    if kind == "spice":
        if dice.chance(45, "to taste", *key):
            return None, None
        return dice.between(1, 6, "spoons", *key) / 2, dice.pick(("tsp", "tsp", "tbsp"), "spoon", *key)
    if kind == "oil":
        return float(dice.between(1, 5, "oil", *key)), dice.pick(("tbsp", "dl"), "oil unit", *key)
    if kind == "herb":
        return float(dice.between(1, 12, "sprigs", *key) * 5), "g"
    if dice.chance(35, "large", *key):
        return dice.between(2, 30, "kilos", *key) / 10, "kg"
    return float(dice.between(2, 45, "grams", *key) * 20), "g"


def _steps(dice: Dice, number: int) -> Iterator[Row]:
    title = DISHES[number - 1][0].lower()
    for nr, (technique, least, most, words) in enumerate(
        dice.some(_STEPS, dice.between(3, 8, "steps", number), "step", number), start=1
    ):
        minutes = dice.between(least, most, "minutes", number, nr) if dice.chance(82, "timed", number, nr) else None
        written = dice.pick((technique, technique, technique.capitalize(), technique.upper()), "case", number, nr)
        yield (number, nr, written, minutes, words.format(title))


def _menu(dice: Dice, number: int) -> Row:
    occasion = dice.weighted(_OCCASIONS, "occasion", number)
    served = date(2023, 1, 14) + timedelta(days=7 * number + dice.between(0, 6, "served", number))
    # Feasts of New Year and midsummer are held on the first.
    if served.month in {1, 7} and served.day <= 10:
        served = served.replace(day=1)
    undated = dice.chance(7, "undated", number)
    guests = dice.skewed(8, 240, "guests", number, power=2)
    # Large parties are booked in tens.
    guests = guests // 10 * 10 if guests > 60 else guests
    price = dice.between(18, 72, "price", number) * 100 + dice.pick((0, 50, 90), "odd cents", number)
    return (
        number,
        f"{occasion.capitalize()} {number:03d}",
        occasion,
        None if undated else served.isoformat(),
        guests,
        price,
    )


def _courses(dice: Dice, menu: Row) -> Iterator[Row]:
    number, guests = menu[0], menu[4]
    wanted = {"S": dice.between(0, 2, "S", number), "M": dice.between(1, 2, "M", number)}
    wanted |= {"D": dice.between(0, 2, "D", number), "K": dice.between(0, 1, "K", number)}
    position = 0
    for course, count in wanted.items():
        options = [index for index, dish in enumerate(DISHES, start=1) if dish[1] == course]
        for turn in range(count):
            # The first dishes of each course are the house's favourites.
            recipe = options[dice.skewed(0, len(options) - 1, "dish", number, course, turn, power=2)]
            position += 1
            portions = max(4, int(str(guests)) * dice.between(35, 105, "share", number, position) // 100)
            yield (number, position, recipe, portions)


def _delivery(dice: Dice, number: int) -> Row:
    code, _, kind, _, cents, *_ = INGREDIENTS[dice.skewed(0, len(INGREDIENTS) - 1, "what", number, power=1)]
    day = date(2023, 7, 3) + timedelta(days=number + dice.between(0, 4, "day", number))
    delivered = day.strftime("%d.%m.%Y")
    if dice.chance(3, "odd date", number):
        delivered = dice.pick(_ODD_DATES, "odd", number)
    packs = dice.skewed(1, 20, "packs", number)
    cost = packs * cents * dice.between(94, 112, "market", number) // 100
    fussy = 14 if kind in {"fish", "fruit", "herb"} else 5
    complaint = dice.pick(_COMPLAINTS, "what went wrong", number) if dice.chance(fussy, "complaint", number) else None
    return (number, code, delivered, packs, cost, complaint)
