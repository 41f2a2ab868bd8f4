"""The branches, authors and words of titles and names of the town library."""

from typing import Final, NamedTuple


class Branch(NamedTuple):
    """A branch: its row without the key, its closing hour on Thursdays, and its share of copies and members."""

    code: str
    name: str
    district: str
    opened: str | None
    main_branch: int | None
    late: int
    weight: int

    @property
    def row(self) -> tuple[object, ...]:
        """What the table holds of it beside the key."""
        return self[:5]


BRANCHES: Final = (
    Branch("001", "Market Hall", "Centre", "1908-05-04", None, 21, 40),
    Branch("002", "Harbour", "Docks", "1931-09-15", None, 19, 18),
    Branch("004", "Linden Park", "West", "1967-03-01", None, 20, 22),
    Branch("005", "Mill Lane", "Centre", "1988-10-10", 1, 18, 8),
    Branch("007", "Station Kiosk", "Centre", "2016-06-20", 1, 22, 5),
    Branch("008", "Fishers' Row", "Docks", None, 2, 17, 3),
    Branch("010", "Orchard Estate", "West", "1999-01-18", 3, 18, 6),
    Branch("011", "Bookbus", "West", "2005-04-02", 3, 16, 3),
)
WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat")

# name, born, country
AUTHORS: Final = (
    ("Agnes Thorne", 1931, "GB"),
    ("Akiko Hayashi", 1964, "JP"),
    ("Anders Lykke", 1958, "DK"),
    ("Aurora Díaz", 1972, "ES"),
    ("Bertil Ström", 1946, "SE"),
    ("Bianca Fontana", 1980, "IT"),
    ("Cormac Daly", 1955, "IE"),
    ("Dagmar Vogel", 1969, "DE"),
    ("Edda Jónsdóttir", 1977, "IS"),
    ("Emeka Obi", 1983, "NG"),
    ("F. W. Harrow", None, "GB"),
    ("Farid Nasser", 1961, "EG"),
    ("Greta Lund", 1990, "NO"),
    ("Hedwig Kranz", 1928, "DE"),
    ("Ines Moreau", 1974, "FR"),
    ("Jaroslav Hron", 1949, "CZ"),
    ("Juliet Amory", 1986, "US"),
    ("Kofi Asante", 1968, "GH"),
    ("Leonie Brandt", 1981, "DE"),
    ("Lúcia Prado", 1970, "BR"),
    ("Marek Żuławski", 1952, "PL"),
    ("Miriam Katz", 1963, "IL"),
    ("Nadia Rahimi", 1988, None),
    ("Oliver Penrose", 1940, "GB"),
    ("Paavo Niemi", 1959, "FI"),
    ("Rafael Quintana", 1976, "MX"),
    ("Ruth Ellery", None, None),
    ("Sofia Papadaki", 1967, "GR"),
    ("Tomás Varela", 1985, "AR"),
    ("Vivian Locke", 1992, "US"),
    ("Walter Stamm", 1938, "CH"),
    ("Yuki Tanabe", 1979, "JP"),
)

ADJECTIVES: Final = (
    "Salt",
    "Silent",
    "Paper",
    "Winter",
    "Crooked",
    "Glass",
    "Hidden",
    "Last",
    "Northern",
    "Blue",
    "Borrowed",
    "Hollow",
    "Seventh",
)
NOUNS: Final = (
    "Road",
    "Orchard",
    "Lighthouse",
    "Letters",
    "Garden",
    "River",
    "Clockmaker",
    "Atlas",
    "House",
    "Mountain",
    "Kitchen",
    "Signal",
    "Tide",
    "Circus",
)
GENRES: Final = {"Novel": 34, "Crime": 22, "Picture book": 12, "History": 12, "Travel": 8, "Cookery": 7, "Poetry": 5}
LANGUAGES: Final = {"en": 60, "de": 18, "fr": 12, "es": 10}

FIRST_NAMES: Final = (
    "Alma",
    "Ben",
    "Carla",
    "Dev",
    "Elsa",
    "Finn",
    "Gita",
    "Hugo",
    "Ida",
    "Jan",
    "Katya",
    "Liam",
    "Maya",
    "Noah",
    "Olive",
    "Per",
    "Rhea",
)
LAST_NAMES: Final = (
    "Abbot",
    "Bergström",
    "Castle",
    "Dumont",
    "Eklund",
    "Fisher",
    "Gill",
    "Hartmann",
    "Ito",
    "Jansen",
    "Khan",
    "López",
    "Moore",
    "Nagy",
    "O'Brien",
)
MAIL_HOSTS: Final = ("post.example", "mail.example", "inbox.example", "Post.example")
