"""The rows of the shop: fixed goods, people and coupons; orders, returns and reviews drawn by dice."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.market import words

Row = tuple[object, ...]

_SHOPPERS: Final = 190
_PURCHASES: Final = 560
_STANDING_DAYS: Final = 4
_LAST_DAY: Final = date(2025, 3, 31)


def tables(dice: Dice) -> dict[str, list[Row]]:
    """The rows of each table, parents first."""
    products = list(_products(dice))
    shoppers = list(_shoppers(dice))
    purchases, lines = _purchases(dice, products, shoppers)
    return {
        "category": list(words.CATEGORIES),
        "supplier": [(number, *supplier) for number, supplier in enumerate(words.SUPPLIERS, start=1)],
        "product": products,
        "product_tag": [(product[0], tag) for product in products for tag in _tags(dice, str(product[0]))],
        "shopper": shoppers,
        "coupon": list(words.COUPONS),
        "purchase": purchases,
        "purchase_line": lines,
        "return_slip": list(_returns(dice, purchases, lines)),
        "review": list(_reviews(dice, purchases, lines)),
    }


def _money(cents: int) -> str:
    """1249.00 as the shop's old till writes it: "1,249.00"."""
    return f"{cents // 100:,}.{cents % 100:02d}"


def _cents(money: str) -> int:
    return int(money.replace(",", "").replace(".", ""))


def _products(dice: Dice) -> Iterator[Row]:
    number = 0
    for category, nouns, firsts, *ranges in words.GOODS:
        for noun in nouns:
            for first in firsts:
                number += 1
                yield _product(dice, number, f"{first} {noun}", category, ranges)
                twin = _twin(number, f"{first} {noun}")
                if twin:
                    number += 1
                    yield _product(dice, number, twin, category, ranges)


def _twin(number: int, title: str) -> str:
    """Now and then the same thing was entered again, with another spelling."""
    if number % 14 == 5:
        return title.capitalize()
    if number % 23 == 7:
        return f"{title} "
    return title.upper() if number % 37 == 11 else ""


def _product(dice: Dice, number: int, title: str, category: str, ranges: list[int]) -> Row:
    low, high, light, heavy = ranges
    sku = f"{number * 37:05d}"
    cents = dice.skewed(low // 100, high // 100, "price", sku, power=2) * 100 + dice.pick((0, 50, 95, 99), "tail", sku)
    # Dear things have round prices.
    cents = cents // 10_000 * 10_000 if cents > 80_000 else cents // 1_000 * 1_000 if cents > 20_000 else cents
    # Some products were filed in haste, as often as not under a whole department.
    if dice.chance(14, "misfiled", sku):
        category = dice.pick(words.HASTY_CATEGORIES, "hasty", sku)
    return (
        sku,
        title,
        category,
        dice.between(1, len(words.SUPPLIERS), "supplier", sku),
        _money(cents),
        None if dice.chance(12, "weightless", sku) else dice.between(light // 10, heavy // 10, "weight", sku) * 10,
        dice.day("2019-02-01", "2024-06-30", "launch", sku).isoformat(),
        dice.weighted({"A": 82, "D": 13, "P": 5}, "state", sku),
    )


def _tags(dice: Dice, sku: str) -> list[str]:
    return dice.some(words.TAGS, dice.skewed(0, 4, "tags", sku, power=1), "tag", sku)


def _shoppers(dice: Dice) -> Iterator[Row]:
    for number in range(1, _SHOPPERS + 1):
        # Every seventeenth account is the second one of somebody who was there a little earlier.
        person = number - 4 if number % 17 == 0 else number
        first = dice.pick(words.FIRST_NAMES, "first", person)
        last = dice.pick(words.LAST_NAMES, "last", person)
        yield (
            number,
            f"{first} {last}",
            _email(dice, first, last, person, number),
            dice.day("2021-01-04", "2024-12-20", "joined", number).isoformat(),
            dice.weighted(words.COUNTRIES, "country", person),
            None if dice.chance(9, "asked", number) else "Y" if dice.chance(44, "newsletter", number) else "N",
        )


def _email(dice: Dice, first: str, last: str, person: int, number: int) -> str:
    name = f"{first}.{last}".translate(words.ASCII).replace("'", "")
    address = f"{name}{person}@{dice.pick(words.DOMAINS, 'domain', person)}"
    form = dice.between(1, 10, "letters", number)
    return address.upper() if form == 1 else address if form <= 4 else address.lower()


def _purchases(dice: Dice, products: list[Row], shoppers: list[Row]) -> tuple[list[Row], list[Row]]:
    purchases: list[Row] = []
    lines: list[Row] = []
    for position in range(_PURCHASES):
        number = 20001 + position
        day = dice.day("2023-01-02", "2025-02-28", "placed", number)
        clock = f"{dice.between(6, 22, 'hour', number):02d}:{dice.between(0, 59, 'minute', number):02d}:00"
        # Standing orders are placed by the shop itself as a month begins.
        if day.day <= _STANDING_DAYS and dice.chance(75, "standing", number):
            day, clock = day.replace(day=1), "00:00:00"
        shopper = shoppers[dice.skewed(0, len(shoppers) - 1, "shopper", number, power=2)][0]
        fee = dice.weighted({"0.00": 45, "4.95": 40, "9.90": 12, "1,019.00": 1}, "fee", number)
        status = dice.weighted({"D": 76, "X": 9, "S": 9, "N": 6}, "status", number)
        channel = dice.weighted({"web": 52, "app": 31, "shop": 11, "phone": 6}, "channel", number)
        purchases.append((number, shopper, f"{day} {clock}", channel, _coupon(dice, number, day), fee, status))
        lines.extend(_lines(dice, number, products))
    return purchases, lines


def _coupon(dice: Dice, number: int, day: date) -> str | None:
    valid = [one[0] for one in words.COUPONS if one[3] <= day.isoformat() <= (one[4] or "9999")]
    return dice.pick(valid, "coupon", number) if dice.chance(27, "has coupon", number) else None


def _lines(dice: Dice, number: int, products: list[Row]) -> Iterator[Row]:
    wanted: dict[int, None] = {}
    for line in range(dice.skewed(1, 7, "lines", number, power=2)):
        wanted[dice.skewed(0, len(products) - 1, "thing", number, line, power=2) * 61 % len(products)] = None
    for line, index in enumerate(wanted, start=1):
        product = products[index]
        cents = _cents(str(product[4]))
        paid = cents * 9 // 10 if dice.chance(20, "offer", number, line) else cents
        yield (number, line, product[0], dice.skewed(1, 8, "quantity", number, line, power=4), _money(paid))


def _returns(dice: Dice, purchases: list[Row], lines: list[Row]) -> Iterator[Row]:
    placed = {one[0]: str(one[2])[:10] for one in purchases if one[6] == "D"}
    slip = 700
    for number, line, _, quantity, price in lines:
        if number not in placed or not dice.chance(11, "returned", number, line):
            continue
        slip += 1
        day = date.fromisoformat(placed[number]) + timedelta(days=dice.between(4, 45, "back", number, line))
        paid = _cents(str(price)) * int(str(quantity))
        refund = None if dice.chance(16, "open", number, line) else paid if dice.chance(80, "full", slip) else paid // 2
        reason = dice.weighted({"DMG": 30, "NLK": 36, "WRG": 14, "LAT": 12, "DUP": 8}, "reason", number, line)
        yield (slip, number, line, day.isoformat(), reason, refund)


def _reviews(dice: Dice, purchases: list[Row], lines: list[Row]) -> Iterator[Row]:
    bought = {one[0]: (one[1], str(one[2])[:10]) for one in purchases if one[6] == "D"}
    review = 0
    for number, line, sku, *_ in lines:
        if number not in bought or not dice.chance(46, "reviewed", number, line):
            continue
        review += 1
        shopper, day = bought[number]
        written = date.fromisoformat(day) + timedelta(days=dice.skewed(2, 200, "written", number, line, power=2))
        stars = _stars(dice, str(sku), number, line)
        yield (
            review,
            sku,
            shopper,
            stars,
            dice.pick(words.HEADLINES[stars], "headline", review) if dice.chance(72, "headlined", review) else None,
            dice.pick(words.BODIES, "body", review) if dice.chance(60, "told", review) else None,
            min(written, _LAST_DAY).isoformat(),
            dice.skewed(0, 64, "helpful", review, power=4),
        )


def _stars(dice: Dice, sku: str, number: object, line: object) -> int:
    """Some products are worse than others."""
    if dice.chance(22, "weak", sku):
        return dice.weighted({1: 25, 2: 25, 3: 25, 4: 15, 5: 10}, "stars", number, line)
    return dice.weighted({1: 3, 2: 5, 3: 12, 4: 35, 5: 45}, "stars", number, line)
