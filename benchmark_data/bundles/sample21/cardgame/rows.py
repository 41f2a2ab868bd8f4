"""The rows of the card game: about 250 cards, their printings and rulings, and 64 decks."""

from collections.abc import Iterator

from benchmark_data.bundles.dice import Dice
from benchmark_data.bundles.sample21.cardgame.words import (
    ADJECTIVES,
    ARTISTS,
    COLOURS,
    FORMATS,
    KEYWORDS,
    NEAR_DUPLICATES,
    NOUNS,
    PLAYERS,
    RULINGS,
    SETS,
    SOURCES,
    TEXTS,
    TITLES,
)

Row = tuple[object, ...]

_CARDS = len(ADJECTIVES) * len(NOUNS) + len(NEAR_DUPLICATES)
_DECKS = 64
# Percent of cards that have a keyword, by kind.
_KEYWORD_SHARE = {"Creature": 70, "Aura": 40, "Relic": 25, "Flash": 10, "Ritual": 10, "Site": 5}
_RARITIES = {"C": 10, "U": 6, "R": 3, "M": 1}
_PRICES = {"C": (5, 120), "U": (10, 400), "R": (80, 2_500), "M": (300, 9_900)}


def tables(dice: Dice) -> dict[str, list[Row]]:
    """All rows by table, parents first."""
    return {
        "sets": [(code, name, kind, released) for code, name, kind, released in SETS],
        "artists": [(number, name, country) for number, (name, country) in enumerate(ARTISTS, start=1)],
        "formats": list(FORMATS),
        "keywords": list(KEYWORDS),
        "cards": [_card(dice, card) for card in range(1, _CARDS + 1)],
        "card_keywords": list(_card_keywords(dice)),
        "legalities": list(_legalities(dice)),
        "rulings": list(_rulings(dice)),
        "printings": list(_printings(dice)),
        "decks": [_deck(dice, deck) for deck in range(1, _DECKS + 1)],
        "deck_cards": list(_deck_cards(dice)),
    }


def _named(card: int) -> tuple[str, str, str | None]:
    """A card's name, kind and tribe."""
    place = card - 1
    if place >= len(ADJECTIVES) * len(NOUNS):
        return NEAR_DUPLICATES[place - len(ADJECTIVES) * len(NOUNS)]
    noun, kind, tribe = NOUNS[place % len(NOUNS)]
    return f"{ADJECTIVES[place // len(NOUNS)]} {noun}", kind, tribe


def _card(dice: Dice, card: int) -> Row:
    name, kind, tribe = _named(card)
    power = toughness = None
    if kind == "Creature":
        power = "*" if dice.chance(6, card, "star") else str(dice.bell(0, 7, card, "power"))
        toughness = "*" if dice.chance(3, card, "tough") else str(dice.bell(1, 8, card, "toughness"))
    cost = None if kind == "Site" else dice.bell(0, 8, card, "cost")
    text = None if dice.chance(15, card, "plain") else dice.pick(TEXTS, card, "text")
    return card, name, kind, tribe, cost, _colours(dice, card, kind), power, toughness, text


def _colours(dice: Dice, card: int, kind: str) -> str | None:
    if kind in {"Relic", "Site"} and dice.chance(75, card, "colourless"):
        return None
    count = dice.weighted({1: 70, 2: 25, 3: 5}, card, "colours")
    return "/".join(dice.some(COLOURS, count, card, "colour"))


def _card_keywords(dice: Dice) -> Iterator[Row]:
    words = [word for word, _ in KEYWORDS]
    for card in range(1, _CARDS + 1):
        if dice.chance(_KEYWORD_SHARE[_named(card)[1]], card, "keyword"):
            # Popular keywords stand first in the list.
            drawn = [words[dice.skewed(0, 11, card, "word", turn, power=2)] for turn in range(3)]
            count = dice.weighted({1: 5, 2: 4, 3: 2}, card, "words")
            for word in dict.fromkeys(drawn[:count]):
                yield card, word


def _legalities(dice: Dice) -> Iterator[Row]:
    for card in range(1, _CARDS + 1):
        for code, _, _ in FORMATS:
            if dice.chance({"std": 45, "draft": 30}.get(code, 92), card, code, "known"):
                status = dice.weighted({"L": 84, "R": 8, "B": 8}, card, code)
                known = status != "L" and dice.chance(85, card, code, "since")
                yield (
                    card,
                    code,
                    status,
                    dice.day("2018-01-01", "2024-06-30", card, code).isoformat() if known else None,
                )


def _rulings(dice: Dice) -> Iterator[Row]:
    number = 0
    for card in range(1, _CARDS + 1):
        for turn in range(dice.skewed(0, 4, card, "rulings", power=2)):
            number += 1
            ruled = dice.day("2017-01-10", "2024-05-31", card, turn, "ruled").isoformat()
            source = dice.weighted(SOURCES, card, turn)
            # The design department hands down many of its rulings with the new year.
            if source == "R&D" and dice.chance(30, card, turn, "new year"):
                ruled = f"{ruled[:4]}-01-01"
            yield number, card, ruled, source, dice.pick(RULINGS, card, turn, "ruling")


def _printings(dice: Dice) -> Iterator[Row]:
    """Each card in one set or several; some once more in their first set, with another picture."""
    places = {code: 0 for code, *_ in SETS}
    number = 0
    for card in range(1, _CARDS + 1):
        sets = dice.some(SETS, 1 + dice.skewed(0, 4, card, "printings", power=2), card, "sets")
        again = sets[:1] if dice.chance(12, card, "again") else []
        for code, _, kind, _ in (*sets, *again):
            number += 1
            places[code] += 1
            suffix = "p" if kind == "promo" else "★" if dice.chance(4, number, "variant") else ""
            rarity = dice.weighted(_RARITIES, number, "rarity")
            low, high = _PRICES[rarity]
            foil = "Y" if kind == "promo" or dice.chance(12, number, "foil") else "N"
            price = None if dice.chance(7, number, "unpriced") else dice.skewed(low, high, number, "price", power=2)
            artist = None if dice.chance(6, number, "unsigned") else 1 + dice.skewed(0, 13, number, "artist", power=2)
            yield number, card, code, f"{places[code]:03d}{suffix}", rarity, foil, price, artist


def _deck(dice: Dice, deck: int) -> Row:
    title = TITLES[(deck - 1) % len(TITLES)]
    version = (deck - 1) // len(TITLES)
    code = dice.weighted({"std": 6, "open": 4, "classic": 3, "duel": 3, "draft": 2}, deck, "format")
    built = None if dice.chance(15, deck, "undated") else dice.day("2019-01-05", "2024-06-30", deck).isoformat()
    return deck, f"{title} {version + 1}" if version else title, dice.pick(PLAYERS, deck, "player"), code, built


def _deck_cards(dice: Dice) -> Iterator[Row]:
    for deck in range(1, _DECKS + 1):
        # Some cards are in every other deck, most in none.
        drawn = [1 + dice.skewed(0, _CARDS - 1, deck, "card", turn, power=2) for turn in range(16)]
        drawn = [1 + (card * 37) % _CARDS for card in drawn]
        for card in dict.fromkeys(drawn):
            board = "S" if dice.chance(20, deck, card, "board") else "M"
            yield deck, card, board, dice.weighted({1: 2, 2: 3, 3: 3, 4: 6}, deck, card, "copies")
