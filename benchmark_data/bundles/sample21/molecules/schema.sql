CREATE TABLE elements (
    symbol TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    atomic_number INTEGER NOT NULL,
    mass REAL NOT NULL,
    is_halogen INTEGER NOT NULL
);
CREATE TABLE labs (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    city TEXT NOT NULL
);
CREATE TABLE suppliers (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    country TEXT
);
CREATE TABLE targets (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    organism TEXT
);
CREATE TABLE series (
    code TEXT PRIMARY KEY,
    name TEXT NOT NULL
);
CREATE TABLE molecules (
    id TEXT PRIMARY KEY,
    registry TEXT NOT NULL,
    name TEXT,
    series_code TEXT NOT NULL REFERENCES series (code)
);
CREATE TABLE atoms (
    id TEXT PRIMARY KEY,
    molecule_id TEXT NOT NULL REFERENCES molecules (id),
    place INTEGER NOT NULL,
    element TEXT NOT NULL REFERENCES elements (symbol),
    charge INTEGER,
    aromatic INTEGER NOT NULL
);
CREATE TABLE bonds (
    id TEXT PRIMARY KEY,
    molecule_id TEXT NOT NULL REFERENCES molecules (id),
    atom_from TEXT NOT NULL REFERENCES atoms (id),
    atom_to TEXT NOT NULL REFERENCES atoms (id),
    kind TEXT
);
CREATE TABLE assays (
    molecule_id TEXT PRIMARY KEY REFERENCES molecules (id),
    lab_code TEXT NOT NULL,
    result TEXT NOT NULL,
    dose_mg INTEGER,
    run_on TEXT NOT NULL
);
CREATE TABLE properties (
    molecule_id TEXT NOT NULL REFERENCES molecules (id),
    name TEXT NOT NULL,
    value REAL NOT NULL,
    unit TEXT,
    PRIMARY KEY (molecule_id, name)
);
CREATE TABLE activities (
    molecule_id TEXT NOT NULL REFERENCES molecules (id),
    target_id INTEGER NOT NULL REFERENCES targets (id),
    potency TEXT NOT NULL,
    runs INTEGER NOT NULL,
    PRIMARY KEY (molecule_id, target_id)
);
CREATE TABLE batches (
    id TEXT PRIMARY KEY,
    molecule_id TEXT NOT NULL REFERENCES molecules (id),
    supplier_id INTEGER NOT NULL REFERENCES suppliers (id),
    received TEXT,
    purity TEXT NOT NULL,
    milligrams INTEGER NOT NULL
);
