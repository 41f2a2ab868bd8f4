"""The fixed vocabulary of the shop: categories, suppliers, goods, people, coupons and phrases of reviews."""

from typing import Final

CATEGORIES: Final = (
    ("home", None, "Home"),
    ("furniture", "home", "Furniture"),
    ("tables", "furniture", "Tables"),
    ("chairs", "furniture", "Chairs"),
    ("shelves", "furniture", "Shelves"),
    ("kitchen", "home", "Kitchen"),
    ("cookware", "kitchen", "Cookware"),
    ("tea-coffee", "kitchen", "Tea & Coffee"),
    ("linen", "home", "Linen"),
    ("garden", None, "Garden"),
    ("hand-tools", "garden", "Hand Tools"),
    ("pots", "garden", "Pots & Planters"),
    ("outdoors", None, "Outdoors"),
    ("camping", "outdoors", "Camping"),
    ("tents", "camping", "Tents"),
    ("stoves", "camping", "Stoves"),
    ("cycling", "outdoors", "Cycling"),
    ("play", None, "Play"),
    ("wooden-toys", "play", "Wooden Toys"),
    ("puzzles", "play", "Puzzles"),
    ("gift-cards", None, "Gift Cards"),
)

# Where products end up that were filed in haste.
HASTY_CATEGORIES: Final = ("home", "kitchen", "garden", "outdoors", "camping", "play")

SUPPLIERS: Final = (
    ("Ahlgren & Söner", "SE", 14),
    ("Bray Woodworks", "IE", 9),
    ("Čapek Sklo", "CZ", 21),
    ("Dorset Canvas Co.", "GB", 7),
    ("Emailwerk Thale", "DE", 12),
    ("Fjellstova", "NO", None),
    ("Gärtnerei Blum", "DE", 5),
    ("Holloway Tools", "GB", 10),
    ("Ibérica de Cerámica", "ES", 18),
    ("Jouets du Jura", "FR", 16),
    ("Køkken & Co", "DK", None),
    ("Lino Toscana", "IT", 11),
)

# Category, nouns, first words, lowest and highest price in cents, lowest and highest weight in grams.
GOODS: Final = (
    ("tables", ("Side Table", "Folding Table", "Writing Desk"), ("Oak", "Walnut", "Birch"), 8900, 149900, 4200, 38000),
    ("chairs", ("Rocking Chair", "Stool", "Bench"), ("Oak", "Beech", "Ash"), 4500, 99900, 2100, 19000),
    ("shelves", ("Wall Shelf", "Bookcase"), ("Oak", "Pine", "Steel", "Walnut"), 2900, 119900, 1500, 42000),
    ("cookware", ("Casserole", "Frying Pan", "Kettle"), ("Enamel", "Cast-Iron", "Copper"), 2400, 18900, 700, 6200),
    ("tea-coffee", ("Teapot", "Coffee Mill", "Mug"), ("Stoneware", "Glass", "Crème"), 900, 9900, 180, 1900),
    ("linen", ("Tablecloth", "Bed Sheet", "Tea Towel"), ("Linen", "Cotton", "Damask"), 700, 12900, 90, 1600),
    ("hand-tools", ("Trowel", "Secateurs", "Hoe"), ("Forged", "Ash-Handled", "Stainless"), 1200, 6900, 150, 1800),
    ("pots", ("Planter", "Window Box", "Saucer"), ("Terracotta", "Zinc", "Glazed"), 500, 8900, 300, 9800),
    ("tents", ("Tent", "Tarp"), ("Ridge", "Dome", "Tunnel", "Canvas"), 5900, 129900, 900, 16000),
    ("stoves", ("Stove", "Lantern"), ("Spirit", "Gas", "Storm"), 1900, 15900, 120, 2400),
    ("cycling", ("Pannier", "Bell", "Lamp"), ("Waxed", "Brass", "Café"), 800, 13900, 60, 1500),
    ("wooden-toys", ("Train", "Ark", "Spinning Top"), ("Maple", "Painted", "Lime"), 600, 7900, 80, 2200),
    ("puzzles", ("Jigsaw 500", "Jigsaw 1000"), ("Harbour", "Alpine", "Botanical"), 1100, 3900, 350, 1100),
)

TAGS: Final = ("handmade", "sale", "new", "fsc-wood", "gift", "bulky", "refurbished", "vegan")

FIRST_NAMES: Final = (
    *("Aoife", "Björn", "Chloé", "Dmitri", "Eleanor", "Fátima", "Grzegorz", "Hana", "Ines", "Jürgen"),
    *("Katarína", "Liam", "Marta", "Niamh", "Olof", "Priya", "Quentin", "Renée", "Siobhán", "Tomás"),
)
LAST_NAMES: Final = (
    *("Ashworth", "Byrne", "Castellanos", "Dvořák", "Eriksen", "Ferrari", "Gallagher", "Hoffmann", "Ibarra"),
    *("Jansen", "Kowalski", "Lindqvist", "Müller", "Nowak", "O'Sullivan", "Pereira", "Rossi", "Schäfer"),
)
ASCII: Final = str.maketrans("áäãåćčéèêíñöóøřšúüůžýŠČ", "aaaacceeeinooorsuuuzySC")
DOMAINS: Final = ("post.example", "mail.example", "inbox.example")
COUNTRIES: Final = {"GB": 30, "DE": 24, "FR": 14, "IE": 12, "SE": 8, "ES": 6, "NL": 4, "PL": 2}

# Code, kind, amount (per cent, or cents), first and last day.
COUPONS: Final = (
    ("WELCOME10", "P", 10, "2022-01-01", None),
    ("FRIEND5", "F", 500, "2022-06-01", None),
    ("SPRING23", "P", 15, "2023-03-01", "2023-05-31"),
    ("SUMMER23", "P", 20, "2023-06-15", "2023-08-15"),
    ("WINTER23", "S", 0, "2023-11-20", "2024-01-06"),
    ("SPRING24", "P", 15, "2024-03-01", "2024-05-31"),
    ("GARDEN24", "F", 1000, "2024-04-01", "2024-06-30"),
    ("SUMMER24", "P", 25, "2024-06-15", "2024-08-15"),
    ("FREESHIP", "S", 0, "2023-01-01", None),
    ("WINTER24", "F", 1500, "2024-11-20", "2025-01-06"),
    ("STAFF30", "P", 30, "2022-01-01", None),
    ("PRESS50", "P", 50, "2024-09-01", "2024-09-30"),
)

HEADLINES: Final = {
    1: ("Broke within a week", "Not as pictured", "Avoid"),
    2: ("Disappointing", "Poor finish", "Too small"),
    3: ("It does the job", "Average", "OK for the price"),
    4: ("Very nice", "Solid", "Would buy again", "Good value"),
    5: ("Lovely!", "Perfect", "Beautifully made", "Better than expected", "très joli"),
}
BODIES: Final = (
    "Arrived two days late but well packed.",
    "The colour is a little darker than on the screen.",
    "My second one; the first has lasted nine years.",
    "Bought as a present, and it went down well.",
    "Instructions are only in German.",
    "One screw was missing, the shop sent it at once.",
)
