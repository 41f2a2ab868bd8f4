"""The fixed vocabulary of the clinic: staff, diagnoses, drugs, tests with their ranges, names of people."""

from typing import Final

# Name, speciality, number of the supervisor.
CLINICIANS: Final = (
    ("Dr Agnes Thornbury", "general practice", None),
    ("Dr Samuel Okafor", "general practice", 1),
    ("Dr Lena Brandvold", "general practice", 1),
    ("Dr Ruth Castellan", "cardiology", None),
    ("Dr Piotr Wielgosz", "cardiology", 4),
    ("Dr Ines Fonseca", "endocrinology", None),
    ("Dr Malcolm Reyes", "endocrinology", 6),
    ("Dr Yusuf Demirel", "emergency", None),
    ("Dr Claire Aubertin", "emergency", 8),
    ("Dr Tom Hartnell", "emergency", 8),
    ("Dr Ingrid Sørum", "paediatrics", 1),
    ("Dr Noor van Dijk", "dermatology", 1),
    ("Sister Beth Calloway", "nursing", 2),
    ("Sister Oona Farrell", "nursing", 13),
)

DIAGNOSES: Final = (
    ("RES-01", "Asthma", "respiratory"),
    ("RES-02", "Acute bronchitis", "respiratory"),
    ("RES-03", "Pneumonia", "respiratory"),
    ("CIR-01", "High blood pressure", "circulatory"),
    ("CIR-02", "Atrial fibrillation", "circulatory"),
    ("CIR-03", "Heart failure", "circulatory"),
    ("END-01", "Type 2 diabetes", "endocrine"),
    ("END-02", "Underactive thyroid", "endocrine"),
    ("END-03", "Vitamin D deficiency", "endocrine"),
    ("SKI-01", "Eczema", "skin"),
    ("SKI-02", "Hives", "skin"),
    ("INJ-01", "Sprained ankle", "injury"),
    ("INJ-02", "Cut or laceration", "injury"),
    ("INJ-03", "Burn", "injury"),
    ("GEN-01", "Iron deficiency anaemia", "general"),
    ("GEN-02", "Tiredness", "general"),
    ("GEN-03", "Headache", "general"),
)

# Code, name, family, usual doses in milligrams.
DRUGS: Final = (
    ("0031", "Amoxicillin", "penicillins", (250.0, 500.0, 875.0)),
    ("0032", "Flucloxacillin", "penicillins", (250.0, 500.0)),
    ("0047", "Co-trimoxazole", "sulfonamides", (480.0, 960.0)),
    ("0102", "Ibuprofen", "anti-inflammatories", (200.0, 400.0, 600.0)),
    ("0103", "Naproxen", "anti-inflammatories", (250.0, 500.0)),
    ("0110", "Paracetamol", "painkillers", (500.0, 1000.0)),
    ("0115", "Codeine", "opioids", (15.0, 30.0)),
    ("0204", "Metformin", "biguanides", (500.0, 850.0, 1000.0)),
    ("0211", "Levothyroxine", "hormones", (0.025, 0.05, 0.1)),
    ("0300", "Amlodipine", "calcium blockers", (2.5, 5.0, 10.0)),
    ("0305", "Ramipril", "ACE inhibitors", (1.25, 2.5, 5.0)),
    ("0310", "Bisoprolol", "beta blockers", (1.25, 2.5, 5.0)),
    ("0420", "Atorvastatin", "statins", (10.0, 20.0, 40.0)),
    ("0501", "Salbutamol", "bronchodilators", (0.1, 0.2)),
    ("0600", "Cetirizine", "antihistamines", (5.0, 10.0)),
    ("0700", "Ferrous sulphate", "minerals", (200.0,)),
)

SUBSTANCES: Final = {
    "penicillins": 30,
    "anti-inflammatories": 14,
    "sulfonamides": 10,
    "opioids": 6,
    "latex": 9,
    "peanut": 10,
    "bee venom": 8,
    "nickel": 13,
}

# Code, title, unit, (low, high) for women and for men in tenths, spread of values in tenths, limits of detection.
TESTS: Final = (
    ("GLU", "Glucose, fasting", "mmol/l", (39, 56), (39, 56), (34, 112), ()),
    ("HB", "Haemoglobin", "g/l", (1200, 1550), (1350, 1750), (950, 1840), ()),
    ("CRE", "Creatinine", "µmol/l", (450, 850), (600, 1050), (410, 1390), ()),
    ("K", "Potassium", "mmol/l", (35, 51), (35, 51), (28, 60), ()),
    ("CRP", "C-reactive protein", "mg/l", (None, 50), (None, 50), (5, 960), ("<0.5",)),
    ("TSH", "Thyrotropin", "mU/l", (4, 40), (4, 40), (1, 88), ("<0.1",)),
    ("FER", "Ferritin", "µg/l", (150, 1500), (300, 4000), (60, 4600), ("<5.0",)),
    ("VITD", "Vitamin D", "nmol/l", (500, 1250), (500, 1250), (110, 1500), ("<10.0", ">250.0")),
    ("TROP", "Troponin", "ng/l", (None, 160), (None, 340), (30, 620), ("<3.0",)),
    ("HBA1C", "Glycated haemoglobin", "mmol/mol", (200, 420), (200, 420), (290, 960), ()),
    ("INR", "Clotting time ratio", None, (9, 11), (9, 11), (8, 41), ()),
)
PROTEIN: Final = ("URP", "Protein in urine", None)
PROTEIN_VALUES: Final = {"neg": 70, "+": 20, "++": 8, "+++": 2}

FIRST_NAMES: Final = (
    *("Ada", "Bernard", "Cecilia", "Desmond", "Edith", "Farouk", "Greta", "Hugo", "Imogen", "Jonas", "Kirsten"),
    *("Leopold", "Maeve", "Nadia", "Oskar", "Petra", "Rafael", "Solveig", "Theo", "Ursula", "Viktor", "Zoë"),
)
LAST_NAMES: Final = (
    *("Abernathy", "Blackwood", "Crane", "Delaney", "Eastman", "Fairweather", "Grimaldi", "Haddad", "Ivarsson"),
    *("Jankowski", "Kessler", "Løvgren", "Marchetti", "Nakamura", "Oyelaran", "Pritchard", "Quinn", "Rasmussen"),
)
RELATIONS: Final = {"spouse": 40, "parent": 18, "child": 24, "sibling": 12, "neighbour": 6}
