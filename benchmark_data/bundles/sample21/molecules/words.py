"""The names of the laboratory's world, the same whatever the seed."""

from typing import Final

# Symbol, name, atomic number, mass, halogen or not.
ELEMENTS: Final = (
    ("H", "Hydrogen", 1, 1.008, 0),
    ("C", "Carbon", 6, 12.011, 0),
    ("N", "Nitrogen", 7, 14.007, 0),
    ("O", "Oxygen", 8, 15.999, 0),
    ("F", "Fluorine", 9, 18.998, 1),
    ("P", "Phosphorus", 15, 30.974, 0),
    ("S", "Sulphur", 16, 32.06, 0),
    ("Cl", "Chlorine", 17, 35.45, 1),
    ("Br", "Bromine", 35, 79.904, 1),
    ("I", "Iodine", 53, 126.904, 1),
    ("Se", "Selenium", 34, 78.971, 0),
)
LABS: Final = (
    ("01", "Institute of Safety", "Basel"),
    ("02", "Vivarium North", "Aarhus"),
    ("03", "Toxlab", "Łódź"),
    ("07", "toxlab", "Lodz"),
    ("11", "Alto Testing", "Porto"),
    ("12", "Nova Screening", "Ghent"),
)
SUPPLIERS: Final = (
    ("Arcadia Fine Chemicals", "Ireland"),
    ("Borealis Reagents", "Finland"),
    ("Chimie du Sud", "France"),
    ("Delta Synthesis", None),
    ("Eastgate Labs", "Poland"),
    ("Fenster & Söhne", "Austria"),
)
TARGETS: Final = (
    ("Kinase A3", "human"),
    ("Kinase B1", "human"),
    ("Ion channel K7", "rat"),
    ("Protease Mu", "human"),
    ("Receptor 5-α", "rat"),
    ("Receptor 5-β", None),
    ("Transporter T2", "yeast"),
    ("Polymerase Q", "E. coli"),
)
SERIES: Final = (
    ("01", "Anilines"),
    ("02", "Pyridines"),
    ("03", "Alkyl halides"),
    ("04", "Ketones"),
    ("05", "Nitro compounds"),
    ("06", "Thioethers"),
    ("10", "Phosphates"),
)
STEMS: Final = (
    "anisol", "benzal", "cresol", "durenol", "ethanil", "furanol", "guaiac", "hexanil", "indolin", "juglon",
    "kresotin", "lutidin", "mesitol", "naphthol",
)  # fmt: skip
PREFIXES: Final = ("α-", "β-", "iso-", "nor", "4-", "N-", "Neo", "")
# Atoms outside of the ring, by how often they occur.
CHAIN: Final = {"C": 60, "O": 14, "N": 12, "S": 4, "P": 2}
ENDS: Final = {"H": 40, "O": 16, "Cl": 14, "F": 12, "Br": 5, "N": 6, "I": 2}
PROPERTIES: Final = (("logP", -20, 65), ("meltingPoint", -400, 2_800), ("pKa", 10, 130), ("solubility", 1, 9_000))
