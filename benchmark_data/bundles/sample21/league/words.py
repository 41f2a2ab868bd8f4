"""The fixed vocabulary of the league: seasons, grounds, teams, referees, names of players."""

from typing import Final

SEASONS: Final = (
    ("2022/23", "2022-08-06", "Tarn Dairies"),
    ("2023/24", "2023-08-05", "Tarn Dairies"),
    ("2024/25", "2024-08-10", None),
)

VENUES: Final = (
    ("Harrow Lane", "Harrowgate", 28400, 1926),
    ("The Ropewalk", "Port Sennet", 21750, 1911),
    ("Millbank Park", "Tarnley", 17200, 1958),
    ("Municipal Stadium", "Castleden", 33100, 1972),
    ("Quarry Road", "Slatebridge", 9800, 1904),
    ("Fen End", "Ousewick", 12300, 1989),
    ("Abbey Meadow", "Saint Brannoc", 15600, None),
    ("Lock Keeper's Field", "Weirham", None, 1933),
    ("Northgate Arena", "Eskmouth", 24900, 2008),
    ("Heather Bank", "Moorcross", 7400, 1949),
    ("Sandringham Way", "Dunmere", None, 2015),
)

# Code, name, nickname, year of foundation, number of the ground; two teams share the Municipal Stadium.
TEAMS: Final = (
    ("HAR", "Harrowgate Town", "the Larks", 1889, 1),
    ("PSN", "Port Sennet", "the Ropemakers", 1897, 2),
    ("TAR", "Tarnley Rovers", None, 1903, 3),
    ("CAS", "Castleden City", "the Keep", 1884, 4),
    ("CAU", "Castleden United", "the Lodgers", 1919, 4),
    ("SLA", "Slatebridge", "the Quarrymen", 1892, 5),
    ("OUS", "Ousewick Athletic", None, 1931, 6),
    ("SBR", "Saint Brannoc", "the Monks", 1908, 7),
    ("WEI", "Weirham", "the Lockmen", 1912, 8),
    ("ESK", "Eskmouth Albion", "the Gulls", 1886, 9),
    ("MOO", "Moorcross", "the Grouse", 1927, 10),
    ("DUN", "Dunmere Wanderers", None, 1899, 11),
)

REFEREES: Final = (
    ("Alan Prewitt", "Eastshire"),
    ("Beatrix Lund", "Northmoor"),
    ("Colm Hegarty", "Westland"),
    ("Deborah Nkemelu", "Eastshire"),
    ("Edwin Straub", "Southdown"),
    ("Fergus McAra", "Northmoor"),
    ("Gwen Pritchett", "Westland"),
    ("Hassan Al-Amin", "Southdown"),
    ("Isolde Krantz", "Eastshire"),
)

FIRST_NAMES: Final = (
    *("Aaron", "Bastien", "Callum", "Dario", "Emre", "Fábio", "Gavin", "Håkon", "Ivo", "Jamal", "Kofi", "Luca"),
    *("Mateusz", "Niall", "Óscar", "Patrick", "Rhys", "Søren", "Tyrone", "Umar", "Vincent", "Wesley", "Yann", "Zoran"),
)
LAST_NAMES: Final = (
    *("Addison", "Bergström", "Carvalho", "Doyle", "Ekström", "Figueroa", "Greaves", "Horváth", "Iqbal", "Jelić"),
    *("Kerrigan", "Lemaire", "Mensah", "Novák", "Osei", "Petrov", "Quigley", "Rowbotham", "Sánchez", "Tindall"),
    *("Underhill", "Vasquez", "Whitlock", "Yilmaz", "Zieliński", "Ó Briain"),
)
COUNTRIES: Final = {
    "ENG": 46,
    "IRL": 10,
    "WAL": 9,
    "SCO": 8,
    "POR": 5,
    "POL": 5,
    "SWE": 4,
    "GHA": 4,
    "CRO": 3,
    "TUR": 2,
}
POSITIONS: Final = ("GK", "GK", *("DF",) * 7, *("MF",) * 6, *("FW",) * 4)
SHIRTS: Final = (
    1,
    13,
    2,
    3,
    4,
    5,
    6,
    12,
    15,
    7,
    8,
    10,
    14,
    16,
    18,
    9,
    11,
    19,
    20,
    22,
    23,
    24,
    25,
    26,
    27,
    28,
    29,
    30,
    31,
    32,
)
"""Shirt numbers in the order in which a squad is numbered: keepers, defence, midfield, attack, the rest."""
