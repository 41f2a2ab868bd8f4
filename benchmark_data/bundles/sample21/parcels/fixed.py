"""What stays the same at the parcel service: depots, areas, codes of events, names of people and shops."""

from typing import Final

# Code, name, kind, belts, manager.
DEPOTS: Final[tuple[tuple[str, str, str, int, str | None], ...]] = (
    ("0001", "Hub Mitte", "hub", 12, "Renate Pohl"),
    ("0010", "Talheim", "delivery", 3, "Uwe Kranz"),
    ("0011", "Bergstadt", "delivery", 2, None),
    ("0020", "Hafen Ost", "delivery", 4, "Solveig Nyström"),
    ("0021", "Inselpost", "delivery", 1, None),
    ("0030", "Grünau", "delivery", 3, "Mehmet Yıldız"),
    ("0031", "Waldrand", "delivery", 2, "Ilse Falk"),
)

# Zip, town, depot.
AREAS: Final = (
    ("00123", "Talheim", "0010"),
    ("00124", "Talheim West", "0010"),
    ("00150", "Niederbach", "0010"),
    ("00310", "Bergstadt", "0011"),
    ("00345", "Felsen", "0011"),
    ("02100", "Hafen", "0020"),
    ("02101", "Hafen Speicher", "0020"),
    ("02140", "Deichdorf", "0020"),
    ("02900", "Große Insel", "0021"),
    ("02901", "Kleine Insel", "0021"),
    ("30010", "Grünau", "0030"),
    ("30011", "Grünau Süd", "0030"),
    ("30500", "Auenfeld", "0030"),
    ("31700", "Waldrand", "0031"),
    ("31780", "Tannhöhe", "0031"),
)
UNSERVED: Final = ("00999", "39999", "0212")

# Code, name, whether it is the last one of a parcel.
EVENTS: Final = (
    ("01", "accepted", "n"),
    ("02", "arrived at depot", "n"),
    ("03", "left depot", "n"),
    ("04", "out for delivery", "n"),
    ("05", "delivered", "y"),
    ("06", "nobody at home", "n"),
    ("07", "returned to sender", "y"),
    ("08", "damaged", "n"),
    ("09", "address not found", "n"),
)

# Name, kind (B: business, P: private person).
SENDERS: Final = (
    ("Knopf & Faden", "B"),
    ("Buchhandlung Seite 7", "B"),
    ("TeeKontor", "B"),
    ("Teekontor Nord", "B"),
    ("Radwerk GmbH", "B"),
    ("Gartenglück", "B"),
    ("elektro-24", "B"),
    ("Weinhaus Ötz", "B"),
    ("Spielzeugkiste", "B"),
    ("Schuh Wagner", "B"),
    ("Käse & Brot", "B"),
    ("Optik Klar", "B"),
    ("Anneliese Reuter", "P"),
    ("Björn Ask", "P"),
    ("Cem Aydın", "P"),
    ("Doris Kehl", "P"),
    ("Erik Sund", "P"),
    ("Fatma Kaya", "P"),
    ("Georg Huber", "P"),
    ("Hanna Voss", "P"),
    ("Igor Balić", "P"),
    ("Jana Peš", "P"),
    ("Kurt Adler", "P"),
    ("Lena Wirth", "P"),
)
RECIPIENTS: Final = ("Adam", "Berg", "Chen", "Dahl", "Ernst", "Funk", "Götz", "Haas", "Ilić", "Jäger", "Kern", "Lang")
DRIVERS: Final = (
    ("Paula Ott", "0010", "2016-05-01"),
    ("Ralf Stein", "0010", "2020-01-01"),
    ("Sven Holt", "0011", "2012-09-01"),
    ("Tanja Moor", "0020", "2019-03-01"),
    ("Ugo Conti", "0020", "2023-06-12"),
    ("Vera Lind", "0021", "2008-04-01"),
    ("Walter Opitz", "0030", "2015-10-01"),
    ("Xenia Kolb", "0030", "2022-08-08"),
    ("Yusuf Demir", "0031", "2018-01-15"),
    ("Zora Blum", "0031", "2024-02-01"),
)
REASONS: Final = {"lost": 3, "damaged": 5, "late": 3, "content missing": 2}
