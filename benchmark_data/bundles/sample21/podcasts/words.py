"""The names and fixed facts of the podcast world."""

from typing import Final, NamedTuple


class Show(NamedTuple):
    """A show: its row without the key, then what steers its numbers.

    `popularity` is in percent of a middling show; `seasons` is how many it has had.
    """

    network_id: int | None
    title: str
    category: str
    language: str
    explicit: str
    started: str
    ended: str | None
    feed: str
    popularity: int
    seasons: int

    @property
    def row(self) -> tuple[object, ...]:
        """What the table holds of it beside the key."""
        return self[:8]


NETWORKS: Final = (
    ("Lantern Audio", "US", 2014),
    ("Nordlyd", "NO", 2016),
    ("Halbstark Medien", "DE", 2012),
    ("Casa Onda", "BR", 2019),
    ("Brickyard", "GB", None),
)

SHOWS: Final = (
    Show(1, "Salt & Static", "Science", "en", "N", "2021-02-03", None, "salt-and-static", 100, 4),
    Show(1, "The Quiet Docket", "True Crime", "en", "Y", "2020-09-14", None, "quiet-docket", 180, 4),
    Show(1, "Two Spoons", "Food", "EN", "N", "2022-01-20", None, "two-spoons", 60, 3),
    Show(1, "Garage Physics", "Science", "en", "N", "2023-05-08", None, "garage-physics", 35, 2),
    Show(2, "Fjordkveld", "Culture", "no", "N", "2021-10-01", None, "fjordkveld", 22, 3),
    Show(2, "Kald Kaffe", "Comedy", "no", "Y", "2022-03-11", "2024-01-26", "kald-kaffe", 28, 2),
    Show(3, "Bahnhof Mitternacht", "True Crime", "de", "Y", "2020-11-05", None, "bahnhof-mitternacht", 90, 4),
    Show(3, "Süß oder salzig?", "Food", "de", "N", "2022-06-17", None, "suess-oder-salzig", 40, 2),
    Show(3, "Zahlen, bitte", "Business", "DE", "N", "2021-04-12", "2023-12-18", "zahlen-bitte", 30, 3),
    Show(4, "Maré Alta", "Culture", "pt", "N", "2022-02-22", None, "mare-alta", 45, 2),
    Show(4, "Café com Dados", "Science", "pt", "N", "2023-01-16", None, "cafe-com-dados", 25, 2),
    Show(5, "Penny Wise", "Business", "en", "N", "2021-07-06", None, "penny-wise", 70, 3),
    Show(5, "Mud and Medals", "Sport", "en", "N", "2022-08-29", None, "mud-and-medals", 50, 2),
    Show(5, "Laugh Track Lost", "Comedy", "En", "Y", "2021-03-19", None, "laugh-track-lost", 110, 3),
    Show(None, "Attic Tapes", "Culture", "en", "N", "2023-02-02", None, "attic-tapes", 9, 2),
    Show(None, "Knots", "Sport", "en", "N", "2023-09-09", "2024-02-10", "knots", 6, 1),
    Show(None, "Moth Hour", "Science", "en", "N", "2022-11-11", None, "moth-hour", 14, 2),
)

OUTSIDE_FEEDS: Final = ("daily-brief", "nightfall-fm", "history-unboxed", "le-petit-matin")

GUESTS: Final = (
    "Ada Quill",
    "Amir Haddad",
    "Anneli Berg",
    "Benedikt Sommer",
    "Bruno Tavares",
    "Camila Rocha",
    "Chidi Okonjo",
    "Clara Weiß",
    "Dario Conti",
    "Dilara Yıldız",
    "Eirik Solheim",
    "Elif Demir",
    "Esther Nakamura",
    "Fiona MacRae",
    "Gudrun Holm",
    "Hanna Lindqvist",
    "Hugo Batista",
    "Imogen Price",
    "Ingrid Aas",
    "Ivo Petrov",
    "Jonas Keller",
    "José Amado",
    "Jose Amado",
    "Kwame Mensah",
    "Lena Fuchs",
    "Łukasz Zając",
    "Mairi Stewart",
    "Marta Silva",
    "Nils Aune",
    "Noor de Wit",
    "Olga Ivanova",
    "Otto Brandt",
    "Paz Ferrer",
    "Priya Raman",
    "Quentin Doyle",
    "Rosa Lima",
    "Sanna Virtanen",
    "Theo Marsh",
    "Una Kelly",
    "Vera Novak",
    "Wes Carver",
    "Yara Nunes",
    "Zoe Varga",
    "Zoë Varga",
)
PROFESSIONS: Final = ("Chef", "chef", "Physicist", "Journalist", "Lawyer", "Comedian", "Athlete", "Economist", "Author")
GUEST_COUNTRIES: Final = ("US", "GB", "DE", "NO", "BR", "PT")

SUBJECTS: Final = {
    "Science": ("Tides", "Rust", "Slow Light", "Moss", "Glass", "Echoes", "Cold Fusion, Again", "Pendulums", "Soil"),
    "True Crime": ("The Ferry", "Locker 19", "A Borrowed Name", "The Orchard", "Platform 9", "Blue Paint", "No Alibi"),
    "Food": ("Pickles", "Rye", "Burnt Sugar", "Broth", "Leftovers", "Anchovies", "The Perfect Dumpling", "Vinegar"),
    "Culture": ("Street Organs", "Wallpaper", "Puppets", "The Last Cinema", "Choirs", "Tapestry", "Night Markets"),
    "Comedy": ("Neighbours", "The Dentist", "Small Talk", "Camping", "Bad Gifts", "Elevators", "School Reunion"),
    "Business": ("Cash Flow", "Pawnshops", "The Price of Sand", "Strikes", "Brand Names", "Tulips", "Bankruptcy"),
    "Sport": ("Relay", "The Long Run", "Ice", "Referees", "Underdogs", "Grass Courts", "Penalties"),
}

SPONSORS: Final = (
    ("0007", "Brightmail", "Software", 2019),
    ("0012", "Oaken Bank", "Finance", 2018),
    ("0019", "Tally Insurance", "Finance", 2020),
    ("0023", "Sleepwell Mattresses", "Home", 2017),
    ("0031", "Crate & Carrot", "Food", 2021),
    ("0044", "Kodeskolen", "Education", None),
    ("0058", "Mondkaffee", "Food", 2022),
    ("0060", "VPN Harbor", "Software", 2020),
    ("0071", "Linguist", "Education", 2019),
    ("0085", "Penta Invest", "Finance", None),
)

COUNTRIES: Final = ("US", "GB", "DE", "NO", "BR", "PT", "CA", "AU", "SE", "AT")
HOME_COUNTRIES: Final = {"en": ("US", "GB", "CA", "AU"), "no": ("NO", "SE"), "de": ("DE", "AT"), "pt": ("BR", "PT")}
