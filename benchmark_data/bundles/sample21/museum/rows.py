"""The rows of the museum: fixed galleries and artists; objects, loans and treatments drawn by dice."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.museum import words

Row = tuple[object, ...]

_PAINTINGS: Final = 270
_SCULPTURES: Final = 120
_COINS: Final = 190
_LOANS: Final = 95
_CLOSING_DAYS: Final = 12
_HOW: Final = {"P": 38, "G": 30, "B": 20, "D": 12}
_TODAY: Final = date(2025, 6, 30)


def tables(dice: Dice) -> dict[str, list[Row]]:
    """The rows of each table, parents first."""
    paintings = [_painting(dice, number) for number in range(1, _PAINTINGS + 1)]
    sculptures = [_sculpture(dice, number) for number in range(1, _SCULPTURES + 1)]
    coins = [_coin(dice, number) for number in range(1, _COINS + 1)]
    inventory = [str(row[0]) for row in (*paintings, *sculptures, *coins)]
    loans = list(_loans(dice))
    return {
        "gallery": list(words.GALLERIES),
        "artist": [(number, *artist[:5]) for number, artist in enumerate(words.ARTISTS, start=1)],
        "painting": paintings,
        "sculpture": sculptures,
        "sculpture_material": list(_materials(dice, sculptures)),
        "coin": coins,
        "authorship": list(_authorships(dice, inventory)),
        "borrower": [(number, *borrower) for number, borrower in enumerate(words.BORROWERS, start=1)],
        "loan": loans,
        "loan_object": list(_loan_objects(dice, loans, inventory)),
        "conservator": [(number, *one) for number, one in enumerate(words.CONSERVATORS, start=1)],
        "treatment": list(_treatments(dice, inventory)),
    }


def _hands(dice: Dice, key: str) -> list[int]:
    """The numbers of the artists of an object: nobody known, one, or two who worked at the same time."""
    if not dice.chance({"P": 88, "S": 76, "C": 22}[key[0]], "known", key):
        return []
    # Coins are older than most artists of the collection.
    able = [number for number, artist in enumerate(words.ARTISTS, start=1) if key[0] != "C" or artist[5] < 1720]
    first = able[dice.skewed(0, len(able) - 1, "artist", key, power=2)]
    fellows = [number for number in able if number != first and _span([first, number])]
    return [first, dice.pick(fellows, "fellow", key)] if fellows and dice.chance(14, "two", key) else [first]


def _span(hands: list[int]) -> tuple[int, int] | None:
    """The years in which all of them worked."""
    first = max(words.ARTISTS[number - 1][5] for number in hands)
    last = min(words.ARTISTS[number - 1][6] for number in hands)
    return (first, last) if first <= last else None


def _made(dice: Dice, key: str, first: int, last: int) -> str | None:
    """A year as the catalogue has it: sure, about, a span, a bound, or nothing; unsigned works are bounded."""
    hands = _hands(dice, key)
    year = dice.between(*((_span(hands) if hands else None) or (first, last)), "made", key)
    forms = {
        f"{year}": 56,
        f"c. {year // 5 * 5}": 22,
        f"{year}–{year + dice.between(1, 6, 'span', key)}": 9,
        f"before {year // 10 * 10 + 10}": 5,
        None: 8,
    }
    return dice.weighted(forms, "form", key)


def _acquired(dice: Dice, key: str) -> tuple[str | None, str]:
    day = dice.day("1888-05-01", "2024-11-30", "acquired", key)
    how = dice.weighted(_HOW, "how", key)
    form = dice.between(1, 100, "known", key)
    if form <= 7:
        return None, how
    return (f"{day.year}-00-00" if form <= 18 and day.year < 1950 else day.isoformat()), how


def _gallery(dice: Dice, key: str, weights: dict[str | None, int]) -> str | None:
    return dice.weighted(weights, "gallery", key)


def _painting(dice: Dice, number: int) -> Row:
    key = f"P-{number:04d}"
    medium = dice.weighted(words.MEDIA, "medium", key)
    walls: dict[str | None, int] = {
        None: 46,
        "002": 8,
        "003": 5,
        "011": 12,
        "012": 9,
        "014": 8,
        "021": 6,
        "022": 4,
        "023": 2,
    }
    longest = 90 if medium == "watercolour" else 320
    wide, high = (dice.skewed(12, longest, side, key, power=2) * 10 for side in ("width", "height"))
    return (
        key,
        _title(words.SUBJECTS, number),
        _made(dice, key, 1600, 1985),
        _gallery(dice, key, walls),
        *_acquired(dice, key),
        medium,
        dice.pick(words.SUPPORTS[medium], "support", key),
        wide,
        high,
        "N" if dice.chance(24, "frame", key) else "Y",
    )


def _title(titles: tuple[str, ...], number: int) -> str:
    """Subjects come back; later versions are numbered, and a few are written in capitals in the old books."""
    title, version = titles[number % len(titles)], number // len(titles)
    full = f"{title} ({version})" if version % 3 == 1 else title
    return full.upper() if number % 29 == 7 else full


def _sculpture(dice: Dice, number: int) -> Row:
    key = f"S-{number:04d}"
    rooms: dict[str | None, int] = {None: 38, "001": 6, "004": 20, "013": 22, "014": 6, "021": 6, "023": 2}
    casts = dice.between(5, 9, "casts", key)
    return (
        key,
        _title(words.FIGURES, number),
        _made(dice, key, 1680, 1995),
        _gallery(dice, key, rooms),
        *_acquired(dice, key),
        dice.skewed(8, 260, "height", key, power=2) * 10,
        None if dice.chance(28, "unweighed", key) else dice.skewed(4, 6200, "weight", key) / 10,
        f"{dice.between(1, casts, 'cast', key)}/{casts}" if dice.chance(33, "edition", key) else None,
    )


def _materials(dice: Dice, sculptures: list[Row]) -> Iterator[Row]:
    for key, *_ in sculptures:
        draws = range(dice.weighted({1: 58, 2: 32, 3: 10}, "materials", key))
        for material in dict.fromkeys(dice.weighted(words.MATERIALS, "material", key, draw) for draw in draws):
            yield (key, material)


def _coin(dice: Dice, number: int) -> Row:
    key = f"C-{number:04d}"
    return (
        key,
        f"{words.DENOMINATIONS[number % len(words.DENOMINATIONS)]} no. {number}",
        _made(dice, key, 1180, 1790),
        _gallery(dice, key, {None: 60, "015": 38, "001": 2}),
        *_acquired(dice, key),
        dice.weighted(words.METALS, "metal", key),
        dice.weighted(words.MINTS, "mint", key),
        None if dice.chance(9, "unweighed", key) else dice.skewed(380, 29400, "weight", key, power=2),
        dice.between(112, 441, "diameter", key) / 10,
    )


def _authorships(dice: Dice, inventory: list[str]) -> Iterator[Row]:
    for key in inventory:
        for artist in _hands(dice, key):
            yield (artist, key, dice.weighted({"A": 74, "W": 15, "F": 11}, "part", key, artist))


def _loans(dice: Dice) -> Iterator[Row]:
    for number in range(1, _LOANS + 1):
        start = dice.day("2016-03-01", "2025-09-30", "start", number)
        end = start + timedelta(days=dice.between(60, 400, "days", number))
        state = "B" if end < _TODAY else "O" if start <= _TODAY else "R"
        state = "C" if dice.chance(8, "cancelled", number) else state
        borrower = dice.skewed(1, len(words.BORROWERS), "borrower", number, power=2)
        yield (3000 + number, borrower, start.isoformat(), end.isoformat(), state)


def _loan_objects(dice: Dice, loans: list[Row], inventory: list[str]) -> Iterator[Row]:
    for loan, *_ in loans:
        count = dice.skewed(1, 12, "size", loan, power=2)
        places = dict.fromkeys(dice.skewed(0, len(inventory) - 1, "lent", loan, draw, power=2) for draw in range(count))
        for place in places:
            key = inventory[place * 13 % len(inventory)]
            value = dice.skewed(2, 60_000 if key[0] == "P" else 9_000, "insured", loan, key, power=4) * 100_000
            yield (loan, key, None if dice.chance(6, "uninsured", loan, key) else value)


def _treatments(dice: Dice, inventory: list[str]) -> Iterator[Row]:
    number = 0
    for key in inventory:
        for turn in range(dice.skewed(0, 4, "treatments", key, power=2)):
            number += 1
            start = dice.day("2012-01-09", "2025-05-30", "started", key, turn)
            end = start + timedelta(days=dice.skewed(3, 240, "took", key, turn, power=2))
            # What is nearly done at the end of a year is closed on the first day of the next.
            if end.year > start.year and end.month == 1 and end.day <= _CLOSING_DAYS:
                end = end.replace(day=1)
            hands = {"P": (1, 2, 6), "S": (3, 3, 4), "C": (4, 5, 5)}[key[0]]
            yield (
                number,
                key,
                dice.pick(hands, "conservator", key, turn),
                dice.pick(words.METHODS[key[0]], "method", key, turn),
                start.isoformat(),
                None if end > _TODAY or dice.chance(7, "open", key, turn) else end.isoformat(),
                dice.skewed(6, 900, "cost", key, turn, power=3) * 1000,
            )
