"""The names of the courts' world, the same whatever the seed."""

from typing import Final

# Code, name, level, city, code of the court above.
COURTS: Final = (
    ("S1", "Supreme Court of Marenholt", "S", "Marenholt", None),
    ("A1", "Court of Appeal Northmark", "A", "Sund", "S1"),
    ("A2", "Court of Appeal Southmark", "A", "Dravik", "S1"),
    ("01", "District Court Sund", "D", "Sund", "A1"),
    ("02", "District Court Kaldby", "D", "Kaldby", "A1"),
    ("03", "District Court Øster Havn", "D", "Øster Havn", "A1"),
    ("04", "District Court Dravik", "D", "Dravik", "A2"),
    ("05", "District Court Lindow", "D", "Lindow", "A2"),
    ("06", "Labour Court Dravik", "D", "Dravik", "A2"),
)
JUDGES: Final = (
    "Agnes Thorne", "Baltasar Ruiz", "Cosima Feld", "Dagny Aas", "Eamon Pryce", "Florin Popa", "Gerda Stahl",
    "Henk van Loon", "Irma Kask", "Joachim Behr", "Karin Ødegård", "Lucjan Wrona", "Mercy Adjei", "Niels Brandt",
    "Oona Laine", "Petra Zeman", "Rasmus Holt", "Sofia Marsh", "Tadeo Vega", "Ursula Penn", "Viktor Laszlo",
    "Wanda Crewe", "Yngve Sand", "Zora Milic", "Alma Reyes", "Bruno Katz",
)  # fmt: skip
LAWYERS: Final = (
    ("Ida Falk", "Falk & Partners"), ("Tom Falk", "Falk & Partners"), ("Rosa Ilić", "Ilić Legal"),
    ("Piet Maas", "Maas Advocates"), ("Lena Maas", "Maas Advocates"), ("Omar Haddad", "Quay Chambers"),
    ("Greta Lund", "Quay Chambers"), ("Silas Moor", None), ("Vera Novák", "Novák & Novák"),
    ("Jiří Novák", "Novák & Novák"), ("Hanna Weiss", "quay chambers"), ("Ola Bakke", None), ("Mina Sato", "Sato Law"),
    ("Carl Ek", "Ek & Ström"), ("Nora Ström", "Ek & Ström"), ("Abel Costa", "Costa Legal"), ("Ruth Ames", None),
    ("Igor Petrov", "Ilić Legal"), ("Fay Winter", "Falk & Partners"), ("Sven Dahl", "Ek & Ström"),
)  # fmt: skip
BODIES: Final = (
    "Prosecution Service", "Tax Office of Marenholt", "Harbour Authority of Sund", "City of Sund", "City of Dravik",
    "City of Lindow", "Road Office", "Board of Schools", "Forest Office", "Pension Fund of the State",
)  # fmt: skip
COMPANIES: Final = (
    "Hollis & Vane Ltd", "Hollis and Vane Ltd.", "Nordkap Shipping", "Brightwater Mills", "Kaldby Brewery",
    "Lindow Glass Works", "Øster Havn Fish", "Castell Insurance", "Blue Quay Hotels", "Sund Savings Bank",
    "Ferrum Steel", "Papir Nord", "Greenfold Farms", "Voltaire Electric", "Vela Airlines", "Tessera Tiles",
    "Marenholt Post", "Otter Software", "Halcyon Homes", "halcyon homes", "Dravik Trams", "Rook Security",
)  # fmt: skip
FIRST_NAMES: Final = (
    "Ada", "Bent", "Clara", "Dario", "Elsa", "Finn", "Gita", "Hugo", "Ilona", "Jasper", "Kaja", "Leif", "Maja", "Nico",
)  # fmt: skip
LAST_NAMES: Final = ("Berg", "Costa", "Dahl", "Evers", "Fisker", "Grønn", "Hale", "Iversen", "Jansen")
CITIES: Final = ("Sund", "Dravik", "Kaldby", "Lindow", "Øster Havn", "Marenholt")
AREAS: Final = {"CIV": 9, "CRI": 7, "ADM": 4, "FAM": 4, "LAB": 3}
TITLES: Final = {
    "CIV": ("Unpaid invoice", "Defective goods", "Boundary dispute", "Breach of lease", "Water damage"),
    "CRI": ("Burglary", "Fraud", "Reckless driving", "Arson", "Smuggling"),
    "ADM": ("Building permit", "Tax assessment", "Fishing licence", "School admission"),
    "FAM": ("Divorce", "Custody", "Inheritance", "Maintenance"),
    "LAB": ("Unfair dismissal", "Unpaid overtime", "Workplace accident"),
}
ODD_DATES: Final = ("2018-02-30", "12.05.2019", "May 2017", "n/a", "2016-13-01")
ODD_MINUTES: Final = ("ca. 40", "half a day", "1 h 15", "?")
SUMMARIES: Final = (
    "The claim is well founded.", "The claim is out of time.", "The evidence does not suffice.",
    "The parties settled before the court.", "The court below heard no witness.",
)  # fmt: skip
