"""The districts, stations and models of the hire scheme."""

from typing import Final, NamedTuple


class District(NamedTuple):
    """A district: its row, and by how many tenths of a degree it is warmer than the town."""

    zip: str
    name: str
    residents: int | None
    warmer: int


class Station(NamedTuple):
    """A station; `nearest` is the number of another one, `weight` how many trips begin or end there."""

    name: str
    zip: str
    docks: int
    opened: str
    closed: str | None
    nearest: int
    weight: int


DISTRICTS: Final = (
    District("04101", "Old Town", 8_400, 6),
    District("04102", "Printers' Quarter", 12_900, 4),
    District("04207", "Millfield", 17_300, 0),
    District("04225", "Southcross", 19_800, -3),
    District("04340", "Schönau", None, -6),
)

STATIONS: Final = (
    Station("Market Square", "04101", 32, "2019-04-01", None, 2, 60),
    Station("Town Hall", "04101", 24, "2019-04-01", None, 1, 40),
    Station("Central Station", "04101", 40, "2019-04-01", None, 2, 90),
    Station("Opera", "04101", 20, "2019-06-15", None, 5, 35),
    Station("Old Mint", "04101", 12, "2021-05-10", "2024-07-14", 1, 10),
    Station("Print Works", "04102", 20, "2019-09-02", None, 7, 30),
    Station("Clinic East", "04102", 16, "2020-03-20", None, 6, 25),
    Station("Bavarian Gate", "04102", 18, "2020-03-20", None, 7, 20),
    Station("St. John's Yard", "04102", 10, "2022-08-01", None, 6, 8),
    Station("Canal Bridge", "04207", 22, "2020-05-11", None, 11, 45),
    Station("Cotton Mill", "04207", 26, "2020-05-11", None, 10, 40),
    Station("Rock Cellar", "04207", 18, "2021-04-19", None, 13, 22),
    Station("Lime Street", "04207", 12, "2022-01-01", None, 12, 9),
    Station("Harbour Basin", "04207", 14, "2023-06-30", None, 10, 12),
    Station("Cross", "04225", 24, "2020-07-01", None, 16, 38),
    Station("Works No. 2", "04225", 20, "2020-07-01", None, 15, 26),
    Station("Riverside Park", "04225", 16, "2021-07-05", None, 18, 24),
    Station("Weir", "04225", 10, "2022-05-23", "2024-08-05", 17, 7),
    Station("Tram Depot", "04340", 14, "2022-03-14", None, 20, 11),
    Station("Schönau Castle", "04340", 12, "2022-03-14", None, 19, 9),
    Station("Garden Colony", "04340", 8, "2023-04-17", None, 20, 4),
)
# What some terminals still call a station.
OLD_NAMES: Final = {"Market Square": "Market Sq", "Canal Bridge": "canal bridge", "Cross": "Southcross Cross"}

# model, electric, how many
MODELS: Final = (("Rambler 3", "N", 46), ("Rambler 4", "N", 30), ("Volt City", "Y", 18), ("volt city", "Y", 4))
PARTS: Final = {"tyre": 34, "brake": 24, "chain": 16, "light": 12, "saddle": 8, "battery": 6}
PRICES: Final = {"tyre": 1_850, "brake": 1_200, "chain": 2_100, "light": 950, "saddle": 1_600, "battery": 23_900}

VANS: Final = ("van-01", "van-02", "van-07")
EVENTS: Final = ("Rain", "rain", "Fog", "Rain-Thunder", "Thunder")
