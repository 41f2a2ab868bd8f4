"""What stays the same in the game: items, quests, guilds, badges, and how handles are made."""

from typing import Final

# Name, kind, rarity (common, uncommon, rare, epic, legendary), price in gold (None: cannot be traded), level.
ITEMS: Final[tuple[tuple[str, str, str, int | None, int], ...]] = (
    ("Wooden sword", "weapon", "C", 12, 1),
    ("Iron sword", "weapon", "C", 60, 8),
    ("Iron Sword +1", "weapon", "U", 140, 12),
    ("Bow of ash", "weapon", "U", 180, 15),
    ("Storm hammer", "weapon", "R", 920, 30),
    ("Frostbrand", "weapon", "E", 4200, 48),
    ("Sunsplitter", "weapon", "L", None, 60),
    ("Ægishjálmur", "weapon", "L", 25000, 65),
    ("Leather cap", "armour", "C", 18, 1),
    ("Padded jerkin", "armour", "C", 35, 4),
    ("Chain shirt", "armour", "U", 210, 18),
    ("Mirror shield", "armour", "R", 1100, 34),
    ("Dragonscale coat", "armour", "E", 5600, 52),
    ("Crown of Ýmir", "armour", "L", None, 70),
    ("Small potion", "potion", "C", 5, 1),
    ("Great potion", "potion", "U", 25, 20),
    ("Elixir of haste", "potion", "R", 150, 30),
    ("Phoenix tear", "potion", "E", 1900, 50),
    ("Torch", "tool", "C", 2, 1),
    ("Rope", "tool", "C", 4, 1),
    ("Lockpick", "tool", "U", 30, 10),
    ("Dwarven compass", "tool", "R", 640, 25),
    ("Grey horse", "mount", "U", 450, 20),
    ("Dire wolf", "mount", "R", 1500, 35),
    ("Griffin", "mount", "E", 8800, 55),
    ("Ghost ship", "mount", "L", None, 75),
    ("Wolf pelt", "material", "C", 7, 1),
    ("Silver ore", "material", "U", 22, 15),
    ("Moonstone", "material", "R", 310, 30),
    ("Heart of the forest", "material", "E", None, 45),
)

# Title, chapter, title of the quest before, gold, name of the item that is the reward.
QUESTS: Final[tuple[tuple[str, int, str | None, int, str | None], ...]] = (
    ("A letter to deliver", 1, None, 20, None),
    ("Rats in the cellar", 1, "A letter to deliver", 35, "Torch"),
    ("The missing miller", 1, "Rats in the cellar", 60, "Iron sword"),
    ("Herbs for the healer", 1, None, 40, "Small potion"),
    ("Wolves at the gate", 1, "The missing miller", 90, "Wolf pelt"),
    ("The sunken chapel", 2, "Wolves at the gate", 150, "Chain shirt"),
    ("Bandits of Hollow Road", 2, None, 130, None),
    ("The bell without a tongue", 2, "The sunken chapel", 180, None),
    ("A bargain with the dwarves", 2, "Bandits of Hollow Road", 220, "Dwarven compass"),
    ("The bridge of knives", 2, "The bell without a tongue", 260, "Elixir of haste"),
    ("Moonlight over Kærheim", 3, "A bargain with the dwarves", 340, "Moonstone"),
    ("The frozen library", 3, "The bridge of knives", 420, "Mirror shield"),
    ("Three riddles", 3, None, 300, None),
    ("The king's double", 3, "The frozen library", 500, "Storm hammer"),
    ("Siege of Ashmoor", 4, "The king's double", 750, "Frostbrand"),
    ("The dragon's accountant", 4, "Three riddles", 900, "Dragonscale coat"),
    ("What the sea keeps", 4, "Moonlight over Kærheim", 820, "Griffin"),
    ("The last door", 5, "Siege of Ashmoor", 1600, "Sunsplitter"),
    ("Ýmir wakes", 5, "The last door", 2400, "Crown of Ýmir"),
    ("Going home", 5, "Ýmir wakes", 1, None),
)

# Name, tag, motto.
GUILDS: Final[tuple[tuple[str, str, str | None], ...]] = (
    ("Night Watch", "NiGHT", "We do not sleep."),
    ("Iron Kettle", "KETL", None),
    ("Order of the Heron", "HeRoN", "Patience."),
    ("Night Wanderers", "night", None),
    ("Sons of Salt", "SALT", "Row!"),
    ("Die Wölfe", "WOLF", "Heulen hilft."),
    ("Wolfpack United", "wOlF", None),
    ("Les Corbeaux", "CORB", "Toujours plus haut."),
    ("Quiet Corner", "qc", None),
    ("Last Bus Home", "BUS", "Any minute now."),
    ("Lantern Company", "LaMP", "Light first."),
    ("Bread and Axes", "BrAx", None),
)

BADGES: Final = ("firstBlood", "explorer", "dragonslayer", "collector", "pacifist", "nightOwl", "veteran")
MAPS: Final = ("Ashmoor", "Kærheim", "Hollow Road", "The Narrows", "Salt Flats")
REASONS: Final = {"insults": 9, "cheating": 6, "spam": 5, "idle in matches": 4, "name": 2}

_BEGINNINGS: Final = ("grim", "Silver", "MAD", "tiny", "Lucky", "dark", "Sir", "red", "Frost", "old", "Miss", "x")
_ENDINGS: Final = (
    "Wolf",
    "fox",
    "Baker",
    "RAVEN",
    "smith",
    "Storm",
    "wolf77",
    "Thorn",
    "badger",
    "Mage",
    "Ülf",
    "otter",
)


def handle(number: int) -> str:
    """The handle of player `number`, different for the first 144 and fixed."""
    turn, place = divmod(number, len(_BEGINNINGS))
    joint = "_" if number % 5 == 0 else ""
    return f"{_BEGINNINGS[place]}{joint}{_ENDINGS[(turn + place) % len(_ENDINGS)]}"
