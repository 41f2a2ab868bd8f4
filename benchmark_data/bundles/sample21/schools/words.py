"""The names of the county's world, the same whatever the seed."""

from typing import Final

DISTRICTS: Final = (
    ("01", "Lakeside", 2_412_500_00),
    ("02", "Hill Country", 1_195_000_00),
    ("03", "Harbour", 1_670_000_00),
    ("04", "Øvre Dal", 587_500_00),
    ("09", "Border Parishes", None),
)
# Name, level, district, street, zip, city.
SCHOOLS: Final = (
    ("Lakeside Primary", "P", "01", "Shore Road 4", "00410", "Lakeside"),
    ("St. Brigid Primary", "P", "01", "Chapel Lane 11", "00412", "Lakeside"),
    ("Mill Pond Primary", "P", "01", "Mill Street 2", "00415", "Lakeside"),
    ("Lakeside Middle School", "M", "01", "Shore Road 6", "00410", "Lakeside"),
    ("Ada Lovelace Middle School", "M", "01", "Engine Row 1", "00418", "Lakeside"),
    ("Lakeside High School", "H", "01", "Shore Road 8", "00410", "Lakeside"),
    ("Hilltop Primary", "P", "02", "Ridge 90", "10233", "Upper Hill"),
    ("Hilltop Middle School", "M", "02", "Ridge 92", "10233", "Upper Hill"),
    ("Orchard High School", "H", "02", "Apple Walk 5", "10240", "Nether Hill"),
    ("Harbour Primary", "P", "03", "Quay 17", "02001", "Port Ellen"),
    ("harbour primary", "P", "03", "Quay 71", "02001", "Port Ellen"),
    ("Lighthouse Middle School", "M", "03", "Beacon Street 3", "02004", "Port Ellen"),
    ("Port Ellen High School", "H", "03", "Dock Street 30", "02002", "Port Ellen"),
    ("Øvre Dal School", "P", "04", "Kirkeveien 1", "98001", "Øvre Dal"),
    ("Dalstad Middle School", "M", "04", "Storgata 12", "98010", "Dalstad"),
    ("Border School", "P", "09", "Customs House", "55501", "Three Stones"),
    ("Three Stones High School", "H", "09", "Market Place 1", "55501", "Three Stones"),
)
# First and last grade of a level.
GRADES: Final = {"P": (2, 5), "M": (6, 8), "H": (9, 12)}
SUBJECTS: Final = (
    ("MAT", "Mathematics"), ("LAN", "Language"), ("SCI", "Science"), ("HIS", "History"), ("ART", "Art"),
)  # fmt: skip
FIRST_NAMES: Final = (
    "Aino", "Ben", "Chloé", "Dawid", "Emma", "Farah", "Gustav", "Hana", "Ivo", "Jana", "Kalle", "Lina", "Mats", "Noor",
    "Oskar", "Pia", "Quinn", "Runa", "Sami", "Tilda", "Uwe", "Vera", "Wim", "Ylva", "Zoë",
)  # fmt: skip
LAST_NAMES: Final = (
    "Abel", "Brandt", "Çelik", "Dunn", "Eriksen", "Fodor", "Gall", "Hoang", "Ivanov", "Jurić", "Kelly", "Lund",
    "Moreau", "Nagy", "O'Dea", "Prins", "Quist", "Rossi", "Sæther", "Tóth", "van den Berg", "Weber", "Žižka",
)  # fmt: skip
DEGREES: Final = {"MA": 4, "BA": 4, "PhD": 1, "ma": 2}
REMARKS: Final = ("Roof leaks.", "Good library.", "Fire exits blocked.", "Warm welcome.", "Too few computers.")
