"""The films, venues, juries and names of the festival."""

from typing import Final, NamedTuple


class Film(NamedTuple):
    """A film: its row without key and budget, and how much it draws people, in percent."""

    title: str
    original_title: str | None
    country: str
    year: int | None
    minutes: int
    section: str
    appeal: int


class Venue(NamedTuple):
    """A hall."""

    venue_id: str
    name: str
    quarter: str
    seats: int
    step_free: str


FILMS: Final = (
    Film("The Salt Wife", "Suolavaimo", "FI", 2024, 104, "C", 80),
    Film("Night Ferry", None, "IE/GB", 2023, 92, "C", 65),
    Film("Bread for the Dead", "Pan de muertos", "MX/ES", 2024, 118, "C", 70),
    Film("Weightless", "Schwerelos", "DE", 2023, 99, "C", 55),
    Film("My Brother's Echo", "Kardeşimin yankısı", "TR/DE", 2024, 127, "C", 60),
    Film("A Town Called Maybe", None, "US", 2024, 111, "C", 85),
    Film("Sugar Moon", "Luna de azúcar", "AR", 2023, 88, "C", 45),
    Film("The Glass Harvest", "Szklane żniwa", "PL/CZ", 2024, 133, "C", 40),
    Film("Small Hours", "Les petites heures", "FR/BE", 2024, 96, "C", 75),
    Film("Orchid Street", "蘭の通り", "JP", 2023, 141, "C", 50),
    Film("Umbrella Season", None, "IN", 2024, 108, "P", 45),
    Film("Kiosk 24", "Kiosk 24", "DE/AT", 2023, 90, "P", 50),
    Film("The Tide", "Tidvattnet", "SE", 2023, 101, "P", 40),
    Film("The Understudy", None, "GB", 2024, 95, "P", 60),
    Film("Ten Goats", "Dix chèvres", "FR/SN", 2023, 86, "P", 35),
    Film("Concrete Birds", "Betonvögel", "DE", 2024, 109, "P", 30),
    Film("Lullaby in Reverse", "Вятърна люлчина песен", "BG", 2022, 97, "P", 20),
    Film("Paper Mayor", None, "CA", 2023, 103, "P", 35),
    Film("The Last Lido", "L'ultimo lido", "IT", 2024, 92, "P", 55),
    Film("Snow on Channel Four", "Снег на четвёртом", "KZ", 2023, 115, "P", 25),
    Film("Hotel Mañana", "Hotel Mañana", "ES/PT", 2024, 100, "P", 65),
    Film("Counting Swifts", None, "IE", 2023, 78, "D", 45),
    Film("The Copper Choir", "Kobberkoret", "NO/SE", 2024, 84, "D", 40),
    Film("How to Fold a River", None, "US", 2024, 91, "D", 50),
    Film("Archive of Dust", "Archiv des Staubs", "DE", 2023, 74, "D", 25),
    Film("Mothers of Line 9", "Mães da linha 9", "BR", 2024, 102, "D", 60),
    Film("The Beekeeper's Ledger", "Księga pszczelarza", "PL", 2022, 69, "D", 30),
    Film("A Market Without Money", None, "KE/GB", 2023, 81, "D", 35),
    Film("Signal Lost", "Signal verloren", "CH/DE", 2024, 88, "D", 30),
    Film("Ice Log", "Íslog", "IS", 2023, 64, "D", 40),
    Film("Elevator", "Ascenseur", "FR", 2024, 14, "S", 30),
    Film("Zebra, Crossing", None, "GB", 2024, 9, "S", 35),
    Film("Åsa's Hands", "Åsas händer", "SE", 2023, 22, "S", 25),
    Film("Peel", None, "US", 2024, 6, "S", 20),
    Film("The Tax Poem", "Das Steuergedicht", "AT", 2023, 17, "S", 30),
    Film("Nine Lamps", "九つの灯", "JP", 2024, 27, "S", 35),
    Film("Moth", "Motte", "DE", 2024, 11, "S", 25),
    Film("Café Zéro", "Café Zéro", "FR/CH", 2023, 19, "S", 40),
    Film("The Tide", "Flut", "DE", 1961, 98, "R", 45),
    Film("Lantern Street", None, "GB", 1948, 87, "R", 35),
    Film("The Clock Thief", "Zloděj hodin", "CZ", 1967, 94, "R", 50),
    Film("Harbour of Women", "Hafen der Frauen", "DE", 1929, 72, "R", 40),
    Film("Silent Orchard", None, "US", None, 58, "R", 20),
    Film("Two Trains", "Deux trains", "FR/IT", 1973, 106, "R", 55),
)

VENUES: Final = (
    Venue("V1", "Lantern Hall", "Old Town", 84, "Y"),
    Venue("V2", "Kino Šípka", "Old Town", 46, "N"),
    Venue("V3", "Gasworks", "Harbour", 60, "Y"),
    Venue("V4", "Café Orlando", "Harbour", 24, "N"),
    Venue("V5", "Open-Air Steps", "Castle Hill", 72, "N"),
    Venue("V6", "Studio Élan", "Castle Hill", 32, "Y"),
)
CANCELLATIONS: Final = ("storm", "print did not arrive", "illness")

# id, name, section
JURIES: Final = (
    ("J-INT", "International Jury", "C"),
    ("J-DOC", "Documentary Jury", "D"),
    ("J-SHO", "Shorts Jury", "S"),
    ("J-STU", "Student Jury", "P"),
)

# prize, jury, money in cents
FILM_PRIZES: Final = (
    ("Golden Lantern", "J-INT", 2_000_000),
    ("Silver Lantern", "J-INT", 1_000_000),
    ("Silver Lantern", "J-INT", 1_000_000),
    ("Special Mention", "J-INT", None),
    ("Best Documentary", "J-DOC", 800_000),
    ("Special Mention", "J-DOC", None),
    ("Best Short", "J-SHO", 300_000),
    ("Special Mention", "J-SHO", None),
    ("Student Prize", "J-STU", 150_000),
)
# prize, jury, job
PERSON_PRIZES: Final = (
    ("Best Director", "J-INT", "director"),
    ("Best Actor", "J-INT", "cast"),
    ("Best Actor", "J-INT", "cast"),
    ("Best Screenplay", "J-INT", "writer"),
    ("Best Camera", "J-DOC", "camera"),
    ("Best Newcomer", "J-STU", "cast"),
)

FIRST_NAMES: Final = (
    "Aino",
    "Bo",
    "Çağla",
    "Dmitri",
    "Émile",
    "Fatou",
    "Gabriel",
    "Hana",
    "Ísold",
    "Jürgen",
    "Kemal",
    "Lucía",
    "Małgorzata",
)
LAST_NAMES: Final = (
    "Andersson",
    "Béranger",
    "Costa",
    "Diop",
    "Ehrlich",
    "Fraser",
    "Göransson",
    "Hattori",
    "Ivanov",
    "Juhász",
    "Kowalska",
)
PERSON_COUNTRIES: Final = ("DE", "FR", "SE", "PL", "JP", "GB", "TR", "ES", "SN", "US")
