"""The fixed network: depots, lines, stops and the order of stops on each line, and the tickets."""

from collections.abc import Iterator
from typing import Final

DEPOTS: Final = (
    ("01", "Ropery Yard", 1898),
    ("02", "Eastfield", 1964),
    ("03", "Nordhafen", None),
    ("04", "Pier Workshops", 1931),
)

# Code, name, mode, colour, stops outbound.
LINES: Final = (
    (
        *("01", "Central – Lighthouse", "T", "C8102E"),
        "Central Station/Town Hall/Fish Market/Rope Walk/Custom House/Old Quay/Shipyard/Dry Dock/Ferry Pier/Sandbank"
        "/Beacon/Seal Rock/Lighthouse",
    ),
    (
        *("02", "Central – University", "T", "0057B8"),
        "Central Station/Theatre/Opera/Königsplatz/Library/Museum/Botanical Garden/Observatory/Pump Street"
        "/Weir/University",
    ),
    (
        *("04", "Fish Market – Nordhafen", "T", "00843D"),
        "Fish Market/Town Hall/Exchange/Post Office/Barracks/Cattle Market/Gasworks/Tobacco Dock/Granary"
        "/Drawbridge/Nordhafen",
    ),
    (
        *("07", "Ring", "B", "FFB81C"),
        "East Gate/City Wall/Bastion/Stadium/Hospital/Hospital North/West Gate/Mill Lane/Tannery/Brewery/Glassworks"
        "/Long Bridge/Toll House/Fire Station/Poplar Avenue/Lime Avenue/School Lane/Königsplatz",
    ),
    (
        *("11", "Abbey – Eastfield", "B", None),
        "Abbey Gate/Saint Olaf's/Chapel Row/Lower Town/Town Hall/Central Station/East Gate/Racecourse/Fairground"
        "/Depot Street/Eastfield",
    ),
    (
        *("12", "Central – Airport", "B", "6D2077"),
        "Central Station/Königsplatz/West Gate/Viaduct/Tunnel Mouth/Orchard/mill lane/Village Green/Airport",
    ),
    (
        *("15", "Hospital – Kärlvik", "B", None),
        "Hospital/Café Zimmer/Sailors' Home/Custom House/Ferry Pier/Swan Pond/Deer Park/Santa Inés/Windmill Hill"
        "/Øvre Kai/Kärlvik",
    ),
    (
        *("18", "University – Quarry", "B", "F68D2E"),
        "University/Zoo/Baths/Upper Town/Terrace/Crescent/Cemetery/Spring Well/Hollow/Ridgeway/TOWN HALL/Quarry",
    ),
    (*("F1", "Harbour Ferry", "F", "00B5E2"), "Ferry Pier/Old Quay/Sugar Mill/Øvre Kai/Nordhafen/Îlot Vert"),
    (*("F2", "Island Ferry", "F", "00B5E2"), "Ferry Pier/Seal Rock/Îlot Vert/Sandbank/Lighthouse"),
    (
        *("N1", "Night Bus East", "N", "25282A"),
        "Central Station/Theatre/East Gate/Stadium/Hospital/Racecourse/Fairground/Eastfield/Depot Street/Poplar Avenue"
        "/Lime Avenue/School Lane/Hospital North",
    ),
    (
        *("N2", "Night Bus West", "N", "25282A"),
        "Central Station/Town Hall/Königsplatz/West Gate/Mill Lane/Tannery/Weir/University/Upper Town/Cemetery/Quarry",
    ),
)

# Stops without a line are served on single days, by coaches that are no part of the timetable.
NAMES: Final = tuple(
    dict.fromkeys(name for line in LINES for name in (*line[4].split("/"), "Winter Market", "Showground"))
)
INNER: Final = frozenset(
    (
        *("Central Station", "Town Hall", "Fish Market", "Rope Walk", "Custom House", "Old Quay", "Theatre", "Opera"),
        *(
            "Königsplatz",
            "Library",
            "Museum",
            "Exchange",
            "Post Office",
            "Barracks",
            "East Gate",
            "West Gate",
            "City Wall",
        ),
        *("Bastion", "Lower Town", "Upper Town", "Chapel Row", "Saint Olaf's", "Ferry Pier", "Café Zimmer", "Baths"),
    )
)
OUTER: Final = frozenset(
    {"Airport", "Quarry", "Kärlvik", "Lighthouse", "Seal Rock", "Nordhafen", "Eastfield", "Îlot Vert"}
)

TICKETS: Final = (
    ("SGL", "Single ticket", 2, {"adult": 320, "child": 160, "senior": 240}),
    ("SHT", "Short hop", 1, {"adult": 200, "child": 100}),
    ("DAY", "Day ticket", 24, {"adult": 860, "child": 410, "senior": 640, "student": 640}),
    ("WKN", "Weekend ticket", 48, {"adult": 1290, "child": 690, "senior": 1290}),
    ("MON", "Monthly pass", None, {"adult": 7400, "child": 2900, "senior": 4900, "student": 3600}),
    ("ISL", "Island return", 24, {"adult": 1450, "child": 0, "senior": 1450, "student": 1100}),
    ("DOG", "Dog ticket", 2, {"adult": 160}),
)


def stop_code(place: int) -> str:
    """The number on the sign: five digits, mostly with zeros in front."""
    return f"{(place * 97 + 11) % 10_007:05d}"


def zone(place: int) -> int:
    """The fare zone of a stop: the centre, the town around it, the outer ends."""
    return 3 if NAMES[place] in OUTER else 1 if NAMES[place] in INNER else 2


def stops_of(line: str) -> list[int]:
    """The places of a line's stops in `NAMES`, outbound."""
    names = next(one[4] for one in LINES if one[0] == line)
    return [NAMES.index(name) for name in names.split("/")]


def minutes_of(line: str, direction: str) -> list[int]:
    """The minutes from the first stop to each stop of a line."""
    places = stops_of(line) if direction == "O" else stops_of(line)[::-1]
    ride = 9 if line.startswith("F") else 2
    total, found = 0, []
    for number, place in enumerate(places):
        found.append(total)
        total += ride + (place + number) % 3
    return found


def sequence(line: str, direction: str) -> Iterator[tuple[int, str, int]]:
    """Number, code and minutes of each stop of a line."""
    places = stops_of(line) if direction == "O" else stops_of(line)[::-1]
    for number, (place, minutes) in enumerate(zip(places, minutes_of(line, direction), strict=True), start=1):
        yield number, stop_code(place), minutes
