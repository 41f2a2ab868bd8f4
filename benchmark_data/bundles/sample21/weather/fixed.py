"""What stays the same at the weather service: regions, stations, kinds of warnings, observers, words of notes."""

from typing import Final

# Name, kind, name of the region above.
REGIONS: Final[tuple[tuple[str, str, str | None], ...]] = (
    ("Vesland", "country", None),
    ("Oberland", "province", "Vesland"),
    ("Küste", "province", "Vesland"),
    ("Mittland", "province", "Vesland"),
    ("Østermark", "province", "Vesland"),
    ("Hochtal", "district", "Oberland"),
    ("Grauspitz", "district", "Oberland"),
    ("Seewinkel", "district", "Oberland"),
    ("Nordstrand", "district", "Küste"),
    ("Hafenbucht", "district", "Küste"),
    ("Wiesengrund", "district", "Mittland"),
    ("Stadtring", "district", "Mittland"),
    ("Birkheide", "district", "Østermark"),
    ("Moorweiler", "district", "Østermark"),
)

# Code, name, region, elevation in metres, latitude, longitude, opened, closed.
STATIONS: Final[tuple[tuple[str, str, str, int | None, float, float, str, str | None], ...]] = (
    ("00104", "Hochalm", "Hochtal", 1820, 47.12, 11.03, "1961-10-01", None),
    ("00117", "Talboden", "Hochtal", 742, 47.18, 11.11, "1988-05-15", None),
    ("00233", "Grauspitz Gipfel", "Grauspitz", 2604, 47.03, 10.77, "1936-07-01", None),
    ("00240", "Untergrau", "Grauspitz", 1105, 47.09, 10.81, "2003-11-20", "2024-01-24"),
    ("00312", "Seewinkel", "Seewinkel", 468, 47.44, 11.52, "1975-03-01", None),
    ("01007", "Nordstrand Leuchtturm", "Nordstrand", 6, 54.61, 8.55, "1951-01-01", None),
    ("01015", "Nordstrand Deich", "Nordstrand", None, 54.58, 8.61, "2016-06-10", None),
    ("01101", "Hafenbucht", "Hafenbucht", 3, 54.12, 9.02, "1968-04-01", None),
    ("01120", "Feuerinsel", "Küste", 11, 54.83, 8.02, "1999-09-01", None),
    ("02001", "Wiesengrund", "Wiesengrund", 214, 51.03, 10.21, "1982-02-01", None),
    ("02044", "Stadtring West", "Stadtring", 171, 51.31, 10.66, "1994-08-01", None),
    ("02045", "Stadtring Ost", "Stadtring", 168, 51.33, 10.74, "2011-03-15", None),
    ("02300", "Mittland Flugfeld", "Mittland", 196, 51.22, 10.49, "1957-12-01", None),
    ("03012", "Birkheide", "Birkheide", 88, 52.71, 13.95, "1970-06-01", None),
    ("03070", "Moorweiler", "Moorweiler", 41, 52.94, 14.18, "1990-10-01", None),
    ("03071", "Moorweiler Süd", "Moorweiler", None, 52.90, 14.20, "2020-01-01", None),
)

# Code, name, advice.
ALERT_KINDS: Final[tuple[tuple[str, str, str | None], ...]] = (
    ("FR", "severe frost", "Protect water pipes."),
    ("ST", "storm", "Stay away from trees."),
    ("RA", "heavy rain", "Avoid cellars near rivers."),
    ("SN", "heavy snow", None),
    ("FG", "dense fog", "Drive slowly."),
    ("AV", "avalanche", "Keep to open paths."),
)

OBSERVERS: Final = (
    ("Agnes Thorn", "00104", "1998-03-01"),
    ("Bertil Krog", "00233", "2005-10-01"),
    ("Cecilie Holm", "01007", "2011-01-15"),
    ("Detlef Ramm", "01101", "1989-06-01"),
    ("Edda Sølvberg", "02001", "2017-04-01"),
    ("Fabian Weiß", "02044", "2020-09-01"),
    ("Gerd Aune", "03012", "2002-02-01"),
    ("Hella Öhman", "03070", "2014-11-01"),
    ("Ingolf Brandt", "02300", "1995-05-01"),
    ("Jutta Kröger", "00312", "2022-07-01"),
    ("Kai Lund", "01120", "2019-12-01"),
    ("Lisbet Nygård", None, "2023-10-01"),
)

# Phenomenon and how observers put it.
NOTES: Final[tuple[tuple[str | None, str], ...]] = (
    ("hail", "Hail the size of peas for a few minutes."),
    ("hail", "short HAIL shower, ground white"),
    ("fog", "Thick fog until noon, the church could not be seen."),
    ("fog", "fog patches over the moor"),
    ("snow", "First snow that stays."),
    ("snow", "Snow drifts on the road; hail mixed in."),
    ("rime", "Rime on all fences, beautiful."),
    ("thunder", "Two claps of thunder far away."),
    (None, "Gauge was frozen, emptied by hand."),
    (None, "Nothing to report."),
)
MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# Kind, models, ways to write the unit.
SENSORS: Final = (
    ("T", ("Thermo 3", "THERMO 3", "Pt-100"), ("°C", "°C", "C", "degC")),
    ("H", ("HygroLine", "hygroline"), ("%",)),
    ("W", ("Anemos S", "anemos s", "SonicWind"), ("m/s", "m/s", "km/h")),
    ("R", ("PluvioTip", "PLUVIOTIP", "Pluvio W"), ("mm",)),
)
