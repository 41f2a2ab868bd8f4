"""The fixed vocabulary of the museum: galleries, artists, titles, materials, borrowers, conservators."""

from typing import Final

GALLERIES: Final = (
    ("001", "Entrance Hall", 0, "N"),
    ("002", "Old Masters", 0, "Y"),
    ("003", "Dutch Cabinet", 0, "Y"),
    ("004", "Stone Court", 0, "N"),
    ("011", "Landscapes", 1, "Y"),
    ("012", "Portraits", 1, "Y"),
    ("013", "Bronze Room", 1, "N"),
    ("014", "Salon of 1900", 1, "Y"),
    ("015", "Coin Cabinet", 1, "Y"),
    ("021", "Modern Wing", 2, "Y"),
    ("022", "Works on Paper", 2, "Y"),
    ("023", "New Acquisitions", 2, "N"),
)

# Name, born, died, country, number of the teacher, first and last year of work.
ARTISTS: Final = (
    ("Élodie Marchand", "1788", "1859", "FR", None, 1810, 1858),
    ("Matthäus Köhl", "c. 1590", "1651", "DE", None, 1615, 1650),
    ("Jiří Havlín", "1814", "1880", "CZ", 1, 1836, 1879),
    ("Þóra Einarsdóttir", "1852", "1931", "IS", 3, 1874, 1930),
    ("Łukasz Wrona", "1861", "1919", "PL", 3, 1884, 1919),
    ("Søren Kjær", "1879", "1958", "DK", 4, 1901, 1957),
    ("Núria Peñalver", "1883", "1967", "ES", 5, 1905, 1966),
    ("Ōta Kenji", "1896", "1974", "JP", 7, 1919, 1973),
    ("Master of the Blue Door", None, None, None, None, 1600, 1630),
    ("Cornelis van der Wiel", "1612", "after 1670", "NL", 2, 1633, 1670),
    ("Aaltje Brouwershof", "c. 1630", "1699", "NL", 10, 1652, 1698),
    ("Giambattista Orsolo", "1671", "1740", "IT", None, 1693, 1739),
    ("Beniamino Orsolo", "1702", "c. 1765", "IT", 12, 1722, 1764),
    ("Harriet Fenwick", "1825", "1901", "GB", 1, 1847, 1900),
    ("Edmund Fenwick", "1850", "1924", "GB", 14, 1872, 1923),
    ("Ludmila Říhová", "1905", "1988", "CZ", 6, 1926, 1987),
    ("Anders Ljunggren", "1911", "1990", "SE", 6, 1933, 1989),
    ("Çiğdem Aksoy", "1938", None, "TR", 16, 1961, 2015),
    ("Márta Szűcs", "1944", None, "HU", 16, 1967, 2012),
    ("Owen Pryce-Jones", "1951", None, "GB", 17, 1974, 2018),
    ("Ilse Vandenbroucke", "1867", "1943", "BE", 5, 1889, 1942),
    ("Workshop of the Three Keys", None, None, "DE", None, 1640, 1690),
    ("Ángel Ibáñez", "1890", "1936", "ES", 7, 1911, 1936),
    ("Noémie Lacroix", "1919", "2004", "FR", 8, 1941, 2001),
    ("Dmytro Hryhorenko", "c. 1840", "1912", "UA", 3, 1863, 1911),
    ("Friedrich Aumann", "1766", "1829", "DE", None, 1788, 1828),
)

SUBJECTS: Final = (
    *("Harbour at Dusk", "Still Life with Quinces", "The Widow's Window", "View of the Weir", "Portrait of a Notary"),
    *("Winter Road", "Saint Jerome", "The Card Players", "Orchard in Bloom", "Ruined Abbey", "Study of Hands"),
    *("La Lettre", "Das Gewitter", "Øresund", "Girl with a Finch", "Flight into Egypt", "Self-Portrait", "Fjäll"),
)
FIGURES: Final = (
    *(
        "Bather",
        "Torso",
        "Head of a Child",
        "Hunter with Hound",
        "Mother and Daughter",
        "The Reaper",
        "Study of a Hare",
    ),
    *("Saint Florian", "Seated Woman", "Composition No. 4"),
)
DENOMINATIONS: Final = ("Denier", "Groat", "Pfennig", "Ducat", "Thaler", "Kreuzer", "Escudo", "Öre", "Żeton")
MEDIA: Final = {"oil": 62, "tempera": 14, "watercolour": 15, "mixed media": 9}
SUPPORTS: Final = {
    "oil": ("canvas", "canvas", "canvas", "panel", "copper"),
    "tempera": ("panel", "panel", "canvas"),
    "watercolour": ("paper",),
    "mixed media": ("canvas", "paper", "board"),
}
MATERIALS: Final = {
    "bronze": 34,
    "marble": 22,
    "limewood": 12,
    "plaster": 10,
    "terracotta": 9,
    "gilding": 8,
    "glass": 5,
}
METALS: Final = {"silver": 52, "copper": 22, "gold": 14, "billon": 12}
MINTS: Final = {"Kremnica": 20, "Utrecht": 16, "Kraków": 12, "Saint-Lô": 8, "Härnösand": 5, None: 14}

BORROWERS: Final = (
    ("Musée des Augustines", "Arras", "FR"),
    ("Kunsthalle am Wehr", "Bremen", "DE"),
    ("Fenwick Collection", "Durham", "GB"),
    ("Museo de la Ribera", "Zaragoza", "ES"),
    ("Národní sbírka", "Brno", "CZ"),
    ("Galerie du Château", "Nancy", "FR"),
    ("Stedelijk Depot", "Gouda", "NL"),
    ("Nordisk Malerisamling", "Århus", "DK"),
    ("Muzeum Solne", "Wieliczka", "PL"),
    ("Museum of the Marches", "Ludlow", "GB"),
    ("Münzkabinett St. Gallen", "St. Gallen", "CH"),
)

CONSERVATORS: Final = (
    ("Agata Zielonka", "paintings"),
    ("Bernd Osterloh", "paintings"),
    ("Chloë Renard", "stone"),
    ("Dara O'Shea", "metal"),
    ("Emil Strand", "metal"),
    ("Fiorella Conti", "paper"),
)
METHODS: Final = {
    "P": ("cleaning", "relining", "retouching", "varnish removal"),
    "S": ("cleaning", "consolidation", "patina repair"),
    "C": ("cleaning", "electrolysis", "waxing"),
}
