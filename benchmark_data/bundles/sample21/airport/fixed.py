"""What does not change from one summer to the next: airports, airlines, aircraft, gates, codes of delays, names."""

from typing import Final

HOME: Final = "HMB"

# Code, name, city, country, elevation in feet, minutes of flight from home.
AIRPORTS: Final[tuple[tuple[str, str, str, str, int | None, int], ...]] = (
    ("HMB", "Holmby", "Holmby", "Nordmark", 62, 0),
    ("AVS", "Ávila Sur", "Ávila Sur", "Iberra", 3711, 165),
    ("BRN", "Brenner Field", "Oberbrenn", "Alpenland", 4495, 95),
    ("CDQ", "Côte d'Or", "Beauval", "Gallia", 729, 85),
    ("CTF", "Caithfell", "Caithfell", "Albany", 18, 60),
    ("DUB", "Dunbarrow", "Dunbarrow", "Albany", 203, 75),
    ("ERZ", "Erzenburg", "Erzenburg", "Alpenland", 1867, 80),
    ("FJO", "Fjordnes", "Fjordnes", "Nordmark", 154, 55),
    ("GLP", "Galipo International", "Galipo", "Helladia", 89, 215),
    ("KRO", "Krošnja", "Krošnja", "Slavonia", None, 140),
    ("LSB", "Lisbona West", "Lisbona", "Iberra", 374, 195),
    ("MRG", "Marigold", "Port Marigold", "Gallia", 21, 110),
    ("OST", "Østhavn", "Østhavn", "Nordmark", 249, 65),
    ("PTR", "Petrograda", "Petrograda", "Slavonia", 78, 130),
    ("RKV", "Rauðavík", "Rauðavík", "Thule", 148, 190),
    ("SIL", "Silvana", "Silvana", "Tuscia", 138, 150),
    ("TNR", "Tenebra South", "Tenebra", "Canarias", None, 265),
    ("ULM", "Ulmen-Süd", "Ulmen", "Alpenland", 1690, 70),
    ("VNX", "Vinexia", "Vinexia", "Gallia", 1240, 90),
    ("ZMB", "Zambora", "Zambora", "Slavonia", 2083, 145),
)

# Code, name, country, alliance, what the letters of its registrations are, its types of aircraft.
AIRLINES: Final[tuple[tuple[str, str, str, str | None, str, tuple[str, ...]], ...]] = (
    ("NW", "Nordwind", "Nordmark", "Blue Circle", "NM-", ("A320", "A321", "E190")),
    ("0K", "Kestrel Air", "Albany", None, "AL-", ("E190", "AT72")),
    ("GA", "Gallia Airways", "Gallia", "Blue Circle", "GA-", ("A320", "B738")),
    ("7S", "Sunpath", "Iberra", "blue circle", "IB-", ("B738", "A321")),
    ("AP", "Alpenflug", "Alpenland", "Sky Compact", "AP-", ("A320", "E190")),
    ("04", "Slavonia Express", "Slavonia", "SKY COMPACT", "SL-", ("B738", "AT72")),
)
# Airports that an airline flies to from home.
NETWORKS: Final = {
    "NW": ("FJO", "OST", "RKV", "CTF", "BRN", "SIL", "TNR", "LSB"),
    "0K": ("CTF", "DUB", "FJO"),
    "GA": ("CDQ", "MRG", "VNX"),
    "7S": ("AVS", "LSB", "TNR", "GLP"),
    "AP": ("BRN", "ERZ", "ULM"),
    "04": ("KRO", "PTR", "ZMB"),
}
SEATS: Final = {"A320": 174, "A321": 212, "E190": 100, "B738": 186, "AT72": 70}

# Gate, terminal, passenger bridge, closed since.
GATES: Final[tuple[tuple[str, str, str, str | None], ...]] = (
    *((f"A{number:02d}", "North", "Y", None) for number in range(1, 9)),
    *((f"B{number:02d}", "North", "Y" if number < 4 else "N", None) for number in range(1, 7)),
    ("C01", "South", "N", None),
    ("C02", "South", "N", None),
    ("C03", "South", "N", "2023-11-06"),
    ("C04", "South", "n", "2024-05-20"),
)

DELAY_CODES: Final = (
    ("06", "airline", "No gate free because the airline's own flights stand there"),
    ("11", "passengers", "Check-in closed late"),
    ("15", "passengers", "Boarding took too long"),
    ("18", "passengers", "Bags were not ready"),
    ("32", "handling", "Loading or unloading"),
    ("36", "handling", "Fuelling"),
    ("37", "handling", "Catering came late"),
    ("41", "technical", "Defect of the aircraft"),
    ("46", "technical", "Another aircraft had to be found"),
    ("63", "crew", "Crew boarded late"),
    ("66", "crew", "Cabin crew was short of one"),
    ("71", "weather", "Weather at the departure airport"),
    ("72", "weather", "Weather at the destination"),
    ("75", "weather", "De-icing"),
    ("81", "air traffic", "Slot because of a crowded sector"),
    ("84", "air traffic", "Slot because of weather on the way"),
    ("89", "airport", "Start-up not cleared by the airport"),
    ("93", "reactionary", "The aircraft came late from its flight before"),
    ("96", "airline", "Decision of the operations centre"),
)

FIRST_NAMES: Final = (
    "Aino",
    "Bastien",
    "Carmen",
    "Dragan",
    "Elif",
    "Faye",
    "Goran",
    "Hanne",
    "Ivo",
    "Jonas",
    "Katja",
    "Leire",
    "Magnus",
    "Nadia",
    "Oskar",
    "Petra",
    "Quentin",
    "Rosa",
    "Søren",
    "Tereza",
    "Ulf",
    "Vesna",
    "Wim",
    "Zoë",
)
LAST_NAMES: Final = (
    "Aalto",
    "Bergström",
    "Castellà",
    "Dubois",
    "Eriksen",
    "Ferrer",
    "Gruber",
    "Horvat",
    "Ibáñez",
    "Jansen",
    "Kovač",
    "Lindgren",
    "Moreau",
    "Núñez",
    "O'Leary",
    "Petrov",
    "Quinn",
    "Ritter",
    "Sørensen",
    "Thiele",
)
REMARKS: Final = (
    "pax with reduced mobility",
    "bird on runway",
    "belt 4 out of order",
    "waiting for connection",
    "APU inop",
)
