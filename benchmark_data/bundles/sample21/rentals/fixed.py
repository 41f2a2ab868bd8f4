"""What stays the same at the letting agency: towns, owners, contractors, streets and names."""

from typing import Final

# Zip, name, region, cap of the rent for a square metre.
TOWNS: Final[tuple[tuple[str, str, str, str | None], ...]] = (
    ("01067", "Elbau", "North Valley", "9.80"),
    ("01326", "Loschen", "North Valley", None),
    ("04109", "Lindenau", "Plain", "10.50"),
    ("04315", "Reudnitz", "Plain", "10.50"),
    ("07743", "Saalen", "Hills", "11.20"),
    ("08056", "Mulde", "Hills", None),
    ("12043", "Rixen", "Lakes", "13.00"),
    ("14467", "Havelin", "Lakes", "12.40"),
)

# Name, kind (P: a person, C: a company), phone, e-mail.
OWNERS: Final[tuple[tuple[str, str, str | None, str | None], ...]] = (
    ("Adelheid Brandt", "P", "0351 204417", "a.brandt@post.example"),
    ("Hausbau Elbau GmbH", "C", "0351 900100", "info@hausbau.example"),
    ("Benno Achterberg", "P", "0341 77120", None),
    ("Carla Dürr", "P", None, "Carla.Duerr@Post.Example"),
    ("Grundwert AG", "C", "030 5550", "vermietung@grundwert.example"),
    ("Dorothea Engel", "P", "03641 38112", "dengel@mail.example"),
    ("Emil Fuchs", "P", "0375 2209", "EMIL@FUCHS.EXAMPLE"),
    ("Seeblick KG", "C", "0331 88321", "kontakt@seeblick.example"),
    ("Friederike Groß", "P", "0341 60608", None),
    ("Gustav Hahn", "P", None, None),
    ("Henriette Ihle", "P", "0351 31415", "h.ihle@mail.example"),
    ("Wohnen & Mehr eG", "C", "0375 4400", "post@wohnenmehr.example"),
    ("Ignaz Jahn", "P", "03641 9931", "ijahn@post.example"),
    ("Josephine Kühn", "P", "030 77881", "j.kuehn@mail.example"),
    ("Konrad Lorenz", "P", "0331 50122", None),
    ("Luise Maurer", "P", "0341 11928", "Luise@Maurer.example"),
)

CONTRACTORS: Final = (
    ("Rohr & Söhne", "plumbing", "0351 70010"),
    ("Elektro Blitz", "electricity", "0341 50505"),
    ("Warm GmbH", "heating", "03641 4477"),
    ("Malerei Bunt", "painting", "0375 6120"),
    ("Dach und Fach", "roof", "0331 99001"),
    ("Schlüsseldienst Zange", "locks", "030 110110"),
    ("Rohrfrei Express", "plumbing", "030 22023"),
)

STREETS: Final = (
    "Ahornweg",
    "Am Markt",
    "Bahnhofstraße",
    "Birkenallee",
    "Dorfstrasse",
    "Goethestraße",
    "Hafenkai",
    "Kirchgasse",
    "Lange Zeile",
    "Mühlenweg",
    "Schillerstraße",
    "Uferpromenade",
)

FIRST_NAMES: Final = (
    "Anna",
    "Bilal",
    "Chiara",
    "Dmitri",
    "Esra",
    "Felix",
    "Greta",
    "Hüseyin",
    "Ines",
    "Jakub",
    "Klara",
    "Linh",
    "Mateo",
    "Nele",
    "Olga",
    "Paul",
    "Quirin",
    "Rana",
    "Sofía",
    "Tim",
)
LAST_NAMES: Final = (
    "Arndt",
    "Böhm",
    "Çelik",
    "Dietz",
    "Ebert",
    "Franke",
    "Günther",
    "Hoang",
    "Ivanov",
    "Jung",
    "Köhler",
    "López",
    "Möller",
    "Nowak",
    "Otto",
    "Peters",
    "Rossi",
    "Schäfer",
    "Thomas",
    "Vogel",
)
TRADES: Final = ("bakery", "books", "flowers", "hairdresser", "bicycles", "tailor")
