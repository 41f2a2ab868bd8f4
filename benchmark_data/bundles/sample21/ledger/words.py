"""The names of the company's world, the same whatever the seed."""

from typing import Final

# Number, name, kind, parent, closed.
ACCOUNTS: Final = (
    ("0100", "Opening Balances", "E", None, "Y"),
    ("1000", "Assets", "A", None, "N"),
    ("1100", "Current Assets", "A", "1000", "N"),
    ("1110", "Petty Cash", "A", "1100", "N"),
    ("1120", "Bank", "A", "1100", "N"),
    ("1130", "Receivables", "A", "1100", "N"),
    ("1140", "Input Tax", "A", "1100", "N"),
    ("1200", "Fixed Assets", "A", "1000", "N"),
    ("1210", "Vehicles", "A", "1200", "N"),
    ("1220", "Machines", "A", "1200", "N"),
    ("1230", "Software", "A", "1200", "Y"),
    ("2000", "Liabilities", "L", None, "N"),
    ("2100", "Payables", "L", "2000", "N"),
    ("2200", "Output Tax", "L", "2000", "N"),
    ("2300", "Loans", "L", "2000", "N"),
    ("2310", "Bank Loan", "L", "2300", "N"),
    ("2320", "Owner's Loan", "L", "2300", "Y"),
    ("4000", "Income", "I", None, "N"),
    ("4100", "Sales", "I", "4000", "N"),
    ("4110", "Domestic Sales", "I", "4100", "N"),
    ("4120", "Export Sales", "I", "4100", "N"),
    ("4130", "Café Sales", "I", "4100", "N"),
    ("4200", "Other Income", "I", "4000", "N"),
    ("4210", "Rent Received", "I", "4200", "N"),
    ("5000", "Expenses", "X", None, "N"),
    ("5100", "Materials", "X", "5000", "N"),
    ("5110", "Timber", "X", "5100", "N"),
    ("5120", "Fittings", "X", "5100", "N"),
    ("5200", "Staff", "X", "5000", "N"),
    ("5210", "Wages", "X", "5200", "N"),
    ("5220", "Training", "X", "5200", "N"),
    ("5300", "Premises", "X", "5000", "N"),
    ("5310", "Rent Paid", "X", "5300", "N"),
    ("5320", "Energy", "X", "5300", "N"),
    ("5330", "energy (old)", "X", "5300", "Y"),
    ("5400", "Travel", "X", "5000", "N"),
    ("5500", "Depreciation", "X", "5000", "N"),
)
# Accounts that have budgets, with a usual year's turnover in thousands of euros.
BUDGETED: Final = {
    "4110": 190, "4120": 85, "4130": 10, "5110": 18, "5120": 13,
    "5210": 35, "5220": 3, "5310": 5, "5320": 7, "5400": 12,
}  # fmt: skip
TAX_CODES: Final = (
    ("V19", "standard rate", 190),
    ("V07", "reduced rate", 70),
    ("V00", "exempt", 0),
    ("X00", "export", 0),
)
JOURNALS: Final = (("SAL", "Sales"), ("PUR", "Purchases"), ("BNK", "Bank"), ("GEN", "General"), ("OPN", "Opening"))
COST_CENTRES: Final = (
    ("001", "Workshop"), ("002", "Showroom"), ("007", "Office"), ("010", "Café"), ("099", "Øst depot"),
)  # fmt: skip
FIRST_NAMES: Final = ("Ane", "Bo", "Cléo", "Dina", "Erik", "Filip", "Gro", "Hedda", "Ian", "Jo", "Kim", "Liv")
LAST_NAMES: Final = ("Aune", "Bakken", "Dale", "Espeland", "Fjeld", "Grøn")
COMPANIES: Final = (
    "Nordic Timber AS", "NORDIC TIMBER AS", "Hinge & Bolt Ltd", "Fjord Energy", "City Property", "Atelier Blanc",
    "Hotel Aurora", "Bright Offices", "Green Parks", "Kranz Möbel GmbH", "Loft Living", "Museum Shops", "Oak & Ash",
    "Pier 12", "Quiet Rooms", "Restaurant Sølv", "Stage Builders", "Tiny Houses", "Urban Nest", "Villa Verde",
    "Wide Angle", "Yacht Interiors", "Zinc Bar", "Harbour School", "Fleet Motors", "Machine Hall", "Rail Tours",
    "Skyline Air",
)  # fmt: skip
AUTHORITIES: Final = (
    ("Tax Office", "state"), ("Customs", "state"), ("City Treasury", "city"), ("Labour Inspection", "state"),
    ("Chamber of Crafts", "region"), ("Patent Office", "state"),
)  # fmt: skip
CITIES: Final = ("Bergen", "Oslo", "Trondheim", "Alta", "bergen", "Malmö")
SALES_MEMOS: Final = ("Table", "Shelves", "Counter", "Set of chairs", "Wardrobe", "kitchen", "Kitchen")
PURPOSES: Final = ("INVOICE {document}", "invoice {document}", "Ref. {document}", None)
