"""The names of the card game's world, the same whatever the seed."""

from typing import Final

SETS: Final = (
    ("EMB", "Emberfall", "core", "2016-09-16"),
    ("TID", "Tides of Umr", "expansion", "2017-03-10"),
    ("HOL", "The Hollow Court", "expansion", "2018-02-02"),
    ("P18", "Lantern Fair Promos", "promo", "2018-08-24"),
    ("042", "Vault Forty-Two", "expansion", "2019-05-17"),
    ("ØRN", "Ørnfjell Saga", "expansion", "2020-10-09"),
    ("EM2", "Emberfall Rekindled", "core", "2022-01-28"),
    ("007", "Agents of Glass", "expansion", "2023-06-30"),
    ("P23", "lantern fair promos", "promo", "2023-08-25"),
)
ARTISTS: Final = (
    ("Ainhoa Berri", "Spain"),
    ("Bo Lindqvist", "Sweden"),
    ("Chiara d'Amico", "Italy"),
    ("Dariusz Żak", "Poland"),
    ("Ebele Okafor", "Nigeria"),
    ("Fumiko Arai", "Japan"),
    ("Grégoire Noël", "France"),
    ("Hana Kučerová", "Czechia"),
    ("Inés Robledo", "Spain"),
    ("Jarl Bø", "Norway"),
    ("Kenji Arai", "Japan"),
    ("studio Lumen", None),
    ("Maud Vieira", "Portugal"),
    ("Nils Åkerman", "Sweden"),
)
FORMATS: Final = (
    ("std", "Standard", 60),
    ("open", "Open", 60),
    ("classic", "Classic", 60),
    ("duel", "Duel", 100),
    ("draft", "Draft League", 40),
)
KEYWORDS: Final = (
    ("Swift", "It may attack at once."),
    ("Ward", "Hostile spells that target it cost two more."),
    ("Soaring", "Only soaring creatures block it."),
    ("Venom", "Any damage that it deals destroys."),
    ("Lifelink", "Its damage heals you."),
    ("Ambush", "Play it at any time."),
    ("Rooted", "It cannot attack."),
    ("Echoing", None),
    ("Twin Strike", "It deals damage twice."),
    ("Undying", "It comes back once."),
    ("Toll", None),
    ("Forage", "Take a card from your discard pile."),
)
# A card's noun tells its kind and tribe.
NOUNS: Final = (
    ("Drake", "Creature", "Dragon"),
    ("Warden", "Creature", "Human"),
    ("Wolf", "Creature", "Beast"),
    ("Bolt", "Flash", None),
    ("Adept", "Creature", "Human"),
    ("Lantern", "Relic", None),
    ("Serpent", "Creature", "Beast"),
    ("Bargain", "Ritual", None),
    ("Golem", "Creature", "Construct"),
    ("Grove", "Site", None),
    ("Pact", "Ritual", None),
    ("Blade", "Relic", None),
    ("Sentinel", "Creature", "Construct"),
    ("Spire", "Site", None),
    ("Mantle", "Aura", None),
)
ADJECTIVES: Final = (
    "Ashen", "Brazen", "Cinder", "Dusk", "Ember", "Frostbound", "Gilded", "Hollow",
    "Ivory", "Jade", "Keen", "Lunar", "Mossy", "Nameless", "Ødemark", "Pale",
)  # fmt: skip
# Later cards whose names differ from earlier ones by case only.
NEAR_DUPLICATES: Final = (
    ("EMBER Drake", "Creature", "Dragon"),
    ("Jade wolf", "Creature", "Beast"),
    ("hollow lantern", "Relic", None),
    ("Pale Of Spires", "Site", None),
    ("Lunar Pact", "Ritual", None),
)
COLOURS: Final = ("F", "L", "S", "T", "V")
TEXTS: Final = (
    "Draw a card.",
    "Deal 2 damage to any target.",
    "Return a creature to its owner's hand.",
    "Each player discards a card.",
    "Create a 1/1 Spark.",
    "Gain 3 life.",
    "Search your deck for a Site.",
)
RULINGS: Final = (
    "The effect is counted once, when the card is played.",
    "Copies of this card do not trigger it again.",
    "If the target has left play, nothing happens.",
    "It sees itself leave play.",
    "Costs are paid before targets are chosen.",
)
SOURCES: Final = {"Judge": 8, "judge": 3, "JUDGE": 1, "R&D": 5}
TITLES: Final = (
    "Ash and Iron", "Beast Parade", "Cold Front", "Dragon Tax", "Endless Toll", "Five Lanterns", "Glass Cannon",
    "Hollow Promise", "Iron Curtain Call", "Jade Tempo", "Keen Edge", "Low Tide", "Moss Control", "No Sites Needed",
    "Ødemark Ramp",
)  # fmt: skip
PLAYERS: Final = (
    "Amara", "Bjørn", "Celia", "dora", "Dora", "Elif", "Farid", "Greta", "Hiro", "Ines", "Jonas", "Kofi", "Lea",
    "Mirek", "Nia", "Otto", "Priya", "Quim", "Rosa", "Søren",
)  # fmt: skip
